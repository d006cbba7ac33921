# SPDX-License-Identifier: MIT
"""Configures and builds CMake presets, and reads compiler and flags of a build's targets."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from baton_lab.base.build_counts import COUNTS
from baton_lab.base.locks import alone
from baton_lab.base.process import Outcome, last_lines, printable, run
from baton_lab.base.project import Project
from baton_lab.builds import compiler_cache
from baton_lab.setup import unpacked

CONFIGURE_LIMIT_S = 300.0
BUILD_LIMIT_S = 3600.0
WIDTH = 200
HOSTS = ("host", "variants/")
"""The beginnings of the names of this machine's build folders."""
EMULATORS = "emulators"
"""A C project of its own in the folder of this name, built like a preset, for this machine."""
INSTALLED = (Path("/var/lib/dpkg/status"),)
"""If these files have changed, CMake looks again for packages that it did not find."""
_PROGRESS = re.compile(r"\[\d+/\d+\] ")
_PHONY = re.compile(r"^([\w.-]+): phony$", re.MULTILINE)
_OF_TARGET = re.compile(r"CMakeFiles/([^/]+)\.dir/")
_BEFORE_A_PATH = {"-o", "-isystem", "-idirafter", "-MF", "-MT", "-MQ", "-I", "-T"}
_NO_CODE = re.compile(r"-(I|l|MD|MMD|W(?!l,)|Wl,(-T|-Map|-rpath|-L)|L|T|c$|fdiagnostics|isystem|idirafter)")


class BuildError(RuntimeError):
    """A preset does not configure or build; the message has its last output and the command, `output` all of it."""

    def __init__(self, message: str, output: str = "", command: str = "") -> None:
        super().__init__(message)
        self.output, self.command = output, command


def configure(project: Project, preset: str) -> list[str]:
    """Configures a preset and returns the names of its targets.

    Context  exclusive in its build folder: another ./baton waits.
    Errors   BuildError
    """
    with alone(project.lock(preset), f"building {preset}"):
        _configure(project, preset)
        command = ["cmake", "--build", "--preset", preset, "--target", "help"]
        listed = _do(project, command, CONFIGURE_LIMIT_S, environment(project, preset))
    return _PHONY.findall(listed.output)


def build(project: Project, preset: str, targets: Sequence[str] = ()) -> str:
    """Configures a preset, builds these targets of it, or those that it names, and returns what the tools said.

    Context  exclusive in its build folder: another ./baton waits. `COUNTS` has its steps meanwhile.
    Errors   BuildError
    """
    with alone(project.lock(preset), f"building {preset}"):
        _configure(project, preset)
        command = ["cmake", "--build", *_named(preset), "--parallel", str(os.cpu_count() or 2)]
        if targets:
            command += ["--target", *targets]
        COUNTS.begin(preset)
        try:
            watch = partial(COUNTS.read, preset)
            return _do(project, command, BUILD_LIMIT_S, environment(project, preset), watch).output
        finally:
            COUNTS.end(preset)


def environment(project: Project, preset: str) -> dict[str, str]:
    """Returns the environment of a preset: the compiler cache, and unpacked packages."""
    own = unpacked.environment(project.packages) if preset.startswith(HOSTS) else {}
    return {**compiler_cache.environment(project.root, preset), **own}


def _configure(project: Project, preset: str) -> None:
    """Configures if the presets, toolchains or installed packages have changed; ninja sees the
    rest.

    It starts from scratch, because CMake keeps the flags that a toolchain gave the first time.
    """
    folder = project.preset(preset)
    made = folder / "build.ninja"
    decide = [project.root / "CMakePresets.json", *(project.tree / "cmake" / "toolchains").glob("*.cmake"), *INSTALLED]
    decide += project.packages.glob("*/.baton-complete")
    newest = max((path.stat().st_mtime for path in decide if path.is_file()), default=float("inf"))
    if not made.is_file() or made.stat().st_mtime <= newest or not compiler_cache.fits(folder, preset):
        _do(project, ["cmake", "--fresh", *_configured(preset)], CONFIGURE_LIMIT_S, environment(project, preset))


def _configured(preset: str) -> list[str]:
    own = ["-S", EMULATORS, *("-B", f"build/{EMULATORS}"), *("-G", "Ninja")]
    return own if preset == EMULATORS else ["--preset", preset]


def _named(preset: str) -> list[str]:
    return [f"build/{EMULATORS}"] if preset == EMULATORS else ["--preset", preset]


