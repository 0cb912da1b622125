"""Compares two reports: has a ratio within its run become worse?"""

TOLERANCE = 0.15


def ratios(report):
    """{name: ratio} of a report; larger is better."""
    return {
        f"{result['scenario']} {result['scale']['events_per_batch']} {name}": contender["of_noop"]
        for result in report["results"]
        if result["scenario"] == "B1"
        for name, contender in result["contenders"].items()
        if name not in ("noop", "textbook")
    }


def worse(before, after, tolerance=TOLERANCE):
    """Sentences on ratios that became worse by more than the tolerance, or are gone.

    Machines are noisy, so only ratios within a run are compared, never times.
    """
    now = ratios(after)
    found = []
    for name, ratio in ratios(before).items():
        if name not in now:
            found.append(f"{name}: was {ratio:.2f} of noop, is not measured any more")
        elif now[name] < ratio * (1 - tolerance):
            found.append(f"{name}: was {ratio:.2f} of noop, is {now[name]:.2f}")
    return found
