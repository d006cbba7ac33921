# SPDX-License-Identifier: MIT
"""The tables of bytes: objects, and the flash and RAM of features."""

from __future__ import annotations

from collections.abc import Sequence

from baton_lab.board.board_facts import HOST
from baton_lab.present.byte_rows import MemoryRow, SizeRow
from baton_lab.present.grid import Grid, table

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
    given = {"groups": equal_boards(boards, rows), "heading": heading, "named": NAMED, "published": _published_size}
    return table("sizes", list(by_name.values()), host=HOST, **given)


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


def _published_size(row: Sizes) -> str:
    found = next((each.published for each in row.values() if each.published), None)
    return f"{found[1]} {found[2]} ({found[0]})" if found else ""


def memory_grid(board: str, rows: Sequence[MemoryRow]) -> Grid:
    """Flash and RAM of each feature beside what is published for the same feature."""
    version = next((row.published[0] for row in rows if row.published), "")
    return table("memory", rows, board=board, version=version, volatile=board == HOST)
