"""Compares two reports: has a ratio within its run become worse?"""

TOLERANCE = 0.15


def ratios(report):
    """{name: figure} of a report, only of figures that are ratios within a run."""
    return {
        f"{result['scenario']} {figure['name']}": figure
        for result in report["results"]
        for figure in result["figures"]
        if figure["ratio"]
    }


def worse(before, after, tolerance=TOLERANCE):
    """Sentences on ratios that became worse by more than the tolerance, or are gone.

    Machines are noisy, so only ratios within a run are compared, never times.
    """
    now = ratios(after)
    found = []
    for name, old in ratios(before).items():
        if name not in now:
            found.append(f"{name}: was {old['value']:.2f}, is not measured any more")
            continue
        value = now[name]["value"]
        margin = tolerance * abs(old["value"])
        lost = old["value"] - value if old["more_is_better"] else value - old["value"]
        if lost > margin:
            found.append(f"{name}: was {old['value']:.2f}, is {value:.2f}")
    return found
