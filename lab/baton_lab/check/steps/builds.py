# SPDX-License-Identifier: MIT
"""Steps that build a preset, run its ctest, and measure coverage."""

from __future__ import annotations

import os

from baton_lab.base.modules import load
from baton_lab.base.process import run
from baton_lab.base.project import Project
from baton_lab.board import emulator
from baton_lab.board.board_files import Board
from baton_lab.builds.presets import BuildError, build, environment
from baton_lab.check.steps.step import Result, Step, of_outcome, run_tests

CTEST_LIMIT_S = 1500.0
GCOVR_LIMIT_S = 300.0
COVERAGE = "host-coverage"
UNHURRIED = ("host-clang", "host-asan")
"""The host's further builds: the same sources with another compiler, with sanitizers."""
OF_TOOLS = (
    "budgets",
    "build_rules",
    "modules_seeded",
    "packaging",
    "qemu_counting",
    "qemu_runner",
    "qemu_user",
    "rp2040_runner",
    "simavr_runner",
)
"""Tests of the host's build that test the build, the emulators and their runners, not core."""
QUICK_TARGETS = ("all", "all_verify_interface_header_sets")
"""The targets of a quick run: a build preset names the mutants, too."""
THOROUGH = "^(exhaustive|fuzz|mutant)$"
"""The labels of tests that only a run of every test asks for."""
BY_COMPILER = ("packaging", "simavr_runner")
"""Those tests whose result depends on the compiler of the host's build; the others run once."""


def preset_steps(board: Board, *, every: bool = True, nightly: bool = False) -> list[Step]:
    """Builds and tests a board's presets; on request the unhurried ones or the coverage."""
    steps = []
    for preset in board.presets:
        if every or preset not in UNHURRIED:
            steps += [build_step(board, preset, every=every), ctest_step(board, preset, every=every)]
    if board.emulator is None and nightly:
        steps += [build_step(board, COVERAGE), ctest_step(board, COVERAGE, every=every)]
        steps.append(Step("coverage", _coverage, needs=(f"ctest {COVERAGE}",)))
    return steps


def build_step(board: Board, preset: str, *, every: bool = True) -> Step:
    """Configures and builds one preset, with its mutants or without, and the emulator's runner before it."""

    def action(project: Project) -> Result:
        try:
            emulator.prepare(project, board)
            build(project, preset, () if every else QUICK_TARGETS)
        except BuildError as error:
            return Result(
                failed=1, output=str(error), repeat=f"cmake --preset {preset} && cmake --build --preset {preset}"
            )
        return Result(passed=1)

    return Step(f"build {preset}", action, wide=True, preset=preset)


def elsewhere(board: Board, preset: str, *, every: bool) -> tuple[str, ...]:
    """Returns the tests of a build that this run leaves to another build or run."""
    if board.emulator is not None:
        return ()
    if preset in (*UNHURRIED, COVERAGE):
        return tuple(name for name in OF_TOOLS if name not in BY_COMPILER)
    return () if every else OF_TOOLS


def ctest_step(board: Board, preset: str, *, every: bool) -> Step:
    """Runs the tests of a build; each counts as one. Emulators run one by one."""
    at_once = 1 if board.emulator else os.cpu_count() or 2
    others = elsewhere(board, preset, every=every)

    def action(project: Project) -> Result:
        junit = project.preset(preset) / "ctest.xml"
        command = ["ctest", "--preset", preset, "--no-tests=error", "--output-on-failure"]
        command += ["--parallel", str(at_once), "--output-junit", junit.name]  # the file is in the build folder
        command += ["--exclude-regex", f"^({'|'.join(others)})$"] if others else []
        command += [] if every else ["--label-exclude", THOROUGH]
        return run_tests(project, command, junit, CTEST_LIMIT_S, environment(project, preset))

    return Step(f"ctest {preset}", action, needs=(f"build {preset}",), wide=board.emulator is None)


def coverage_command(project: Project) -> list[str]:
    """Returns the command that counts the coverage of the folders in the table of modules."""
    of_folders = (("--filter", f"{folder}/(.*/)?(include|src)/") for folder in load(project.root).covered)
    filters = [word for pair in of_folders for word in pair]
    return ["gcovr", "--root", ".", "--object-directory", f"build/{COVERAGE}", *filters, f"build/{COVERAGE}"]


def _coverage(project: Project) -> Result:
    """Prints the share of lines and branches that the host's tests reach."""
    command = [*coverage_command(project), "--print-summary"]
    outcome = run(command, cwd=project.root, limit_s=GCOVR_LIMIT_S)
    shares = [line for line in outcome.output.splitlines() if line.startswith(("lines:", "branches:"))]
    result = of_outcome(outcome)
    if outcome.ok and not shares:
        return Result(failed=1, output=outcome.tail() or "gcovr printed nothing", repeat=" ".join(command))
    return Result(result.passed, result.failed, 0, result.output, result.repeat, "\n".join(shares))
