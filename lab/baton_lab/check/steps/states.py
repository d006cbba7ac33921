# SPDX-License-Identifier: MIT
"""The step that searches the states of larger kernels than an ordinary test does."""

from __future__ import annotations

from dataclasses import replace

from baton_lab.base.process import run
from baton_lab.base.project import Project
from baton_lab.board.board_files import Board
from baton_lab.check.steps.step import Result, Step, of_outcome

PROGRAM = "kernel_states_nightly"
NAME = "states of larger kernels"
LIMIT_S = 7200.0


def step(board: Board) -> Step:
    """Runs the program of the host's build; its counts of states are the step's notes."""

    def action(project: Project) -> Result:
        program = project.preset(board.preset) / "tests" / PROGRAM
        if not program.is_file():
            return Result(failed=1, output=f"{PROGRAM} is not built", repeat=f"cmake --build --preset {board.preset}")
        outcome = run([str(program)], cwd=project.root, limit_s=LIMIT_S)
        counts = [line for line in outcome.output.splitlines() if line.endswith(" steps")]
        result = of_outcome(outcome, project.root)
        if outcome.ok and not counts:
            return replace(result, passed=0, failed=1, output="it counted no states", repeat=str(program))
        return replace(result, notes="\n".join(counts))

    return Step(NAME, action, needs=(f"build {board.preset}",))
