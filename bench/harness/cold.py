"""B8: how long a command takes from its start to its end, the page cache warm."""

import dataclasses
import shutil

from harness import process, rounds, stream
from harness.targets import Target, figure

ROUNDS = {"S": 3, "M": 6}

COMMANDS = {
    "validate": "checks a pipeline file; no Spark",
    "status": "says how a pipeline without records stands",
}


def run(size, directory, say):
    """Runs each command; dictionaries for the report. The first round is discarded."""
    directory = directory / "cold"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    pipeline = directory / "clicks.yaml"
    pipeline.write_text(
        stream.PIPELINE.format(events=directory, emit="on-update"), encoding="utf-8"
    )
    warehouse = directory / "warehouse"
    process.tidemark(["init", pipeline], directory / "init.log", warehouse)
    runs = {name: [] for name in COMMANDS}
    for number, name in rounds.order(COMMANDS, ROUNDS[size] + 1):
        say(f"B8, round {number} of {ROUNDS[size]}: {name}")
        cost = process.tidemark([name, pipeline], directory / f"{name}.log", warehouse, options="")
        if number > 0:
            runs[name].append(dataclasses.asdict(cost))
    found = {
        name: {"what": COMMANDS[name], **rounds.summaries(measured, ("wall_s", "cpu_s", "peak_mib"))}
        for name, measured in runs.items()
    }
    return [{"scenario": "B8", "rounds": ROUNDS[size], "contenders": found, "figures": figures(found)}]


def figures(found):
    return [
        figure("wall of status, s", found["status"]["wall_s"]["median"], Target(1.5, 0.6, more=False), ratio=False)
    ]


def markdown(result):
    yield "## B8: the cold start of a command"
    yield ""
    yield f"The whole process, {result['rounds']} runs after a discarded one: median (least to greatest)."
    yield ""
    yield "| command | wall, s | CPU, s | MiB |"
    yield "| --- | --- | --- | --- |"
    for name, found in result["contenders"].items():
        yield (
            f"| {name} | {rounds.spread(found['wall_s'], '.1f')} | {rounds.spread(found['cpu_s'], '.1f')} |"
            f" {found['peak_mib']['median']:,.0f} |"
        )
    yield from rounds.legend(result["contenders"])
