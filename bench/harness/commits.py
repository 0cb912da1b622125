"""B6: small batches, one after the other: what the smallest costs, and whether the thousandth costs more."""

import dataclasses
import statistics

from harness import rounds, stream
from harness.targets import Target, figure

SCALES = {
    "S": stream.Scale(1_000, 10, 60, 579, 1),
    "M": stream.Scale(1_000, 20, 1_000, 579, 1),
}


def run(size, directory, say):
    """Runs the stream; dictionaries for the report."""
    scale = SCALES[size]
    directory = stream.directory_of(scale, directory)
    warehouse, expected = stream.prepared(scale, directory, say)
    say(f"B6: {scale.measured} batches of {scale.events_per_batch:,} events")
    measured = stream.one(stream.CONTENDERS["on-update"], scale, directory, warehouse, expected)
    return [{"scenario": "B6", "scale": dataclasses.asdict(scale), "run": measured, "figures": figures(measured)}]


def figures(measured):
    cpu = [batch["cpu_s"] for batch in measured["batches"]]
    return [
        figure(
            "wall of a batch of 1,000 events, s", measured["batch_s"], Target(2, 0.6, more=False), ratio=False
        ),
        figure(
            "growth of a batch's CPU over 1,000 commits", growth(cpu, 1_000), Target(0.03, 0.005, more=False), ratio=False
        ),
    ]


def growth(costs, commits):
    """By how much of itself the cost grows over so many commits, by least squares."""
    line = statistics.linear_regression(range(len(costs)), costs)
    return line.slope * commits / statistics.median(costs)


def markdown(result):
    batches = result["run"]["batches"]
    yield "## B6: many small commits"
    yield ""
    yield f"{len(batches)} batches of {result['scale']['events_per_batch']:,} events, on-update, after {result['scale']['warm_ups']}."
    yield ""
    yield "| batches | CPU s a batch | wall s |"
    yield "| --- | --- | --- |"
    part = max(1, len(batches) // 10)
    for first in range(0, len(batches) - part + 1, part):
        some = batches[first : first + part]
        summary = rounds.summaries(some, ("cpu_s", "wall_s"))
        yield (
            f"| {first + 1} to {first + part} | {rounds.spread(summary['cpu_s'], '.2f')} |"
            f" {rounds.spread(summary['wall_s'], '.2f')} |"
        )
