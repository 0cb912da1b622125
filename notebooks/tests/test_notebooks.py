"""Each notebook runs from top to bottom on a warehouse that the real pipeline made, and shows what is true there."""

import collections
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

import nbformat
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "notebooks"))

import answers  # noqa: E402
import render  # noqa: E402
from tidemark_session import Pipeline, TidemarkError  # noqa: E402

PAGES = ROOT / "docs/notebooks"
PICTURES = {
    "compare-two-generations": 2,
    "how-late-is-our-data": 3,
    "is-todays-number-final": 2,
    "top-keys-and-unique-users": 2,
}
# Some of what each shows: rows and events of a day by the settlement that gave them their values, and more.
SHOWN = {
    "compare-two-generations": ["<td>different</td>"],
    "how-late-is-our-data": ["behind the stream", "left out: watermark: {"],
    "is-todays-number-final": [
        "<td>2013-01-01</td>\n      <td>1</td>\n      <td>243</td>\n      <td>695</td>",
        "corrected",
    ],
    "top-keys-and-unique-users": [],
}


def distinct_destinations():
    """By carrier, of what the demo lands and is scheduled for 1 to 5 January; counted in plain Python."""
    found = collections.defaultdict(set)
    with gzip.open(ROOT / "examples/flights/flights.jsonl.gz", "rt", encoding="utf-8") as lines:
        for flight in map(json.loads, lines):
            if flight["actual_departure"] < "2013-01-06T02:00" and flight["scheduled_departure"] < "2013-01-06T00:00":
                found[flight["carrier"]].add(flight["dest"])
    return {carrier: len(destinations) for carrier, destinations in found.items()}


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    demo = {"TIDEMARK_MAIN": "io.tidemark.examples.AnalystsDemo", "TIDEMARK_CLASSPATH": "examples/target/examples.jar"}
    command = ["bin/tidemark", "examples/flights", folder]
    subprocess.run(command, cwd=ROOT, env=os.environ | demo, check=True, stdout=subprocess.PIPE)
    return folder


def test_there_are_these_notebooks():
    assert [notebook.stem for notebook in render.NOTEBOOKS] == sorted(PICTURES)


@pytest.mark.parametrize("notebook", render.NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_runs_and_shows(notebook, demo, tmp_path):
    executed = render.run(notebook, demo)

    render.write(notebook.stem, executed, tmp_path)
    page = (tmp_path / f"{notebook.stem}.md").read_text(encoding="utf-8")
    assert page.count("![png]") == PICTURES[notebook.stem]
    pictures = list((tmp_path / notebook.stem).glob("*.png"))
    assert len(pictures) == PICTURES[notebook.stem]
    assert all(picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 5_000 for picture in pictures)
    for words in SHOWN[notebook.stem]:
        assert words in page
    if notebook.stem == "top-keys-and-unique-users":
        shown = dict(re.findall(r"<td>([A-Z0-9]{2})</td>\n      <td>(\d+)</td>", page))
        exact = distinct_destinations()
        assert len(shown) == 10
        assert {carrier: int(number) for carrier, number in shown.items()} == {c: exact[c] for c in shown}
    assert str(demo) not in page and "<style" not in page


@pytest.mark.parametrize("notebook", render.NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_is_committed_without_outputs_and_its_page_with_them(notebook):
    document = nbformat.read(notebook, as_version=4)
    code = [cell for cell in document.cells if cell.cell_type == "code"]
    page = (PAGES / f"{notebook.stem}.md").read_text(encoding="utf-8")

    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    missing = [cell.source for cell in document.cells if cell.source not in page]
    assert missing == [], "make notebooks"
    assert page.count("![png]") == PICTURES[notebook.stem]


@pytest.fixture(scope="module")
def pipeline(demo):
    return Pipeline(str(demo / "flights.yaml"), str(demo / "warehouse"))


def test_each_query_of_the_analysts_page_gives_the_answer_below_it(pipeline):
    page = (ROOT / "docs/for-analysts.md").read_text(encoding="utf-8")

    assert len(answers.queries(page)) == page.count("```sql") == 10
    assert answers.with_answers(page, pipeline) == page, "make notebooks"


def test_a_notebook_only_reads(pipeline):
    with pytest.raises(TidemarkError, match="A notebook only looks: tidemark settle may write"):
        pipeline.verb("settle")


def test_a_verb_that_fails_says_what_it_said(pipeline):
    with pytest.raises(TidemarkError, match="g9 is not fed; there are: g1 live, g2 candidate"):
        pipeline.verb("verify", "--generation", "g9")
