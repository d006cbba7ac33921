# SPDX-License-Identifier: MIT
"""The sketches that are left out on other processors than AVR: each is named, with a reason that is checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton_lab.arduino import library_package
from baton_lab.arduino.core_build import SketchError, Workshop, properties
from baton_lab.base.descriptions import DescriptionError
from baton_lab.base.project import ROOT, Project
from baton_lab.board.board_files import load
from baton_lab.check.steps import arduino, arduino_elsewhere
from baton_lab.check.steps.arduino import Desk
from baton_lab.check.steps.arduino_elsewhere import LeftOut

CORE = ROOT / "tests" / "arduino" / "test_core"


def names() -> set[str]:
    files = {*library_package.files(ROOT), *library_package.compat_files(ROOT)}
    tests = {path.stem for path in (ROOT / "tests" / "arduino").glob("*/*.ino")}
    return {Path(name).stem for name in files if name.endswith(".ino")} | tests


def test_each_sketch_that_is_named_exists() -> None:
    assert {entry.sketch for entry in arduino_elsewhere.left_out(Project(ROOT))} <= names()
    assert set(arduino_elsewhere.QUICK) <= names()
    assert {sketch for sketch, _ in arduino_elsewhere.DEFECTS} <= names()


def test_most_sketches_run_on_every_board() -> None:
    left = [(entry.sketch, board) for entry in arduino_elsewhere.left_out(Project(ROOT)) for board in entry.boards]
    assert len(left) == len(set(left)) <= len(names()) * len(arduino_elsewhere.BOARDS) / 3
    assert not set(arduino_elsewhere.QUICK) & {sketch for sketch, _ in left}


def test_each_mutant_replaces_a_text_that_the_library_holds_once() -> None:
    library = library_package.files(ROOT)
    for _, changes in arduino_elsewhere.DEFECTS:
        assert [library[file].count(old) for file, (old, _) in changes.items()] == [1] * len(changes)


def test_the_core_has_each_board_with_the_clock_and_the_processor_of_its_description() -> None:
    boards = properties(CORE / "boards.txt")
    for name in arduino_elsewhere.BOARDS:
        board = load(ROOT / "boards" / name / "board.toml")
        assert board.chip is not None
        assert boards[f"{name}.build.f_cpu"] == f"{board.chip.hz}UL"
        assert board.chip.cpu in boards[f"{name}.build.cpu_flags"] + boards[f"{name}.name"].lower()


def test_a_board_that_the_core_does_not_have_is_an_error_that_names_the_others(tmp_path: Path) -> None:
    with pytest.raises(SketchError, match=r"boards\.txt has no board uno; its boards: esp32c3 esp8266 stm32vl$"):
        Workshop("uno", {}, tmp_path, CORE)


WITH_A_REASON = LeftOut(sketch="x", why="it reads a register of the AVR", says="ADMUX")
BUILT_ALONE = LeftOut(sketch="x", why="no pin is driven")


@pytest.mark.parametrize(
    ("entry", "error", "passed", "said"),
    [
        (WITH_A_REASON, SketchError("x.ino:3: ADMUX was not declared"), 1, ""),
        (WITH_A_REASON, SketchError("x.ino:3: PORTB was not declared"), 0, "ADMUX is not in"),
        (WITH_A_REASON, None, 0, "x builds for stm32vl: run it there"),
        (BUILT_ALONE, None, 1, ""),
        (BUILT_ALONE, SketchError("x.ino:3: PORTB was not declared"), 0, "it does not build"),
    ],
)
def test_a_sketch_that_is_left_out_must_fail_for_its_reason(
    entry: LeftOut, error: SketchError | None, passed: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(desk: Desk, sketch: Path) -> Path:
        if error:
            raise error
        return sketch

    monkeypatch.setattr(arduino.Desk, "build", build)
    board = load(ROOT / "boards" / "stm32vl" / "board.toml")
    desk = Desk(Project(ROOT), board, Workshop.__new__(Workshop), (ROOT, ROOT))
    result = arduino_elsewhere._excused(desk, ROOT / "x", entry)
    assert (result.passed, result.failed) == (passed, 1 - passed)
    assert said in result.output
    assert (entry.why in result.notes) == bool(passed)


def test_an_entry_without_a_sketch_or_without_a_reason_is_an_error(tmp_path: Path) -> None:
    entry = LeftOut(sketch="gone", why="it is gone", says="gone")
    assert "there is no sketch gone" in arduino_elsewhere._unknown([tmp_path / "there"], {"gone": entry}).output
    path = tmp_path / arduino_elsewhere.TABLE
    path.parent.mkdir(parents=True)
    path.write_text('[[left_out]]\nsketch = "x"\nwhy = ""\nsays = "y"\n', encoding="utf-8")
    with pytest.raises(DescriptionError, match="why"):
        arduino_elsewhere.left_out(Project(tmp_path))
