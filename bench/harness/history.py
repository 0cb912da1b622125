"""B2: what a batch costs, the more rows of the same day are in the target before."""

import dataclasses
import math
import statistics

from harness import rounds, stream
from harness.targets import Target, figure

CONTENDERS = ("on-update", "textbook")


@dataclasses.dataclass(frozen=True)
class Scale:
    """rows: of history, at each point. rounds: processes of each contender at each point."""

    stream: stream.Scale
    rows: tuple
    rounds: int


SCALES = {
    "S": Scale(stream.SCALES["S"][0], (100_000, 1_000_000), 1),
    "M": Scale(stream.SCALES["S"][0], (100_000, 1_000_000, 10_000_000), 3),
}


def run(size, directory, say):
    """Runs the contenders at each point; dictionaries for the report."""
    scale = SCALES[size]
    directory = stream.directory_of(scale.stream, directory)
    warehouse, expected = stream.prepared(scale.stream, directory, say)
    points = {}
    for rows in scale.rows:
        runs = {name: [] for name in CONTENDERS}
        for number, name in rounds.order(CONTENDERS, scale.rounds):
            say(f"B2, {rows:,} rows of history, round {number + 1} of {scale.rounds}: {name}")
            runs[name].append(
                stream.one(stream.CONTENDERS[name], scale.stream, directory, warehouse, expected, rows)
            )
        points[rows] = {
            name: {**rounds.summaries(measured, ("cpu_s_per_batch", "batch_s")), "runs": measured}
            for name, measured in runs.items()
        }
    return [{"scenario": "B2", "scale": dataclasses.asdict(scale), "points": points, "figures": figures(points)}]


def figures(points):
    """The ratio at the most rows, and how cost grows from the fewest to the most."""
    most = points[max(points)]
    cost = {name: found["cpu_s_per_batch"]["median"] for name, found in most.items()}
    target = Target(5, 20) if max(points) >= 10_000_000 else None
    return [
        figure(f"CPU of a batch, textbook / on-update, {max(points):,} rows", cost["textbook"] / cost["on-update"], target),
        figure(
            f"exponent of on-update's CPU in rows, {min(points):,} to {max(points):,}",
            exponent({rows: found["on-update"]["cpu_s_per_batch"]["median"] for rows, found in points.items()}),
            Target(0.10, 0.03, more=False),
            ratio=False,
        ),
    ]


def exponent(costs):
    """The slope of log cost over log size, by least squares: 0 is flat, 1 is linear."""
    return statistics.linear_regression(
        [math.log(size) for size in costs], [math.log(cost) for cost in costs.values()]
    ).slope


def markdown(result):
    scale = result["scale"]
    yield "## B2: a batch beside the history"
    yield ""
    yield (
        f"Batches of {scale['stream']['events_per_batch']:,} events as in B1; the target holds rows of the same day"
        f" before, written as its contender writes. {scale['rounds']} processes for each cell: median."
    )
    yield ""
    yield "| rows before | on-update: CPU s a batch | wall s | textbook: CPU s a batch | wall s |"
    yield "| --- | --- | --- | --- | --- |"
    for rows, found in result["points"].items():
        cells = [
            f"{found[name][key]['median']:.1f}" for name in CONTENDERS for key in ("cpu_s_per_batch", "batch_s")
        ]
        yield f"| {int(rows):,} | {' | '.join(cells)} |"
