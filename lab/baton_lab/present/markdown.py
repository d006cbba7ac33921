# SPDX-License-Identifier: MIT
"""Tables as Markdown, aligned so that a person can read and compare the source, and back to cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from baton_lab.present.grid import Grid

_SPECIAL = re.compile(r"[\\|*`\[]|<(?=[a-zA-Z/!?])")
_ESCAPED = re.compile(r"\\(.)")
_BORDER = re.compile(r"(?<!\\)\|")


def escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _SPECIAL.sub(lambda found: "\\" + found.group(), " ".join(text.split()))


def plain(cell: str) -> str:
    """The text of an escaped cell."""
    return _ESCAPED.sub(r"\1", cell)


def render(grid: Grid) -> list[str]:
    """The lines of a table: title, header, rows, notes."""
    header, *rows = [[*map(escape, row)] for row in ([column.header for column in grid.columns], *grid.rows)]
    widths = [max(3, *map(len, column)) for column in zip(header, *rows, strict=True)]
    right = [column.kind == "number" for column in grid.columns]
    dashes = ["-" * (width - 1) + ":" if flush else "-" * width for width, flush in zip(widths, right, strict=True)]
    lines = [f"**{escape(grid.title)}**", "", *(_line(row, widths, right) for row in (header, dashes, *rows))]
    return [*lines, "", *(f"- {escape(note)}" for note in grid.notes)] if grid.notes else lines


def tables(lines: Iterable[tuple[int, str]]) -> list[list[tuple[int, list[str]]]]:
    """The tables among numbered lines: of each its header and rows as (line number, cells), escaped as in the file."""
    found = [list(rows) for is_row, rows in groupby(lines, lambda each: each[1].lstrip().startswith("|")) if is_row]
    return [[(n, _cells(line)) for n, line in (rows[0], *rows[2:])] for rows in found]  # without the line of dashes


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _BORDER.split(line.strip())[1:-1]]


def _line(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = [
        cell.rjust(width) if flush else cell.ljust(width) for cell, width, flush in zip(row, widths, right, strict=True)
    ]
    return f"| {' | '.join(padded)} |"
