"""What a figure should be, and whether it is."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Target:
    """A gate and an ambition; more is better, or less."""

    gate: float
    ambition: float
    more: bool = True


def figure(name, value, target=None, more=True, ratio=True):
    """A figure of a scenario, for its report and for comparisons with others.

    ratio: whether it holds on another machine too.
    """
    return {
        "name": name,
        "value": value,
        "more_is_better": target.more if target else more,
        "ratio": ratio,
        "target": dataclasses.asdict(target) if target else None,
    }


def verdict(figure):
    """e.g. "gate met"; empty where there is no target."""
    target = figure["target"]
    if target is None:
        return ""
    sign = 1 if target["more"] else -1
    for level in ("ambition", "gate"):
        if sign * figure["value"] >= sign * target[level]:
            return f"{level} met"
    return "**not met**"
