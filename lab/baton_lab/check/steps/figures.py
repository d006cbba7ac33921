# SPDX-License-Identifier: MIT
"""Steps that measure deterministic figures: the READMEs must be current, and none may rise."""

from __future__ import annotations

import io
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from baton_lab.base.project import Project
from baton_lab.base.store import Store
from baton_lab.base.ui import Screen
from baton_lab.board.board_files import Board, names
from baton_lab.check.steps.step import Result, Step
from baton_lab.measure.board_run import BoardResult


class Measurements:
    """The results of these boards, each measured when a step first asks, and once.

    Context  any thread; a caller waits for a board that is being measured.
    """

    def __init__(self, boards: Sequence[Board]) -> None:
        self.boards = tuple(boards)
        self._results: dict[str, BoardResult | None] = {}
        self._guards = {board.name: threading.Lock() for board in boards}

    def result(self, project: Project, board: Board) -> BoardResult | None:
        """Returns the results of a board, or None if none of it is deterministic."""
        from baton_lab.check import gate_command

        with self._guards[board.name]:
            if board.name not in self._results:
                with Screen(console=Console(file=io.StringIO())) as screen:  # other steps run, and only one prints
                    found = gate_command.measure(project, [board], (), screen)
                self._results[board.name] = found[0] if found else None
            return self._results[board.name]

    def results(self, project: Project) -> list[BoardResult]:
        """Returns a result for each board with deterministic figures."""
        return [found for board in self.boards if (found := self.result(project, board))]


def steps(measurements: Measurements) -> list[Step]:
    """Makes a step per board that measures, and two that compare."""
    made = [measure_step(measurements, board) for board in measurements.boards]
    if any(board.emulator for board in measurements.boards):
        made.append(readme_step(measurements))
    return [*made, gate_step(measurements)]


def measure_step(measurements: Measurements, board: Board) -> Step:
    """Measures a board, beside other steps; each suite counts as one."""

    def action(project: Project) -> Result:
        found = measurements.result(project, board)
        if found is None:
            return Result(passed=1, notes="nothing that is the same on every run")
        output = "\n".join(map(str, found.failures))
        return Result(len(found.runs), len(found.failures), 0, output, f"./baton gate --board {board.name}")

    return Step(f"measure {board.name}", action, needs=(f"build {board.preset}",))


def readme_step(measurements: Measurements) -> Step:
    """Compares the deterministic figures with those in the READMEs."""

    def action(project: Project) -> Result:
        return _stale_figures(project, measurements)

    return Step("figures in the READMEs", action, needs=_measured(measurements))


def gate_step(measurements: Measurements) -> Step:
    """Compares the deterministic figures with the baselines, and programs with their budgets."""

    def action(project: Project) -> Result:
        return _risen(project, measurements)

    return Step("gate", action, needs=_measured(measurements))


def _measured(measurements: Measurements) -> tuple[str, ...]:
    return tuple(f"measure {board.name}" for board in measurements.boards)


def _stale_figures(project: Project, measurements: Measurements) -> Result:
    """Compares only the figures of these boards if some of the tree's boards are missing."""
    from baton_lab.present import readme

    emulated = [result for result in measurements.results(project) if result.board.emulator is not None]
    complete = set(names(project.root)) <= {board.name for board in measurements.boards}
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "runs.sqlite") as store:
        for result in emulated:
            for run, records in result.runs.values():
                store.save(run, records)
        compared = None if complete else [result.board.name for result in emulated]
        stale = readme.check(project.root, store, compared)
    failures = _failures(emulated)
    if failures or stale:
        text = "\n".join([*failures, *stale])
        return Result(failed=len(failures) + len(stale), output=text, repeat="./baton bench")
    return Result(passed=max(sum(len(result.runs) for result in emulated), 1))


def _risen(project: Project, measurements: Measurements) -> Result:
    """Counts each figure as one. Skips without any baseline for these compilers."""
    from baton_lab.check import gate_command
    from baton_lab.present import history

    found = gate_command.assess(project, measurements.results(project))
    stale = history.check(project.root)
    notes = "\n".join([*found.remarks, found.summary])
    failed = len(found.failures) + len(stale)
    if failed:
        text = "\n".join([*found.failures, *stale])
        return Result(found.compared, failed, output=text, repeat="./baton gate", notes=notes)
    return Result(passed=found.compared, skipped=0 if found.compared else 1, notes=notes)


def _failures(results: Sequence[BoardResult]) -> list[str]:
    return [str(failure) for result in results for failure in result.failures]
