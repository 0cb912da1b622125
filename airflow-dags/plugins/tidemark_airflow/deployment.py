"""What is the same for all pipelines of an Airflow installation."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping

from tidemark_airflow.schedule import Schedule, ScheduleError, schedules


@dataclasses.dataclass(frozen=True)
class Pipeline:
    """One pipeline file; its name without .yaml names the DAGs, the pool and the asset."""

    name: str
    file: str
    schedule: Schedule


@dataclasses.dataclass(frozen=True)
class Deployment:
    """Where pipelines, tables and jars lie, as the worker sees them. None of it is secret."""

    pipelines: tuple[Pipeline, ...]
    warehouse: str
    jar: str
    delta_jars: str
    results: pathlib.Path
    connection: str
    alert: str

    @staticmethod
    def of(environment: Mapping[str, str]) -> Deployment:
        """Reads the environment; says everything at once that is missing or wrong."""
        needed = ("TIDEMARK_PIPELINES", "TIDEMARK_WAREHOUSE", "TIDEMARK_JAR", "TIDEMARK_DELTA_JARS")
        missing = [name for name in needed if not environment.get(name)]
        if missing:
            raise ScheduleError(f"Set in Airflow's environment: {', '.join(missing)}. The README says to what.")
        folder = pathlib.Path(environment["TIDEMARK_PIPELINES"])
        files = sorted(file for file in folder.glob("*.yaml") if file.name != "schedule.yaml")
        if not files:
            raise ScheduleError(f"There is no pipeline file *.yaml in TIDEMARK_PIPELINES, {folder}.")
        timed = schedules(folder / "schedule.yaml", [file.stem for file in files])
        home = environment.get("AIRFLOW_HOME", "~/airflow")
        return Deployment(
            pipelines=tuple(Pipeline(file.stem, str(file), timed[file.stem]) for file in files),
            warehouse=environment["TIDEMARK_WAREHOUSE"],
            jar=environment["TIDEMARK_JAR"],
            delta_jars=environment["TIDEMARK_DELTA_JARS"],
            results=pathlib.Path(environment.get("TIDEMARK_RESULTS", f"{home}/tidemark-results")).expanduser(),
            connection=environment.get("TIDEMARK_SPARK_CONNECTION", "spark_default"),
            alert=environment.get("TIDEMARK_ALERT", "tidemark_airflow.alert.log_missed_deadline"),
        )
