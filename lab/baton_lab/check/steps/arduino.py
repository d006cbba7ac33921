# SPDX-License-Identifier: MIT
"""The step that makes the Arduino library, builds its sketches like the IDE, and simulates them."""

from __future__ import annotations

import os
import re
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from baton_lab.arduino import library_package
from baton_lab.arduino.core_build import SketchError, Workshop
from baton_lab.base.locks import alone
from baton_lab.base.process import printable
from baton_lab.base.project import Project
from baton_lab.board import emulator
from baton_lab.board.board_files import Board, load
from baton_lab.check.steps import examples, sketch_sizes
from baton_lab.check.steps.step import Result, Step
from baton_lab.measure import sketch_memory, sketch_times, sketches

BOARD = "nano"
OPTIONS = {"cpu": "atmega328"}
LIMIT_MS = 6_000
REPEAT = f"./baton setup {BOARD} && ./baton test --board {BOARD}"
ON_ANY_CORE = ("07_event_log", "09_task_list", "11_interrupt", "12_with_loop", "wrap")
COMPAT_ON_ANY_CORE = ("BuildingBlocks", "Tasks")  # which print names that are in flash

Changes = Mapping[str, tuple[str, str]]

# Takes the AVR core for an unknown one, so that the code for other cores runs, too.
ANY_CORE: Changes = {
    "src/baton/port.hpp": ("#if defined(__AVR__)", "#if !defined(__AVR__)"),
    "src/baton/arduino/clock.cpp": ("#if defined(__AVR__)", "#if !defined(__AVR__)"),
}
ANY_CORE_DEFECT: tuple[str, Changes] = (
    "Tasks",
    {**ANY_CORE, "src/baton/arduino/machine_any.hpp": ("static_cast<char>(pgm_read_byte(p))", "*p")},
)
# Boards of the core with another chip, and its name in the simulator. No host answers the
# Leonardo's USB there, and for the ATmega8, which has no compare unit in Timer0, the simulator
# mixes messages into the output.
OTHERS: Sequence[tuple[str, Mapping[str, str], str]] = (
    ("mega", {"cpu": "atmega2560"}, "atmega2560"),
    ("leonardo", {}, ""),
    ("atmegang", {"cpu": "atmega8"}, ""),
)
ON_OTHERS = "12_with_loop"
# AceRoutine's programs are built for this chip, too; its USB is not answered.
COMPAT_ON: tuple[str, Mapping[str, str]] = ("leonardo", {})
# Each defect with the sketch of tests/arduino that has to notice it.
MACHINE, CLOCK = "src/baton/arduino/machine_avr.hpp", "src/baton/arduino/clock.cpp"
COMPAT_DEFECT: tuple[str, Changes] = (
    "SoundManager",
    {"src/ace_routine/Coroutine.h": ("    mJumpPoint = nullptr;", "")},
)
DEFECTS: Sequence[tuple[str, Changes]] = (
    ("lateness", {CLOCK: ("TIMSK0 = _BV(OCIE0B);", "TIMSK0 = 0;")}),
    ("lateness", {MACHINE: ("static_cast<int32_t>(look)) attention::raise();", "0) {}")}),
    ("sleep", {MACHINE: (r'"sei\n\tsleep\n', r'"sei\n\tnop\n')}),
)


def step() -> Step:
    """Returns the step, which counts sketches, tests/arduino, other chips and mutants."""
    return Step("Arduino sketches", run_all, needs=(f"build {BOARD}",), wide=True)


