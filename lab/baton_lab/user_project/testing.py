# SPDX-License-Identifier: MIT
"""Tests a project: in virtual time on this machine first, then on each board in its emulator."""

from __future__ import annotations

import re
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
_FAILED = re.compile(
    r"^ *\d+/\d+ Test +#\d+: (\S+) [.]*\*{3}Failed.*\n((?:(?! *\d+/\d+ Test| +Start ).*\n)*)", re.MULTILINE
)
"""A failed test in ctest's output: its name, and what it said."""
_CHECK = re.compile(r"^FAILED in line (\d+)$", re.MULTILINE)


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
                told = failures(mine, result.output) or [result.output]
                print("\n".join(filter(None, (*told, result.repeat and f"to repeat it: {result.repeat}"))))
    print(f"{total.passed} passed, {total.failed} failed")
    return 0 if total.passed and not total.failed else 1


def failures(mine: UserProject, output: str) -> list[str]:
    """Returns the checks that have failed, each with its file, line and text.

    Shape    none if a test has failed in another way, which the output alone tells.
    """
    found: list[str] = []
    for name, said in _FAILED.findall(output):
        checks = [_check(mine, name, int(line)) for line in _CHECK.findall(said)]
        if not checks or not all(checks):
            return []
        found += checks
    return found


def _check(mine: UserProject, name: str, number: int) -> str:
    """Returns the line of a check in the file of a test; nothing if no check stands there."""
    tests = mine.config.tests
    for pattern in (*tests.virtual_time, *tests.real_time):
        for path in mine.root.glob(pattern):
            lines = path.read_text(encoding="utf-8").splitlines() if path.stem == name else []
            if number <= len(lines) and "CHECK" in lines[number - 1]:
                return f"{path.relative_to(mine.root)}:{number}: failed: {lines[number - 1].strip()}"
    return ""


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
