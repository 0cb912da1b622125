"""The DAGs of a pipeline. They wire verbs; nothing is computed here."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from typing import Any

from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.providers.standard.operators.python import PythonOperator
from airflow.sdk import (
    DAG,
    Asset,
    AssetOrTimeSchedule,
    Context,
    DeadlineAlert,
    DeadlineReference,
    Param,
    SyncCallback,
)
from airflow.sdk.exceptions import AirflowFailException
from tidemark_airflow import arguments
from tidemark_airflow.deployment import Deployment, Pipeline
from tidemark_airflow.operator import TidemarkOperator
from tidemark_airflow.timetable import UtcDayTimetable

# Only a conflict (exit 4) is ever tried again: all other ends fail at once.
RETRIES = {
    "retries": 3,
    "retry_delay": datetime.timedelta(minutes=1),
    "retry_exponential_backoff": True,
    "max_retry_delay": datetime.timedelta(minutes=10),
}
REBUILD_POOL = "tidemark_rebuild"
COMPARISON = (
    "{% set result = ti.xcom_pull(task_ids='compare') %}"
    "Windows through {{ result['through'] }}: {{ result['differing'] }} of {{ result['compared'] }} rows differ"
    " beyond what was expected, {{ result['tolerance'] }} are tolerated. Rows: {{ result['rows'] }}."
    " Rows that differ, by measure: {{ result['differing_by_measure'] }}."
    " The log of the task compare shows the largest differences."
)


def all_dags(deployment: Deployment) -> Iterator[DAG]:
    for pipeline in deployment.pipelines:
        yield settle(pipeline, deployment)
        yield stream_health(pipeline, deployment)
        yield rebuild(pipeline, deployment)
        yield roll_back(pipeline, deployment)


def pool(pipeline: Pipeline) -> str:
    """Of one slot: what changes a pipeline's tables runs one after the other."""
    return f"tidemark_{pipeline.name}"


def tables(pipeline: Pipeline) -> Asset:
    """What downstream DAGs wait for, wherever the tables lie."""
    return Asset(name=f"tidemark_{pipeline.name}", uri=f"tidemark://pipelines/{pipeline.name}")


def settle(pipeline: Pipeline, deployment: Deployment) -> DAG:
    schedule = pipeline.schedule
    days = UtcDayTimetable(schedule.settle_at, schedule.timezone)
    alert = SyncCallback(deployment.alert, {"pipeline": pipeline.name, "deadline": str(schedule.deadline)})
    with _dag(
        "settle",
        pipeline,
        "Settles yesterday, proves it and tidies up. Parameters: days to settle again, a breach to accept.",
        schedule=AssetOrTimeSchedule(timetable=days, assets=[Asset(uri=uri) for uri in schedule.settle_after])
        if schedule.settle_after
        else days,
        deadline=DeadlineAlert(DeadlineReference.DAGRUN_QUEUED_AT, schedule.deadline, alert),
        params={
            "from": _optional("First day to settle again, like 2026-03-01", format="date"),
            "to": _optional("The day after the last one to settle again", format="date"),
            "reason": _optional("Why these days are settled again"),
            "accept_breach": _optional("Why a held settlement is to be adopted all the same"),
        },
    ) as dag:
        verb = _verbs(pipeline, deployment, pool=pool(pipeline))
        (
            verb("settle", arguments.of_settle)
            >> PythonOperator(task_id="check_result", python_callable=_require_settled, retries=0)
            >> verb("verify")
            >> verb("maintain")
            >> PythonOperator(
                task_id="publish",
                python_callable=_publish,
                op_kwargs={"asset": tables(pipeline), "task": "verify"},
                outlets=[tables(pipeline)],
                retries=0,
            )
        )
    return dag


def stream_health(pipeline: Pipeline, deployment: Deployment) -> DAG:
    with _dag(
        "stream_health",
        pipeline,
        "Red where the pipeline file's 'health' limits are broken, with the limit in the message.",
        schedule=pipeline.schedule.health_every,
    ) as dag:
        _verbs(pipeline, deployment)("status")
    return dag


