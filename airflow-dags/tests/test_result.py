"""The result file decides, and only of this run."""

import datetime
import json

import pytest
from airflow.sdk.exceptions import AirflowException, AirflowFailException
from tidemark_airflow.result import TryAgain, require_done

SUBMITTED = datetime.datetime(2026, 3, 2, 2, 30, tzinfo=datetime.UTC)
DONE = {"verb": "settle", "started_at": "2026-03-02T02:30:05.123456789Z", "exit_code": 0, "state": "adopted"}


def end(tmp_path, submission_error=None, **changed):
    file = tmp_path / "result.json"
    file.write_text(json.dumps(DONE | changed), encoding="utf-8")
    return require_done(file, "settle", SUBMITTED, submission_error)


def test_done(tmp_path):
    assert end(tmp_path) == DONE


@pytest.mark.parametrize("code", [1, 2, 3, 5, 137])
@pytest.mark.parametrize("submission_error", [None, AirflowException("Error code is: 1")])
def test_every_other_exit_fails_at_once_whatever_spark_submit_said(tmp_path, code, submission_error):
    with pytest.raises(AirflowFailException, match=f"settle ended with exit {code}, .*: the frontier is lost"):
        end(tmp_path, submission_error, exit_code=code, error="the frontier is lost")


@pytest.mark.parametrize("submission_error", [None, AirflowException("Error code is: 4")])
def test_exit_4_is_tried_again(tmp_path, submission_error):
    with pytest.raises(TryAgain, match="try again: another settlement") as raised:
        end(tmp_path, submission_error, exit_code=4, error="another settlement was first")
    assert not isinstance(raised.value, AirflowFailException)


def test_no_result(tmp_path):
    with pytest.raises(AirflowFailException, match="left no result: spark-submit returned 0"):
        require_done(tmp_path / "none.json", "settle", SUBMITTED, None)


def test_the_result_of_an_earlier_run(tmp_path):
    with pytest.raises(AirflowFailException, match="begun 2026-03-02T02:29:59Z, not of this"):
        end(tmp_path, started_at="2026-03-02T02:29:59Z")


def test_the_result_of_another_verb(tmp_path):
    with pytest.raises(AirflowFailException, match="of tidemark verify begun"):
        end(tmp_path, verb="verify")


def test_a_process_that_fails_after_its_work(tmp_path):
    with pytest.raises(AirflowFailException, match="was done, but its process failed: Error code is: 137"):
        end(tmp_path, AirflowException("Error code is: 137"))


def test_a_held_settlement_names_the_limits(tmp_path):
    breach = {"rule": "max-corrected-share", "measured": "12%", "limit": "5%", "evidence": {}}
    with pytest.raises(AirflowFailException, match="max-corrected-share is 12%, the limit 5%.*accept_breach"):
        end(tmp_path, exit_code=3, state="held", breaches=[breach])


def test_an_unhealthy_stream_says_why(tmp_path):
    with pytest.raises(AirflowFailException, match="clicks is late"):
        end(tmp_path, exit_code=3, unhealthy=["clicks is late: its oldest waiting record has waited 7m 0s"])
