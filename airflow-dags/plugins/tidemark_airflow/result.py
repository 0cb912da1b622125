"""What a verb said of its end, whatever spark-submit made of it."""

from __future__ import annotations

import datetime
import json
import pathlib
from typing import Any

from airflow.sdk.exceptions import AirflowException, AirflowFailException

MEANINGS = {
    1: "an unexpected error",
    2: "wrong use, or a pipeline file to mend",
    3: "the data says no",
    5: "an unsafe environment",
}


class TryAgain(AirflowException):
    """Exit 4: a conflict, or a job that holds the place. The only end that a retry can mend."""


def require_done(
    file: pathlib.Path, verb: str, submitted_at: datetime.datetime, submission_error: Exception | None
) -> dict[str, Any]:
    """
    The result of a verb that is done.

    :param submitted_at: a result that was begun before is another run's
    :raises TryAgain: where the verb says so
    :raises AirflowFailException: at any other end, also where there is no result of this run
    """
    try:
        result = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise AirflowFailException(
            f"tidemark {verb} has left no result: {submission_error or f'spark-submit returned 0, but no {file}'}."
            " It was killed, could not start or was wrongly called; the log above tells."
        ) from None
    except (OSError, ValueError) as error:
        raise AirflowFailException(f"The result of tidemark {verb}, {file}, cannot be read: {error}") from None
    if result["verb"] != verb or datetime.datetime.fromisoformat(result["started_at"]) < submitted_at:
        raise AirflowFailException(
            f"{file} is the result of tidemark {result['verb']} begun {result['started_at']}, not of this"
            f" tidemark {verb} submitted {submitted_at.isoformat()}: this run has left none."
        )
    code = result["exit_code"]
    if code == 4:
        raise TryAgain(f"tidemark {verb} ended with exit 4, try again: {_reason(result)}")
    if code != 0:
        raise AirflowFailException(
            f"tidemark {verb} ended with exit {code}, {MEANINGS.get(code, 'not known')}: {_reason(result)}"
        )
    if submission_error is not None:
        raise AirflowFailException(f"tidemark {verb} was done, but its process failed: {submission_error}")
    return result


def _reason(result: dict[str, Any]) -> str:
    if "error" in result:
        return result["error"]
    if result.get("unhealthy"):
        return "\n".join(result["unhealthy"])
    if result.get("breaches"):
        limits = (f"{b['rule']} is {b['measured']}, the limit {b['limit']}" for b in result["breaches"])
        return "; ".join(limits) + ". Adopt it with the parameter accept_breach, or mend the data."
    return "its answer stands in the log above."
