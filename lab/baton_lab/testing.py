# SPDX-License-Identifier: MIT
"""./baton test: runs the steps in order, shows what each took and counted, and ends with one line."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console

from baton_lab.boards import Board, left_out
from baton_lab.process import last_lines
from baton_lab.project import Project
from baton_lab.steps import arduino, builds, checks, examples, figures, lab, real, seeded
from baton_lab.steps.step import Result, Step

LOG_WIDTH = 160


def plan(boards: Sequence[Board]) -> list[Step]:
    """Every step for these boards, what fails fastest first."""
    steps = [checks.format_step(), *checks.python_steps(), lab.pytest_step()]
    for board in boards:
        steps += builds.preset_steps(board)
    if any(board.emulator is None for board in boards):
        steps.append(checks.tidy_step())
    steps += [examples.step(board) for board in boards]
    if any(board.name == arduino.BOARD for board in boards):
        steps.append(arduino.step())
    steps += real.steps(boards)
    measurements = figures.Measurements(boards)
    return [*steps, *figures.steps(measurements), *seeded.steps(measurements)]


def run_all(project: Project, boards: Sequence[Board], *, no_skips: bool) -> int:
    """Runs every step for these boards; returns the exit code."""
    left = left_out(project.root, boards)
    console = _console()
    if left:
        console.print(f"left out: boards {' '.join(left)}", markup=False, highlight=False)
    return run_steps(project, plan(boards), console, no_skips=no_skips)


def run_examples(project: Project, boards: Sequence[Board], *, bless: bool) -> int:
    """Builds and runs the examples alone; returns the exit code."""
    steps: list[Step] = []
    for board in boards:
        steps += [builds.build_step(board, board.preset), examples.step(board, bless=bless)]
    return run_steps(project, steps, _console(), no_skips=False)


def run_steps(project: Project, steps: Sequence[Step], console: Console, *, no_skips: bool) -> int:
    """Runs the steps; one whose needs failed is skipped, the others go on. 0 only where nothing failed."""
    results: dict[str, Result] = {}
    for step in steps:
        began = time.monotonic()
        with console.status(step.name):
            result = _run(project, step, results)
        results[step.name] = result
        _show(console, step, _without_root(result, project), time.monotonic() - began)
    total = sum(results.values(), Result())
    if no_skips:
        total = Result(total.passed, total.failed + total.skipped)
    line = f"{total.passed} passed, {total.failed} failed"
    console.print(f"{line}, {total.skipped} skipped" if total.skipped else line, markup=False, highlight=False)
    return 0 if total.failed == 0 and total.passed else 1


def _run(project: Project, step: Step, results: dict[str, Result]) -> Result:
    lacking = [name for name in step.needs if name in results and not _is_good(results[name])]
    if lacking:
        return Result(skipped=1, notes=f"not run, because of: {', '.join(lacking)}")
    try:
        result = step.action(project)
    except Exception as error:  # a step that breaks is a failed step; the others still run
        trace = "".join(traceback.format_exception(error))
        return Result(failed=1, output=last_lines(trace), repeat="./baton test")
    if not (result.passed or result.failed or result.skipped):
        return Result(failed=1, output="it checked nothing", repeat=result.repeat)
    return result


def _is_good(result: Result) -> bool:
    return result.failed == 0 and result.passed > 0


def _without_root(result: Result, project: Project) -> Result:
    """Paths as a person at the top of the tree writes them."""
    top = f"{project.root}/"
    return replace(result, output=result.output.replace(top, ""), repeat=result.repeat.replace(top, ""))


def _show(console: Console, step: Step, result: Result, seconds: float) -> None:
    word = "FAILED" if result.failed else "ok" if result.passed else "skipped"
    counts = [f"{result.passed} passed"] if result.passed else []
    counts += [f"{result.failed} failed"] if result.failed else []
    counts += [f"{result.skipped} skipped"] if result.skipped else []
    lines = [f"{seconds:7.1f} s  {word:<7} {step.name}: {', '.join(counts)}"]
    lines += [f"            {line}" for line in result.notes.splitlines()]
    if result.failed:
        lines += [f"  | {line}" for line in last_lines(result.output, 60).splitlines()]
        lines += [f"  to repeat it: {result.repeat}"] if result.repeat else []
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _console() -> Console:
    """Standard output; a log is wide enough for a line a step."""
    console = Console()
    return console if console.is_terminal else Console(width=LOG_WIDTH)
