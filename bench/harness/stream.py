"""B1: a stream from the archive into its sink, batch by batch, at the peak of a busy day."""

import dataclasses
import json
import shutil
import statistics

from harness import oracle, process, rounds
from harness.targets import Target, figure

PIPELINE = """\
# Clicks in windows of a minute: what the benchmark counts.
pipeline: clicks
source: {{ kind: files, path: '{events}', glob: "*.jsonl", format: json, max-files-per-trigger: 1 }}
event:
  schema: >-
    event_id STRING, producer_id INT, seq BIGINT, key STRING, event_type STRING, value BIGINT,
    event_time TIMESTAMP, ingest_time TIMESTAMP
  id: event_id
  time: event_time
  arrival: ingest_time
  max-future-skew: 1m
  max-age: 30d
window: {{ tumbling: 1m }}
keys: [key]
measures: {{ total: sum(value) }}
watermark: {{ bound: 10m }}
emit: {emit}
"""


@dataclasses.dataclass(frozen=True)
class Contender:
    sink: str
    emit: str
    what: str


CONTENDERS = {
    "noop": Contender("NOOP", "on-update", "the same plan into no sink: the limit"),
    "on-update": Contender("TIDEMARK", "on-update", "Tidemark, a row at every batch that changes it"),
    "on-close": Contender("TIDEMARK", "on-close", "Tidemark, a row once its window is closed"),
    "textbook": Contender("TEXTBOOK", "on-update", "a MERGE on the keys in foreachBatch, no partitions"),
}


@dataclasses.dataclass(frozen=True)
class Scale:
    """How large the scenario is.

    fill_per_second: events a second in the eleven minutes before; the fewer, the smaller the state.
    """

    events_per_batch: int
    warm_ups: int
    measured: int
    fill_per_second: int
    rounds: int


SCALES = {
    "S": [Scale(300_000, 2, 3, 579, 2)],
    "M": [Scale(300_000, 3, 5, 5_787, 4), Scale(1_700_000, 2, 5, 5_787, 4)],
}

TARGETS = {
    (300_000, "on-update"): Target(0.30, 0.60),
    (300_000, "on-close"): Target(0.65, 0.85),
    (1_700_000, "on-update"): Target(0.55, 0.80),
    (1_700_000, "on-close"): Target(0.85, 0.95),
}
BAR = 40


def run(size, directory, say):
    """Runs all contenders on each scale; dictionaries for the report."""
    return [run_one(scale, directory_of(scale, directory), say) for scale in SCALES[size]]


def run_one(scale, directory, say):
    warehouse, expected = prepared(scale, directory, say)
    runs = {name: [] for name in CONTENDERS}
    for number, name in rounds.order(CONTENDERS, scale.rounds):
        say(f"B1, {scale.events_per_batch:,} events a batch, round {number + 1} of {scale.rounds}: {name}")
        runs[name].append(one(CONTENDERS[name], scale, directory, warehouse, expected))
    found = contenders(runs)
    return {
        "scenario": "B1",
        "scale": dataclasses.asdict(scale),
        "contenders": found,
        "figures": figures(scale.events_per_batch, found),
    }


def directory_of(scale, directory):
    """Where a scale's events and their archive lie."""
    return directory / (
        f"stream-{scale.events_per_batch}-{scale.warm_ups + scale.measured}-{scale.fill_per_second}"
    )


def prepared(scale, directory, say):
    """The warehouse whose archive all contenders read, made once for each scale; and what is exact."""
    warehouse = directory / "warehouse"
    workload = directory / "workload"
    done = directory / "prepared"
    if not done.exists():
        shutil.rmtree(directory, ignore_errors=True)
        say(f"Batches of {scale.events_per_batch:,} events: making them and their archive")
        batches = scale.warm_ups + scale.measured
        process.make_workload(
            ["peak", scale.events_per_batch, batches, scale.fill_per_second, workload],
            directory / "workload.log",
        )
        for emit in ("on-update", "on-close"):
            (directory / f"{emit}.yaml").write_text(
                PIPELINE.format(events=workload, emit=emit), encoding="utf-8"
            )
        pipeline = directory / "on-update.yaml"
        process.tidemark(["init", pipeline], directory / "init.log", warehouse)
        process.tidemark(["ingest", pipeline, "--available-now"], directory / "ingest.log", warehouse)
        done.touch()
    return warehouse, oracle.exact([workload / part / "oracle.csv" for part in ("fill", "peak")])


