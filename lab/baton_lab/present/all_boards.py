# SPDX-License-Identifier: MIT
"""Tables across all boards: a column a board, and in a table one unit alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from baton_lab.board.board_facts import BoardFacts, Facts, ordered
from baton_lab.measure.published import LIBRARY, published
from baton_lab.present.byte_rows import MemoryRow, StackRow
from baton_lab.present.cpu_grids import COUNTED, MEANING, family, published_notes, version_cells, versions_of
from baton_lab.present.grid import Cell, Column, Grid, layout, number
from baton_lab.present.rows import CpuRow, validities

GROSS_SUITES = frozenset({"channel", "select", "srr", "async", "service"})
"""Where the counting work is a part of what is compared: the prototype's and other libraries' figures contain it."""

CLOCK = "clock"
"""The param of a case that reads a clock: where that is a real one, what it read decides what is done, and counted."""

EMPTY_LOOP = "empty_loop"

Thing = TypeVar("Thing")
ByBoard = dict[str, Thing]


def board_grid(facts: Facts) -> Grid:
    """Every board: what it is, what its figures are, and the published ones beside them."""
    rows = [each for name, each in facts.items() if each.absent or each.unit]
    cells: list[Cell[BoardFacts]] = [
        Cell(Column("board", "text"), lambda b: b.name),
        Cell(Column("what it is", "text"), lambda b: b.title),
        Cell(Column("its figures are", "text"), lambda b: f"none: {b.absent}" if b.absent else _figures(b)),
        Cell(Column(f"{LIBRARY} published", "text", sparse=True), lambda b: published().hardware(b.stands_for)),
    ]
    notes = [MEANING[valid] for valid in dict.fromkeys(b.valid for b in rows if b.valid)]
    return layout("The boards", cells, rows, notes)


def _figures(board: BoardFacts) -> str:
    return board.unit if board.valid == board.unit else f"{board.unit}, {board.valid}"


def cpu_grids(suite: str, rows: Sequence[CpuRow], real_time: Collection[str] = ()) -> list[Grid]:
    """What each case costs on each board, a table for each unit that is counted.

    `real_time` are the boards whose clock is this machine's.
    """
    grids = []
    what = "gross" if suite in GROSS_SUITES else "net of the counting work"
    for unit in ("cycles", "instructions"):
        chosen = [row for row in rows if row.figure.unit == unit]
        if not chosen:
            continue
        title = f"{suite}: {COUNTED[unit]} an operation, {what}"
        notes = [MEANING[valid] for valid in validities([row.figure for row in chosen])]
        if any(row.case == EMPTY_LOOP for row in chosen) and suite not in GROSS_SUITES:
            notes.append(f"{EMPTY_LOOP} is that counting work: gross")
        grids.append(_matrix(title, chosen, lambda row: number(value(row), 1), notes, real_time))
    return grids


def value(row: CpuRow) -> float:
    """The figure that boards are compared by."""
    return row.figure.gross if row.suite in GROSS_SUITES or row.case == EMPTY_LOOP else row.figure.net


def access_grids(suite: str, rows: Sequence[CpuRow]) -> list[Grid]:
    """How often each case reads and writes memory on each board that counts that."""
    chosen = [row for row in rows if row.reads is not None and row.writes is not None]
    title = f"{suite}: reads + writes an operation, gross"
    notes = ["a register of a load or store of several counts, and so does a constant that is loaded"]
    return [_matrix(title, chosen, lambda r: f"{number(r.reads, 1)} + {number(r.writes, 1)}", notes)] if chosen else []


def _matrix(
    title: str,
    rows: Sequence[CpuRow],
    text: Callable[[CpuRow], str],
    notes: Sequence[str],
    real_time: Collection[str] = (),
) -> Grid:
    """A line a case and a column a board, whose head says how it counts where the boards differ in that."""
    lines: dict[str, ByBoard[CpuRow]] = {}
    for row in rows:
        lines.setdefault(row.label, {})[row.board] = row
    how = {row.board: row.figure.valid for row in rows}
    differ = len({row.figure.unit for row in rows}) == 1 and len(set(how.values())) > 1
    cells: list[Cell[ByBoard[CpuRow]]] = [Cell(Column("case", "text"), lambda line: _any(line).label)]
    for board in ordered(how):
        head = f"{board}\n{how[board]}" if differ else board
        unsteady = frozenset(row.label for row in rows if board in real_time and CLOCK in row.params)
        cells.append(_board_cell(board, Column(head, unsteady=unsteady), text))
    return layout(title, cells, list(lines.values()), notes, family=lambda line: family(_any(line)))


def _board_cell(board: str, column: Column, text: Callable[[CpuRow], str]) -> Cell[ByBoard[CpuRow]]:
    return Cell(column, lambda line: text(line[board]) if board in line else "")


def _any(line: ByBoard[Thing]) -> Thing:
    return next(iter(line.values()))


def published_grids(suite: str, rows: Sequence[CpuRow]) -> list[Grid]:
    """What boards that count instructions take for the published programs, beside the published microseconds."""
    known = [row for row in rows if row.figure.unit == "instructions" and row.published]
    if not known:
        return []
    order = ordered(dict.fromkeys(row.board for row in known))
    known.sort(key=lambda row: order.index(row.board))
    cells: list[Cell[CpuRow]] = [
        Cell(Column("board and case", "text"), lambda row: f"{row.board}: {row.case}"),
        Cell(Column("instructions"), lambda row: number(row.figure.gross, 1)),
        Cell(Column("diff"), lambda row: number(row.figure.net, 1)),
    ]
    for version in versions_of(known):
        cells += version_cells(version)
    title = f"{suite}: instructions of the programs that {LIBRARY} has published, beside its microseconds"
    return [layout(title, cells, known, published_notes(known), family=lambda row: row.board)]


def memory_grids(rows: Sequence[MemoryRow], stacks: Sequence[StackRow]) -> list[Grid]:
    """Flash, then RAM of each feature on each board, then how deep the stack of each example goes."""
    flash = {(row.feature, row.board): row.flash_bytes for row in rows if row.flash_bytes is not None}
    ram = {(row.feature, row.board): row.ram_bytes for row in rows if row.ram_bytes is not None}
    stack = {(row.example, row.board): row.stack_bytes for row in stacks}
    made = [
        ("flash of each feature, bytes more than the empty program", flash),
        ("RAM of each feature, bytes more than the empty program", ram),
        ("stack of each example, the most bytes that it held", stack),
    ]
    return [_bytes(f"memory: {title}", figures) for title, figures in made if figures]


def _bytes(title: str, figures: dict[tuple[str, str], int]) -> Grid:
    cells: list[Cell[str]] = [Cell(Column("feature" if "feature" in title else "example", "text"), lambda name: name)]
    cells += [_bytes_cell(board, figures) for board in ordered(dict.fromkeys(board for _, board in figures))]
    return layout(title, cells, list(dict.fromkeys(name for name, _ in figures)))


def _bytes_cell(board: str, figures: Mapping[tuple[str, str], int]) -> Cell[str]:
    return Cell(Column(board), lambda name: str(figures.get((name, board), "")))
