# SPDX-License-Identifier: MIT
"""The steps of ./baton test for a release, beside the packages: files of the tree, and earlier examples."""

from __future__ import annotations

from collections.abc import Sequence

from baton_lab.base.descriptions import DescriptionError
from baton_lab.base.locks import alone
from baton_lab.base.process import run
from baton_lab.base.project import Project
from baton_lab.board.board_files import Board
from baton_lab.check.steps.step import Result, Step, of_outcome, run_tool
from baton_lab.release import examples_before, licences
from baton_lab.release.trials import TrialError
from baton_lab.setup import release_tools

FILES = "licences and workflows"
EXAMPLES = "examples of the release before"
WORKFLOWS = ".github/workflows"
LIMIT_S = 300.0
ON = ("host", "nano")
"""The boards whose examples are compiled: the newest language and the most modules, and the oldest compiler."""


def files_step() -> Step:
    """Checks licence and copyright of each file, the page of dependencies, and the files of GitHub's workflows."""
    return Step(FILES, _files)


def _files(project: Project) -> Result:
    if lacking := release_tools.missing(project.root):
        told = f"the tools of a release are not installed: {' '.join(lacking)}"
        return Result(failed=1, output=told, repeat="./baton test --no-skips")
    return sum((reuse(project), workflows(project), _page(project)), Result())


def reuse(project: Project) -> Result:
    """Lets reuse look for the licence and the copyright of each file of the tree."""
    packages = str(release_tools.PACKAGES.path(project.root))
    command = [project.python, "-m", "reuse", "lint"]
    return of_outcome(run(command, cwd=project.root, limit_s=LIMIT_S, environment={"PYTHONPATH": packages}))


def workflows(project: Project) -> Result:
    """Lets actionlint read each workflow; without a workflow it fails."""
    found = sorted((project.root / WORKFLOWS).glob("*.yml"))
    if not found:
        return Result(failed=1, output=f"{WORKFLOWS} has no workflow")
    names = [str(path.relative_to(project.root)) for path in found]
    return run_tool(project, [str(release_tools.actionlint(project.root)), "-no-color", *names], LIMIT_S)


def _page(project: Project) -> Result:
    problems = licences.problems(project.root)
    if problems:
        return Result(failed=1, output="\n".join(problems), repeat="./baton licences")
    return Result(passed=1)


def examples_step(boards: Sequence[Board]) -> Step:
    """Compiles the examples of the release before; each counts as one, on each of the boards."""
    presets = [board.preset for board in boards if board.name in ON]

    def action(project: Project) -> Result:
        try:
            with alone(project.lock("release-examples"), "compiling earlier examples"):
                passed, wrong = examples_before.check(project, presets)
        except (TrialError, DescriptionError) as error:
            return Result(failed=1, output=str(error))
        output = "\n".join(wrong)
        return Result(passed, failed=1 if wrong else 0, output=output, repeat="./baton test --no-skips")

    return Step(EXAMPLES, action, wide=True)
