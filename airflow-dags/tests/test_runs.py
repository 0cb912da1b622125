"""Real runs: every task submits a real Spark job for a pipeline with data."""

import json
import subprocess
import sys

import clicks
import pytest
import scheduler
from airflow.dag_processing.dagbag import DagBag
from conftest import HOME, PLUGINS, ROOT, SPARK

SETTLE = "tidemark_settle_clicks"
REBUILD = "tidemark_rebuild_clicks"
ROLL_BACK = "tidemark_roll_back_clicks"
HEALTH = "tidemark_stream_health_clicks"
ALERTED = HOME / "alerted"
TODAY = f"{clicks.TODAY:%Y-%m-%dT%H:%M:%SZ}"


@pytest.fixture(scope="module", autouse=True)
def airflow():
    """An Airflow installation as the README says, whose one pipeline has been streamed."""
    clicks.stream()
    (HOME / "pipelines/schedule.yaml").write_text("defaults: { settle-at: '00:00', deadline: 1s }", encoding="utf-8")
    run("-m", "airflow", "db", "migrate")
    (HOME / "pools.json").write_bytes(run("-m", "tidemark_airflow", "pools"))
    run("-m", "airflow", "pools", "import", str(HOME / "pools.json"))


def run(*command):
    return subprocess.run([sys.executable, *command], check=True, stdout=subprocess.PIPE, cwd=PLUGINS).stdout


def dag(name):
    return DagBag(str(ROOT / "airflow-dags/dags")).dags[name]


def result(finished, task):
    (found,) = [one for one in finished.get_task_instances() if one.task_id == task]
    return found.xcom_pull(task_ids=task)


def states(finished):
    return {task.task_id: task.state for task in finished.get_task_instances()}


def test_the_scheduler_settles_yesterday_and_a_person_promotes(monkeypatch):
    monkeypatch.setenv("TIDEMARK_ALERT", "alerting.alert")
    monkeypatch.setenv("PYTHONPATH", f"{PLUGINS}:{ROOT / 'airflow-dags/tests'}")
    with scheduler.running() as airflow:
        airflow.unpause(SETTLE)

        assert airflow.ended(SETTLE) == dict.fromkeys(
            ["settle", "check_result", "verify", "maintain", "publish"], "success"
        )
        (settled,) = airflow.runs(SETTLE)
        assert settled["run_type"] == "scheduled"
        assert settled["data_interval_start"] == f"{clicks.YESTERDAY:%Y-%m-%dT%H:%M:%SZ}"
        assert settled["data_interval_end"] == TODAY
        result = airflow.result(SETTLE, settled["dag_run_id"], "settle")
        assert (result["state"], result["settled_through"], result["counts"]["counted"]) == ("adopted", TODAY, 288)
        assert airflow.result(SETTLE, settled["dag_run_id"], "verify")["state"] == "equal"
        assert [event["extra"] for event in airflow.events()] == [{"settlement": 1, "settled_through": TODAY}]
        scheduler.wait(ALERTED.exists, "nobody was alerted of the deadline")
        assert json.loads(ALERTED.read_text()) == ["clicks", "0:00:01", settled["dag_run_id"]]

        clicks.define(cost="sum(cost + 1)")
        rebuilt = airflow.trigger(REBUILD, expect=["cost"])
        scheduler.wait(lambda: airflow.states(REBUILD, rebuilt).get("rebuild") == "success", "nothing was rebuilt")
        clicks.tidemark("stream", "--available-now")
        asked = airflow.answer(REBUILD, rebuilt, "approve", "Approve")
        assert asked["body"].startswith(f"Windows through {TODAY}: 0 of 48 rows differ beyond what was expected")

        assert airflow.ended(REBUILD) == dict.fromkeys(
            ["rebuild", "compare", "approve", "promote", "publish"], "success"
        )
        assert airflow.result(REBUILD, rebuilt, "promote")["live"] == "g2"


def test_roll_back_moves_readers():
    finished = dag(ROLL_BACK).test()

    assert states(finished) == {"roll_back": "success", "publish": "success"}
    assert result(finished, "roll_back")["live"] == "g1"


def test_an_unhealthy_stream_is_red_and_says_why():
    clicks.define(health="max-silence: 1s")

    finished = dag(HEALTH).test()

    assert states(finished) == {"status": "failed"}
    (file,) = (HOME / "tidemark-results" / HEALTH).glob("*/status-1.json")
    (said,) = json.loads(file.read_text())["unhealthy"]
    assert said.startswith("clicks is silent: its stream last moved on ")


def test_a_failed_settlement_is_red_also_where_spark_submit_returns_0(monkeypatch):
    forgiving = HOME / "forgiving"
    forgiving.mkdir()
    (forgiving / "spark-submit").write_text(f'#!/bin/sh\n"{SPARK}/bin/spark-submit" "$@"\nexit 0\n')
    (forgiving / "spark-submit").chmod(0o755)
    monkeypatch.setenv("PATH", str(forgiving), prepend=":")
    clicks.define(cost="sum(cost + 2)")

    finished = dag(SETTLE).test(run_after=clicks.TODAY, logical_date=None)

    assert finished.state == "failed"
    assert states(finished) == {"settle": "failed"} | dict.fromkeys(
        ["check_result", "verify", "maintain", "publish"], "upstream_failed"
    )
    (task,) = [task for task in finished.get_task_instances() if task.task_id == "settle"]
    assert (task.try_number, task.max_tries) == (1, 3)
    (file,) = (HOME / "tidemark-results" / SETTLE).glob("manual__*/settle-1.json")
    assert json.loads(file.read_text())["exit_code"] == 2
