# SPDX-License-Identifier: MIT
"""Steps that build the libraries' sketches for other processors than AVR, and run them in emulators.

The Arduino core is tests/arduino/test_core. A sketch has to print there what it prints on AVR.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import Field

from baton_lab.arduino import library_package
from baton_lab.arduino.core_build import SketchError, Workshop
from baton_lab.base import descriptions
from baton_lab.base.locks import alone
from baton_lab.base.project import Project
from baton_lab.board.board_files import Board, Part
from baton_lab.check.steps.arduino import Changes, Desk, altered, notices
from baton_lab.check.steps.step import Result, Step

BOARDS = ("stm32vl", "esp32c3", "esp8266")
"""The boards of the core: Cortex-M, RISC-V and Xtensa."""
QUICK = ("11_interrupt", "wrap", "Tasks")
"""The sketches of a quick run; a whole run has all of them, and the mutants."""
TABLE = "tests/arduino/elsewhere.toml"
MUTANTS_ON = BOARDS[0]
DEFECTS: Sequence[tuple[str, Changes]] = (
    (
        "wrap",
        {
            "src/baton/core/ticks.hpp": (
                "static_cast<tick_difference>(static_cast<tick>(now - due)) >= 0",
                "now >= due",
            )
        },
    ),
    ("wrap", {"src/baton/arduino/machine_any.hpp": ("++s.counted >= switches_per_yield", "++s.counted > 250")}),
)
"""Mutants of the library, each with the sketch that has to notice it."""


class LeftOut(Part):
    """A sketch that does not run on the boards of the core, or on some, and the reason.

    `says` is a part of what the compiler or the linker prints when it builds the sketch. Without it
    the sketch builds, and is not run.
    """

    sketch: str
    boards: list[str] = Field(default=list(BOARDS), min_length=1)
    why: str = Field(min_length=1)
    says: str = ""


class Table(Part):
    """An elsewhere.toml."""

    left_out: list[LeftOut]


def step(board: Board, *, every: bool = True) -> Step:
    """Returns a board's step, which counts sketches, and mutants in a whole run."""

    def action(project: Project) -> Result:
        with alone(project.lock(f"arduino-{board.name}"), f"building the sketches of {board.name}"):
            return _run(project, board, every=every)

    return Step(f"Arduino sketches {board.name}", action, needs=(f"build {board.preset}",))


def left_out(project: Project) -> list[LeftOut]:
    """Reads the table of sketches that are left out.

    Errors   BadInputError
    """
    return descriptions.read(project.root / TABLE, Table).left_out


def _run(project: Project, board: Board, *, every: bool) -> Result:
    place = project.preset(board.preset) / "arduino"
    shutil.rmtree(place, ignore_errors=True)
    baton = library_package.write(project.root, place / "libraries").folder
    compat = library_package.write_compat(project.root, place / "libraries").folder
    tests = project.root / "tests" / "arduino"
    excused = {each.sketch: each for each in left_out(project) if board.name in each.boards}
    try:
        workshop = Workshop(board.name, {}, place / "build", tests / "test_core")
        desk = Desk(project, board, workshop, workshop.library(baton), (compat / "src",))
        found = [
            path.parent for folder in (baton / "examples", tests, compat / "examples") for path in _sketches(folder)
        ]
        result = _unknown(found, excused)
        wanted = [sketch for sketch in found if sketch.name not in excused and (every or sketch.name in QUICK)]
        result += desk.each(wanted)
        if not every:
            return result
        result += sum((_excused(desk, path, excused[path.name]) for path in found if path.name in excused), Result())
        for number, (name, changes) in enumerate(DEFECTS if board.name == MUTANTS_ON else ()):
            spoiled = workshop.library(altered(baton, place / "libraries" / f"defect-{number}", changes))
            sketch = next(path for path in found if path.name == name)
            result += notices(replace(desk, library=spoiled), sketch, changes)
        return result
    except SketchError as error:
        return Result(failed=1, output=str(error), repeat=f"./baton setup {board.name}")


def _sketches(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.ino"))


def _unknown(found: Sequence[Path], excused: Mapping[str, LeftOut]) -> Result:
    """Fails for each entry of the table whose sketch is gone."""
    names = {sketch.name for sketch in found}
    gone = [f"{TABLE}: there is no sketch {name}" for name in excused if name not in names]
    return Result(failed=len(gone), output="\n".join(gone))


def _excused(desk: Desk, sketch: Path, entry: LeftOut) -> Result:
    """Fails if a sketch that is left out builds, or fails to build for another reason."""
    try:
        desk.build(sketch)
    except SketchError as error:
        if entry.says and entry.says in str(error):
            return Result(passed=1, notes=f"{sketch.name} is left out: {entry.why}")
        expected = f"{entry.says} is not in" if entry.says else "it does not build"
        return Result(failed=1, output=f"{TABLE}: {sketch.name}: {expected}:\n{error}")
    if entry.says:
        return Result(failed=1, output=f"{TABLE}: {sketch.name} builds for {desk.board.name}: run it there")
    return Result(passed=1, notes=f"{sketch.name} is built, and not run: {entry.why}")
