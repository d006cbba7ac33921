# SPDX-License-Identifier: MIT
"""A variant: the suite service with another compiler or allocator, or with hardening, and its build."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from baton_lab.base.locks import alone
from baton_lab.base.nearest import unknown
from baton_lab.base.process import printable, run
from baton_lab.base.project import Project
from baton_lab.board.board_files import BadInputError
from baton_lab.builds import presets
from baton_lab.builds.presets import BUILD_LIMIT_S, CONFIGURE_LIMIT_S, BuildError
from baton_lab.setup import apt, packages

SUITE = "service"
VARIANT = "variant"
EVERY = "all"

COMPILERS = {"gcc": ("g++", "gcc", "g++"), "clang": ("clang++", "clang", "clang")}
"""A name -> the C++ and the C compiler, and Debian's package of both."""

ALLOCATORS: dict[str, tuple[str, ...]] = {
    "standard": (),
    "mimalloc": ("-Wl,--push-state,--no-as-needed", "-lmimalloc", "-Wl,--pop-state"),
}
"""A name -> what is linked before the C library, so that its malloc and operator new are the program's."""

ALLOCATOR_PACKAGES = {"mimalloc": "libmimalloc-dev"}


@dataclass(frozen=True)
class Variant:
    """One of the matrix. `gcc-standard-hardened` is compiled as the tree's own build is."""

    compiler: str
    allocator: str
    is_hardened: bool

    @property
    def name(self) -> str:
        """As --variant takes it and its records say it."""
        return f"{self.compiler}-{self.allocator}-{'hardened' if self.is_hardened else 'plain'}"

    @property
    def preset(self) -> str:
        """Its build folder, below build."""
        return f"variants/{self.name}"


ALL = tuple(Variant(*each) for each in product(COMPILERS, ALLOCATORS, (True, False)))

CONTAINERS = "containers: nothing is looked up in a map where an event or a service passes, so there is none to replace"
"""Why there is no variant with other containers."""


def select(names: Sequence[str]) -> tuple[Variant, ...]:
    """The variants of these names, in the matrix's order; all of them for `all`.

    Errors   BadInputError: there is no such variant.
    """
    known = [variant.name for variant in ALL]
    for name in names:
        if name not in (*known, EVERY):
            raise BadInputError(unknown("variant", name, [*known, EVERY]))
    return tuple(variant for variant in ALL if EVERY in names or variant.name in names)


def install(project: Project, chosen: Sequence[Variant]) -> None:
    """Installs what the variants lack, where this user may install; `lacking` names the rest."""
    debs = list(dict.fromkeys(deb for variant in chosen for deb in _missing(variant)))
    with suppress(packages.SetupError):
        packages.ensure(debs, project.build / "lab" / "apt.log")


def lacking(variant: Variant) -> str:
    """The needs of a variant that are not installed, with the line that installs them; empty where none is missing."""
    debs = _missing(variant)
    return f"{' '.join(debs)} not installed: {apt.line(debs)}" if debs else ""


def _missing(variant: Variant) -> list[str]:
    program, _, package = COMPILERS[variant.compiler]
    compiler = [] if shutil.which(program) else [package]
    library = ALLOCATOR_PACKAGES.get(variant.allocator)
    return [*compiler, *packages.missing([library] if library else [])]


def build(project: Project, variant: Variant) -> None:
    """Builds the suite's program into build/variants/NAME, from scratch where its CMake cache says something else.

    Context  alone in its build folder: another ./baton waits.
    Errors   BuildError
    """
    folder = project.preset(variant.preset)
    environment = presets.environment(project, variant.preset)
    jobs = str(os.cpu_count() or 2)
    with alone(folder.with_name(f"{variant.name}.lock"), f"building the variant {variant.name}"):
        _do(configuring(project.root, folder, variant), project, CONFIGURE_LIMIT_S, environment)
        made = ["cmake", "--build", str(folder), "--parallel", jobs, "--target", f"bench_{SUITE}"]
        _do(made, project, BUILD_LIMIT_S, environment)


def configuring(root: Path, folder: Path, variant: Variant) -> list[str]:
    """The command that configures a variant: as the host, but with its compiler, hardening and allocator."""
    cxx, c, _ = COMPILERS[variant.compiler]
    return [
        *("cmake", "--fresh", "-S", str(root), "-B", str(folder), "-G", "Ninja"),
        *("-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DBATON_BOARD=host"),
        *(f"-DCMAKE_CXX_COMPILER={cxx}", f"-DCMAKE_C_COMPILER={c}"),
        f"-DBATON_SUITE_HARDENED={'ON' if variant.is_hardened else 'OFF'}",
        f"-DCMAKE_CXX_STANDARD_LIBRARIES={' '.join(ALLOCATORS[variant.allocator])}",
        "-DBATON_PROGRAM_FOLDERS=bench",
    ]


def _do(command: list[str], project: Project, limit_s: float, environment: dict[str, str]) -> None:
    try:
        outcome = run(command, cwd=project.root, limit_s=limit_s, environment=environment)
    except FileNotFoundError as error:
        raise BuildError(f"{command[0]} is not installed: run ./baton setup") from error
    if not outcome.ok:
        raise BuildError(f"{outcome.tail()}\n{printable(command, project.root)} {outcome.how}")
