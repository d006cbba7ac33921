# SPDX-License-Identifier: MIT
"""Examples as sketches, and what the IDE makes of a sketch."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton_lab import arduino_sketch
from baton_lab.arduino_core import SketchError, Workshop, as_cpp, expand
from baton_lab.boards import BadInputError
from baton_lab.steps.arduino import for_any_core

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
    files = arduino_sketch.sketch(example)
    assert files["say.h"] == "#pragma once\n\n#include <Baton.h>\n"
    assert files["01_blink.ino"] == (
        '#include <Baton.h>\n\n#include "say.h"\n\nblink blinker;\n\n'
        "void setup() {\n  Serial.begin(115200);\n  blinker.start();\n}\n\n"
        "void loop() {\n  baton::scheduler::run();\n}\n"
    )


def test_a_program_that_ends_does_everything_in_setup(example: Path) -> None:
    (example / "main.cpp").write_text(MAIN % "  baton::board::finish(0);\n")
    text = arduino_sketch.sketch(example)["01_blink.ino"]
    assert text.endswith("  blinker.start();\n  baton::scheduler::run();\n}\n\nvoid loop() {}\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("  baton::board::finish(1);\n", "a sketch has no `baton::board::finish"),
        ("  baton::board::name();\n", "teach lab/baton_lab/arduino_sketch.py"),
    ],
)
def test_what_a_sketch_does_not_have_is_an_error(example: Path, line: str, message: str) -> None:
    (example / "main.cpp").write_text(MAIN % line)
    with pytest.raises(BadInputError, match=message):
        arduino_sketch.sketch(example)


def test_a_main_of_another_form_is_an_error(example: Path) -> None:
    (example / "main.cpp").write_text("int main(int argc, char** argv) {\n}\n")
    with pytest.raises(BadInputError, match="is to end with main"):
        arduino_sketch.sketch(example)


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


def test_the_part_for_other_cores_must_be_found(tmp_path: Path) -> None:
    (tmp_path / "Baton" / "src" / "baton").mkdir(parents=True)
    (tmp_path / "Baton" / "src" / "baton" / "port.hpp").write_text("#if ARCH == AVR\n")
    with pytest.raises(SketchError, match="cannot be tried"):
        for_any_core(tmp_path / "Baton", tmp_path / "copy")
