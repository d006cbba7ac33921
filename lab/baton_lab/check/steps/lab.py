# SPDX-License-Identifier: MIT
"""The step of the lab's own tests."""

from __future__ import annotations

from baton_lab.base.project import Project
from baton_lab.check.steps.step import Result, Step, run_tests

PYTEST_LIMIT_S = 1200.0
FUZZ = {"BATON_FUZZ_S": "60"}
"""A minute for each reader of records, which gets 3,000 texts in a quick run."""


def pytest_step(*, every: bool = True) -> Step:
    """Runs the lab's tests; each counts as one."""

    def action(project: Project) -> Result:
        junit = project.build / "lab" / "pytest.xml"
        command = [project.python, "-m", "pytest", "-q", "--rootdir", "lab", "-c", "lab/pyproject.toml", "lab/tests"]
        command.append(f"--junitxml={junit.relative_to(project.root)}")
        return run_tests(project, command, junit, PYTEST_LIMIT_S, FUZZ if every else None)

    return Step("pytest lab", action)
