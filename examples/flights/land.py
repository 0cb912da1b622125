"""Lands flights.jsonl.gz as a source would: one small file per hour of arrival, in order, each in one step.

    python3 land.py demo-warehouse/landing/flights --until 2013-01-03T06:00Z
    python3 land.py demo-warehouse/landing/flights             # the rest

A file that has landed is left alone, so a second call goes on where the first one ended. A file's modification time is
the end of its hour, so that later hours are later files.
"""

import argparse
import gzip
import itertools
import json
import os
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

FLIGHTS = Path(__file__).with_name("flights.jsonl.gz")
THE_END = datetime.max.replace(tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("landing", type=Path, help="the source's directory; made where it is not there")
    parser.add_argument("--until", type=instant, default=THE_END, help="land only the hours that end at or before this")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between two files, for a live show")
    arguments = parser.parse_args()
    arguments.landing.mkdir(parents=True, exist_ok=True)
    landed = 0
    with gzip.open(FLIGHTS, "rt", encoding="utf-8") as lines:
        for hour, slice_of_hour in by_hour_of_arrival(lines):
            if hour + timedelta(hours=1) > arguments.until:
                break
            if land(arguments.landing, hour, slice_of_hour):
                landed += 1
                time.sleep(arguments.pause)
    print(f"{landed} files landed in {arguments.landing}")


def instant(text: str) -> datetime:
    parsed = datetime.fromisoformat(text)
    if parsed.tzinfo is None:
        raise argparse.ArgumentTypeError(f"{text} has no zone: write {text}Z")
    return parsed


def by_hour_of_arrival(lines: Iterable[str]) -> Iterator[tuple[datetime, str]]:
    """The start of each hour in which something arrived, with its lines; the lines come in order of arrival."""
    for hour, group in itertools.groupby(lines, hour_of_arrival):
        yield hour, "".join(group)


def hour_of_arrival(line: str) -> datetime:
    return datetime.fromisoformat(json.loads(line)["actual_departure"]).replace(minute=0)


def land(landing: Path, hour: datetime, lines: str) -> bool:
    """Whether the file is new. Readers skip names that begin with a dot, so nobody sees half a file."""
    target = landing / f"departures-{hour:%Y%m%dT%H}.jsonl"
    if target.exists():
        return False
    hidden = landing / f".{target.name}"
    hidden.write_text(lines, encoding="utf-8")
    end = (hour + timedelta(hours=1)).timestamp()
    os.utime(hidden, (end, end))
    hidden.rename(target)
    return True


if __name__ == "__main__":
    main()
