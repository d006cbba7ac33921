# SPDX-License-Identifier: MIT
"""Tests a project: in virtual time on this machine first, then on each board in its emulator."""

from __future__ import annotations

from collections.abc import Sequence

from baton_lab.base.ui import Screen
from baton_lab.board import emulator
from baton_lab.board.board_files import Board
from baton_lab.builds import presets
from baton_lab.builds.presets import BuildError
from baton_lab.check.steps.step import Result, run_tests
from baton_lab.user_project.building import build
from baton_lab.user_project.config import HOST
from baton_lab.user_project.place import UserProject, host

CTEST_LIMIT_S = 1500.0


def test(mine: UserProject, boards: Sequence[Board]) -> int:
    """Builds and runs the tests; prints a line for each board; returns 0 if all have passed."""
    chosen = [host(mine), *(board for board in boards if board.name != HOST)]
    total = Result()
    with Screen(len(chosen)) as screen:
        for board in chosen:
            with screen.step(f"{board.name}: tests"):
                result = _one(mine, board)
            total += result
            print(f"{board.name}: {_words(board, result)}", flush=True)
            if result.failed:
                print("\n".join(filter(None, (result.output, result.repeat and f"to repeat it: {result.repeat}"))))
    print(f"{total.passed} passed, {total.failed} failed")
    return 0 if total.passed and not total.failed else 1


def _words(board: Board, result: Result) -> str:
    if board.not_emulated and not result.failed:
        return f"built, not run: {board.not_emulated}"
    return f"{result.passed} passed, {result.failed} failed"


def _one(mine: UserProject, board: Board) -> Result:
    """Builds and runs the tests of one board."""
    try:
        emulator.prepare(mine.lab, board)
        build(mine, board)
    except BuildError as error:
        return Result(failed=1, output=str(error))
    if board.not_emulated:
        return Result()
    command = [
        "ctest",
        "--preset",
        board.name,
        "--no-tests=error",
        "--output-on-failure",
        "--output-junit",
        "ctest.xml",
    ]
    junit = mine.lab.preset(board.name) / "ctest.xml"
    return run_tests(mine.lab, command, junit, CTEST_LIMIT_S, presets.environment(mine.lab, board.name))