def _do(
    project: Project,
    command: list[str],
    limit_s: float,
    environment: Mapping[str, str],
    watch: Callable[[str], None] | None = None,
) -> Outcome:
    try:
        outcome = run(command, cwd=project.root, limit_s=limit_s, environment=environment, watch=watch)
    except FileNotFoundError as error:
        raise BuildError(f"{command[0]} is not installed: run ./baton setup") from error
    if not outcome.ok:
        said = f"{last_lines(_telling_lines(outcome.output))}\n{printable(command)} {outcome.how}"
        raise BuildError(said, outcome.output, printable(command))
    return outcome


def _telling_lines(output: str) -> str:
    """Returns a build's output without ninja's progress, with long compiler command lines cut."""
    lines = (line for line in output.splitlines() if not _PROGRESS.match(line))
    return "\n".join(line if len(line) <= WIDTH else f"{line[:WIDTH]} ..." for line in lines)


def compiler(build_folder: Path) -> str:
    """Returns the C++ compiler of a build folder; empty if it is not configured."""
    for path in build_folder.glob("CMakeFiles/*/CMakeCXXCompiler.cmake"):
        found = re.search(r'^set\(CMAKE_CXX_COMPILER "(.*)"\)', path.read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            return found.group(1)
    return ""


def compiler_version(build_folder: Path) -> str:
    """Returns the first line of the compiler's version."""
    program = compiler(build_folder)
    if not program:
        return "unknown"
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=60)
    return answer.stdout.splitlines()[0] if answer.stdout else "unknown"


def targets_with_flags(build_folder: Path) -> dict[str, str]:
    """Returns the flags of each target that a build folder compiles, in the folder's order.

    Shape    the flags that compile the target's own sources, then those that only link it; a repeated flag stands
             at its last place. Paths and warnings are left out.
    """
    database = build_folder / "compile_commands.json"
    if not database.is_file():
        return {}
    found: dict[str, list[str]] = {}
    for entry in json.loads(database.read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        output = words[words.index("-o") + 1] if "-o" in words else ""
        if of := _OF_TARGET.search(output):
            found.setdefault(of[1], []).extend(telling(words[1:]))
    links = _links(build_folder / "build.ninja")
    for target, flags in found.items():
        flags += [word for word in links.get(target, []) if word not in flags]
    return {target: " ".join(_once(flags)) for target, flags in found.items()}


def flags_of(programs: Mapping[str, str]) -> str:
    """Returns the flags of some programs in one line: those of most of them, then the others' by what differs."""
    groups: dict[str, list[str]] = {}
    for name, flags in programs.items():
        groups.setdefault(flags, []).append(name)
    if not groups:
        return ""
    most = max(groups, key=lambda flags: len(groups[flags]))
    others = [f"{' '.join(names)} {_difference(most, flags)}" for flags, names in groups.items() if flags != most]
    return "; ".join([most, *others])


def _difference(common: str, flags: str) -> str:
    old, new = common.split(), flags.split()
    added, removed = [word for word in new if word not in old], [word for word in old if word not in new]
    parts = [f"{how} {' '.join(words)}" for how, words in (("with", added), ("without", removed)) if words]
    return " ".join(parts) or f"as {flags}"


def _links(ninja: Path) -> dict[str, list[str]]:
    """Returns the flags that link each program of a build, by its target."""
    if not ninja.is_file():
        return {}
    found: dict[str, list[str]] = {}
    for block in ninja.read_text(encoding="utf-8").split("\nbuild "):
        folder = re.search(r"^  OBJECT_DIR = (.+)", block, re.MULTILINE)
        given = re.search(r"^  LINK_FLAGS = (.+)", block, re.MULTILINE)
        target = _OF_TARGET.search(f"{folder[1]}/") if folder else None
        if target and "_EXECUTABLE_LINKER__" in block.partition("\n")[0]:
            found[target[1]] = telling(shlex.split(given[1].replace("$$", "$"))) if given else []
    return found


def telling(words: Sequence[str]) -> list[str]:
    """Keeps the flags that change the code: no include paths, outputs, inputs, warnings or linker scripts."""
    kept: list[str] = []
    skip = False
    for word in words:
        if skip or word in _BEFORE_A_PATH:
            skip = not skip
        elif word.startswith("-") and not _NO_CODE.match(word):
            kept.append(word)
    return _once(kept)


def _once(words: list[str]) -> list[str]:
    """Keeps the last of equal flags, because a later flag overrides an earlier one."""
    return list(reversed(dict.fromkeys(reversed(words))))


def nm_tool(build_folder: Path) -> str:
    """Returns the `nm` of the compiler's toolchain: avr-g++ has avr-nm beside it."""
    prefix = re.match(r"(.*-)?(g\+\+|clang\+\+)", Path(compiler(build_folder)).name)
    return f"{prefix.group(1) or ''}nm" if prefix else "nm"
