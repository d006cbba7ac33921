# SPDX-License-Identifier: MIT
"""The step that runs a suite twice at once, in one tree: both runs build in the same folders."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from baton_lab.base.process import run
from baton_lab.base.project import Project
from baton_lab.check.steps.step import Result, Step, of_outcome

BOARD, SUITE = "nano", "memory"
LIMIT_S = 600.0


def step() -> Step:
    """Counts each of the two runs. The suite is the one that builds most, also sketches."""
    return Step(f"{BOARD}: suite {SUITE}, twice at once", _twice, needs=(f"build {BOARD}",), wide=True)


def _twice(project: Project) -> Result:
    command = ["./baton", "bench", "--board", BOARD, "--suite", SUITE, "--no-store", "--format", "records"]
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: run(command, cwd=project.root, limit_s=LIMIT_S, apart=True), range(2)))
    result = sum(map(of_outcome, both), Result())
    if not result.failed and both[0].output != both[1].output:
        return Result(failed=1, output="the two runs print different figures", repeat=" ".join(command))
    return result
