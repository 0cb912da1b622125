"""B3: an exact count of the whole archive, each copy once."""

import dataclasses
import json
import shutil

from harness import oracle, process, rounds, stream
from harness.targets import Target, figure

CONTENDERS = {
    "duckdb": ("DUCKDB", "DuckDB over the same Parquet files, into a table in memory"),
    "recount": ("RECOUNT", "Tidemark's recount with its balance, into no sink"),
    "settle": ("SETTLE", "Tidemark's settlement: recount, compare with the estimates, keep corrections, adopt"),
    "overwrite": ("OVERWRITE", "what one writes first: deduplicate, count, overwrite the table"),
}


@dataclasses.dataclass(frozen=True)
class Scale:
    """workload: its size. warm_ups, measured: counts within a process; rounds: processes."""

    workload: str
    warm_ups: int
    measured: int
    rounds: int


SCALES = {"S": Scale("S", 1, 3, 1), "M": Scale("M", 2, 5, 2)}


def run(size, directory, say):
    """Runs all contenders; dictionaries for the report."""
    scale = SCALES[size]
    directory = directory / f"recount-{scale.workload}"
    warehouse = prepared(scale, directory, say)
    expected = oracle.exact([directory / "workload" / "oracle.csv"])
    runs = {name: [] for name in CONTENDERS}
    for number, name in rounds.order(CONTENDERS, scale.rounds):
        say(f"B3, round {number + 1} of {scale.rounds}: {name}")
        runs[name] += one(CONTENDERS[name][0], scale, directory, warehouse, expected)
    found = {
        name: {"what": CONTENDERS[name][1], **rounds.summaries(steps, ("wall_s", "cpu_s"))}
        for name, steps in runs.items()
    }
    return [{"scenario": "B3", "scale": dataclasses.asdict(scale), "contenders": found, "figures": figures(found)}]


def prepared(scale, directory, say):
    """A warehouse whose archive the stream has read; made once for each scale."""
    warehouse = directory / "warehouse"
    done = directory / "prepared"
    if not done.exists():
        shutil.rmtree(directory, ignore_errors=True)
        say("B3: making the events, their archive and the stream's estimates")
        workload = directory / "workload"
        process.make_workload(["day", scale.workload, workload], directory / "workload.log")
        pipeline = directory / "clicks.yaml"
        text = stream.PIPELINE.format(events=workload, emit="on-update")
        pipeline.write_text(text.replace("max-files-per-trigger: 1", "max-files-per-trigger: 10"), encoding="utf-8")
        for command in (["init"], ["ingest", "--available-now"], ["aggregate", "--available-now"]):
            log = directory / f"{command[0]}.log"
            process.tidemark([command[0], pipeline, *command[1:]], log, warehouse)
        done.touch()
    return warehouse


def one(how, scale, directory, warehouse, expected):
    """One process: the counts that it measured."""
    out = directory / "run"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    process.contender(
        "RecountContender",
        [how, directory / "clicks.yaml", warehouse, out, scale.warm_ups, scale.measured],
        directory / "run.log",
    )
    oracle.compare(oracle.result(out / "result.csv"), expected)
    steps = [json.loads(line) for line in (out / "measurements.jsonl").read_text().splitlines()]
    return [step for step in steps if step["warm"]]


def figures(found):
    wall = {name: contender["wall_s"]["median"] for name, contender in found.items()}
    return [
        figure("wall, recount / duckdb", wall["recount"] / wall["duckdb"], Target(4, 2, more=False)),
        figure("wall, settle / overwrite", wall["settle"] / wall["overwrite"], more=False),
    ]


def markdown(result):
    scale = result["scale"]
    yield "## B3: the recount"
    yield ""
    yield (
        f"The archive of workload {scale['workload']}, copies left out. {scale['warm_ups']} counts warm up,"
        f" {scale['measured']} are measured, in each of {scale['rounds']} processes: median (least to greatest)."
    )
    yield ""
    yield "| by | wall, s | CPU, s |"
    yield "| --- | --- | --- |"
    for name, found in result["contenders"].items():
        yield f"| {name} | {rounds.spread(found['wall_s'], '.2f')} | {rounds.spread(found['cpu_s'], '.2f')} |"
    yield from rounds.legend(result["contenders"])
