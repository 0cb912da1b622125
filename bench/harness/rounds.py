"""In which order contenders run, and what their runs come to."""

import statistics


def order(contenders, rounds):
    """ABBA: each round in the reverse order of the one before, so that a drift meets all alike."""
    names = list(contenders)
    for number in range(rounds):
        for name in names if number % 2 == 0 else reversed(names):
            yield number, name


def summaries(runs, figures):
    """Of each figure of some runs the median, the least and the greatest."""
    return {
        figure: {"median": statistics.median(values), "min": min(values), "max": max(values)}
        for figure in figures
        for values in [[run[figure] for run in runs]]
    }
