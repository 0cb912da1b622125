"""Compares a contender's result with what is exact. A wrong one has no time."""

import collections
import csv


class Wrong(Exception):
    """A result that differs from the oracle; the message shows the first differences."""


def exact(files):
    """The exact {(window_start, key): (events, total)} of workloads that were read one after the other."""
    groups = collections.defaultdict(lambda: (0, 0))
    for file in files:
        with open(file, newline="", encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                key = (row["window_start"], row["key"])
                events, total = groups[key]
                groups[key] = (events + int(row["events"]), total + int(row["total"]))
    return dict(groups)


def result(file):
    """What a contender wrote, in the same form.

    Raises Wrong where a window and key come twice.
    """
    groups = {}
    with open(file, newline="", encoding="utf-8") as lines:
        for window_start, key, events, total in csv.reader(lines):
            if (window_start, key) in groups:
                raise Wrong(f"{window_start} {key} is there twice")
            groups[window_start, key] = (int(events), int(total))
    return groups


def compare(found, expected, closed_only=False):
    """Raises Wrong unless both are the same.

    closed_only: the result holds whole windows only, up to some window, and at least one.
    """
    if closed_only:
        last = max((window for window, _ in found), default="")
        expected = {key: value for key, value in expected.items() if key[0] <= last}
        if not expected:
            raise Wrong("no window has closed")
    if found == expected:
        return
    differing = sorted(
        key for key in found.keys() | expected.keys() if found.get(key) != expected.get(key)
    )
    shown = "; ".join(f"{key}: {found.get(key)}, exact {expected.get(key)}" for key in differing[:3])
    raise Wrong(f"{len(differing)} of {len(expected)} groups differ: {shown}")
