"""One run for each UTC day, at a time of day in any time zone."""

from __future__ import annotations

import datetime
import zoneinfo
from typing import Any

import pendulum
from airflow.timetables.base import DagRunInfo, DataInterval, TimeRestriction, Timetable

DAY = datetime.timedelta(days=1)


def day_end(moment: datetime.datetime) -> pendulum.DateTime:
    """The end of the last UTC day that is over at a moment."""
    return pendulum.instance(moment).in_timezone("UTC").start_of("day")


class UtcDayTimetable(Timetable):
    """
    Days are UTC days, as everywhere in Tidemark: each has one data interval of 24 hours, however the local clock
    is set. Its run comes when the local clock first shows the given time after the day's end. A time that a change
    of the clock skips or repeats is taken with the offset before the change.
    """

    def __init__(self, at: datetime.time, timezone: str) -> None:
        self._at = at
        self._timezone = timezone
        self.description = f"Each UTC day, after its end at {at:%H:%M} {timezone}"

    @property
    def summary(self) -> str:
        return f"UTC day, at {self._at:%H:%M} {self._timezone}"

    def serialize(self) -> dict[str, Any]:
        return {"at": self._at.isoformat(), "timezone": self._timezone}

    @classmethod
    def deserialize(cls, data: dict[str, Any]) -> Timetable:
        return cls(datetime.time.fromisoformat(data["at"]), data["timezone"])

    def run_after(self, start: pendulum.DateTime) -> pendulum.DateTime:
        """When the day that starts then is due."""
        end = start + DAY
        zone = zoneinfo.ZoneInfo(self._timezone)
        date = end.astimezone(zone).date()
        while True:
            due = datetime.datetime.combine(date, self._at, zone).astimezone(datetime.UTC)
            if due >= end:
                return pendulum.instance(due)
            date += DAY

    def infer_manual_data_interval(self, *, run_after: pendulum.DateTime) -> DataInterval:
        """The last day that is over then: of a run at any time of a day, the day before."""
        end = day_end(run_after)
        return DataInterval(end - DAY, end)

    def next_dagrun_info(
        self, *, last_automated_data_interval: DataInterval | None, restriction: TimeRestriction
    ) -> DagRunInfo | None:
        candidates = []
        if last_automated_data_interval is not None:
            candidates.append(day_end(last_automated_data_interval.end))
        elif restriction.earliest is not None:
            candidates.append(self._first_from(restriction.earliest))
        if not restriction.catchup or not candidates:
            candidates.append(self._last_due(self._now()))
        start = max(candidates)
        if restriction.latest is not None and start > restriction.latest:
            return None
        return DagRunInfo(run_after=self.run_after(start), data_interval=DataInterval(start, start + DAY))

    @staticmethod
    def _now() -> pendulum.DateTime:
        return pendulum.now("UTC")

    @staticmethod
    def _first_from(moment: pendulum.DateTime) -> pendulum.DateTime:
        floor = day_end(moment)
        return floor if floor == moment else floor + DAY

    def _last_due(self, now: pendulum.DateTime) -> pendulum.DateTime:
        start = day_end(now) - DAY
        while self.run_after(start) > now:
            start -= DAY
        return start
