# SPDX-License-Identifier: MIT
"""Runs ./baton test: runs the steps in order, shows their times and counts, ends with one line."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from baton_lab.base.project import ROOT, Project
from baton_lab.base.store import Store, StoreError
from baton_lab.board.board_files import Board, left_out, on_desks
from baton_lab.check import junit_file, step_runner
from baton_lab.check.junit_file import Ended
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
    own_projects,
    real,
    seeded,
    states,
    tidy,
    twice,
)
from baton_lab.check.steps.step import Result, Step
from baton_lab.docs import step as docs_step
from baton_lab.release import packages_step
from baton_lab.release import steps as release_steps

LOG_WIDTH = 160
TESTED = "test: "
"""Stands before the name of a step among the stored durations."""
AT_NIGHT = (
    f"clang-tidy's static analyser, {states.NAME}, {packages_step.LIBRARIES}, "
    f"the build {builds.COVERAGE} and its coverage"
)


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
        steps += [release_steps.files_step(), packages_step.step(nightly=nightly), release_steps.examples_step(boards)]
    steps += real.steps(boards, on_desks(ROOT))
    steps += [own_projects.step(boards, on_desks(ROOT))] if every else []
    measurements = figures.Measurements(boards)
    return [*steps, *figures.steps(measurements), *seeded.steps(measurements)]


def unhurried(boards: Sequence[Board]) -> list[str]:
    """Names the steps that take too long for a run after each edit; only --no-skips runs them."""
    left = [f"suite {twice.SUITE} twice at once"] if any(board.name == twice.BOARD for board in boards) else []
    left += ["mutants", own_projects.NAME]
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
        release_steps.FILES,
        packages_step.NAME,
        release_steps.EXAMPLES,
    ]


def run_all(
    project: Project, boards: Sequence[Board], *, no_skips: bool, nightly: bool = False, junit: Path | None = None
) -> int:
    """Runs every step for these boards, or the quick ones; names the others; returns the
    exit code. `junit` is the file that gets the results.
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
    steps = plan(boards, every=no_skips, nightly=nightly)
    code = run_steps(project, steps, console, no_skips=no_skips, junit=junit)
    if nightly and code == 0 and not left:
        note_passed(project)
    return code


def run_examples(project: Project, boards: Sequence[Board], *, bless: bool) -> int:
    """Builds and runs the examples alone; returns the exit code."""
    steps: list[Step] = []
    for board in boards:
        steps += [builds.build_step(board, board.preset), examples.step(board, bless=bless)]
    return run_steps(project, steps, _console(), no_skips=False)


def run_steps(
    project: Project, steps: Sequence[Step], console: Console, *, no_skips: bool, junit: Path | None = None
) -> int:
    """Runs the steps, shows them and ends with one line; returns 0 if tests passed and none
    failed. `junit` is the file that gets the results.

    Errors   OSError: the file cannot be written.
    """
    known = _known(project, console)
    ended = step_runner.run_steps(project, steps, console, known=known)
    _note(project, console, ended)
    if junit:
        junit_file.write(junit, ended, no_skips=no_skips)
    total = sum((step.result for step in ended), Result())
    if no_skips:
        total = Result(total.passed, total.failed + total.skipped)
    line = f"{total.passed} passed, {total.failed} failed"
    console.print(f"{line}, {total.skipped} skipped" if total.skipped else line, markup=False, highlight=False)
    return 0 if total.failed == 0 and total.passed else 1


def _known(project: Project, console: Console) -> dict[str, float]:
    """Returns the seconds that the steps took before; nothing where nobody sees an estimate."""
    if not console.is_terminal:
        return {}
    with suppress(StoreError), Store(project.store) as store:
        found = store.durations()
        return {name.removeprefix(TESTED): seconds for name, seconds in found.items() if name.startswith(TESTED)}
    return {}


def _note(project: Project, console: Console, ended: Sequence[Ended]) -> None:
    """Notes the seconds of the steps that passed, where the next call may show an estimate."""
    passed = {f"{TESTED}{step.name}": step.seconds for step in ended if step.result.passed and not step.result.failed}
    if console.is_terminal:
        with suppress(StoreError), Store(project.store) as store:
            store.note_durations(passed)


def _console() -> Console:
    """Returns a console on standard output; a log gets lines of LOG_WIDTH columns."""
    console = Console()
    return console if console.is_terminal else Console(width=LOG_WIDTH)
