# SPDX-License-Identifier: MIT
"""Runs ./baton test: runs the steps in order, shows their times and counts, ends with one line."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from baton_lab.base.project import ROOT, Project
from baton_lab.board.board_files import Board, left_out, on_desks
from baton_lab.check import step_runner
from baton_lab.check.nightly import last_passed, note_passed
from baton_lab.check.steps import (
    arduino,
    arduino_elsewhere,
    builds,
    checks,
    examples,
    figures,
    frames,
    lab,
    real,
    seeded,
    states,
    tidy,
    twice,
)
from baton_lab.check.steps.step import Result, Step
from baton_lab.docs import step as docs_step

LOG_WIDTH = 160
AT_NIGHT = f"clang-tidy's static analyser, {states.NAME}, the build {builds.COVERAGE} and its coverage"


def plan(boards: Sequence[Board], *, every: bool = True, nightly: bool = False) -> list[Step]:
    """Returns the steps for these boards, the fastest to fail first; `unhurried` names the
    others.
    """
    steps = [checks.format_step(), *checks.python_steps(), lab.pytest_step(every=every)]
    for board in boards:
        steps += builds.preset_steps(board, every=every, nightly=nightly)
    if nightly:
        steps += [states.step(board) for board in boards if board.emulator is None]
    if any(board.emulator is None for board in boards):
        steps.append(tidy.step(every=every, analyses=nightly))
    steps += [examples.step(board) for board in boards]
    if any(board.name == arduino.BOARD for board in boards):
        steps.append(arduino.step())
        steps += [twice.step()] if every else []
    steps += [arduino_elsewhere.step(board, every=every) for board in boards if board.name in arduino_elsewhere.BOARDS]
    steps.append(frames.step(boards))
    if every and any(board.emulator is None for board in boards):
        steps.append(docs_step.step())
    steps += real.steps(boards, on_desks(ROOT))
    measurements = figures.Measurements(boards)
    return [*steps, *figures.steps(measurements), *seeded.steps(measurements)]


def unhurried(boards: Sequence[Board]) -> list[str]:
    """Names the steps that take too long for a run after each edit; only --no-skips runs them."""
    left = [f"suite {twice.SUITE} twice at once"] if any(board.name == twice.BOARD for board in boards) else []
    left.append("mutants")
    if any(board.name in arduino_elsewhere.BOARDS for board in boards):
        left.append(f"sketches but {' '.join(arduino_elsewhere.QUICK)} on {' '.join(arduino_elsewhere.BOARDS)}")
    if all(board.emulator is not None for board in boards):
        return left
    return [
        *left,
        f"builds {' '.join(builds.UNHURRIED)}",
        f"tests {' '.join(builds.OF_TOOLS)}",
        f"clang-tidy of {tidy.LEFT_OUT}",
        docs_step.NAME,
    ]


def run_all(project: Project, boards: Sequence[Board], *, no_skips: bool, nightly: bool = False) -> int:
    """Runs every step for these boards, or the quick ones; names the others; returns the
    exit code.
    """
    console = _console()
    left = left_out(project.root, boards)
    named = [f"boards {' '.join(left)}"] if left else []
    if not no_skips:
        named += unhurried(boards)
    for name in named:
        console.print(f"left out: {name}", markup=False, highlight=False, soft_wrap=True)
    if named and not no_skips:
        console.print("--no-skips runs them", markup=False, highlight=False)
    when = last_passed(project)
    if nightly:
        console.print(f"the nightly run: {when}", markup=False, highlight=False)
    elif any(board.emulator is None for board in boards):
        console.print(f"left out: {AT_NIGHT}; --nightly runs them, {when}", markup=False, highlight=False)
    code = run_steps(project, plan(boards, every=no_skips, nightly=nightly), console, no_skips=no_skips)
    if nightly and code == 0 and not left:
        note_passed(project)
    return code


def run_examples(project: Project, boards: Sequence[Board], *, bless: bool) -> int:
    """Builds and runs the examples alone; returns the exit code."""
    steps: list[Step] = []
    for board in boards:
        steps += [builds.build_step(board, board.preset), examples.step(board, bless=bless)]
    return run_steps(project, steps, _console(), no_skips=False)


def run_steps(project: Project, steps: Sequence[Step], console: Console, *, no_skips: bool) -> int:
    """Runs the steps, shows them and ends with one line; returns 0 if tests passed and none
    failed.
    """
    total = sum(step_runner.run_steps(project, steps, console), Result())
    if no_skips:
        total = Result(total.passed, total.failed + total.skipped)
    line = f"{total.passed} passed, {total.failed} failed"
    console.print(f"{line}, {total.skipped} skipped" if total.skipped else line, markup=False, highlight=False)
    return 0 if total.failed == 0 and total.passed else 1


def _console() -> Console:
    """Returns a console on standard output; a log gets lines of LOG_WIDTH columns."""
    console = Console()
    return console if console.is_terminal else Console(width=LOG_WIDTH)
