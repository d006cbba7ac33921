# SPDX-License-Identifier: MIT
"""The layout of every table: which columns a suite's rows fill, with their titles and notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from baton_lab.grid import Cell, Column, Grid, clock, count, layout, number, ratio
from baton_lab.published import LIBRARY
from baton_lab.rows import CpuRow, IdleRow, MemoryRow, SizeRow, validities

MEANING = {
    "simulated": "simulated: exact cycles of a simulator, no hardware was measured; interrupt entry is not charged",
    "measured": "measured on this machine or on real hardware",
    "approximate": "approximate: a simulator with stated deviations",
    "modelled": "modelled: a formula, not a measurement",
    "instructions": "instructions: counted, never a time",
}
COUNTED = {"cycles": "cycles", "ns": "nanoseconds", "instructions": "instructions", "bytes": "bytes"}


def _family(row: CpuRow) -> str:
    return row.case.removeprefix("published_").partition("_")[0]


def _cycle_cells() -> list[Cell[CpuRow]]:
    return [
        Cell(Column("Functionality", "text"), lambda r: r.label),
        Cell(Column("iters"), lambda r: str(r.iterations)),
        Cell(Column("micros/iter"), lambda r: number(r.micros, 3)),
        Cell(Column("diff"), lambda r: number(r.micros_net, 3)),
        Cell(Column("gross", optional=1), lambda r: number(r.figure.gross, 1)),
        Cell(Column("cycles"), lambda r: number(r.figure.net, 1)),
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
        *_floor_cells(1),
    ]


def _instructions(row: CpuRow) -> str:
    return number(None if row.instructions is None else row.instructions.net, 1)


def _spread(row: CpuRow) -> str:
    if row.spread is None:
        return ""
    return f"{'>' if row.maximum is None else ''}{100 * row.spread:.0f}%"


def _published_cells(rows: Sequence[CpuRow]) -> list[Cell[CpuRow]]:
    versions = sorted({v for row in rows for v, _ in row.published}, key=_order, reverse=True)
    cells = _cycle_cells()
    for place, version in enumerate(versions):
        cells += [_version_cell(version, "micros", 2 * place), _version_cell(version, "diff", 2 * place)]
        if place == 0:
            cells.append(Cell(Column("ratio"), lambda r: number(r.published_over_ours, 1)))
    return cells


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
            grids.append(layout(_title(board, suite, own), cells, own, notes=notes, family=_family))
    known = [r for r in rows if r.figure.unit == "cycles" and r.published]
    if known:
        title = f"{_title(board, suite, known)}, beside {LIBRARY} on real hardware"
        grids.append(layout(title, _published_cells(known), known, notes=_published_notes(), family=_family))
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


def _published_notes() -> list[str]:
    return [
        f"columns headed by a version are published by {LIBRARY}: microseconds on real hardware, printed to 0.1 us",
        "ratio is the newest published micros / our micros/iter, both with the loop around the work",
        "what the published programs leave out is in bench/published/README.md",
    ]


def idle_grid(rows: Sequence[IdleRow]) -> Grid:
    """What n idle coroutines add to a round: a row for each board and kind, a column for each n."""
    counts = sorted({n for row in rows for n, _ in row.points})
    cells: list[Cell[IdleRow]] = [
        Cell(Column("board", "text"), lambda r: r.board),
        Cell(Column("idle coroutines", "text"), lambda r: r.kind),
        Cell(Column("unit", "text"), lambda r: COUNTED[r.unit]),
    ]
    cells += [_point_cell(n, any(r.unit == "ns" for r in rows)) for n in counts]
    cells.append(Cell(Column("each further", volatile=any(r.unit == "ns" for r in rows)), lambda r: number(r.each, 1)))
    notes = [MEANING[valid] for valid in dict.fromkeys(r.valid for r in rows)]
    return layout("What n idle coroutines add to one round", cells, rows, notes=notes, family=lambda r: r.board)


def _point_cell(n: int, volatile: bool) -> Cell[IdleRow]:
    return Cell(
        Column(f"n={n}", optional=0 if n % 4 == 0 else 1 + n % 2, volatile=volatile),
        lambda r: number(dict(r.points).get(n), 1),
    )


def size_grid(boards: Sequence[str], rows: Sequence[SizeRow]) -> Grid:
    """The size of each public type, a column for each board, and the published size on the first board that has one."""
    by_name: dict[str, dict[str, SizeRow]] = {}
    for row in rows:
        by_name.setdefault(row.name, {})[row.board] = row
    cells: list[Cell[dict[str, SizeRow]]] = [Cell(Column("type", "text"), lambda r: next(iter(r.values())).name)]
    cells += [_size_cell(board) for board in boards]
    cells.append(Cell(Column(LIBRARY, "text", sparse=True), _published_size))
    return layout("Object sizes, bytes", cells, list(by_name.values()))


def _size_cell(board: str) -> Cell[dict[str, SizeRow]]:
    column = Column(board, volatile=board == "host")
    return Cell(column, lambda r: str(r[board].size_bytes) if board in r else "")


def _published_size(row: dict[str, SizeRow]) -> str:
    found = next((each.published for each in row.values() if each.published), None)
    return f"{found[1]} {found[2]} ({found[0]})" if found else ""


def memory_grid(board: str, rows: Sequence[MemoryRow]) -> Grid:
    """Flash and RAM of each feature beside what is published for the same feature."""
    versions = list(dict.fromkeys(row.published[0] for row in rows if row.published))
    name = versions[0] if versions else LIBRARY
    volatile = board == "host"
    cells: list[Cell[MemoryRow]] = [
        Cell(Column("feature", "text"), lambda r: r.feature),
        Cell(Column("flash", volatile=volatile), lambda r: count(r.flash_bytes)),
        Cell(Column("ram", volatile=volatile), lambda r: count(r.ram_bytes)),
        Cell(Column(f"{name}\nflash", sparse=True), lambda r: count(r.published[1].flash_bytes) if r.published else ""),
        Cell(Column(f"{name}\nram", sparse=True), lambda r: count(r.published[1].ram_bytes) if r.published else ""),
    ]
    notes = [f"columns headed by a version are published by {LIBRARY} for the same feature"] if versions else []
    return layout(f"{board}: memory of each feature, bytes more than the empty program", cells, rows, notes)
