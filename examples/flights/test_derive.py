"""What derive.py promises, on rows small enough to check by eye, and what the derived file holds."""

import gzip
import json
import tempfile
import unittest
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import derive

HOUR = timedelta(hours=1)


def row(**changes: str) -> dict[str, str]:
    """A flight that leaves EWR at 05:17, two minutes late, in winter (UTC-5)."""
    usual = {
        "year": "2013", "month": "1", "day": "1", "dep_time": "517", "sched_dep_time": "515", "dep_delay": "2",
        "carrier": "UA", "flight": "1545", "origin": "EWR", "dest": "IAH", "distance": "1400",
    }
    return usual | changes


def times(**changes: str) -> tuple[str, str]:
    report = derive.departure(row(**changes))
    return report["scheduled_departure"], report["actual_departure"]


class DepartureTest(unittest.TestCase):
    def test_report_has_the_row_with_times_in_utc(self) -> None:
        self.assertEqual(
            derive.departure(row()),
            {
                "flight_id": "20130101T1015-UA-1545-EWR",
                "origin": "EWR",
                "carrier": "UA",
                "flight": 1545,
                "dest": "IAH",
                "scheduled_departure": "2013-01-01T10:15:00Z",
                "actual_departure": "2013-01-01T10:17:00Z",
                "departure_delay_minutes": 2,
                "distance_miles": 1400,
            },
        )

    def test_summer_is_four_hours_behind_utc(self) -> None:
        self.assertEqual(times(month="7"), ("2013-07-01T09:15:00Z", "2013-07-01T09:17:00Z"))

    def test_delay_across_midnight_ends_on_the_next_day(self) -> None:
        late = times(sched_dep_time="2359", dep_time="3", dep_delay="4")
        self.assertEqual(late, ("2013-01-02T04:59:00Z", "2013-01-02T05:03:00Z"))

    def test_2400_is_the_midnight_that_ends_the_day(self) -> None:
        midnight = ("2013-01-02T05:00:00Z", "2013-01-02T05:00:00Z")
        self.assertEqual(times(sched_dep_time="2400", dep_time="2400", dep_delay="0"), midnight)

    def test_departure_at_2400_after_an_earlier_schedule(self) -> None:
        late = times(sched_dep_time="2345", dep_time="2400", dep_delay="15")
        self.assertEqual(late, ("2013-01-02T04:45:00Z", "2013-01-02T05:00:00Z"))

    def test_early_departure_arrives_before_its_event_time(self) -> None:
        early = times(sched_dep_time="1200", dep_time="1155", dep_delay="-5")
        self.assertEqual(early, ("2013-01-01T17:00:00Z", "2013-01-01T16:55:00Z"))

    def test_delay_of_more_than_a_day_keeps_its_day(self) -> None:
        late = times(sched_dep_time="900", dep_time="905", dep_delay="1445")
        self.assertEqual(late, ("2013-01-01T14:00:00Z", "2013-01-02T14:05:00Z"))

    def test_delay_that_contradicts_the_clock_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "schedule \\+ delay is 05:18, but dep_time is 517"):
            derive.departure(row(dep_delay="3"))


class DeparturesTest(unittest.TestCase):
    def test_order_is_that_of_the_actual_departures(self) -> None:
        late_first_scheduled = row(flight="1", sched_dep_time="500", dep_time="700", dep_delay="120")
        on_time = row(flight="2", sched_dep_time="600", dep_time="600", dep_delay="0")
        flights = [report["flight"] for report in derive.departures([late_first_scheduled, on_time])]
        self.assertEqual(flights, [2, 1])

    def test_order_within_a_minute_does_not_depend_on_the_input(self) -> None:
        rows = [row(flight="1"), row(flight="2"), row(flight="3", origin="JFK")]
        self.assertEqual(derive.departures(rows), derive.departures(rows[::-1]))

    def test_cancelled_flights_never_arrive(self) -> None:
        cancelled = [row(flight="1", dep_time="", dep_delay=""), row(flight="2", dep_time="NA", dep_delay="NA")]
        self.assertEqual(derive.departures(cancelled), [])

    def test_one_flight_twice_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "1 departures share a flight_id"):
            derive.departures([row(), row()])

    def test_days_are_scheduled_days_of_new_york_both_ends_included(self) -> None:
        rows = [row(day=str(day), sched_dep_time="2359") for day in range(1, 6)]
        days = [kept["day"] for kept in derive.scheduled_within(rows, date(2013, 1, 2), date(2013, 1, 4))]
        self.assertEqual(days, ["2", "3", "4"])

    def test_same_reports_give_the_same_bytes(self) -> None:
        reports = derive.departures([row()])
        self.assertEqual(derive.compressed(reports), derive.compressed(reports))
        self.assertEqual(derive.compressed(reports)[4:8], b"\0\0\0\0", "the header's time stamp")


class DerivedFileTest(unittest.TestCase):
    """The file beside derive.py, and how much of it a stream would leave out."""

    @classmethod
    def setUpClass(cls) -> None:
        with gzip.open(derive.OUTPUT, "rt", encoding="utf-8") as lines:
            cls.reports = [json.loads(line) for line in lines]

    def test_holds_two_weeks_in_order_of_arrival(self) -> None:
        arrivals = [report["actual_departure"] for report in self.reports]
        self.assertEqual(len(arrivals), 12_126)
        self.assertEqual(arrivals, sorted(arrivals))
        self.assertEqual(len({report["flight_id"] for report in self.reports}), 12_126)

    def test_left_out_when_every_report_is_a_batch(self) -> None:
        self.assertEqual(self.left_out(batch=lambda position, arrival: position), 322)

    def test_left_out_when_every_hour_of_arrival_is_a_batch(self) -> None:
        self.assertEqual(self.left_out(batch=lambda position, arrival: arrival.replace(minute=0)), 269)

    def test_left_out_by_the_daily_batches_of_the_demo(self) -> None:
        self.assertEqual(self.left_out(batch=lambda position, arrival: (arrival - 2 * HOUR).date()), 45)

    def left_out(self, batch: Callable[[int, datetime], object]) -> int:
        """Reports whose hour ends at or before the watermark: the latest schedule of earlier batches - 60 min."""
        count, running, latest, watermark = 0, None, datetime.min, datetime.min
        for position, report in enumerate(self.reports):
            scheduled = datetime.fromisoformat(report["scheduled_departure"]).replace(tzinfo=None)
            arrival = datetime.fromisoformat(report["actual_departure"]).replace(tzinfo=None)
            if batch(position, arrival) != running:
                running = batch(position, arrival)
                watermark = latest - HOUR if latest != datetime.min else latest
            count += scheduled.replace(minute=0) + HOUR <= watermark
            latest = max(latest, scheduled)
        return count


if __name__ == "__main__":
    unittest.main()
