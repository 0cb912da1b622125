"""B1: a stream from the archive into its sink, batch by batch, at the peak of a busy day."""

import dataclasses
import json
import shutil
import statistics

from harness import oracle, process, rounds

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
    discarded: int


SCALES = {
    "S": [Scale(300_000, 2, 3, 579, 3, 0)],
    "M": [Scale(300_000, 3, 8, 5_787, 6, 1), Scale(1_700_000, 2, 4, 5_787, 6, 1)],
}


def run(scale, directory, say):
    """Runs all contenders on one scale; a dictionary for the report."""
    directory = directory / f"stream-{scale.events_per_batch}"
    workload = directory / "workload"
    warehouse = prepared(scale, directory, workload, say)
    expected = oracle.exact([workload / part / "oracle.csv" for part in ("fill", "peak")])
    runs = {name: [] for name in CONTENDERS}
    for number, name in rounds.order(CONTENDERS, scale.rounds):
        say(f"B1, {scale.events_per_batch} events a batch, round {number + 1} of {scale.rounds}: {name}")
        measured = one(CONTENDERS[name], scale, directory, warehouse, expected)
        if number >= scale.discarded:
            runs[name].append(measured)
    return {"scenario": "B1", "scale": dataclasses.asdict(scale), "contenders": figures(runs)}


def prepared(scale, directory, workload, say):
    """The warehouse whose archive all contenders read; made once for each scale."""
    warehouse = directory / "warehouse"
    done = directory / f"prepared-{scale.warm_ups + scale.measured}-{scale.fill_per_second}"
    if done.exists():
        return warehouse
    shutil.rmtree(directory, ignore_errors=True)
    say(f"B1, {scale.events_per_batch} events a batch: making the events and their archive")
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
    return warehouse


def one(contender, scale, directory, warehouse, expected):
    """One process: its measured batches, and what the process tree took."""
    out = directory / "run"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    cost = process.contender(
        "StreamContender",
        [contender.sink, directory / f"{contender.emit}.yaml", warehouse, out, scale.warm_ups],
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
        "batch_s": statistics.median(batch["wall_s"] for batch in batches),
        "process": dataclasses.asdict(cost),
    }


def figures(runs):
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
