"""The report for people: Markdown."""

GATES = {(300_000, "on-update"): (0.30, 0.60), (1_700_000, "on-update"): (0.55, 0.80),
         (300_000, "on-close"): (0.65, 0.85), (1_700_000, "on-close"): (0.85, 0.95)}
BAR = 40


def markdown(report):
    """The whole report."""
    machine = report["machine"]
    lines = [
        f"# Benchmark, size {report['size']}",
        "",
        f"{machine['cores']} cores ({machine['processor']}), {machine['memory_gib']} GiB; {machine['java']}."
        f" Made by `make bench SIZE={report['size']}` on {report['date']} at {report['commit']}.",
        "Each contender runs in a process of its own with the same heap, each round in the reverse order of the one"
        " before; every result was compared with the exact one first. Compare ratios, not times: only they hold on"
        " another machine.",
    ]
    for result in report["results"]:
        lines += ["", *SCENARIOS[result["scenario"]](result)]
    return "\n".join(lines) + "\n"


def stream(result):
    scale = result["scale"]
    size = scale["events_per_batch"]
    contenders = result["contenders"]
    runs = scale["rounds"] - scale["discarded"]
    yield f"## B1: the stream, {size:,} events a batch"
    yield ""
    yield (
        f"Windows of a minute, 50,000 keys (Zipf 1.0), copies and lateness within a watermark of 10 minutes;"
        f" before the batches, 11 minutes of {scale['fill_per_second']:,} events a second. {scale['warm_ups']}"
        f" batches warm up, {scale['measured']} are measured, in each of {runs} runs: median (least to greatest)."
    )
    yield ""
    yield "| sink | events/s | of noop | CPU s per million events | batch, s | peak MiB | target: gate, ambition |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for name, found in contenders.items():
        gate = GATES.get((size, name))
        target = "" if gate is None else verdict(*gate, ".2f", lambda bound: found["of_noop"] >= bound)
        yield (
            f"| {name} | {spread(found['events_per_s'], ',.0f')} | {found['of_noop']:.2f} |"
            f" {spread(found['cpu_s_per_million'], '.1f')} | {spread(found['batch_s'], '.1f')} |"
            f" {found['peak_mib']:,.0f} | {target} |"
        )
    yield from legend(contenders)
    yield ""
    yield "```"
    most = max(found["events_per_s"]["median"] for found in contenders.values())
    for name, found in contenders.items():
        rate = found["events_per_s"]["median"]
        yield f"{name:10} {'█' * max(1, round(BAR * rate / most)):{BAR}} {rate:,.0f} events/s"
    yield "```"


def cold(result):
    yield "## B8: the cold start of a command"
    yield ""
    yield f"The whole process, {result['rounds']} runs after a discarded one: median (least to greatest)."
    yield ""
    yield "| command | wall, s | CPU, s | MiB | target: gate, ambition |"
    yield "| --- | --- | --- | --- | --- |"
    for name, found in result["contenders"].items():
        wall = found["wall_s"]["median"]
        target = verdict(1.5, 0.6, ".1f", lambda bound: wall <= bound) if name == "status" else ""
        yield (
            f"| {name} | {spread(found['wall_s'], '.1f')} | {spread(found['cpu_s'], '.1f')} |"
            f" {found['peak_mib']['median']:,.0f} | {target} |"
        )
    yield from legend(result["contenders"])


SCENARIOS = {"B1": stream, "B8": cold}


def spread(values, form):
    return f"{values['median']:{form}} ({values['min']:{form}} to {values['max']:{form}})"


def legend(contenders):
    yield ""
    for name, found in contenders.items():
        yield f"* **{name}**: {found['what']}."


def verdict(gate, ambition, form, meets):
    met = "ambition met" if meets(ambition) else "gate met" if meets(gate) else "**not met**"
    return f"{gate:{form}}, {ambition:{form}}: {met}"
