# SPDX-License-Identifier: MIT
"""Tables as Markdown, aligned so that a person can read and compare the source, and back to cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from baton_lab.present.grid import Grid

_SPECIAL = re.compile(r"[\\|*`\[]|<(?=[a-zA-Z/!?])")
_BORDER = re.compile(r"(?<!\\)\|")


def escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _SPECIAL.sub(lambda found: "\\" + found.group(), " ".join(text.split()))


def render(grid: Grid) -> list[str]:
    """The lines of a table: title, header, rows, notes."""
    rows = [[escape(column.header) for column in grid.columns], *([escape(cell) for cell in row] for row in grid.rows)]
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(grid.columns))]
    right = [column.kind == "number" for column in grid.columns]
    lines = [f"**{escape(grid.title)}**", "", _line(rows[0], widths, right)]
    dashes = ["-" * (width - 1) + ":" if flush else "-" * width for width, flush in zip(widths, right, strict=True)]
    lines.append(f"| {' | '.join(dashes)} |")
    lines += [_line(row, widths, right) for row in rows[1:]]
    if grid.notes:
        lines += ["", *(f"- {escape(note)}" for note in grid.notes)]
    return lines


def tables(lines: Iterable[tuple[int, str]]) -> list[list[tuple[int, list[str]]]]:
    """The tables among numbered lines: of each its header and rows as (line number, cells), escaped as in the file."""
    found: list[list[tuple[int, list[str]]]] = []
    inside = False
    for number, line in lines:
        is_row = line.lstrip().startswith("|")
        if is_row and not inside:
            found.append([])
        if is_row:
            found[-1].append((number, cells(line)))
        inside = is_row
    return [[row for i, row in enumerate(table) if i != 1] for table in found]  # without the line of dashes


def cells(line: str) -> list[str]:
    """The cells of a table's line, as they are written."""
    return [cell.strip() for cell in _BORDER.split(line.strip())[1:-1]]


def _line(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = [
        cell.rjust(width) if flush else cell.ljust(width) for cell, width, flush in zip(row, widths, right, strict=True)
    ]
    return f"| {' | '.join(padded)} |"
