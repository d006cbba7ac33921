# SPDX-License-Identifier: MIT
"""Examples become sketches, and the IDE's rewriting of a sketch is the same here."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import script

from baton_lab.arduino import sketch
from baton_lab.arduino.core_build import SketchError, Workshop, as_cpp, expand
from baton_lab.base.project import Project
from baton_lab.board.board_files import BadInputError, load
from baton_lab.check.steps import arduino

MAIN = """#include <baton/board.hpp>
#include <baton/core.hpp>

#include "../support/say.hpp"

blink blinker;

int main() {
  baton::board::start();
  blinker.start();
  baton::scheduler::run();
%s}
"""


@pytest.fixture
def example(tmp_path: Path) -> Path:
    folder = tmp_path / "examples" / "01_blink"
    folder.mkdir(parents=True)
    (folder.parent / "support").mkdir()
    say = "#pragma once\n\n#include <baton/core.hpp>\n#include <stdint.h>\n"
    (folder.parent / "support" / "say.hpp").write_text(say)
    (folder / "main.cpp").write_text(MAIN % "")
    return folder


def test_a_program_without_an_end_runs_in_loop(example: Path) -> None:
    files = sketch.sketch(example)
    assert files["say.h"] == "#pragma once\n\n#include <Baton.h>\n"
    assert files["01_blink.ino"] == (
        '#include <Baton.h>\n\n#include "say.h"\n\nblink blinker;\n\n'
        "void setup() {\n  Serial.begin(115200);\n  blinker.start();\n}\n\n"
        "void loop() {\n  baton::scheduler::run();\n}\n"
    )


def test_a_program_that_ends_does_everything_in_setup(example: Path) -> None:
    (example / "main.cpp").write_text(MAIN % "  baton::board::finish(0);\n")
    text = sketch.sketch(example)["01_blink.ino"]
    assert text.endswith("  blinker.start();\n  baton::scheduler::run();\n}\n\nvoid loop() {}\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("  baton::board::finish(1);\n", "a sketch has no `baton::board::finish"),
        ("  baton::board::name();\n", "teach lab/baton_lab/arduino/sketch.py"),
    ],
)
def test_what_a_sketch_does_not_have_is_an_error(example: Path, line: str, message: str) -> None:
    (example / "main.cpp").write_text(MAIN % line)
    with pytest.raises(BadInputError, match=message):
        sketch.sketch(example)


def test_a_main_of_another_form_is_an_error(example: Path) -> None:
    (example / "main.cpp").write_text("int main(int argc, char** argv) {\n}\n")
    with pytest.raises(BadInputError, match="is to end with main"):
        sketch.sketch(example)


def test_the_ide_puts_prototypes_before_the_first_function() -> None:
    setup, rest = "void setup() {\n  later(1);\n}\n\n", "void loop() {}\n\nint later(int n) {\n}\n"
    sketch = f"struct a {{\n  void f() {{\n  }}\n}};\n\n{setup}{rest}"
    lines = as_cpp(sketch, "x.ino").splitlines()
    assert lines[:3] == ["#include <Arduino.h>", '#line 1 "x.ino"', "struct a {"]
    first = lines.index("void setup();")
    assert lines[first : first + 5] == [
        "void setup();",
        "void loop();",
        "int later(int n);",
        '#line 6 "x.ino"',
        "void setup() {",
    ]


def test_a_macro_that_defines_something_gets_no_prototype() -> None:
    lines = as_cpp("COROUTINE(blink) {\n}\n\nCOROUTINE(Sub, b) {\n}\n\nvoid setup() {\n}\n", "x.ino").splitlines()
    assert [line for line in lines if line.endswith(");")] == ["void setup();"]
    assert lines.index("void setup();") > lines.index("COROUTINE(blink) {")


def test_a_recipe_is_expanded_and_an_unknown_key_is_an_error() -> None:
    values = {"a": "1 {b.c}", "b.c": "2", "loop": "{loop}"}
    assert expand("x {a} y {b.c}", values) == "x 1 2 y 2"
    with pytest.raises(SketchError, match=r"needs \{z\}"):
        expand("{z}", values)
    with pytest.raises(SketchError, match="names itself"):
        expand("{loop}", values)


def test_without_an_arduino_core_the_package_to_install_is_named(tmp_path: Path) -> None:
    with pytest.raises(SketchError, match="install the Debian package arduino-core-avr"):
        Workshop("nano", {}, tmp_path, core=tmp_path)


def test_what_is_replaced_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "Baton").mkdir()
    (tmp_path / "Baton" / "port.hpp").write_text("#if AVR\n")
    copy = arduino.altered(tmp_path / "Baton", tmp_path / "copy", {"port.hpp": ("#if AVR", "#if 0")})
    assert (copy / "port.hpp").read_text() == "#if 0\n"
    with pytest.raises(SketchError, match=r"port\.hpp is to hold `#if ARM` once"):
        arduino.altered(tmp_path / "Baton", tmp_path / "other", {"port.hpp": ("#if ARM", "#if 0")})


PLATFORM = """
compiler.path=CORE/
compiler.warning_flags.none=-w
compiler.warning_flags.all=-Wall
compile="{compiler.path}compile" {compiler.warning_flags} {includes}
recipe.cpp.o.pattern={compile} "{source_file}" "{object_file}"
recipe.ar.pattern="{compiler.path}archive" "{archive_file_path}" "{object_file}"
link="{compiler.path}link" "{build.path}/{build.project_name}.elf"
recipe.c.combine.pattern={link} {object_files} "{build.path}/{archive_file}"
"""


@pytest.fixture
def core(tmp_path: Path) -> Path:
    """An Arduino core whose compiler is a script: it warns of `odd` and stops at `wrong`."""
    folder = tmp_path / "core"
    for name in ("cores/arduino", "variants/standard"):
        (folder / name).mkdir(parents=True)
    (folder / "cores" / "arduino" / "main.cpp").write_text("int main() {}\n")
    (folder / "platform.txt").write_text(PLATFORM.replace("CORE", str(folder)))
    boards = "nano.name=Nano\nnano.build.core=arduino\nnano.build.variant=standard\nnano.menu.cpu.old.build.mcu=x\n"
    (folder / "boards.txt").write_text(boards)
    last = "for last; do :; done; for arg; do source=$target; target=$arg; done"
    complain = (
        'grep -q wrong "$source" && { echo "error: wrong"; exit 1; }; grep -q odd "$source" && echo "warning: odd"'
    )
    script(folder / "compile", f'{last}\n{complain}\ncp "$source" "$target"')
    script(folder / "archive", 'cat "$2" >>"$1"')
    script(folder / "link", 'out=$1; shift; cat "$@" >"$out"')
    return folder


def sketch_of(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "blink"
    folder.mkdir(exist_ok=True)
    (folder / "blink.ino").write_text(text)
    return folder


def test_a_sketch_is_built_with_the_core_and_a_library(core: Path, tmp_path: Path) -> None:
    (tmp_path / "Lib" / "src").mkdir(parents=True)
    (tmp_path / "Lib" / "src" / "lib.cpp").write_text("int lib;\n")
    workshop = Workshop("nano", {"cpu": "old"}, tmp_path / "build", core=core)
    sketch = sketch_of(tmp_path, "void setup() {}\n")
    (sketch / "tab.cpp").write_text("int tab;\n")
    program = workshop.program(sketch, [workshop.library(tmp_path / "Lib")])
    assert all(part in program.read_text() for part in ("int main() {}", "int lib;", "void setup() {}", "int tab;"))


@pytest.mark.parametrize("fault", ["wrong", "odd"])
def test_a_sketch_with_an_error_or_a_warning_is_refused(core: Path, tmp_path: Path, fault: str) -> None:
    workshop = Workshop("nano", {}, tmp_path / "build", core=core)
    with pytest.raises(SketchError, match=fault):
        workshop.program(sketch_of(tmp_path, f"void setup() {{}}  // {fault}\n"), [])


def test_a_board_or_option_that_the_core_does_not_have_is_named(core: Path, tmp_path: Path) -> None:
    with pytest.raises(SketchError, match=r"boards.txt has no board mega; its boards: nano$"):
        Workshop("mega", {}, tmp_path / "build", core=core)
    with pytest.raises(SketchError, match=r"no nano\.menu\.cpu\.new\.\*"):
        Workshop("nano", {"cpu": "new"}, tmp_path / "build", core=core)


@pytest.mark.parametrize(
    ("runner", "fault"),
    [
        ('echo on; echo off; echo \'{"state":"lines"}\' >&2', ""),
        ('echo on; echo on; echo \'{"state":"lines"}\' >&2', "its output is not the expected one"),
        ('echo on; echo \'{"state":"limit"}\' >&2; exit 124', "it hung"),
    ],
)
def test_a_sketch_is_held_to_what_it_prints(
    project: Project, core: Path, tmp_path: Path, runner: str, fault: str
) -> None:
    expected = project.root / "ports" / "arduino" / "sketches" / "blink" / "expected.txt"
    expected.parent.mkdir(parents=True)
    expected.write_text("on\noff\n")
    script(project.root / "emulators" / "run", runner)
    workshop = Workshop("nano", {}, tmp_path / "build", core=core)
    board = load(project.root / "boards" / "nano" / "board.toml")
    desk = arduino.Desk(project, board, workshop, (tmp_path, workshop.core_archive))
    result = desk.one(sketch_of(tmp_path, "void setup() {}\n"))
    assert (result.passed, result.failed) == ((0, 1) if fault else (1, 0))
    assert fault in result.output


def test_a_sketch_has_nothing_of_virtual_time(example: Path) -> None:
    clock = "#if __has_include(<baton/sim/clock.hpp>)\n#include <baton/sim/clock.hpp>\n#endif\n"
    work = "#if __has_include(<baton/sim/clock.hpp>)\n  baton::sim::advance(1);\n#else\n  wait();\n#endif\n"
    main = MAIN.replace('\n#include "../support/say.hpp"\n', clock) % ""
    (example / "main.cpp").write_text(main.replace("blink blinker;", f"void work() {{\n{work}}}\nblink blinker;"))
    assert sketch.fits((example / "main.cpp").read_text()) and sketch.is_of_core((example / "main.cpp").read_text())
    text = sketch.sketch(example)["01_blink.ino"]
    assert "sim" not in text and "#" not in text.partition("void work() {\n")[2] and "  wait();\n" in text
