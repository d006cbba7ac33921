# SPDX-License-Identifier: MIT
"""The step that runs clang-tidy over every source of the tree, and over each header alone.

Sources without findings are remembered by their text, in the user's cache. A source is read again
only if its text has changed in more than comments, or the text of a header that it includes, or the
checks, or the compiler's flags; in any checkout.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from baton_lab.base.process import run
from baton_lab.base.project import Project
from baton_lab.builds.presets import BuildError, configure
from baton_lab.check.check_cache import CheckCache, folder
from baton_lab.check.source_digest import SYSTEM, SourceDigests
from baton_lab.check.steps.step import Case, Result, Step, of_outcome

FILE_LIMIT_S = 300.0
PRESET = "host-clang"
WITHOUT_ANALYSER = "--checks=-clang-analyzer-*"
LEFT_OUT = "sources that have only a changed header in common with one that is checked"
_FINDING = re.compile(r": (error|warning): ")


@dataclass(frozen=True)
class Unit:
    """A translation unit of the tree: its source, its key, and the keys of its files."""

    source: Path
    key: str
    files: dict[Path, str] = field(hash=False)


def step(*, every: bool, analyses: bool = False) -> Step:
    """Runs clang-tidy over all units of the clang build; unless `every`, one unit per changed file.

    Cost     `analyses` adds the static analyser, which takes most of the time.
    """
    return Step("clang-tidy", lambda project: _clang_tidy(project, every=every, analyses=analyses), wide=True)


def _clang_tidy(project: Project, *, every: bool, analyses: bool) -> Result:
    checks = () if analyses else (WITHOUT_ANALYSER,)
    try:
        configure(project, PRESET)
        all_units = units(project, checks)
    except (BuildError, OSError) as error:
        return Result(failed=1, output=str(error), repeat=f"cmake --preset {PRESET}")
    if not all_units:
        return Result(failed=1, output=f"build/{PRESET}/compile_commands.json names no source of ours")
    memory = CheckCache(folder(project))
    unknown = [unit for unit in all_units if unit.key not in memory]
    chosen = unknown if every else covering(unknown, memory)
    total = Result(passed=len(all_units) - len(unknown), notes=_notes(all_units, unknown, chosen))
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for unit, result in zip(chosen, pool.map(lambda unit: _check(project, unit, checks), chosen), strict=True):
            total += result
            if result.passed:
                memory.add(keys(unit))  # at once, so that an interrupted run keeps its results
    memory.let_go([key for unit in all_units for key in keys(unit)])
    return total


def _notes(all_units: Sequence[Unit], unknown: Sequence[Unit], chosen: Sequence[Unit]) -> str:
    same, left = len(all_units) - len(unknown), len(unknown) - len(chosen)
    words = [f"{len(chosen)} read", f"{same} unchanged since they were"]
    return ", ".join([*words, f"{left} left out" if left else ""]).removesuffix(", ")


def _check(project: Project, unit: Unit, checks: Sequence[str] = ()) -> Result:
    command = ["clang-tidy", "--quiet", *checks, "-p", str(project.preset(PRESET)), str(unit.source)]
    outcome = run(command, cwd=project.root, limit_s=FILE_LIMIT_S)
    result = of_outcome(outcome)
    findings = [line for line in outcome.output.splitlines() if _FINDING.search(line)]
    output = "" if outcome.ok else "\n".join(findings) or result.output
    case = Case(str(unit.source.relative_to(project.root)), "", outcome.seconds, not outcome.ok, output=output)
    return replace(result, output=output, cases=(case,))


def keys(unit: Unit) -> list[str]:
    """Returns the keys that a passed unit proves: its own, and those of its files."""
    return [unit.key, *unit.files.values()]


def covering(unknown: Sequence[Unit], memory: CheckCache) -> list[Unit]:
    """Chooses few units that hold every file without a passed unit, the smallest first."""
    covered: set[str] = set()
    chosen = []
    for unit in sorted(unknown, key=lambda unit: (len(unit.files), unit.source)):
        fresh = {key for key in unit.files.values() if key not in memory} - covered
        if fresh:
            chosen.append(unit)
            covered |= fresh
    return chosen


def units(project: Project, checks: Sequence[str] = ()) -> list[Unit]:
    """Returns the translation units of the tree, also those that include one header alone.

    Errors   OSError: clang-tidy is not installed
    """
    database = project.preset(PRESET) / "compile_commands.json"
    if not database.is_file():
        return []
    commands: dict[Path, list[list[str]]] = {}
    for entry in json.loads(database.read_text(encoding="utf-8")):
        path = Path(entry["file"])
        if path.is_relative_to(project.root) and path.is_file() and path.suffix != ".c":
            commands.setdefault(path, []).append(shlex.split(entry.get("command", "")))
    program, texts = _program(), SourceDigests(project.root, _system(commands.values()))
    return [
        _unit(project.root, path, lines, _hash(program, _configuration(project.root, path), *checks), texts)
        for path, lines in sorted(commands.items())
    ]


def _unit(root: Path, source: Path, commands: list[list[str]], checks: str, texts: SourceDigests) -> Unit:
    folders = list(dict.fromkeys(Path(word) for line in commands for word in _folders(line)))
    flags = "\n".join(" ".join(line) for line in commands).replace(f"{root}/", "")
    digests = {path: texts.digest(path) for path in texts.closure(source, folders)}
    parts = [checks, flags, *(f"{_name(root, path)} {digest}" for path, digest in digests.items())]
    inside = ((path, digest) for path, digest in digests.items() if path.is_relative_to(root))
    own = {path: _hash(checks, _name(root, path), digest) for path, digest in inside}
    return Unit(source, _hash(*parts), own)


def _folders(command: Sequence[str]) -> list[str]:
    """Returns the include folders of a compiler's command line."""
    after = [word for option, word in pairwise(command) if option in {"-isystem", "-I"}]
    return [word[2:] for word in command if word.startswith("-I") and len(word) > 2] + after


def _program() -> str:
    """Returns the version of clang-tidy, which brings its compiler's headers."""
    return subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True, check=False, timeout=60).stdout


def _configuration(root: Path, source: Path) -> str:
    """Returns the checks for a source: the configurations of its folder and those above."""
    files = (place / ".clang-tidy" for place in source.parents if place.is_relative_to(root))
    return "\0".join(file.read_text(encoding="utf-8") for file in files if file.is_file())


def _system(commands: Iterable[list[list[str]]]) -> Sequence[Path]:
    """Returns the include folders that the compiler has by itself."""
    compilers = [line[0] for lines in commands for line in lines]
    words = [*compilers[:1], "-E", "-v", "-x", "c++", os.devnull]
    try:
        said = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60).stderr
    except OSError:
        return SYSTEM
    listed = said.partition("#include <...> search starts here:\n")[2].partition("End of search list.")[0]
    return [Path(line.strip()).resolve() for line in listed.splitlines()] or SYSTEM


def _name(root: Path, path: Path) -> str:
    return str(path.relative_to(root) if path.is_relative_to(root) else path)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
