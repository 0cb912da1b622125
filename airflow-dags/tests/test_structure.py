"""What the factory makes of a folder of files."""

import datetime
import pathlib

import conftest
import pytest
from airflow.dag_processing.dagbag import DagBag
from airflow.sdk import DAG, Asset, AssetOrTimeSchedule
from airflow.sdk.exceptions import AirflowFailException
from airflow.serialization.serialized_objects import DagSerialization
from tidemark_airflow import arguments
from tidemark_airflow.__main__ import pools, with_graphs
from tidemark_airflow.deployment import Deployment
from tidemark_airflow.factory import all_dags
from tidemark_airflow.schedule import ScheduleError

ENVIRONMENT = {
    "TIDEMARK_WAREHOUSE": "/data/warehouse",
    "TIDEMARK_JAR": "/opt/tidemark.jar",
    "TIDEMARK_DELTA_JARS": "/opt/delta.jar",
    "AIRFLOW_HOME": "/opt/airflow",
}


def deployment(folder, schedule=None, names=("clicks", "trips")):
    for name in names:
        (folder / f"{name}.yaml").write_text("pipeline: whatever\n", encoding="utf-8")
    if schedule is not None:
        (folder / "schedule.yaml").write_text(schedule, encoding="utf-8")
    return Deployment.of(ENVIRONMENT | {"TIDEMARK_PIPELINES": str(folder)})


@pytest.fixture
def dags(tmp_path):
    return {dag.dag_id: dag for dag in all_dags(deployment(tmp_path))}


def test_the_dag_file_imports_without_errors(tmp_path, monkeypatch):
    deployment(tmp_path)
    monkeypatch.setenv("TIDEMARK_PIPELINES", str(tmp_path))

    bag = DagBag(str(conftest.ROOT / "airflow-dags/dags"))

    assert bag.import_errors == {}
    assert sorted(bag.dags) == [
        "tidemark_rebuild_clicks",
        "tidemark_rebuild_trips",
        "tidemark_roll_back_clicks",
        "tidemark_roll_back_trips",
        "tidemark_settle_clicks",
        "tidemark_settle_trips",
        "tidemark_stream_health_clicks",
        "tidemark_stream_health_trips",
    ]
    for dag in bag.dags.values():
        assert DagSerialization.deserialize_dag(DagSerialization.serialize_dag(dag)).task_ids == dag.task_ids


def test_wiring(dags):
    def edges(dag: DAG):
        return [(task.task_id, sorted(task.downstream_task_ids)) for task in dag.topological_sort()]

    assert edges(dags["tidemark_settle_clicks"]) == [
        ("settle", ["check_result"]),
        ("check_result", ["verify"]),
        ("verify", ["maintain"]),
        ("maintain", ["publish"]),
        ("publish", []),
    ]
    assert edges(dags["tidemark_stream_health_clicks"]) == [("status", [])]
    assert edges(dags["tidemark_rebuild_clicks"]) == [
        ("rebuild", ["compare"]),
        ("compare", ["approve"]),
        ("approve", ["promote"]),
        ("promote", ["publish"]),
        ("publish", []),
    ]
    assert edges(dags["tidemark_roll_back_clicks"]) == [("roll_back", ["publish"]), ("publish", [])]


def test_one_run_and_one_slot_for_each_pipeline(dags, tmp_path):
    assert {dag.max_active_runs for dag in dags.values()} == {1}
    assert {dag.catchup for dag in dags.values()} == {False}
    slots = {
        (dag.dag_id, task.task_id): (task.pool, task.pool_slots)
        for dag in dags.values()
        for task in dag.tasks
        if task.pool != "default_pool" and dag.dag_id.endswith("clicks")
    }
    assert slots == {
        ("tidemark_settle_clicks", "settle"): ("tidemark_clicks", 1),
        ("tidemark_settle_clicks", "verify"): ("tidemark_clicks", 1),
        ("tidemark_settle_clicks", "maintain"): ("tidemark_clicks", 1),
        ("tidemark_rebuild_clicks", "rebuild"): ("tidemark_rebuild", 1),
        ("tidemark_rebuild_clicks", "compare"): ("tidemark_clicks", 1),
        ("tidemark_rebuild_clicks", "promote"): ("tidemark_clicks", 1),
    }
    assert {name: pool["slots"] for name, pool in pools(deployment(tmp_path)).items()} == {
        "tidemark_clicks": 1,
        "tidemark_trips": 1,
        "tidemark_rebuild": 1,
    }


def test_the_tables_are_one_asset_whatever_changes_them(dags):
    makers = {
        dag.dag_id: [(task.task_id, asset.uri) for task in dag.tasks for asset in task.outlets]
        for dag in dags.values()
        if dag.dag_id.endswith("trips")
    }
    published = [("publish", "tidemark://pipelines/trips")]
    assert makers == {
        "tidemark_settle_trips": published,
        "tidemark_stream_health_trips": [],
        "tidemark_rebuild_trips": published,
        "tidemark_roll_back_trips": published,
    }


def test_only_the_settlement_has_a_deadline(dags):
    assert {dag.dag_id: dag.deadline[0].interval for dag in dags.values() if dag.deadline} == {
        "tidemark_settle_clicks": datetime.timedelta(hours=2),
        "tidemark_settle_trips": datetime.timedelta(hours=2),
    }


