# SPDX-License-Identifier: MIT
"""Plays a script of edges and bytes to a program: on a board's emulator, or over fakes on this machine."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from baton_lab.base.notices import say
from baton_lab.base.process import Outcome
from baton_lab.base.project import Project
from baton_lab.board import emulator
from baton_lab.board.board_files import Board

SPARE_WALL_S = 60.0
"""A busy machine is so much slower than the board, and the runner ends so much before it is stopped."""


@dataclass(frozen=True)
class ScriptRun:
    """The output of a program while a script played, and the verdict.

    `problems` are the reasons why the script was not passed: unmet lines as `file:line: text`, a
    script that the board cannot play, or a program that crashed or hung.
    """

    transcript: str
    problems: tuple[str, ...]
    outcome: Outcome

    @property
    def passed(self) -> bool:
        """True if the whole script was played, and each expectation was met."""
        return not self.problems


def play(project: Project, board: Board, program: Path, script: Path, limit_ms: int | None = None) -> ScriptRun:
    """Runs a program with a script, at most for `limit_ms` of the board's time.

    A program for this machine takes the script as its argument, plays it over fakes, and says on
    standard error which lines were not met. A program that misbehaves raises nothing here.
    """
    limit = emulator.DEFAULT_LIMIT_MS if limit_ms is None else limit_ms
    ends_after_s = math.ceil(limit / 1000 + SPARE_WALL_S)
    wall_s = ends_after_s + SPARE_WALL_S
    request = emulator.Request(program, limit, wall_s=wall_s, ends_after_s=ends_after_s, script=script)
    ending = emulator.execute(project, board, request)
    if not ending.problem:
        return ScriptRun(ending.text, (), ending.outcome)
    said = tuple(line for line in ending.outcome.errors.splitlines() if _is_reason(line, script))
    return ScriptRun(ending.text, said or (f"{program.name}: {ending.problem}",), ending.outcome)


def tell(run: ScriptRun, root: Path) -> int:
    """Prints the transcript, the reasons and the verdict; returns 0 if the script was passed, else 1."""
    print(run.transcript, end="", flush=True)
    for problem in relative(run, root).problems:
        print(problem, file=sys.stderr)
    say("the script was passed" if run.passed else "the script was not passed")
    return 0 if run.passed else 1


def _is_reason(line: str, script: Path) -> bool:
    return line.startswith((f"{script}:", "emulators/run: "))


def relative(run: ScriptRun, root: Path) -> ScriptRun:
    """Returns the run with the paths of its problems from `root` on, as a person reads them."""
    return replace(run, problems=tuple(each.replace(f"{root}/", "") for each in run.problems))
