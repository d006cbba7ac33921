# SPDX-License-Identifier: MIT
"""The tables of a board: what takes time, what idle coroutines add, sizes of objects, flash and RAM of features."""

from __future__ import annotations

from collections.abc import Sequence

from baton_lab.board.board_facts import HOST
from baton_lab.measure.published import LIBRARY
from baton_lab.present.grid import Grid, described, table
from baton_lab.present.rows import CpuRow, IdleRow, MemoryRow, SizeRow, validities

MEANING, COUNTED = described().meaning, described().counted
BOARDS_OF_THEIR_OWN = frozenset({"nano", "promicro"})
"""Boards that are themselves the published ones."""

Sizes = dict[str, SizeRow]
"""The rows of one type, by board."""

NAMED = 2  # that many boards of equal sizes are named in the head of their column


def cpu_grids(board: str, suite: str, rows: Sequence[CpuRow]) -> list[Grid]:
    """The CPU tables of one suite: our own workloads, then the published programs beside what was published."""
    grids = []
    for unit in ("cycles", "ns", "instructions"):
        own = [r for r in rows if r.figure.unit == unit and (not r.published or r.case == "empty_loop")]
        if own:
            grids.append(table(unit, own, board=board, suite=suite, **_words(own)))
    return grids + known_grids(board, suite, rows)


def known_grids(board: str, suite: str, rows: Sequence[CpuRow]) -> list[Grid]:
    """Our cases that repeat a published program, beside what was published."""
    grids = []
    for unit in ("cycles", "instructions"):
        known = [r for r in rows if r.figure.unit == unit and r.published]
        if known:
            given = {"versions": versions_of(known), "published_notes": "\n".join(published_notes(known))}
            grids.append(table(f"published_{unit}", known, board=board, suite=suite, **_words(known), **given))
    return grids


def versions_of(rows: Sequence[CpuRow]) -> list[str]:
    """The releases that published something for the rows, the newest first."""
    found = {version for row in rows for version, _ in row.published}
    return sorted(found, key=lambda version: [int(part) for part in version.split(".")], reverse=True)


def _words(rows: Sequence[CpuRow]) -> dict[str, object]:
    valid, unit, mhz = validities([r.figure for r in rows]), COUNTED[rows[0].figure.unit], rows[0].mhz
    how = ", ".join(valid)
    words = unit if how == "instructions" else f"{how} {unit}"
    return {"valid": valid, "words": f"{words}{f' at {mhz:g} MHz' if mhz else ''}"}


def published_notes(rows: Sequence[CpuRow]) -> list[str]:
    """What a reader must know of the published figures beside these rows."""
    notes = [
        f"columns headed by a version are published by {LIBRARY}: microseconds on real hardware, printed to 0.1 us"
    ]
    if rows[0].figure.unit == "cycles":
        notes.append("ratio is the newest published micros / our micros/iter, both with the loop around the work")
    else:
        notes.append("instructions are no time, and no ratio with microseconds is formed")
    notes.append("what the published programs leave out is in bench/published/README.md")
    if any(row.figure.valid == "approximate" for row in rows):
        notes.append("the published board waits for its flash, which approximate cycles leave out")
    others = dict.fromkeys(row.board for row in rows if row.board.partition("@")[0] not in BOARDS_OF_THEIR_OWN)
    return notes + [_stand_in([row for row in rows if row.board == board]) for board in others]


def _stand_in(rows: Sequence[CpuRow]) -> str:
    releases = " and ".join(reversed(versions_of(rows)))
    return f"{rows[0].board} stands for the published board: {rows[0].published_on} ({releases})"


def idle_grids(rows: Sequence[IdleRow]) -> list[Grid]:
    """What n idle coroutines add to a round, a table for each unit: a row for each board and kind, a column for each n.

    Shape    kinds of a board that cost the same share a row.
    """
    grids = []
    for unit in dict.fromkeys(row.unit for row in rows):
        kinds: dict[tuple[object, ...], list[IdleRow]] = {}
        for row in rows:
            if row.unit == unit:
                kinds.setdefault((row.board, row.points), []).append(row)
        merged = [same[0].model_copy(update={"kind": ", ".join(r.kind for r in same)}) for same in kinds.values()]
        grids.append(table("idle", merged, unit=unit, counts=sorted({n for row in merged for n, _ in row.points})))
    return grids


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
    return table("memory", rows, board=board, version=version, release=version or LIBRARY, volatile=board == HOST)
