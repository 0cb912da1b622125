"""When a pipeline's DAGs run: schedule.yaml beside the pipeline files, which need not be there."""

from __future__ import annotations

import dataclasses
import datetime
import pathlib
import re
import zoneinfo
from typing import Any

import yaml

UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


class ScheduleError(ValueError):
    """Something to mend in the environment, in schedule.yaml or in the name of a pipeline file."""


@dataclasses.dataclass(frozen=True)
class Schedule:
    """The defaults, where schedule.yaml says nothing else."""

    settle_at: datetime.time = datetime.time(2, 30)
    timezone: str = "UTC"
    settle_after: tuple[str, ...] = ()
    health_every: datetime.timedelta = datetime.timedelta(minutes=10)
    deadline: datetime.timedelta = datetime.timedelta(hours=2)


def schedules(file: pathlib.Path, pipelines: list[str]) -> dict[str, Schedule]:
    """The schedule of each pipeline: its own keys, over those of 'defaults'."""
    for name in pipelines:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise ScheduleError(
                f"The file {name}.yaml beside {file} is not named like a pipeline: name it after its key 'pipeline',"
                " a lower-case letter and then letters, digits or _."
            )
    document = _section(yaml.safe_load(file.read_text(encoding="utf-8")), str(file)) if file.exists() else {}
    _refuse_unknown(document, {"defaults", "pipelines"}, str(file))
    own = _section(document.get("pipelines"), f"{file}: pipelines")
    _refuse_unknown(own, set(pipelines), f"{file}: pipelines")
    defaults = _schedule(Schedule(), document.get("defaults"), f"{file}: defaults")
    return {name: _schedule(defaults, own.get(name), f"{file}: pipelines.{name}") for name in pipelines}


def _schedule(base: Schedule, given: Any, where: str) -> Schedule:
    section = _section(given, where)
    readers = {
        "settle-at": _time,
        "timezone": _timezone,
        "settle-after": _assets,
        "health-every": _duration,
        "deadline": _duration,
    }
    _refuse_unknown(section, set(readers), where)
    read = {key.replace("-", "_"): readers[key](value, f"{where}.{key}") for key, value in section.items()}
    return dataclasses.replace(base, **read)


def _section(value: Any, where: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ScheduleError(f"{where}: expected keys with values, found {value!r}.")
    return value


def _refuse_unknown(section: dict[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(str(key) for key in section if key not in known)
    if unknown:
        raise ScheduleError(f"{where}: {', '.join(unknown)} is not known there; known: {', '.join(sorted(known))}.")


def _time(value: Any, where: str) -> datetime.time:
    # Without quotes YAML reads 02:30 as text, but 12:30 as a number of base 60.
    if isinstance(value, str) and re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value):
        return datetime.time.fromisoformat(value)
    raise ScheduleError(f'{where}: {value!r} is no time of day; write it in quotes, like "02:30".')


def _timezone(value: Any, where: str) -> str:
    try:
        return zoneinfo.ZoneInfo(value).key
    except (TypeError, ValueError, zoneinfo.ZoneInfoNotFoundError):
        raise ScheduleError(f"{where}: {value!r} is no time zone; write for example Europe/Berlin.") from None


def _assets(value: Any, where: str) -> tuple[str, ...]:
    if isinstance(value, list) and value and all(isinstance(uri, str) and uri for uri in value):
        return tuple(value)
    raise ScheduleError(f"{where}: expected a list of asset URIs, found {value!r}.")


def _duration(value: Any, where: str) -> datetime.timedelta:
    found = re.fullmatch(r"([1-9]\d*)([smhd])", str(value))
    if not found:
        raise ScheduleError(f"{where}: {value!r} is no duration; write for example 90s, 10m, 2h or 1d.")
    return datetime.timedelta(**{UNITS[found[2]]: int(found[1])})
