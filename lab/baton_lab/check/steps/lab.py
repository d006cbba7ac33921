# SPDX-License-Identifier: MIT
"""The step of the lab's own tests."""

from __future__ import annotations

from baton_lab.base.project import Project
from baton_lab.check.steps.step import Result, Step, run_tests

PYTEST_LIMIT_S = 900.0


def pytest_step() -> Step:
    """Runs the lab's tests; each counts as one."""

    def action(project: Project) -> Result:
        junit = project.build / "lab" / "pytest.xml"
        command = [project.python, "-m", "pytest", "-q", "--rootdir", "lab", "-c", "lab/pyproject.toml", "lab/tests"]
        command.append(f"--junitxml={junit.relative_to(project.root)}")
        return run_tests(project, command, junit, PYTEST_LIMIT_S)

    return Step("pytest lab", action)
