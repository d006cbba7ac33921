# SPDX-License-Identifier: MIT
"""Steps that read the sources: formatting, lint, types."""

from __future__ import annotations

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from baton_lab.process import run
from baton_lab.project import Project
from baton_lab.steps.step import Result, Step, of_outcome, run_tool

LIMIT_S = 600.0
TIDY_FILE_LIMIT_S = 300.0
SOURCE_ENDS = {".hpp", ".cpp", ".h", ".c"}
ROOMS = ("core", "ports", "boards", "bench", "examples", "tests", "cmake")
TIDY_PRESET = "host-clang"
_UNTIDY = re.compile(r"^(\S+?):\d+:\d+: error: code should be clang-formatted", re.MULTILINE)
_FINDING = re.compile(r": (error|warning): ")


def python_steps() -> list[Step]:
    """The lab's own code, and ./baton, which stands outside the folder that the configuration is for."""
    config, sources = "lab/pyproject.toml", ["lab/baton_lab", "lab/tests", "lab/tests_on_boards", "baton"]
    return [
        _python_step("ruff check", ["ruff", "check", "lab"], ["ruff", "check", "--config", config, "baton"]),
        _python_step(
            "ruff format",
            ["ruff", "format", "--check", "lab"],
            ["ruff", "format", "--check", "--config", config, "baton"],
        ),
        _python_step("mypy --strict", ["mypy", "--config-file", config, "--strict", *sources]),
    ]


def _python_step(name: str, *commands: list[str]) -> Step:
    def action(project: Project) -> Result:
        return sum((run_tool(project, [project.python, "-m", *words], LIMIT_S) for words in commands), Result())

    return Step(name, action)


def format_step() -> Step:
    """The layout of every C++ file."""
    return Step("clang-format", _clang_format)


def _clang_format(project: Project) -> Result:
    files = own_sources(project.root)
    if not files:
        return Result(failed=1, output="found no C++ source to check")
    result = run_tool(project, ["clang-format", "--dry-run", "--Werror", *files], LIMIT_S)
    untidy = dict.fromkeys(_UNTIDY.findall(result.output))
    return replace(result, repeat=f"clang-format -i {' '.join(untidy)}") if untidy else result


def own_sources(root: Path) -> list[str]:
    """The C and C++ files of the rooms."""
    found = (path for room in ROOMS for path in (root / room).rglob("*") if path.suffix in SOURCE_ENDS)
    return sorted(str(path.relative_to(root)) for path in found)


def tidy_step() -> Step:
    """clang-tidy over everything that the clang build compiles: sources, and each header alone."""
    return Step("clang-tidy", _clang_tidy, needs=(f"build {TIDY_PRESET}",))


def _clang_tidy(project: Project) -> Result:
    folder = project.preset(TIDY_PRESET)
    files = tidy_files(project, folder)
    if not files:
        return Result(failed=1, output=f"build/{TIDY_PRESET}/compile_commands.json names no source of ours")

    def check(file: str) -> Result:
        command = ["clang-tidy", "--quiet", "-p", str(folder), file]
        outcome = run(command, cwd=project.root, limit_s=TIDY_FILE_LIMIT_S)
        result = of_outcome(outcome)
        findings = [line for line in outcome.output.splitlines() if _FINDING.search(line)]
        return result if outcome.ok else replace(result, output="\n".join(findings) or result.output)

    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = list(pool.map(check, files))
    return sum(results, Result())


def tidy_files(project: Project, folder: Path) -> list[str]:
    """The translation units of the rooms, those that include one header alone among them."""
    database = folder / "compile_commands.json"
    if not database.is_file():
        return []
    files = {Path(entry["file"]) for entry in json.loads(database.read_text(encoding="utf-8"))}
    own = [path for path in files if path.is_relative_to(project.root) and path.is_file() and path.suffix != ".c"]
    return sorted(str(path) for path in own)
