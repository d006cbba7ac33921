# SPDX-License-Identifier: MIT
"""The step of ./baton test that makes the packages and uses each as its users would."""

from __future__ import annotations

import shutil
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from baton_lab.arduino import library_package
from baton_lab.arduino.core_build import SketchError, Workshop
from baton_lab.base.locks import alone
from baton_lab.base.project import Project
from baton_lab.check.steps.step import Case, Result, Step
from baton_lab.release import consumers, debian, single_header
from baton_lab.release.conan import Conan
from baton_lab.release.trials import TrialError
from baton_lab.setup import release_tools, wheel

NAME = "packages"
LIBRARIES = "the Debian package of libraries"
"""The part that only a nightly run makes."""
SKETCH = "01_blink"
Part = tuple[str, Callable[[Project, Path], None], str]
"""A name, what is done in a folder of its own, and the command that makes the same package."""


def step(*, nightly: bool = False) -> Step:
    """Makes and tries each kind of package; a kind counts as one.

    Cost     a minute, and two without a compiler cache; a nightly run also makes the libraries for Debian.
    """
    chosen = [*PARTS, NIGHTLY] if nightly else PARTS
    return Step(NAME, lambda project: run_parts(project, chosen), wide=True)


def run_parts(project: Project, parts: Sequence[Part]) -> Result:
    """Carries out the parts, one after the other, each in a new folder.

    Context  exclusive in build/release: another ./baton waits.
    """
    if lacking := release_tools.missing(project.root):
        told = f"the tools of a release are not installed: {' '.join(lacking)}"
        return Result(failed=1, output=told, repeat="./baton test --no-skips")
    with alone(project.lock(NAME), "making packages"):
        return sum((_one(project, part) for part in parts), Result())


def _one(project: Project, part: Part) -> Result:
    name, action, repeat = part
    place = project.build / "release" / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    began = time.monotonic()
    problem = ""
    try:
        action(project, place)
    except (TrialError, SketchError) as error:
        problem = str(error)
    case = Case(name, seconds=time.monotonic() - began, failed=bool(problem), output=problem)
    if problem:
        return Result(failed=1, output=f"{name}: {problem}", repeat=repeat, cases=(case,))
    return Result(passed=1, cases=(case,))


def _header(project: Project, place: Path) -> None:
    single_header.try_out(project.root, place)


def _headers_for_debian(project: Project, place: Path) -> None:
    """Makes the package of headers; uses it by pkg-config and by CMake."""
    _debian(project, place, ["headers"], headers_alone=True)


def _libraries_for_debian(project: Project, place: Path) -> None:
    """Makes both packages, and uses all that they hold."""
    _debian(project, place, consumers.names(project.root), headers_alone=False)


def _debian(project: Project, place: Path, tests: Sequence[str], *, headers_alone: bool) -> None:
    made = debian.build(project, place / "made", headers_alone=headers_alone)
    debian.check(place / "made")
    prefix = debian.unpack(made, place / "root")
    consumers.check_pkg_config(prefix, wheel.version(project.root))
    for test in tests:
        consumers.try_out(project, prefix, test, place / test)


def _conan(project: Project, place: Path) -> None:
    """Makes the package, which runs its test program; then uses the package by pkg-config."""
    prefix = Conan(project, place / "conan").create()
    consumers.check_pkg_config(prefix, wheel.version(project.root))
    consumers.try_out(project, prefix, "service", place / "service")


def _arduino(project: Project, place: Path) -> None:
    """Installs the library from its zip and builds a sketch; the step of the sketches builds and runs them all."""
    package = library_package.write(project.root, place / "package")
    with zipfile.ZipFile(package.zip) as archive:
        archive.extractall(place / "libraries")
    library = place / "libraries" / library_package.NAME
    workshop = Workshop("nano", {"cpu": "atmega328"}, place / "build")
    workshop.program(library / "examples" / SKETCH, [workshop.library(library)])


PARTS: Sequence[Part] = (
    ("header", _header, "./baton package header"),
    ("arduino", _arduino, "./baton package arduino"),
    ("debian", _headers_for_debian, "./baton package debian"),
    ("conan", _conan, "./baton package conan"),
)
NIGHTLY: Part = ("debian-libraries", _libraries_for_debian, "./baton package debian")
