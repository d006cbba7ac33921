# SPDX-License-Identifier: MIT
"""The layout of every table: which columns a suite's rows fill, with their titles and notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from baton_lab.measure.published import LIBRARY
from baton_lab.present.grid import Cell, Column, Grid, clock, layout, number, ratio
from baton_lab.present.rows import CpuRow, IdleRow, validities

MEANING = {
    "simulated": "simulated: exact cycles of a simulator, no hardware was measured; interrupt entry is not charged",
    "measured": "measured on this machine or on real hardware",
    "approximate": "approximate: a simulator with stated deviations",
    "modelled": "modelled: a formula, not a measurement",
    "instructions": "instructions: counted, never a time",
}
BOARDS_OF_THEIR_OWN = frozenset({"nano", "promicro"})
"""Boards that are themselves the published ones."""

COUNTED = {"cycles": "cycles", "ns": "nanoseconds", "instructions": "instructions", "bytes": "bytes"}


def family(row: CpuRow) -> str:
    """What cases of a kind have in common; tables rule off one from another."""
    return row.case.removeprefix("published_").partition("_")[0]


def _cycle_cells() -> list[Cell[CpuRow]]:
    return [
        Cell(Column("Functionality", "text"), lambda r: r.label),
        Cell(Column("iters"), lambda r: str(r.iterations)),
        Cell(Column("micros/iter"), lambda r: number(r.micros, 3)),
        Cell(Column("diff"), lambda r: number(r.micros_net, 3)),
        Cell(Column("gross", optional=1), lambda r: number(r.figure.gross, 1)),
        Cell(Column("cycles"), lambda r: number(r.figure.net, 1)),
        *_access_cells(),
    ]


def _access_cells() -> list[Cell[CpuRow]]:
    return [
        Cell(Column("reads", sparse=True, optional=2), lambda r: number(r.reads, 1)),
        Cell(Column("writes", sparse=True, optional=2), lambda r: number(r.writes, 1)),
    ]


def _floor_cells(decimals: int, volatile: bool = False) -> list[Cell[CpuRow]]:
    return [
        Cell(Column("floor", sparse=True, volatile=volatile), lambda r: number(r.figure.floor, decimals)),
        Cell(Column("x floor", sparse=True, volatile=volatile), lambda r: ratio(r.figure.over_floor)),
    ]


def _nano_cells() -> list[Cell[CpuRow]]:
    return [
        Cell(Column("Functionality", "text"), lambda r: r.label),
        Cell(Column("iters", optional=1, volatile=True), lambda r: str(r.iterations)),
        Cell(Column("nanos/iter", volatile=True), lambda r: number(r.figure.gross, 2)),
        Cell(Column("diff", volatile=True), lambda r: number(r.figure.net, 2)),
        Cell(Column("min", sparse=True, volatile=True), lambda r: number(r.minimum, 2)),
        Cell(Column("spread", sparse=True, volatile=True), _spread),
        *_floor_cells(2, volatile=True),
        Cell(Column("instr", sparse=True, volatile=True), _instructions),
    ]


def _instruction_cells() -> list[Cell[CpuRow]]:
    return [
        Cell(Column("Functionality", "text"), lambda r: r.label),
        Cell(Column("iters"), lambda r: str(r.iterations)),
        Cell(Column("instr/iter"), lambda r: number(r.figure.gross, 1)),
        Cell(Column("diff"), lambda r: number(r.figure.net, 1)),
        *_access_cells(),
        *_floor_cells(1),
    ]


def _instructions(row: CpuRow) -> str:
    return number(None if row.instructions is None else row.instructions.net, 1)


def _spread(row: CpuRow) -> str:
    if row.spread is None:
        return ""
    return f"{'>' if row.maximum is None else ''}{100 * row.spread:.0f}%"


def _published_cells(rows: Sequence[CpuRow]) -> list[Cell[CpuRow]]:
    """Microseconds beside ours, with a ratio where ours are microseconds too."""
    in_time = rows[0].figure.unit == "cycles"
    cells = _cycle_cells() if in_time else _instruction_cells()
    for place, version in enumerate(versions_of(rows)):
        cells += version_cells(version, 2 * place)
        if place == 0 and in_time:
            cells.append(Cell(Column("ratio"), lambda r: number(r.published_over_ours, 1)))
    return cells


def versions_of(rows: Sequence[CpuRow]) -> list[str]:
    """The releases that published something for the rows, the newest first."""
    return sorted({v for row in rows for v, _ in row.published}, key=_order, reverse=True)


def version_cells(version: str, optional: int = 0) -> list[Cell[CpuRow]]:
    """What a release published for a row, in microseconds."""
    return [_version_cell(version, "micros", optional), _version_cell(version, "diff", optional)]


def _version_cell(version: str, what: Literal["micros", "diff"], optional: int) -> Cell[CpuRow]:
    def text(row: CpuRow) -> str:
        for name, figures in row.published:
            if name == version:
                return _as_printed(figures.micros_per_iter if what == "micros" else figures.diff_micros)
        return ""

    return Cell(Column(f"{version}\n{what}", optional=optional), text)


def _as_printed(micros: float) -> str:
    return f"{micros:.1f}" if f"{micros:.1f}" == f"{micros:g}" or micros == round(micros) else f"{micros:g}"


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def cpu_grids(board: str, suite: str, rows: Sequence[CpuRow]) -> list[Grid]:
    """The CPU tables of one suite: our own workloads, then the published programs beside what was published."""
    grids = []
    for unit, make in (("cycles", _cycle_cells), ("ns", _nano_cells), ("instructions", _instruction_cells)):
        own = [r for r in rows if r.figure.unit == unit and (not r.published or r.case == "empty_loop")]
        if own:
            cells = make() + (_floor_cells(1) if unit == "cycles" else [])
            notes = _notes(own)
            grids.append(layout(_title(board, suite, own), cells, own, notes=notes, family=family))
    return grids + known_grids(board, suite, rows)


def known_grids(board: str, suite: str, rows: Sequence[CpuRow]) -> list[Grid]:
    """Our cases that repeat a published program, beside what was published."""
    grids = []
    for unit in ("cycles", "instructions"):
        known = [r for r in rows if r.figure.unit == unit and r.published]
        if known:
            title = f"{_title(board, suite, known)}, beside {LIBRARY} on real hardware"
            cells = _published_cells(known)
            grids.append(layout(title, cells, known, notes=published_notes(known), family=family))
    return grids


def _title(board: str, suite: str, rows: Sequence[CpuRow]) -> str:
    how = ", ".join(validities([r.figure for r in rows]))
    unit = COUNTED[rows[0].figure.unit]
    words = unit if how == "instructions" else f"{how} {unit}"
    mhz = rows[0].mhz
    return f"{board}: {suite}, {words}{f' at {clock(mhz)}' if mhz else ''}"


def _notes(rows: Sequence[CpuRow]) -> list[str]:
    notes = [MEANING[valid] for valid in validities([r.figure for r in rows])]
    unit = rows[0].figure.unit
    if unit == "cycles":
        notes.append("micros/iter is gross; diff is it less the counting work; cycles and floor are net, as diff is")
        if rows[0].mhz:
            notes.append(f"microseconds are cycles / {rows[0].mhz:g}")
    elif unit == "ns":
        notes.append("nanos/iter is the median, gross; diff and floor are net of the counting work")
        notes.append("spread is (max - min) / median; > where only min and median were kept")
        if any(r.instructions for r in rows):
            notes.append("instr is net instructions under callgrind, a count and not a time")
    return notes


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
        merged = _merged([row for row in rows if row.unit == unit])
        counts = sorted({n for row in merged for n, _ in row.points})
        cells: list[Cell[IdleRow]] = [
            Cell(Column("board", "text"), lambda r: r.board),
            Cell(Column("idle coroutines", "text"), lambda r: r.kind),
            *(_point_cell(n, unit == "ns") for n in counts),
            Cell(Column("each further", volatile=unit == "ns"), lambda r: number(r.each, 1)),
        ]
        title = f"What n idle coroutines add to one round, {COUNTED[unit]}"
        notes = [MEANING[valid] for valid in dict.fromkeys(row.valid for row in merged)]
        grids.append(layout(title, cells, merged, notes=notes, family=lambda r: r.board))
    return grids


def _merged(rows: Sequence[IdleRow]) -> list[IdleRow]:
    kinds: dict[tuple[object, ...], list[IdleRow]] = {}
    for row in rows:
        kinds.setdefault((row.board, row.points), []).append(row)
    return [same[0].model_copy(update={"kind": ", ".join(row.kind for row in same)}) for same in kinds.values()]


def _point_cell(n: int, volatile: bool) -> Cell[IdleRow]:
    return Cell(
        Column(f"n={n}", optional=0 if n % 4 == 0 else 1 + n % 2, volatile=volatile),
        lambda r: number(dict(r.points).get(n), 1),
    )
