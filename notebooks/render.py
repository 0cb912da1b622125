"""python notebooks/render.py DEMO PAGES: runs each notebook on a demo and writes it as a page with its pictures."""

from __future__ import annotations

import pathlib
import re
import sys

import nbformat
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

HERE = pathlib.Path(__file__).resolve().parent
NOTEBOOKS = sorted(HERE.glob("*.ipynb"))
SECONDS = 300


def main(demo: pathlib.Path, pages: pathlib.Path) -> None:
    for notebook in NOTEBOOKS:
        write(notebook.stem, run(notebook, demo), pages)


def run(notebook: pathlib.Path, demo: pathlib.Path) -> nbformat.NotebookNode:
    """The notebook, executed from top to bottom with the demo's pipeline and warehouse as its parameters."""
    document = nbformat.read(notebook, as_version=4)
    (parameters,) = (cell for cell in document.cells if "parameters" in cell.metadata.get("tags", []))
    shown = parameters.source
    parameters.source = shown.replace("../analysts-demo", str(demo.resolve()))
    NotebookClient(document, timeout=SECONDS, resources={"metadata": {"path": str(HERE)}}).execute()
    parameters.source = shown
    return document


def write(name: str, document: nbformat.NotebookNode, pages: pathlib.Path) -> None:
    page, resources = MarkdownExporter().from_notebook_node(document, {"output_files_dir": name})
    (pages / name).mkdir(parents=True, exist_ok=True)
    for picture, content in resources["outputs"].items():
        (pages / picture).write_bytes(content)
    # Tables bring a style of their own, which pages of text show as text.
    plain = re.sub(r"<style scoped>.*?</style>\n", "", page, flags=re.DOTALL)
    tidy = re.sub(r"\n{3,}", "\n\n", re.sub(r" +$", "", plain, flags=re.MULTILINE))
    (pages / f"{name}.md").write_text(tidy, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
