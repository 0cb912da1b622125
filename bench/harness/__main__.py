"""python3 -m harness run SIZE DIRECTORY REPORT, or check BEFORE AFTER."""

import datetime
import fcntl
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys

from harness import cold, compare, oracle, process, report, stream

USAGE = "Give 'run' with a size (S, M), a directory for data and one for the report, or 'check' with two JSON reports."


def main(arguments):
    match arguments:
        case ["run", size, data, reports] if size in stream.SCALES:
            return run(size, pathlib.Path(data).resolve(), pathlib.Path(reports).resolve())
        case ["check", before, after]:
            return check(before, after)
    print(USAGE, file=sys.stderr)
    return 2


def run(size, data, reports):
    data.mkdir(parents=True, exist_ok=True)
    with open(data / "lock", "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Another benchmark runs in {data}: wait for its end.", file=sys.stderr)
            return 4
        return measure(size, data, reports)


def measure(size, data, reports):
    try:
        results = [stream.run(scale, data, say) for scale in stream.SCALES[size]]
        results.append(cold.run(size, data, say))
    except (process.Failed, oracle.Wrong) as failure:
        print(f"No figures: {failure}", file=sys.stderr)
        return 1
    measured = {
        "size": size,
        "date": datetime.date.today().isoformat(),
        "commit": output(["git", "rev-parse", "--short", "HEAD"]),
        "machine": machine(),
        "results": results,
    }
    reports.mkdir(parents=True, exist_ok=True)
    (reports / f"{size}.json").write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    text = report.markdown(measured)
    (reports / f"{size}.md").write_text(text, encoding="utf-8")
    print(text)
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
