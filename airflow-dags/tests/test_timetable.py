"""One run for each UTC day, whatever the local clock does."""

import datetime

import pendulum
import pytest
from airflow.timetables.base import DataInterval, TimeRestriction
from tidemark_airflow.timetable import UtcDayTimetable, day_end

BERLIN_0230 = UtcDayTimetable(datetime.time(2, 30), "Europe/Berlin")
BERLIN_0130 = UtcDayTimetable(datetime.time(1, 30), "Europe/Berlin")


def runs(timetable, first, last):
    """(day, due) of all runs in a range, as a backfill or a scheduler that catches up makes them."""
    restriction = TimeRestriction(pendulum.parse(first), pendulum.parse(last), catchup=True)
    made, interval = [], None
    while info := timetable.next_dagrun_info(last_automated_data_interval=interval, restriction=restriction):
        interval = info.data_interval
        assert interval.end - interval.start == datetime.timedelta(days=1)
        made.append((interval.start.to_date_string(), info.run_after.in_timezone("UTC").format("MM-DD HH:mm")))
    return made


def test_the_night_on_which_0230_does_not_exist():
    assert runs(BERLIN_0230, "2026-03-27", "2026-03-30") == [
        ("2026-03-27", "03-28 01:30"),
        ("2026-03-28", "03-29 01:30"),  # 03:30 on the clock, which has skipped 02:30
        ("2026-03-29", "03-30 00:30"),
        ("2026-03-30", "03-31 00:30"),
    ]


def test_the_night_on_which_0230_comes_twice():
    assert runs(BERLIN_0230, "2026-10-23", "2026-10-25") == [
        ("2026-10-23", "10-24 00:30"),
        ("2026-10-24", "10-25 00:30"),  # the first of the two
        ("2026-10-25", "10-26 01:30"),
    ]


def test_a_local_time_that_lies_before_the_utc_days_end_in_summer_only():
    assert runs(BERLIN_0130, "2026-03-27", "2026-03-29") == [
        ("2026-03-27", "03-28 00:30"),
        ("2026-03-28", "03-29 00:30"),
        ("2026-03-29", "03-30 23:30"),
    ]
    assert runs(BERLIN_0130, "2026-10-23", "2026-10-25") == [
        ("2026-10-23", "10-24 23:30"),
        ("2026-10-24", "10-26 00:30"),  # 01:30 of the 25th was half an hour too early for it
        ("2026-10-25", "10-26 00:30"),
    ]


@pytest.mark.parametrize(
    "moment",
    [
        "2026-03-29T00:00:00+00:00",
        "2026-03-29T01:00:00+01:00",
        "2026-03-29T03:00:00+02:00",  # the minute after the change
        "2026-03-30T01:59:59+02:00",
    ],
)
def test_a_run_by_hand_or_by_an_asset_means_the_day_before(moment):
    moment = pendulum.parse(moment)

    assert BERLIN_0230.infer_manual_data_interval(run_after=moment) == DataInterval(
        pendulum.datetime(2026, 3, 28), pendulum.datetime(2026, 3, 29)
    )
    assert day_end(moment) == pendulum.datetime(2026, 3, 29)


def test_without_catching_up_only_the_last_day_that_is_due_is_run(monkeypatch):
    timetable = UtcDayTimetable(datetime.time(2, 30), "UTC")
    restriction = TimeRestriction(pendulum.datetime(2026, 1, 1), None, catchup=False)
    old = DataInterval(pendulum.datetime(2026, 1, 1), pendulum.datetime(2026, 1, 2))

    def next_at(hour, minute, last):
        monkeypatch.setattr(timetable, "_now", lambda: pendulum.datetime(2026, 3, 5, hour, minute))
        return timetable.next_dagrun_info(last_automated_data_interval=last, restriction=restriction)

    before = next_at(2, 29, old)
    due = next_at(2, 30, old)
    following = next_at(2, 30, due.data_interval)

    assert before.data_interval.start == pendulum.datetime(2026, 3, 3)
    assert due.data_interval.start == pendulum.datetime(2026, 3, 4)
    assert following.data_interval.start == pendulum.datetime(2026, 3, 5)
    assert following.run_after == pendulum.datetime(2026, 3, 6, 2, 30)


def test_a_start_within_a_day_begins_with_the_next():
    assert runs(UtcDayTimetable(datetime.time(0, 0), "UTC"), "2026-03-01T00:00:01", "2026-03-03") == [
        ("2026-03-02", "03-03 00:00"),
        ("2026-03-03", "03-04 00:00"),
    ]


def test_the_scheduler_reads_back_what_was_written():
    read = UtcDayTimetable.deserialize(BERLIN_0230.serialize())

    assert read.summary == "UTC day, at 02:30 Europe/Berlin"
    assert read.run_after(pendulum.datetime(2026, 3, 28)) == pendulum.datetime(2026, 3, 29, 1, 30)
