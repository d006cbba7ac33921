# SPDX-License-Identifier: MIT
"""The layout of the tables of bytes: objects, and the flash and RAM of features."""

from __future__ import annotations

from collections.abc import Sequence

from baton_lab.board.board_facts import HOST
from baton_lab.measure.published import LIBRARY
from baton_lab.present.byte_rows import MemoryRow, SizeRow
from baton_lab.present.grid import Cell, Column, Grid, count, layout

Sizes = dict[str, SizeRow]
"""The rows of one type, by board."""

NAMED = 2  # that many boards of equal sizes are named in the head of their column


def size_grid(boards: Sequence[str], rows: Sequence[SizeRow]) -> Grid:
    """The size of each public type, and the published size on the first board that has one.

    Shape    a column for each board, or for several on which every type has the same size.
    """
    by_name: dict[str, Sizes] = {}
    for row in rows:
        by_name.setdefault(row.name, {})[row.board] = row
    cells: list[Cell[Sizes]] = [Cell(Column("type", "text"), lambda r: next(iter(r.values())).name)]
    groups = equal_boards(boards, rows)
    cells += [_size_cell(group) for group in groups]
    cells.append(Cell(Column(LIBRARY, "text", sparse=True), _published_size))
    notes = [f"{heading(group)}: {', '.join(group)}" for group in groups if len(group) > NAMED]
    return layout("Object sizes, bytes", cells, list(by_name.values()), notes)


def equal_boards(boards: Sequence[str], rows: Sequence[SizeRow]) -> list[list[str]]:
    """Boards of equal sizes together; this machine, whose sizes depend on its compiler, alone, measured or not."""
    sizes: dict[str, list[tuple[str, int]]] = {board: [] for board in boards}
    for row in rows:
        if row.board in sizes:
            sizes[row.board].append((row.name, row.size_bytes))
    groups: dict[tuple[object, ...], list[str]] = {}
    for board, of_board in sizes.items():
        if of_board or board == HOST:
            groups.setdefault((board == HOST, *sorted(of_board)), []).append(board)
    return list(groups.values())


def heading(group: Sequence[str]) -> str:
    """The boards' names, as far as there is room for them."""
    return ", ".join(group) if len(group) <= NAMED else f"{group[0]} and {len(group) - 1} more"


def _size_cell(group: Sequence[str]) -> Cell[Sizes]:
    column = Column(heading(group), volatile=HOST in group)
    return Cell(column, lambda r: str(r[group[0]].size_bytes) if group[0] in r else "")


def _published_size(row: Sizes) -> str:
    found = next((each.published for each in row.values() if each.published), None)
    return f"{found[1]} {found[2]} ({found[0]})" if found else ""


def memory_grid(board: str, rows: Sequence[MemoryRow]) -> Grid:
    """Flash and RAM of each feature beside what is published for the same feature."""
    versions = list(dict.fromkeys(row.published[0] for row in rows if row.published))
    name = versions[0] if versions else LIBRARY
    volatile = board == HOST
    cells: list[Cell[MemoryRow]] = [
        Cell(Column("feature", "text"), lambda r: r.feature),
        Cell(Column("flash", volatile=volatile), lambda r: count(r.flash_bytes)),
        Cell(Column("ram", volatile=volatile), lambda r: count(r.ram_bytes)),
        Cell(Column(f"{name}\nflash", sparse=True), lambda r: count(r.published[1].flash_bytes) if r.published else ""),
        Cell(Column(f"{name}\nram", sparse=True), lambda r: count(r.published[1].ram_bytes) if r.published else ""),
    ]
    notes = [f"columns headed by a version are published by {LIBRARY} for the same feature"] if versions else []
    return layout(f"{board}: memory of each feature, bytes more than the empty program", cells, rows, notes)
