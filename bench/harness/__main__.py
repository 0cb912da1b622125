"""python3 -m harness run SIZE DIRECTORY REPORT [SCENARIO…], or check BEFORE AFTER."""

import datetime
import fcntl
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys

from harness import cold, commits, compare, history, oracle, process, recount, report, stream

SIZES = ("S", "M")
SCENARIOS = {"B1": stream.run, "B2": history.run, "B3": recount.run, "B6": commits.run, "B8": cold.run}
USAGE = (
    f"Give 'run' with a size ({', '.join(SIZES)}), a directory for data, one for the report and, if not all,"
    f" some of {', '.join(SCENARIOS)}; or 'check' with two JSON reports."
)


def main(arguments):
    match arguments:
        case ["run", size, data, reports, *some] if size in SIZES and SCENARIOS.keys() >= set(some):
            return run(
                size, pathlib.Path(data).resolve(), pathlib.Path(reports).resolve(), some or list(SCENARIOS)
            )
        case ["check", before, after]:
            return check(before, after)
    print(USAGE, file=sys.stderr)
    return 2


def run(size, data, reports, scenarios):
    data.mkdir(parents=True, exist_ok=True)
    with open(data / "lock", "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Another benchmark runs in {data}: wait for its end.", file=sys.stderr)
            return 4
        return measure(size, data, reports, scenarios)


def measure(size, data, reports, scenarios):
    """Measures some scenarios, and writes a report of them and of those that were measured before."""
    reports.mkdir(parents=True, exist_ok=True)
    file = reports / f"{size}.json"
    results = json.loads(file.read_text(encoding="utf-8"))["results"] if file.exists() else []
    where = {
        "date": datetime.date.today().isoformat(),
        "commit": output(["git", "rev-parse", "--short", "HEAD"]),
        "machine": machine(),
    }
    for name in scenarios:
        try:
            measured = json.loads(json.dumps(SCENARIOS[name](size, data, say)))
        except (process.Failed, oracle.Wrong) as failure:
            print(f"No figures of {name}: {failure}", file=sys.stderr)
            return 1
        results = [result for result in results if result["scenario"] != name]
        results += [{**result, **where} for result in measured]
        results.sort(key=lambda result: result["scenario"])
        whole = {"size": size, "results": results}
        file.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
        file.with_suffix(".md").write_text(report.markdown(whole), encoding="utf-8")
    print(file.with_suffix(".md").read_text(encoding="utf-8"))
    return 0


def check(before, after):
    worse = compare.worse(*(json.loads(pathlib.Path(file).read_text()) for file in (before, after)))
    print("\n".join(worse) if worse else "No ratio is worse.")
    return 3 if worse else 0


def machine():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cores": len(os.sched_getaffinity(0)),
        "processor": processor(),
        "memory_gib": round(memory / 2**30),
        "java": output(["java", "-version"]).splitlines()[0],
    }


def processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def output(command):
    done = subprocess.run(command, cwd=process.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    return done.stdout.strip()


def say(sentence):
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    # As Ctrl-C does: what runs is ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main(sys.argv[1:]))
