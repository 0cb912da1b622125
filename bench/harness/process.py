"""Runs a contender as a process of its own and says what its whole process tree took."""

import dataclasses
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAP = "-Xmx6g"


@dataclasses.dataclass(frozen=True)
class Cost:
    """wall and CPU in seconds, the largest resident memory of one process in MiB."""

    wall_s: float
    cpu_s: float
    peak_mib: float


class Failed(Exception):
    """A contender ended with an error; the message says where its output is."""


def run(command, log, environment=None):
    """Runs a command in the repository's root, its output in a file.

    Raises Failed unless it exits with 0. Whatever interrupts the wait ends the command too.
    """
    log = pathlib.Path(log)
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with open(log, "wb") as out:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
        )
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.terminate()
            process.wait()
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Failed(f"exit {process.returncode} of: {' '.join(map(str, command))}\nIts output: {log}")
    return Cost(
        wall_s=time.monotonic() - started,
        cpu_s=usage.ru_utime + usage.ru_stime,
        peak_mib=usage.ru_maxrss / 1024,
    )


# A stream runs on, so it is compiled like one.
LASTING = f"{HEAP} -XX:TieredStopAtLevel=4"


def contender(main_class, arguments, log):
    """Runs a main class of the bench module with the class path and settings of the product."""
    return run(
        ["bin/tidemark", *arguments],
        log,
        {
            "TIDEMARK_MAIN": f"io.tidemark.bench.contender.{main_class}",
            "TIDEMARK_CLASSPATH": "bench/target/bench.jar:bench/target/peers/duckdb_jdbc.jar",
            "TIDEMARK_JAVA_OPTIONS": LASTING,
        },
    )


def tidemark(arguments, log, warehouse, options=LASTING):
    """Runs the command line, with options for its JVM besides its own."""
    return run(
        ["bin/tidemark", *arguments],
        log,
        {"TIDEMARK_WAREHOUSE": str(warehouse), "TIDEMARK_JAVA_OPTIONS": options},
    )


def make_workload(arguments, log):
    """Makes events and their oracle."""
    return run(
        ["java", "-cp", "bench/target/bench.jar", "io.tidemark.bench.workload.MakeWorkload", *arguments],
        log,
    )
