"""The report for people: Markdown."""

from harness import cold, commits, history, recount, stream, targets

SCENARIOS = {
    "B1": stream.markdown,
    "B2": history.markdown,
    "B3": recount.markdown,
    "B6": commits.markdown,
    "B8": cold.markdown,
}


def markdown(report):
    """The whole report."""
    lines = [
        f"# Benchmark, size {report['size']}",
        "",
        f"Made by `make bench SIZE={report['size']}`. Each contender runs in a process of its own with the same heap,"
        " each round in the reverse order of the one before; every result was compared with the exact one first."
        " Compare ratios, not times: only they hold on another machine.",
        "",
        "| figure | value | gate, ambition | |",
        "| --- | --- | --- | --- |",
    ]
    for result in report["results"]:
        lines += [row(result["scenario"], figure) for figure in result["figures"]]
    for result in report["results"]:
        lines += ["", *SCENARIOS[result["scenario"]](result), "", provenance(result)]
    return "\n".join(lines) + "\n"


def row(scenario, figure):
    target = figure["target"]
    bounds = f"{target['gate']}, {target['ambition']}" if target else ""
    return f"| {scenario}: {figure['name']} | {figure['value']:.2f} | {bounds} | {targets.verdict(figure)} |"


def provenance(result):
    machine = result["machine"]
    return (
        f"*{result['date']}, {result['commit']}, {machine['cores']} cores ({machine['processor']}),"
        f" {machine['memory_gib']} GiB, {machine['java']}.*"
    )
