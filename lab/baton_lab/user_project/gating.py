# SPDX-License-Identifier: MIT
"""The gate of a project: no count of a board may rise over the project's own baseline, no size over its budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from baton_lab.base.records import Record
from baton_lab.base.store import Run
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.board.program_size import SizeError
from baton_lab.builds.presets import BuildError
from baton_lab.measure import baselines, gate
from baton_lab.measure.baselines import BaselineError, Section
from baton_lab.measure.board_run import BoardResult
from baton_lab.user_project import benching, building, sizes
from baton_lab.user_project.place import UserProject


@dataclass
class Judged:
    """The lines of a gate: `failures` make it red."""

    compared: int = 0
    failures: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def emulated(boards: Sequence[Board]) -> list[Board]:
    """Returns the boards whose counts are the same in every run; times are of one machine.

    Errors   BadInputError: there is none.
    """
    found = [board for board in boards if board.emulator is not None]
    if not found:
        raise BadInputError("the gate compares counts of boards in their emulators, and the project has no such board")
    return found


def judge(mine: UserProject, results: Sequence[BoardResult]) -> Judged:
    """Compares the results with the baselines of the project, and the programs with their budgets."""
    made = Judged()
    for result in results:
        made.failures += [str(failure) for failure in result.failures]
        for run, records in result.runs.values():
            _compare(mine, run, records, made)
        made.failures += _too_large(mine, result.board)
    return made


def _compare(mine: UserProject, run: Run, records: Sequence[Record], made: Judged) -> None:
    try:
        verdict = gate.judge(run, records, baselines.read(mine.root, run.board, run.suite))
    except BaselineError as error:
        made.failures.append(str(error))
        return
    made.compared += verdict.compared
    made.failures += verdict.failures()
    made.remarks += verdict.remarks()


def _too_large(mine: UserProject, board: Board) -> list[str]:
    if board.name not in mine.config.budget:
        return []
    try:
        building.build(mine, board, [mine.name])
        return sizes.page(mine, board)[1]
    except (BuildError, SizeError) as error:
        return [f"{board.name}: {error}"]


def bless(mine: UserProject, results: Sequence[BoardResult]) -> list[str]:
    """Takes the results as baselines; returns the files that changed."""
    changed = []
    for result in results:
        for run, records in result.runs.values():
            section = Section(flags=run.flags, figures=baselines.figures(records))
            if section.figures and baselines.write(mine.root, run.board, run.suite, run.compiler, section):
                changed.append(str(baselines.path_of(mine.root, run.board, run.suite).relative_to(mine.root)))
    return changed


def measure(mine: UserProject, boards: Sequence[Board], wanted: Sequence[str]) -> list[BoardResult]:
    """Measures the suites on these boards, and stores nothing."""
    return benching.bench(mine, boards, wanted, None)
