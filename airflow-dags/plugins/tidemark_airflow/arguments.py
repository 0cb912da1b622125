"""What is said to a verb, from the parameters and the data interval of a run."""

from __future__ import annotations

import datetime
from typing import Any

from airflow.sdk import Context
from airflow.sdk.exceptions import AirflowFailException
from tidemark_airflow.timetable import day_end


def settled_end(context: Context) -> datetime.datetime:
    """The end of the day that a run settles. A run that an asset has triggered has no data interval."""
    run = context["dag_run"]
    return day_end(run.data_interval_end or run.run_after)


def text(moment: datetime.datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def of_settle(context: Context) -> list[str]:
    params = context["params"]
    if asks_again(context):
        if not (params["from"] and params["to"] and params["reason"]):
            raise AirflowFailException("To settle days again give all three parameters: from, to and reason.")
        said = ["--again", params["from"], params["to"], "--reason", params["reason"]]
    else:
        said = ["--through", text(settled_end(context))]
    return said + _option("--accept-breach", params["accept_breach"])


def asks_again(context: Context) -> bool:
    return bool(context["params"]["from"] or context["params"]["to"])


def of_rebuild(context: Context) -> list[str]:
    params = context["params"]
    return (
        _flag("--again", params["again"]) + _flag("--replay", params["replay"]) + _option("--rewind", params["rewind"])
    )


def of_compare(context: Context) -> list[str]:
    params = context["params"]
    expected = [word for measure in params["expect"] for word in ("--expect", measure)]
    return expected + ["--tolerance", params["tolerance"]]


def of_roll_back(context: Context) -> list[str]:
    return _option("--generation", context["params"]["generation"]) + _option("--force", context["params"]["force"])


def _option(name: str, value: Any) -> list[str]:
    return [name, value] if value else []


def _flag(name: str, given: bool) -> list[str]:
    return [name] if given else []
