"""python -m tidemark_airflow pools, or graphs README.md."""

from __future__ import annotations

import json
import os
import pathlib
import re
import sys

from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.sdk import DAG
from tidemark_airflow.deployment import Deployment, Pipeline
from tidemark_airflow.factory import REBUILD_POOL, all_dags, pool
from tidemark_airflow.operator import TidemarkOperator
from tidemark_airflow.schedule import Schedule


def main(arguments: list[str]) -> int:
    match arguments:
        case ["pools"]:
            print(json.dumps(pools(Deployment.of(os.environ)), indent=2))
        case ["graphs", page]:
            file = pathlib.Path(page)
            file.write_text(with_graphs(file.read_text(encoding="utf-8")), encoding="utf-8")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


def pools(deployment: Deployment) -> dict[str, dict]:
    """As 'airflow pools import' reads them: one slot for each pipeline, and one for all rebuilds."""
    names = {pool(pipeline): f"Changes the tables of {pipeline.name}" for pipeline in deployment.pipelines}
    names[REBUILD_POOL] = "Builds generations"
    return {
        name: {"slots": 1, "description": description, "include_deferred": False}
        for name, description in names.items()
    }


def with_graphs(page: str) -> str:
    """The page, with the graph of each DAG drawn anew where a line '<!-- graph of settle -->' asks for it."""
    pipeline = Pipeline("clicks", "clicks.yaml", Schedule())
    alert = "tidemark_airflow.alert.log_missed_deadline"
    deployment = Deployment((pipeline,), "", "", "", pathlib.Path(), "", alert)
    drawn = {dag.dag_id.removeprefix("tidemark_").removesuffix("_clicks"): mermaid(dag) for dag in all_dags(deployment)}
    return re.sub(
        r"(<!-- graph of (\w+) -->\n)```mermaid\n.*?```\n",
        lambda found: f"{found[1]}```mermaid\n{drawn[found[2]]}```\n",
        page,
        flags=re.DOTALL,
    )


def mermaid(dag: DAG) -> str:
    """Verbs are boxes, a question to a person is a hexagon, checks are round; dotted arrows lead to assets."""
    lines = ["flowchart LR"]
    for task in dag.topological_sort():
        shape = ("[", "]") if isinstance(task, TidemarkOperator) else ("(", ")")
        if isinstance(task, ApprovalOperator):
            shape = ("{{", "}}")
        lines.append(f"  {task.task_id}{shape[0]}{task.task_id}{shape[1]}")
        lines += [f"  {task.task_id} --> {after}" for after in sorted(task.downstream_task_ids)]
        lines += [f"  {task.task_id} -.-> asset[(\"{asset.uri}\")]" for asset in task.outlets]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
