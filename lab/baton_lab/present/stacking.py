# SPDX-License-Identifier: MIT
"""The window in which a table of the report no longer fits, so that its rows become blocks there."""

from __future__ import annotations

from baton_lab.present.grid import Column, Grid

STEPS = (400, 560, 760, 960, 1140, 1400)
"""Widths of a window, in pixels; the style of the report has a rule for each."""
CHARACTER, PADDING, AROUND = 7.9, 16, 60
"""Pixels: of a character at most, of a cell's sides, and of what is beside a table."""
LONGEST = 22
"""A cell of text is broken between words, but not below so many characters."""


def stacked(grid: Grid) -> str:
    """The class of a table: `stack-` and the widest window in which it has no room."""
    needed = AROUND + sum(_width(grid, place, column) for place, column in enumerate(grid.columns))
    return f"stack-{next((step for step in STEPS if needed <= step), STEPS[-1])}"


def _width(grid: Grid, place: int, column: Column) -> float:
    cells = [row[place] for row in grid.rows]
    if column.kind == "number":
        longest = max((len(line) for cell in cells for line in cell.split("\n")), default=0)
    else:
        words = max((len(word) for cell in cells for word in cell.split()), default=0)
        longest = max(words, min(max(map(len, cells), default=0), LONGEST))
    head = max(len(word) for word in (column.header or " ").replace("-", "- ").split() or [""])
    return max(longest, head) * CHARACTER + PADDING
