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


def spread(values, form):
    """A summary in a table's cell."""
    return f"{values['median']:{form}} ({values['min']:{form}} to {values['max']:{form}})"


def legend(contenders):
    """What each contender is, below its table."""
    yield ""
    for name, found in contenders.items():
        yield f"* **{name}**: {found['what']}."
