"""In which order contenders run, and what their runs come to."""

import statistics


def order(contenders, rounds):
    """ABBA: each round in the reverse order of the one before, so that a drift meets all alike."""
    names = list(contenders)
    for number in range(rounds):
        for name in names if number % 2 == 0 else reversed(names):
            yield number, name


def summary(values):
    """The median, the least and the greatest of some numbers."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}
