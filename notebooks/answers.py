"""python notebooks/answers.py DEMO PAGE: runs each query of a page and puts its answer below it."""

from __future__ import annotations

import pathlib
import re
import sys

from tidemark_session import Pipeline

BLOCKS = re.compile(r"```sql\n(.*?)```\n\n```text\n.*?```\n", re.DOTALL)


def queries(page: str) -> list[str]:
    return BLOCKS.findall(page)


def with_answers(page: str, pipeline: Pipeline) -> str:
    return BLOCKS.sub(lambda block: f"```sql\n{block[1]}```\n\n```text\n{answer(block[1], pipeline)}```\n", page)


def answer(query: str, pipeline: Pipeline) -> str:
    """As a table of text: numbers to the right."""
    frame = pipeline.sql(query)
    rows = [["NULL" if value is None else str(value) for value in row] for row in frame.collect()]
    columns = list(zip(frame.columns, *rows, strict=True))
    right = [kind not in ("string", "timestamp", "date", "boolean") for _, kind in frame.dtypes]
    cells = [
        [text.rjust(width) if to_right else text.ljust(width) for text in column]
        for column, to_right in zip(columns, right, strict=True)
        for width in [max(map(len, column))]
    ]
    return "".join("  ".join(line).rstrip() + "\n" for line in zip(*cells, strict=True))


def main(demo: pathlib.Path, page: pathlib.Path) -> None:
    pipeline = Pipeline(str(demo / "flights.yaml"), str(demo / "warehouse"))
    page.write_text(with_answers(page.read_text(encoding="utf-8"), pipeline), encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
