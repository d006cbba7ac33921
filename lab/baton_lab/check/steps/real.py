# SPDX-License-Identifier: MIT
"""The step that benches real boards: simulators behind pseudo-terminals, flashed like real ones."""

from __future__ import annotations

from collections.abc import Sequence

from baton_lab.base.project import Project
from baton_lab.board.board_files import Board
from baton_lab.check.steps.step import Result, Step, run_tests

LIMIT_S = 600.0
FOLDER = "lab/tests_on_boards"


def steps(boards: Sequence[Board], desks: Sequence[Board] = ()) -> list[Step]:
    """Returns the tests of these boards, each of which counts; no step if none can be flashed.

    Boards that only a desk has are built if these boards bring the compilers.
    """
    chosen = [board for board in boards if board.flash is not None]
    there = {package for board in boards for package in board.setup.packages}
    built = [board for board in desks if there.issuperset(board.setup.packages)]
    if not chosen and not built:
        return []

    def action(project: Project) -> Result:
        junit = project.build / "lab" / "real_boards.xml"
        command = [project.python, "-m", "pytest", "-q", "-c", "lab/pyproject.toml", "-o", "pythonpath=. tests", FOLDER]
        command += [
            "-k",
            " or ".join(board.name for board in (*chosen, *built)),
            f"--junitxml={junit.relative_to(project.root)}",
        ]
        return run_tests(project, command, junit, LIMIT_S)

    return [Step("real boards", action, needs=tuple(f"build {board.preset}" for board in chosen))]
