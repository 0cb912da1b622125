"""A verb of tidemark as a task."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Any

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.sdk import Context
from tidemark_airflow.deployment import Deployment, Pipeline
from tidemark_airflow.result import require_done


class TidemarkOperator(SparkSubmitOperator):
    """
    Submits a verb in client mode, and believes its result file instead of spark-submit's exit code. The result
    becomes the task's XCom. Nothing is templated: neither a secret nor what somebody typed is ever evaluated.

    :param arguments: the verb's own, computed from the run
    """

    template_fields = ()

    def __init__(
        self,
        *,
        verb: str,
        pipeline: Pipeline,
        deployment: Deployment,
        arguments: Callable[[Context], list[str]] = lambda context: [],
        **kwargs: Any,
    ) -> None:
        super().__init__(
            conn_id=deployment.connection,
            application=deployment.jar,
            java_class="io.tidemark.cli.Tidemark",
            jars=deployment.delta_jars,
            deploy_mode="client",
            name=f"tidemark-{verb}-{pipeline.name}",
            **kwargs,
        )
        self.verb = verb
        self.pipeline = pipeline
        self.deployment = deployment
        self.arguments = arguments

    def execute(self, context: Context) -> dict[str, Any]:
        task = context["ti"]
        run = re.sub(r"[^A-Za-z0-9_.+-]", "-", task.run_id)
        file = self.deployment.results / task.dag_id / run / f"{task.task_id}-{task.try_number}.json"
        file.unlink(missing_ok=True)
        self.application_args = [
            self.verb,
            self.pipeline.file,
            "--warehouse",
            self.deployment.warehouse,
            "--result",
            str(file),
            *self.arguments(context),
        ]
        submitted_at = datetime.datetime.now(datetime.UTC)
        submission_error = None
        try:
            super().execute(context)
        except Exception as error:
            # Whatever it is, the result file says whether the verb ended, and whether to try again.
            submission_error = error
        return require_done(file, self.verb, submitted_at, submission_error)
