# SPDX-License-Identifier: MIT
"""Steps that run every example on a board and compare its output with the expected one."""

from __future__ import annotations

import difflib
import time
from dataclasses import replace
from pathlib import Path

from baton_lab.base.process import printable
from baton_lab.base.project import Project
from baton_lab.board import emulator
from baton_lab.board.board_files import Board, names
from baton_lab.check.steps.step import Case, Result, Step
from baton_lab.measure import example

TRIES_TYPED_TO = 3
"""Tries for an example with timed input, which a busy machine may send late. Others have one."""


def step(board: Board, *, bless: bool = False) -> Step:
    """Runs every example of a board; each counts as one."""

    def action(project: Project) -> Result:
        folders = example.folders(project.root)
        if not folders:
            return Result(failed=1, output="examples/ holds no example")
        return sum((_timed(project, board, folder, bless=bless) for folder in folders), Result())

    return Step(f"examples {board.name}", action, needs=(f"build {board.preset}",))


def _timed(project: Project, board: Board, folder: Path, *, bless: bool) -> Result:
    """Runs an example, as a case with its seconds; one that is not for the board has none."""
    began = time.monotonic()
    result = _one(project, board, folder, bless=bless)
    if not result.passed and not result.failed:
        return result
    seconds = time.monotonic() - began
    return replace(result, cases=(Case(folder.name, "", seconds, bool(result.failed), output=result.output),))


def _one(project: Project, board: Board, folder: Path, *, bless: bool) -> Result:
    try:
        described = example.load(folder, names(project.root))
    except example.ExampleError as error:
        return Result(failed=1, output=str(error))
    if not example.is_for(project, board, folder, described):
        return Result()
    request = described.request(example.program(project, board, folder))
    problem = ""
    for attempt in range(1, TRIES_TYPED_TO + 1 if described.send else 2):
        ending = emulator.execute(project, board, request)
        problem = ending.problem and f"{ending.problem}; its last output:\n{ending.last_output()}"
        if not problem:
            problem = compare(expected_file(folder, board.name), ending.text.replace("\r", ""), bless=bless)
        if not problem:
            late = f"{folder.name}: what is typed came too late in {attempt - 1} of {attempt} runs"
            return Result(passed=1, notes=late if attempt > 1 else "")
    repeat = printable(emulator.command(project, board, request))
    return Result(failed=1, output=f"{folder.name} on {board.name}: {problem}", repeat=repeat)


def expected_file(folder: Path, board: str) -> Path:
    """Returns the expected output: one file for every board, unless a board has its own."""
    own = folder / f"expected-{board}.txt"
    return own if own.is_file() else folder / "expected.txt"


def compare(expected: Path, printed: str, *, bless: bool = False) -> str:
    """Describes the fault of the output. Silence is a fault; `bless` rewrites the file."""
    if not printed.strip():
        return "it printed nothing"
    if bless:
        expected.write_text(printed, encoding="utf-8")
        return ""
    if not expected.is_file():
        return f"{expected.name} is missing; see that the output is right, then: ./baton examples --bless"
    wanted = expected.read_text(encoding="utf-8")
    if printed == wanted:
        return ""
    difference = difflib.unified_diff(wanted.splitlines(), printed.splitlines(), expected.name, "printed", lineterm="")
    return "\n".join(["its output is not the expected one", *difference])
