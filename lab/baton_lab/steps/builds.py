# SPDX-License-Identifier: MIT
"""Steps that build a preset, run its ctest, and measure coverage."""

from __future__ import annotations

import os

from baton_lab import emulator
from baton_lab.boards import Board
from baton_lab.build import BuildError, build
from baton_lab.process import run
from baton_lab.project import Project
from baton_lab.steps.step import Result, Step, of_junit, of_outcome

CTEST_LIMIT_S = 1500.0
GCOVR_LIMIT_S = 300.0
COVERAGE = "host-coverage"
COVERED_ROOMS = ("core", "ports")


def preset_steps(board: Board) -> list[Step]:
    """Build and tests of every preset of a board; for the host also the coverage."""
    steps = []
    for preset in board.presets:
        steps += [build_step(board, preset), ctest_step(preset)]
    if board.emulator is None:
        steps += [build_step(board, COVERAGE), ctest_step(COVERAGE)]
        steps.append(Step("coverage", _coverage, needs=(f"ctest {COVERAGE}",)))
    return steps


def build_step(board: Board, preset: str) -> Step:
    """Configures and builds one preset, and the emulator's runner before it."""

    def action(project: Project) -> Result:
        try:
            emulator.prepare(project, board)
            build(project, preset)
        except BuildError as error:
            return Result(
                failed=1, output=str(error), repeat=f"cmake --preset {preset} && cmake --build --preset {preset}"
            )
        return Result(passed=1)

    return Step(f"build {preset}", action)


def ctest_step(preset: str) -> Step:
    """Runs the tests of a build; each counts as one."""

    def action(project: Project) -> Result:
        junit = project.preset(preset) / "ctest.xml"
        junit.unlink(missing_ok=True)
        command = ["ctest", "--preset", preset, "--no-tests=error", "--output-on-failure"]
        command += ["--parallel", str(os.cpu_count() or 2), "--output-junit", junit.name]  # stands in the build folder
        return of_junit(junit, run(command, cwd=project.root, limit_s=CTEST_LIMIT_S))

    return Step(f"ctest {preset}", action, needs=(f"build {preset}",))


def _coverage(project: Project) -> Result:
    """Prints the share of lines and branches of the rooms that the host's tests reach."""
    command = ["gcovr", "--root", ".", "--object-directory", f"build/{COVERAGE}", "--print-summary"]
    for room in COVERED_ROOMS:
        command += ["--filter", f"{room}/.*include/"]
    outcome = run([*command, f"build/{COVERAGE}"], cwd=project.root, limit_s=GCOVR_LIMIT_S)
    shares = [line for line in outcome.output.splitlines() if line.startswith(("lines:", "branches:"))]
    result = of_outcome(outcome)
    if outcome.ok and not shares:
        return Result(failed=1, output=outcome.tail() or "gcovr printed nothing", repeat=" ".join(command))
    return Result(result.passed, result.failed, 0, result.output, result.repeat, "\n".join(shares))