def rebuild(pipeline: Pipeline, deployment: Deployment) -> DAG:
    with _dag(
        "rebuild",
        pipeline,
        "Builds the next generation beside the live one, compares, asks a person, and moves readers.",
        schedule=None,
        params={
            "again": Param(False, type="boolean", description="Also where the pipeline file means the same as before"),
            "replay": Param(False, type="boolean", description="Send the whole archive through the streaming code"),
            "rewind": _optional("How far back its stream begins, like 4h; computed where empty"),
            "expect": Param([], type="array", items={"type": "string"}, description="Measures that are to differ"),
            "tolerance": Param("0%", type="string", description="Share of other rows that may differ"),
        },
    ) as dag:
        verb = _verbs(pipeline, deployment, pool=pool(pipeline))
        (
            _verbs(pipeline, deployment, pool=REBUILD_POOL)("rebuild", arguments.of_rebuild)
            >> verb("compare", arguments.of_compare)
            >> ApprovalOperator(
                task_id="approve",
                subject=f"Shall readers of {pipeline.name} move to the new generation?",
                body=COMPARISON,
                response_timeout=datetime.timedelta(days=7),
                retries=0,
            )
            >> verb("promote")
            >> _announce(pipeline, "promote")
        )
    return dag


def roll_back(pipeline: Pipeline, deployment: Deployment) -> DAG:
    with _dag(
        "roll_back",
        pipeline,
        "Moves readers back to the generation that was live before, at once.",
        schedule=None,
        params={
            "generation": _optional("Another kept generation, like g1"),
            "force": _optional("Why to go back though its stream is behind"),
        },
    ) as dag:
        # No slot: a settlement that runs for an hour must not hold it up.
        verb = _verbs(pipeline, deployment)
        verb("roll-back", arguments.of_roll_back) >> _announce(pipeline, "roll_back")
    return dag


def _dag(job: str, pipeline: Pipeline, description: str, **kwargs: Any) -> DAG:
    return DAG(
        dag_id=f"tidemark_{job}_{pipeline.name}",
        description=description,
        max_active_runs=1,
        catchup=False,
        default_args=RETRIES,
        tags=["tidemark", pipeline.name],
        **kwargs,
    )


def _verbs(pipeline: Pipeline, deployment: Deployment, **where: Any) -> Callable[..., TidemarkOperator]:
    def verb(name: str, said: Callable[[Context], list[str]] = lambda context: []) -> TidemarkOperator:
        return TidemarkOperator(
            task_id=name.replace("-", "_"), verb=name, pipeline=pipeline, deployment=deployment, arguments=said, **where
        )

    return verb


def _optional(description: str, **schema: Any) -> Param:
    return Param(None, type=["null", "string"], description=description, **schema)


def _announce(pipeline: Pipeline, task: str) -> PythonOperator:
    """Readers see other numbers from now on, also in days that were settled long ago."""
    return PythonOperator(
        task_id="publish",
        python_callable=_publish,
        op_kwargs={"asset": tables(pipeline), "task": task},
        outlets=[tables(pipeline)],
        retries=0,
    )


def _publish(asset: Asset, task: str, ti: Any, outlet_events: Any) -> None:
    result = ti.xcom_pull(task_ids=task)
    told = ("settlement", "settled_through", "live")
    outlet_events[asset].extra = {key: result[key] for key in told if key in result}


def _require_settled(**context: Any) -> None:
    """The verb is done: is the day?"""
    if arguments.asks_again(context):
        return
    result = context["ti"].xcom_pull(task_ids="settle")
    end = arguments.settled_end(context)
    through = result.get("settled_through")
    if through is None or datetime.datetime.fromisoformat(through) < end:
        raise AirflowFailException(
            f"Settled is what ends by {through or 'nothing'}, not yet all that ends by {arguments.text(end)}:"
            f" {result.get('why') or 'the frontier was ' + result.get('frontier', 'none')}. See whether the stream"
            " runs; when it has passed the day, clear the task settle. If it is always too early, set settle-at later."
        )