@dataclass(frozen=True)
class Desk:
    """A board, the Arduino core for it, and the library as it is compiled for it."""

    project: Project
    board: Board
    workshop: Workshop
    library: tuple[Path, Path]
    headers: tuple[Path, ...] = ()  # include roots of other libraries that have only headers
    description: Path | None = None  # describes another chip than the board's

    def build(self, sketch: Path) -> Path:
        """Builds the sketch and returns its program.

        Errors   SketchError
        """
        return self.workshop.program(sketch, [self.library, *((root, None) for root in self.headers)])

    def check(self, sketch: Path, program: Path) -> Result:
        """Runs a sketch's program in the simulator, and compares its output."""
        expected = expected_file(self.project, sketch)
        request = replace(request_for(self.project, sketch, program, expected), description=self.description)
        ending = emulator.execute(self.project, self.board, request)
        problem = ending.problem and f"{ending.problem}; its last output:\n{ending.last_output()}"
        problem = problem or examples.compare(expected, ending.text.replace("\r", ""))
        if not problem:
            return Result(passed=1)
        repeat = printable(emulator.command(self.project, self.board, request))
        return Result(failed=1, output=f"{sketch.name} as a sketch: {problem}", repeat=repeat)

    def one(self, sketch: Path) -> Result:
        """Builds a sketch and runs it."""
        try:
            return self.check(sketch, self.build(sketch))
        except SketchError as error:
            return Result(failed=1, output=f"{sketch.name}: {error}", repeat=REPEAT)

    def each(self, sketches: Sequence[Path]) -> Result:
        """Builds and runs sketches side by side."""
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            return sum(pool.map(self.one, sketches), Result())


def run_all(project: Project) -> Result:
    """Makes the library, installs its zip in a folder of sketches, builds and runs them.

    Context  exclusive in its build folder: another ./baton waits.
    """
    with alone(project.lock(f"arduino-{BOARD}"), f"building the sketches of {BOARD}"):
        return _run_all(project)


def _run_all(project: Project) -> Result:
    board = load(project.root / "boards" / BOARD / "board.toml")
    place = project.preset(BOARD) / "arduino"
    shutil.rmtree(place, ignore_errors=True)
    package = library_package.write(project.root, place / "package")
    with zipfile.ZipFile(package.zip) as archive:
        archive.extractall(place / "libraries")
    library = place / "libraries" / library_package.NAME
    tests = project.root / "tests" / "arduino"
    sketches = [path.parent for folder in (library / "examples", tests) for path in sorted(folder.glob("*/*.ino"))]
    try:
        workshop = Workshop(BOARD, OPTIONS, place / "build")
        compiled = workshop.library(library)
        result = Desk(project, board, workshop, compiled).each(sketches)
        result += sketch_sizes.budgets(project, board, workshop, sketches)
        result += sketch_sizes.second_uses(tests / "second_uses", workshop, [compiled], place / "second_uses")
        result += _compat(Desk(project, board, workshop, compiled), library, place)
        result += _on_any_core(Desk(project, board, workshop, compiled), library, sketches)
        for number, (sketch, changes) in enumerate(DEFECTS):
            spoiled = workshop.library(altered(library, place / "libraries" / f"defect-{number}", changes))
            result += notices(Desk(project, board, workshop, spoiled), tests / sketch, changes)
        for name, options, mcu in OTHERS:
            result += _on_other(project, board, Workshop(name, options, place / name), library, mcu)
        return result
    except SketchError as error:
        return Result(failed=1, output=str(error), repeat=REPEAT)


def _compat(desk: Desk, baton: Path, place: Path) -> Result:
    """Runs the sketches of compat/aceroutine, and builds them for the other chip and for sizes."""
    package = library_package.write_compat(desk.project.root, place / "package")
    with zipfile.ZipFile(package.zip) as archive:
        archive.extractall(place / "libraries")
    library = place / "libraries" / library_package.COMPAT
    programs = [path.parent for path in sorted((library / "examples").glob("*/*.ino"))]
    result = replace(desk, headers=(library / "src",)).each(programs)
    name, changes = COMPAT_DEFECT
    spoiled = altered(library, place / "libraries" / f"{library.name}-defect", changes)
    result += notices(replace(desk, headers=(spoiled / "src",)), spoiled / "examples" / name, changes)
    name, options = COMPAT_ON
    other = Workshop(name, options, place / f"compat-{name}")
    elsewhere = replace(desk, workshop=other, library=other.library(baton), headers=(library / "src",))
    for sketch in programs:
        elsewhere.build(sketch)
        result += Result(passed=1)
    uses = desk.project.root / "compat" / "aceroutine" / "second_uses"
    libraries = [desk.library, (library / "src", None)]
    result += sketch_sizes.second_uses(uses, desk.workshop, libraries, place / "compat_second_uses")
    for each in sketches.BOARDS:
        result += _verdict(sketch_memory.larger(each, sketch_memory.sizes(desk.project, each)))
    try:
        return result + _verdict(sketch_times.slower(desk.board, sketch_times.records(desk.project, desk.board)))
    except sketch_times.SketchRunError as error:
        return result + _verdict([str(error)])


