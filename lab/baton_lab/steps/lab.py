# SPDX-License-Identifier: MIT
"""Steps of the lab itself: its own tests, and whether the figures in the READMEs are those of this tree."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from baton_lab import bench
from baton_lab.boards import Board
from baton_lab.packages import DEFAULT_BOARDS
from baton_lab.process import run
from baton_lab.project import Project
from baton_lab.steps.step import Result, Step, of_junit
from baton_lab.store import Store
from baton_lab.ui import Screen

PYTEST_LIMIT_S = 900.0


def pytest_step() -> Step:
    """The lab's tests; each counts as one."""

    def action(project: Project) -> Result:
        junit = project.build / "lab" / "pytest.xml"
        junit.unlink(missing_ok=True)
        command = [project.python, "-m", "pytest", "-q", "--rootdir", "lab", "-c", "lab/pyproject.toml", "lab/tests"]
        command.append(f"--junitxml={junit.relative_to(project.root)}")
        return of_junit(junit, run(command, cwd=project.root, limit_s=PYTEST_LIMIT_S))

    return Step("pytest lab", action)


def readme_step(boards: Sequence[Board]) -> Step:
    """Measures the deterministic figures again and compares them with what stands in the READMEs."""
    emulated = [board for board in boards if board.emulator is not None]
    complete = set(DEFAULT_BOARDS) <= {board.name for board in boards}

    def action(project: Project) -> Result:
        return _stale_figures(project, emulated, complete=complete)

    return Step("figures in the READMEs", action, needs=tuple(f"build {board.preset}" for board in emulated))


def _stale_figures(project: Project, emulated: Sequence[Board], *, complete: bool) -> Result:
    """With fewer boards than the default ones, only what these boards give can be compared."""
    from baton_lab import readme

    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "runs.sqlite") as store, Screen() as screen:
        chosen = bench.suites(project.root)
        results = [bench.bench_board(project, board, chosen, store, screen) for board in emulated]
        failures = [str(failure) for result in results for failure in result.failures]
        compared = None if complete else [board.name for board in emulated]
        stale = readme.check(project.root, store, compared)
    if failures or stale:
        text = "\n".join([*failures, *stale])
        return Result(failed=len(failures) + len(stale), output=text, repeat="./baton bench")
    return Result(passed=max(sum(len(result.runs) for result in results), 1))
