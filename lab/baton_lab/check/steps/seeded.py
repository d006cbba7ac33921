# SPDX-License-Identifier: MIT
"""The step that tests the gate: a 5 % slower scheduler turns it red, and equal runs do not."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from baton_lab.base.project import Project
from baton_lab.base.records import Record, RecordError
from baton_lab.board import emulator
from baton_lab.board.board_files import Board
from baton_lab.builds.presets import BuildError, build
from baton_lab.check.steps.figures import Measurements
from baton_lab.check.steps.step import Result, Step
from baton_lab.measure import baselines, board_run, gate
from baton_lab.measure.baselines import Section

SUITE = "auto"
CASE = "scheduler yields=2, cycles"
EQUAL_RUNS = 20
LEFT_OUT = shutil.ignore_patterns("build", ".*", "__pycache__")
PLACE = Path("core") / "include" / "baton" / "core" / "scheduler.hpp"
BEFORE = "    point next = j->body(j, j->at);\n"
SLOWER = '    __asm__ volatile("nop\\n\\tnop\\n\\tnop");\n'
"""Three cycles of a switch that takes 60 with the counting work around it: 5 %."""


class SeedError(RuntimeError):
    """The defect cannot be seeded or measured; the message has the reason."""


def steps(measurements: Measurements) -> list[Step]:
    """Returns the step, on the first board with simulated cycles; none without such a board."""
    chosen = next((board for board in measurements.boards if board.emulator and board.emulator.kind == "simavr"), None)
    if chosen is None:
        return []

    def action(project: Project) -> Result:
        return _try_gate(project, chosen, measurements)

    return [Step("gate finds a seeded slowdown", action, needs=("gate", f"build {chosen.preset}"))]


def _try_gate(project: Project, board: Board, measurements: Measurements) -> Result:
    found = next(result for result in measurements.results(project) if result.board.name == board.name)
    if SUITE not in found.runs:
        return Result(failed=1, output=f"{board.name} has no figures of {SUITE}")
    run, records = found.runs[SUITE]
    sections = {run.compiler: Section(flags=run.flags, figures=baselines.figures(records))}
    try:
        equal = [gate.judge(run, _measured(project, project, board), sections) for _ in range(EQUAL_RUNS)]
        slower = gate.judge(run, _of_slower_tree(project, board), sections)
    except (SeedError, BuildError, RecordError) as error:
        return Result(failed=1, output=str(error))
    red = [line for verdict in equal for line in verdict.failures()]
    if red:
        return Result(failed=1, output="\n".join(["of equal runs it says", *red]))
    named = next((change for change in slower.of("rose") if change.name == CASE), None)
    if named is None:
        return Result(failed=1, output=f"it does not see that the scheduler is slower; it says {slower.failures()}")
    return Result(passed=EQUAL_RUNS + 1, notes=f"seeded: {board.name} {SUITE}: {named}")


def _of_slower_tree(project: Project, board: Board) -> list[Record]:
    """Builds the suite in a copy of the tree and runs it there."""
    place = project.build / "lab"
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="seeded-", dir=place) as folder:
        copy = Project(Path(folder))
        shutil.copytree(project.root, copy.root, ignore=LEFT_OUT, dirs_exist_ok=True)
        header = copy.root / PLACE
        text = header.read_text(encoding="utf-8")
        if text.count(BEFORE) != 1:
            raise SeedError(f"{PLACE} has no line {BEFORE.strip()!r}, before which the slowdown was to stand")
        header.write_text(text.replace(BEFORE, SLOWER + BEFORE), encoding="utf-8")
        build(copy, board.preset, [f"bench_{SUITE}"])
        return _measured(project, copy, board)


def _measured(project: Project, tree: Project, board: Board) -> list[Record]:
    request = emulator.Request(
        board_run.program(tree, board, SUITE), board_run.EMULATED_LIMIT_MS, wall_s=board_run.WALL_SECONDS
    )
    ending = emulator.execute(project, board, request)
    if ending.problem:
        raise SeedError(f"{ending.problem}; its last output:\n{ending.last_output()}")
    return board_run.read(ending.text.splitlines(), board.name, SUITE)
