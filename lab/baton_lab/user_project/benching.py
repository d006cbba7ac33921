# SPDX-License-Identifier: MIT
"""Measures a project's functions by Baton's harness, stores the records, and shows them with their history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from baton_lab.base.records import Record
from baton_lab.base.store import Run, Store
from baton_lab.base.ui import Screen
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.measure import board_run
from baton_lab.measure.board_run import BoardResult
from baton_lab.measure.compare import DETERMINISTIC
from baton_lab.user_project import generated
from baton_lab.user_project.place import UserProject

WIDTH = 80
REMEMBERED = 4
"""The earlier runs whose figures stand beside a new one."""
RESERVED = ("memory", "compat", "http")
"""Suites of Baton's own, which are measured in other ways."""


def suites(mine: UserProject, wanted: Sequence[str] = ()) -> list[str]:
    """Returns the suites of the project, or those of these names.

    Errors   BadInputError: there is none, or none of a name.
    """
    patterns = mine.config.bench.sources
    found = sorted({path.stem for pattern in patterns for path in mine.root.glob(pattern)})
    if not found:
        raise BadInputError(f"{mine.file}: [bench] sources: no file fits {' '.join(patterns) or 'an empty list'}")
    for name in found:
        if name in RESERVED:
            raise BadInputError(f"bench/{name}.cpp: {name} is a suite of Baton's own; give the file another name")
    for name in wanted:
        if name not in found:
            raise BadInputError(f"there is no suite {name!r}; suites: {' '.join(found)}")
    return list(dict.fromkeys(wanted)) or found


def bench(mine: UserProject, boards: Sequence[Board], wanted: Sequence[str], store: Store | None) -> list[BoardResult]:
    """Builds and runs the suites on each board; the results hold the failures."""
    chosen = suites(mine, wanted)
    generated.refresh(mine)
    with Screen(len(boards) * (len(chosen) + 1)) as screen:
        return [board_run.bench_board(mine.lab, _runs_by(board), chosen, store, screen) for board in boards]


def _runs_by(board: Board) -> Board:
    """The board with the preset that the project has for it, which has the board's name."""
    return board.model_copy(update={"preset": board.name})


@dataclass
class History:
    """The figures of each case in earlier runs on a board, the newest first."""

    of: dict[object, list[Record]] = field(default_factory=dict)

    def add(self, records: Sequence[Record]) -> None:
        """Adds an older run."""
        for record in records:
            self.of.setdefault(record.identity, []).append(record)


def history(store: Store, board: str, suite: str, before: Run) -> History:
    """Returns the figures of the runs before this one."""
    made = History()
    earlier = [run for run in store.runs() if (run.board, run.suite) == (board, suite) and run.id != before.id]
    for run in earlier[:REMEMBERED]:
        assert run.id is not None
        made.add(store.run(run.id)[1])
    return made


def lines(records: Sequence[Record], past: History) -> list[str]:
    """Returns the table of a suite in 80 columns: gross, base, net, floor, and the change since the last run."""
    found = [_row("case", "unit", ("value", "base", "net", "floor", "change"))]
    for record in records:
        found += _wrapped(record, past.of.get(record.identity, []))
    return found


def _wrapped(record: Record, before: Sequence[Record]) -> list[str]:
    change = _change(record, before[0]) if before else "first"
    figures = (_figure(record.value), _figure(record.base), _figure(record.net), _figure(record.floor), change)
    rows = [_row(record.label, record.unit, figures)]
    if record.over_floor is not None:
        rows.append(f"    net is {record.over_floor:.2f} times the net floor of {_figure(record.net_floor)}")
    if before:
        rows.append(f"    before: {' '.join(_figure(each.value) for each in before)} (the newest first)")
    return rows


def _change(record: Record, before: Record) -> str:
    if record.value == before.value:
        return "same"
    share = (record.value - before.value) / before.value if before.value else float("inf")
    return f"{share:+.1%}" if record.unit in DETERMINISTIC or abs(share) >= 0.001 else "same"


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _row(case: str, unit: str, figures: Sequence[str]) -> str:
    room = WIDTH - 13 - 9 * len(figures)
    return f"{case[:room]:{room}} {unit:12}{''.join(f'{each:>9}' for each in figures)}"
