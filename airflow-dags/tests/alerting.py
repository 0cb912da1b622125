"""Whom these tests alert: a file."""

import json
import os
import pathlib


def alert(pipeline, deadline, context):
    told = [pipeline, deadline, context["dag_run"]["dag_run_id"]]
    (pathlib.Path(os.environ["AIRFLOW_HOME"]) / "alerted").write_text(json.dumps(told), encoding="utf-8")
