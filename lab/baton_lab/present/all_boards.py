# SPDX-License-Identifier: MIT
"""Tables across all boards: a column a board, and in a table one unit alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from baton_lab.board.board_facts import Facts, ordered
from baton_lab.measure import suites
from baton_lab.measure.published import published
from baton_lab.present.board_tables import COUNTED, MEANING, published_notes, versions_of
from baton_lab.present.grid import Grid, number, table
from baton_lab.present.rows import CpuRow, MemoryRow, StackRow, validities

CLOCK = "clock"
"""The param of a case that reads a clock: where that is a real one, what it read decides what is done, and counted."""

EMPTY_LOOP = "empty_loop"


def board_grid(facts: Facts) -> Grid:
    """Every board: what it is, what its figures are, and the published ones beside them."""
    return table("boards", [each for each in facts.values() if each.absent or each.unit], hardware=published().hardware)


def cpu_grids(suite: str, rows: Sequence[CpuRow], real_time: Collection[str] = ()) -> list[Grid]:
    """What each case costs on each board, a table for each unit that is counted.

    `real_time` are the boards whose clock is this machine's.
    """
    grids = []
    is_gross = suites.of(suite).compared == "gross"
    what = "gross" if is_gross else "net of the counting work"
    for unit in ("cycles", "instructions"):
        chosen = [row for row in rows if row.figure.unit == unit]
        if not chosen:
            continue
        title = f"{suite}: {COUNTED[unit]} an operation, {what}"
        notes = [MEANING[valid] for valid in validities([row.figure for row in chosen])]
        if any(row.case == EMPTY_LOOP for row in chosen) and not is_gross:
            notes.append(f"{EMPTY_LOOP} is that counting work: gross")
        grids.append(_matrix(title, chosen, lambda row: number(value(row), 1), notes, real_time))
    return grids


def value(row: CpuRow) -> float:
    """The figure that boards are compared by."""
    return row.figure.gross if suites.of(row.suite).compared == "gross" or row.case == EMPTY_LOOP else row.figure.net


def access_grids(suite: str, rows: Sequence[CpuRow]) -> list[Grid]:
    """How often each case reads and writes memory on each board that counts that."""
    chosen = [row for row in rows if row.reads is not None and row.writes is not None]
    title = f"{suite}: reads + writes an operation, gross"
    notes = ["a register of a load or store of several counts, and so does a constant that is loaded"]
    return [_matrix(title, chosen, lambda r: f"{number(r.reads, 1)} + {number(r.writes, 1)}", notes)] if chosen else []


def _matrix(
    title: str,
    rows: Sequence[CpuRow],
    figure: Callable[[CpuRow], str],
    notes: Sequence[str],
    real_time: Collection[str] = (),
) -> Grid:
    """A line a case and a column a board, whose head says how it counts where the boards differ in that."""
    lines: dict[str, dict[str, CpuRow]] = {}
    for row in rows:
        lines.setdefault(row.label, {})[row.board] = row
    how = {row.board: row.figure.valid for row in rows}
    differ = len({row.figure.unit for row in rows}) == 1 and len(set(how.values())) > 1
    return table(
        "matrix",
        list(lines.values()),
        title=title,
        boards=ordered(how),
        heads={board: f"{board}\n{valid}" if differ else board for board, valid in how.items()},
        unsteady={board: {row.label for row in rows if CLOCK in row.params} for board in real_time},
        figure=figure,
        notes="\n".join(notes),
    )


def published_grids(suite: str, rows: Sequence[CpuRow]) -> list[Grid]:
    """What boards that count instructions take for the published programs, beside the published microseconds."""
    known = [row for row in rows if row.figure.unit == "instructions" and row.published]
    order = ordered(dict.fromkeys(row.board for row in known))
    known.sort(key=lambda row: order.index(row.board))
    given = {"versions": versions_of(known), "published_notes": "\n".join(published_notes(known))} if known else {}
    return [table("published_boards", known, suite=suite, **given)] if known else []


def memory_grids(rows: Sequence[MemoryRow], stacks: Sequence[StackRow]) -> list[Grid]:
    """Flash, then RAM of each feature on each board, then how deep the stack of each example goes."""
    flash = {(row.feature, row.board): row.flash_bytes for row in rows if row.flash_bytes is not None}
    ram = {(row.feature, row.board): row.ram_bytes for row in rows if row.ram_bytes is not None}
    stack = {(row.example, row.board): row.stack_bytes for row in stacks}
    made = [
        ("feature", "flash of each feature, bytes more than the empty program", flash),
        ("feature", "RAM of each feature, bytes more than the empty program", ram),
        ("example", "stack of each example, the most bytes that it held", stack),
    ]
    return [_bytes(what, f"memory: {title}", figures) for what, title, figures in made if figures]


def _bytes(what: str, title: str, figures: Mapping[tuple[str, str], int]) -> Grid:
    boards = ordered(dict.fromkeys(board for _, board in figures))
    names = list(dict.fromkeys(name for name, _ in figures))
    return table("board_bytes", names, title=title, what=what, boards=boards, figures=figures)