def one(contender, scale, directory, warehouse, expected, history=0):
    """One process: its measured batches, and what the process tree took.

    history: rows that the target holds before.
    """
    out = directory / "run"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    cost = process.contender(
        "StreamContender",
        [contender.sink, directory / f"{contender.emit}.yaml", warehouse, out, scale.warm_ups, history],
        directory / "run.log",
    )
    if contender.sink != "NOOP":
        oracle.compare(
            oracle.result(out / "result.csv"), expected, closed_only=contender.emit == "on-close"
        )
    steps = [json.loads(line) for line in (out / "measurements.jsonl").read_text().splitlines()]
    batches = [step for step in steps if step["warm"] and step["events"] == scale.events_per_batch]
    events = sum(batch["events"] for batch in batches)
    return {
        "batches": batches,
        "events_per_s": events / sum(batch["wall_s"] for batch in batches),
        "cpu_s_per_million": 1e6 * sum(batch["cpu_s"] for batch in batches) / events,
        "cpu_s_per_batch": statistics.median(batch["cpu_s"] for batch in batches),
        "batch_s": statistics.median(batch["wall_s"] for batch in batches),
        "process": dataclasses.asdict(cost),
    }


def contenders(runs):
    """Of each contender the figures of its runs, and their ratio to the limit."""
    found = {}
    for name, measured in runs.items():
        found[name] = {
            "what": CONTENDERS[name].what,
            **rounds.summaries(measured, ("events_per_s", "cpu_s_per_million", "batch_s")),
            "peak_mib": max(run["process"]["peak_mib"] for run in measured),
            "runs": measured,
        }
    limit = found["noop"]["events_per_s"]["median"]
    for name in found:
        found[name]["of_noop"] = found[name]["events_per_s"]["median"] / limit
    return found


def figures(events_per_batch, found):
    return [
        figure(
            f"throughput, {name} / noop, batches of {events_per_batch:,}",
            found[name]["of_noop"],
            TARGETS.get((events_per_batch, name)),
        )
        for name in ("on-update", "on-close")
    ]


def markdown(result):
    scale = result["scale"]
    found = result["contenders"]
    yield f"## B1: the stream, {scale['events_per_batch']:,} events a batch"
    yield ""
    yield (
        f"Windows of a minute, 50,000 keys (Zipf 1.0), copies and lateness within a watermark of 10 minutes;"
        f" before the batches, 11 minutes of {scale['fill_per_second']:,} events a second. {scale['warm_ups']}"
        f" batches warm up, {scale['measured']} are measured, in each of {scale['rounds']} processes: median (least to greatest)."
    )
    yield ""
    yield "| sink | events/s | of noop | CPU s per million events | batch, s | peak MiB |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, contender in found.items():
        yield (
            f"| {name} | {rounds.spread(contender['events_per_s'], ',.0f')} | {contender['of_noop']:.2f} |"
            f" {rounds.spread(contender['cpu_s_per_million'], '.1f')} |"
            f" {rounds.spread(contender['batch_s'], '.1f')} | {contender['peak_mib']:,.0f} |"
        )
    yield from rounds.legend(found)
    yield ""
    yield "```"
    most = max(contender["events_per_s"]["median"] for contender in found.values())
    for name, contender in found.items():
        rate = contender["events_per_s"]["median"]
        yield f"{name:10} {'█' * max(1, round(BAR * rate / most)):{BAR}} {rate:,.0f} events/s"
    yield "```"