def _on_any_core(desk: Desk, library: Path, sketches: Sequence[Path]) -> Result:
    """Runs sketches on the code for cores that are not known, which reads texts from flash, too."""
    compat = library.with_name(library_package.COMPAT)
    unknown = desk.workshop.library(altered(library, library.with_name(f"{library.name}-any"), ANY_CORE))
    desk = replace(desk, library=unknown, headers=(compat / "src",))
    programs = [sketch for sketch in sketches if sketch.name in ON_ANY_CORE]
    result = desk.each(programs + [compat / "examples" / name for name in COMPAT_ON_ANY_CORE])
    name, changes = ANY_CORE_DEFECT
    spoiled = desk.workshop.library(altered(library, library.with_name(f"{library.name}-any-defect"), changes))
    return result + notices(replace(desk, library=spoiled), compat / "examples" / name, changes)


def _verdict(problems: Sequence[str]) -> Result:
    return Result(failed=1, output="\n".join(problems), repeat=REPEAT) if problems else Result(passed=1)


def notices(desk: Desk, sketch: Path, defect: Changes) -> Result:
    """Fails if a sketch does not notice a defect of the port."""
    result = desk.check(sketch, desk.build(sketch))
    if result.failed:
        return Result(passed=1)
    return Result(failed=1, output=f"{sketch.name} does not notice the mutant {dict(defect)}", repeat=REPEAT)


def _on_other(project: Project, nano: Board, workshop: Workshop, library: Path, mcu: str) -> Result:
    """Builds a sketch for another chip of the core; runs it if the simulator has the chip."""
    sketch = library / "examples" / ON_OTHERS
    description = workshop.folder / "board.toml"
    description.parent.mkdir(parents=True, exist_ok=True)
    nanos = (project.root / "boards" / BOARD / "board.toml").read_text(encoding="utf-8")
    description.write_text(re.sub(r"(?m)^mcu = .*$", f'mcu = "{mcu}"', nanos), encoding="utf-8")
    desk = Desk(project, nano, workshop, workshop.library(library), description=description)
    if mcu:
        return desk.one(sketch)
    desk.build(sketch)
    return Result(passed=1)


def altered(library: Path, copy: Path, changes: Changes) -> Path:
    """Copies the library with a piece of text replaced in some files.

    Errors   SketchError: the text is missing, or there twice
    """
    shutil.copytree(library, copy)
    for name, (old, new) in changes.items():
        text = (copy / name).read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise SketchError(f"{name} is to hold `{old}` once, which lab/baton_lab/check/steps/arduino.py replaces")
        (copy / name).write_text(text.replace(old, new), encoding="utf-8")
    return copy


def expected_file(project: Project, sketch: Path) -> Path:
    """Returns a sketch's expected output: its own if written by hand, or that of its example."""
    by_hand = (project.root / "ports" / "arduino", project.root / "compat" / "aceroutine")
    for folder in (sketch, *(module / "sketches" / sketch.name for module in by_hand)):
        if (folder / "expected.txt").is_file():
            return folder / "expected.txt"
    return project.root / "examples" / sketch.name / "expected.txt"


def request_for(project: Project, sketch: Path, program: Path, expected: Path) -> emulator.Request:
    """Stops a sketch, which never ends, when it has printed as many lines as are expected."""
    lines = len(expected.read_text(encoding="utf-8").splitlines()) if expected.is_file() else 1
    beside = expected.parent
    return emulator.Request(
        program, LIMIT_MS, lines, _lines_of(beside / "send.txt"), inputs=_lines_of(beside / "inputs.txt")
    )


def _lines_of(path: Path) -> tuple[str, ...]:
    """Returns the lines of a file beside a sketch's expected output: its input, or what its pins get."""
    return tuple(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else ()