def test_nothing_but_our_own_results_is_templated(dags):
    for dag in dags.values():
        for task in dag.tasks:
            if task.task_id == "approve":
                assert "params" not in task.body + task.subject and "conn" not in task.body + task.subject
            elif task.task_id not in ("check_result", "publish"):
                assert task.template_fields == ()


def test_schedule_of_its_own(tmp_path):
    schedule = """
    defaults: { settle-at: "04:00", timezone: Europe/Berlin, health-every: 90s }
    pipelines:
      trips: { timezone: UTC, deadline: 1d, settle-after: [ "s3://landing/trips" ] }
    """
    made = {dag.dag_id: dag for dag in all_dags(deployment(tmp_path, schedule))}

    assert made["tidemark_settle_clicks"].timetable.summary == "UTC day, at 04:00 Europe/Berlin"
    trips = made["tidemark_settle_trips"]
    assert isinstance(trips.timetable, AssetOrTimeSchedule)
    assert trips.timetable.timetable.summary == "UTC day, at 04:00 UTC"
    assert list(trips.timetable.asset_condition.objects) == [Asset(uri="s3://landing/trips")]
    assert trips.deadline[0].interval == datetime.timedelta(days=1)
    assert made["tidemark_stream_health_trips"].schedule == datetime.timedelta(seconds=90)


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("default: {}", "schedule.yaml: default is not known there; known: defaults, pipelines."),
        ("pipelines: { click: {} }", "pipelines: click is not known there; known: clicks, trips."),
        ("defaults: { settle-at: 12:30 }", '750 is no time of day; write it in quotes, like "02:30".'),
        ("defaults: { timezone: Berlin }", "'Berlin' is no time zone; write for example Europe/Berlin."),
        ("defaults: { deadline: 2 hours }", "'2 hours' is no duration; write for example 90s, 10m, 2h or 1d."),
        ("defaults: { settle-after: x }", "expected a list of asset URIs, found 'x'."),
        ("defaults: 02:30", "defaults: expected keys with values, found '02:30'."),
    ],
)
def test_schedules_to_mend(tmp_path, schedule, message):
    with pytest.raises(ScheduleError) as raised:
        deployment(tmp_path, schedule)
    assert str(raised.value).endswith(message)


def test_files_and_environments_to_mend(tmp_path):
    with pytest.raises(ScheduleError, match="TIDEMARK_PIPELINES, .*WAREHOUSE, .*JAR, .*DELTA_JARS"):
        Deployment.of({})
    with pytest.raises(ScheduleError, match="There is no pipeline file"):
        deployment(tmp_path, names=())
    with pytest.raises(ScheduleError, match="ad-clicks.yaml .* is not named like a pipeline"):
        deployment(tmp_path, names=("ad-clicks",))


class Run:
    def __init__(self, data_interval_end=None, run_after=None):
        self.data_interval_end = data_interval_end
        self.run_after = run_after


def context(run, **params):
    given = {"from": None, "to": None, "reason": None, "accept_breach": None}
    return {"dag_run": run, "params": given | params}


MIDNIGHT = datetime.datetime(2026, 3, 2, tzinfo=datetime.UTC)
NIGHT = MIDNIGHT + datetime.timedelta(hours=2, minutes=30)


def test_a_scheduled_run_settles_through_its_interval():
    assert arguments.of_settle(context(Run(MIDNIGHT, NIGHT))) == ["--through", "2026-03-02T00:00:00Z"]


def test_a_run_by_an_asset_settles_the_day_before_it():
    assert arguments.of_settle(context(Run(None, NIGHT))) == ["--through", "2026-03-02T00:00:00Z"]


def test_a_range_is_settled_by_the_same_task():
    said = arguments.of_settle(
        context(Run(MIDNIGHT), **{"from": "2026-02-01", "to": "2026-02-08", "reason": "it's $(mended)"})
    )
    assert said == ["--again", "2026-02-01", "2026-02-08", "--reason", "it's $(mended)"]


def test_half_a_range_is_refused():
    with pytest.raises(AirflowFailException, match="all three parameters"):
        arguments.of_settle(context(Run(MIDNIGHT), **{"from": "2026-02-01", "reason": "why"}))


def test_a_breach_that_is_accepted():
    said = arguments.of_settle(context(Run(MIDNIGHT), accept_breach="a holiday"))
    assert said == ["--through", "2026-03-02T00:00:00Z", "--accept-breach", "a holiday"]


def test_what_is_said_to_rebuild_and_compare():
    params = {"again": True, "replay": False, "rewind": "4h", "expect": ["cost", "users"], "tolerance": "5%"}
    assert arguments.of_rebuild({"params": params}) == ["--again", "--rewind", "4h"]
    assert arguments.of_compare({"params": params}) == ["--expect", "cost", "--expect", "users", "--tolerance", "5%"]


def test_the_pictures_in_the_readme_are_those_of_the_dags():
    readme = pathlib.Path(conftest.ROOT / "airflow-dags/README.md").read_text(encoding="utf-8")
    assert with_graphs(readme) == readme, "make airflow-graphs"
