# SPDX-License-Identifier: MIT
"""How a generated block of a README differs from what it would be today."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from baton_lab.measure.gate import TOLERANCE
from baton_lab.present.grid import Grid
from baton_lab.present.markdown import escape, tables
from baton_lab.present.pages import Block

NOWHERE = -1
Numbered = tuple[int, str]
Table = Sequence[tuple[int, list[str]]]


def differences(old: Sequence[Numbered], block: Block, fresh: Sequence[str]) -> list[tuple[int, str]]:
    """Each difference with its line; NOWHERE for one that has none.

    Shape    `old` are the numbered lines of the block as it stands, `fresh` the lines as they would be written.
             Cells of volatile columns are not compared, and figures of a column's unsteady rows as the gate does.
    """
    found = tables(old)
    if len(found) != len(block.grids):
        return [(NOWHERE, f"{len(found)} tables here, {len(block.grids)} by the latest runs")]
    result = [each for table, grid in zip(found, block.grids, strict=True) for each in _table(table, grid)]
    if result:
        return result
    prose = [line for _, line in old if line.strip() and not line.startswith("|")]
    wanted = [line for line in fresh if line.strip() and not line.startswith("|")]
    return [] if prose == wanted else [(NOWHERE, "the text around the tables differs")]


def _table(old: Table, grid: Grid) -> Iterator[tuple[int, str]]:
    line, header = old[0]
    steady = [i for i, column in enumerate(grid.columns) if not column.volatile]
    names = [escape(grid.columns[i].header) for i in steady]
    unsteady = [{escape(name) for name in grid.columns[i].unsteady} for i in steady]
    volatile = len(steady) < len(grid.columns)
    places = [header.index(name) for name in names if name in header]
    if len(places) != len(names) or (not volatile and len(header) != len(names)):
        yield line, f"the columns are {', '.join(header)}; by the latest runs {', '.join(names)}"
        return
    wanted = [[escape(row[i]) for i in steady] for row in grid.rows]
    have = {cells[places[0]]: (number, [_at(cells, place) for place in places]) for number, cells in old[1:]}
    keys = [row[0] for row in wanted]
    if len(set(keys)) == len(keys) == len(old) - 1 and set(keys) == set(have):
        rows = [(have[key], row) for key, row in zip(keys, wanted, strict=True)]
    else:
        listed = [(number, [_at(cells, place) for place in places]) for number, cells in old[1:]]
        if len(listed) != len(wanted):
            yield line, _rows_differ([cells[0] for _, cells in listed], keys)
            return
        rows = list(zip(listed, wanted, strict=True))
    for (number, cells), row in rows:
        for name, loose, was, now in zip(names, unsteady, cells, row, strict=True):
            if was != now and not (row[0] in loose and _is_near(was, now)):
                yield number, f"{row[0]}, {name}: {was or 'blank'} here, {now or 'blank'} by the latest run"


def _is_near(was: str, now: str) -> bool:
    """Whether the gate would let one count pass for the other; a blank is no count."""
    try:
        return math.isclose(float(was), float(now), rel_tol=TOLERANCE["instructions"])
    except ValueError:
        return False


def _at(cells: Sequence[str], place: int) -> str:
    return cells[place] if place < len(cells) else ""


def _rows_differ(have: Sequence[str], wanted: Sequence[str]) -> str:
    gone = [name for name in have if name not in wanted]
    new = [name for name in wanted if name not in have]
    parts = [f"new: {', '.join(new)}"] if new else []
    parts += [f"gone: {', '.join(gone)}"] if gone else []
    return f"{len(have)} rows here, {len(wanted)} by the latest run; {'; '.join(parts) or 'some repeat'}"
