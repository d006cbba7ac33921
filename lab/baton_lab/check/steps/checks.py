# SPDX-License-Identifier: MIT
"""Steps that read the sources: formatting, lint, types."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from baton_lab.base.modules import SOURCE_ENDS, load
from baton_lab.base.project import Project
from baton_lab.check.steps.step import Result, Step, run_tool

LIMIT_S = 600.0
_UNTIDY = re.compile(r"^(\S+?):\d+:\d+: error: code should be clang-formatted", re.MULTILINE)


def python_steps() -> list[Step]:
    """Checks the lab's own code, and ./baton, tools and the runner, by one configuration."""
    config, sources = "lab/pyproject.toml", ["lab/baton_lab", "lab/tests", "lab/tests_on_boards"]
    outside = ["baton", "emulators/runner", "tools"]
    return [
        _python_step("ruff check", ["ruff", "check", "lab"], ["ruff", "check", "--config", config, *outside]),
        _python_step(
            "ruff format",
            ["ruff", "format", "--check", "lab"],
            ["ruff", "format", "--check", "--config", config, *outside],
        ),
        _python_step("mypy --strict", ["mypy", "--config-file", config, "--strict", *sources, *outside]),
    ]


def _python_step(name: str, *commands: list[str]) -> Step:
    def action(project: Project) -> Result:
        return sum((run_tool(project, [project.python, "-m", *words], LIMIT_S) for words in commands), Result())

    return Step(name, action)


def format_step() -> Step:
    """Checks the layout of every C++ file."""
    return Step("clang-format", _clang_format)


def _clang_format(project: Project) -> Result:
    files = own_sources(project.root)
    if not files:
        return Result(failed=1, output="found no C++ source to check")
    tool = clang_format(project)
    result = run_tool(project, [tool, "--dry-run", "--Werror", *files], LIMIT_S)
    untidy = dict.fromkeys(_UNTIDY.findall(result.output))
    return replace(result, repeat=f"{tool} -i {' '.join(untidy)}") if untidy else result


def clang_format(project: Project) -> str:
    """Returns the pinned program beside the lab's interpreter: versions differ in their layout."""
    return str(Path(project.python).with_name("clang-format"))


def own_sources(root: Path) -> list[str]:
    """Returns the C and C++ files of the tree."""
    found = (path for folder in load(root).folders for path in (root / folder).rglob("*") if path.suffix in SOURCE_ENDS)
    return sorted(str(path.relative_to(root)) for path in found)
