# SPDX-License-Identifier: MIT
"""The differences between a generated block of a file and what it would be today."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from baton_lab.measure.gate import TOLERANCE
from baton_lab.present.grid import Grid
from baton_lab.present.markdown import escape, tables
from baton_lab.present.pages import Block

NOWHERE = -1
Numbered = tuple[int, str]
Row = tuple[int, list[str]]


def differences(old: Sequence[Numbered], block: Block, fresh: Sequence[str]) -> list[Numbered]:
    """Each difference with its line; NOWHERE for one that has none.

    Shape    `old` are the numbered lines of the block as it stands, `fresh` the lines as they would be written.
             Cells of volatile columns are not compared, and figures of a column's unsteady rows as the gate does.
    """
    found = tables(old)
    if len(found) != len(block.grids):
        return [(NOWHERE, f"{len(found)} tables here, {len(block.grids)} by the latest runs")]
    result = [each for table, grid in zip(found, block.grids, strict=True) for each in _table(table, grid)]
    if result or _prose([line for _, line in old]) == _prose(fresh):
        return result
    return [(NOWHERE, "the text around the tables differs")]


def _prose(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip() and not line.startswith("|")]


def _table(old: Sequence[Row], grid: Grid) -> Iterator[Numbered]:
    (line, header), *have = old
    steady = [i for i, column in enumerate(grid.columns) if not column.volatile]
    names = [escape(grid.columns[i].header) for i in steady]
    places = _places(header, [escape(column.header) for column in grid.columns], steady)
    if len(places) != len(names) or (len(steady) == len(grid.columns) and len(header) != len(names)):
        yield line, f"the columns are {', '.join(header)}; by the latest runs {', '.join(names)}"
        return
    wanted = [[escape(row[i]) for i in steady] for row in grid.rows]
    cells = [(number, [row[place] if place < len(row) else "" for place in places]) for number, row in have]
    by_key, keys = {row[0]: (number, row) for number, row in cells}, [row[0] for row in wanted]
    if len(set(keys)) == len(keys) == len(cells) and set(keys) == set(by_key):
        cells = [by_key[key] for key in keys]  # rows whose order alone differs are the same
    elif len(cells) != len(wanted):
        yield line, _rows_differ([row[0] for _, row in cells], keys)
        return
    loose = [{escape(name) for name in grid.columns[i].unsteady} for i in steady]
    for (number, row), fresh in zip(cells, wanted, strict=True):
        for name, unsteady, was, now in zip(names, loose, row, fresh, strict=True):
            if was != now and not (fresh[0] in unsteady and _is_near(was, now)):
                yield number, f"{fresh[0]}, {name}: {was or 'blank'} here, {now or 'blank'} by the latest run"


def _places(header: Sequence[str], names: Sequence[str], steady: Sequence[int]) -> list[int]:
    """The places of the steady columns in a table as it stands. Columns of one name, such as a peak of memory beside
    each time, are found by their order, where the table has all of them.
    """
    found = []
    for i in steady:
        there = [place for place, name in enumerate(header) if name == names[i]]
        of_name = [j for j in range(len(names)) if names[j] == names[i]]
        if there:
            found.append(there[of_name.index(i) if len(there) == len(of_name) else 0])
    return found


def _is_near(was: str, now: str) -> bool:
    """True where the gate would let one count pass for the other; a blank is no count."""
    try:
        return math.isclose(float(was), float(now), rel_tol=TOLERANCE["instructions"])
    except ValueError:
        return False


def _rows_differ(have: Sequence[str], wanted: Sequence[str]) -> str:
    changed = (("new", wanted, have), ("gone", have, wanted))
    found = {word: [name for name in names if name not in others] for word, names, others in changed}
    parts = [f"{word}: {', '.join(names)}" for word, names in found.items() if names]
    return f"{len(have)} rows here, {len(wanted)} by the latest run; {'; '.join(parts) or 'some repeat'}"
