# SPDX-License-Identifier: MIT
"""The step that makes the Arduino library, builds its sketches as the IDE does, and runs them in the simulator."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from baton_lab import arduino_package, emulator
from baton_lab.arduino_core import SketchError, Workshop
from baton_lab.boards import Board, load
from baton_lab.process import printable
from baton_lab.project import Project
from baton_lab.steps import examples
from baton_lab.steps.step import Result, Step

BOARD = "nano"
OPTIONS = {"cpu": "atmega328"}
LIMIT_MS = 12_000
ON_ANY_CORE = ("07_event_log", "11_interrupt", "12_with_loop")


def step() -> Step:
    """Each sketch of the library counts as one, and so does each of tests/arduino, which is not in it."""
    return Step("Arduino sketches", run_all, needs=(f"build {BOARD}",))


def run_all(project: Project) -> Result:
    """Makes the library, installs its zip in a folder of sketches, builds and runs them."""
    board = load(project.root / "boards" / BOARD / "board.toml")
    place = project.preset(BOARD) / "arduino"
    shutil.rmtree(place, ignore_errors=True)
    package = arduino_package.write(project.root, place / "package")
    with zipfile.ZipFile(package.zip) as archive:
        archive.extractall(place / "libraries")
    library = place / "libraries" / arduino_package.NAME
    tests = sorted(path.parent for path in (project.root / "tests" / "arduino").glob("*/*.ino"))
    sketches = sorted(path.parent for path in library.glob("examples/*/*.ino"))
    on_any_core = [path for path in sketches if path.name in ON_ANY_CORE]
    try:
        workshop = Workshop(BOARD, OPTIONS, place / "build")
        made = workshop.library(library)
        result = _each(project, board, workshop, made, [*sketches, *tests])
        made = workshop.library(for_any_core(library, place / "libraries" / f"{library.name}-any"))
        return result + _each(project, board, workshop, made, on_any_core)
    except SketchError as error:
        return Result(failed=1, output=str(error), repeat=f"./baton setup {BOARD} && ./baton test --board {BOARD}")


def _each(
    project: Project, board: Board, workshop: Workshop, library: tuple[Path, Path], sketches: Sequence[Path]
) -> Result:
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = pool.map(lambda sketch: _one(project, board, workshop, library, sketch), sketches)
        return sum(results, Result())


def for_any_core(library: Path, copy: Path) -> Path:
    """A copy of the library that takes the AVR core for an unknown one, so that what other cores get runs too.

    Errors   SketchError: the condition is not where it was
    """
    shutil.copytree(library, copy)
    for name in ("src/baton/port.hpp", "src/baton/arduino/clock.cpp"):
        text = (copy / name).read_text(encoding="utf-8")
        if text.count("#if defined(__AVR__)") != 1:
            raise SketchError(f"{name}: no line `#if defined(__AVR__)...`, so the other cores' part cannot be tried")
        (copy / name).write_text(text.replace("#if defined(__AVR__)", "#if !defined(__AVR__)"), encoding="utf-8")
    return copy


def _one(project: Project, board: Board, workshop: Workshop, library: tuple[Path, Path], sketch: Path) -> Result:
    try:
        program = workshop.program(sketch, [library])
    except SketchError as error:
        return Result(failed=1, output=f"{sketch.name}: {error}", repeat=f"./baton test --board {board.name}")
    expected = expected_file(project, sketch)
    request = request_for(project, sketch, program, expected)
    ending = emulator.execute(project, board, request)
    problem = ending.problem and f"{ending.problem}; its last output:\n{ending.last_output()}"
    problem = problem or examples.compare(expected, ending.text.replace("\r", ""))
    if not problem:
        return Result(passed=1)
    repeat = printable(emulator.command(project, board, request))
    return Result(failed=1, output=f"{sketch.name} as a sketch: {problem}", repeat=repeat)


def expected_file(project: Project, sketch: Path) -> Path:
    """What a sketch prints: for one written by hand beside it, for one made of an example what the example prints."""
    for folder in (sketch, project.root / "ports" / "arduino" / "sketches" / sketch.name):
        if (folder / "expected.txt").is_file():
            return folder / "expected.txt"
    return project.root / "examples" / sketch.name / "expected.txt"


def request_for(project: Project, sketch: Path, program: Path, expected: Path) -> emulator.Request:
    """A sketch never ends: it is stopped when it has printed as many lines as are expected."""
    lines = len(expected.read_text(encoding="utf-8").splitlines()) if expected.is_file() else 1
    return emulator.Request(program, LIMIT_MS, lines, _typed(project, sketch))


def _typed(project: Project, sketch: Path) -> tuple[str, ...]:
    """What is typed to a sketch: the lines of a file send.txt beside its expected output."""
    path = project.root / "ports" / "arduino" / "sketches" / sketch.name / "send.txt"
    return tuple(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else ()
