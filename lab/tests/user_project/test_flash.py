# SPDX-License-Identifier: MIT
"""Tests ./baton flash on a desk of fakes: the board that is found, and the command that writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Make
from elf_files import program, write
from fake_desk import CH340, CP2102, NO_ANSWER, FakeDesk, argument_after

from baton_lab.board.board_files import BadInputError
from baton_lab.board.flashing import FlashError
from baton_lab.user_project import flash
from baton_lab.user_project.place import UserProject


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDesk]:
    folder = tmp_path / "desk"
    folder.mkdir()
    made = FakeDesk(folder)
    monkeypatch.setenv("PATH", made.path)
    yield made
    made.close()


def built(mine: UserProject) -> UserProject:
    """Puts an ELF file where the build of the nano puts the program."""
    write(mine.program(mine.chosen(["nano"])[0]), program(1000, 30))
    return mine


def test_the_only_board_gets_the_program_of_the_project(make: Make, desk: FakeDesk) -> None:
    mine = built(make("blink", "nano"))
    device = desk.plug("ttyUSB0", CH340, location="1-2")
    desk.then(desk.fails(0, ""))
    found = flash.desk_of(mine, mine.boards[0], device.name, desk.attached)
    flash.write(mine, found)
    (call,) = desk.calls
    assert argument_after(call, "-P") == device.port
    assert argument_after(call, "-U") == f"flash:w:{mine.program(mine.boards[0])}:e"


def test_an_adapter_that_other_boards_have_too_is_taken_for_the_project_s_board(make: Make, desk: FakeDesk) -> None:
    desk.plug("ttyUSB0", CH340, location="1-2")
    only = make("blink", "nano")
    assert flash.desk_of(only, only.boards[0], "", desk.attached).name == "nano@1-2"
    both = make("both", "nano", "nodemcu")
    with pytest.raises(BadInputError, match="may be nano or nodemcu, by its USB identity"):
        flash.desk_of(both, both.boards[0], "", desk.attached)


def test_a_board_whose_console_is_elsewhere_needs_no_adapter_to_be_flashed(make: Make, desk: FakeDesk) -> None:
    mine = make("blink", "promicro")
    device = desk.plug("ttyACM0", "1b4f:9206", location="1-3")
    found = flash.desk_of(mine, mine.boards[0], device.name, desk.attached)
    assert found.adapter is None


def test_no_board_or_another_board_is_refused_with_a_list(make: Make, desk: FakeDesk) -> None:
    mine = built(make("blink", "nano"))
    with pytest.raises(BadInputError, match="no nano is plugged in, nor any other USB serial port"):
        flash.desk_of(mine, mine.boards[0], "", desk.attached)
    desk.plug("ttyUSB0", CP2102, location="1-2")
    with pytest.raises(BadInputError, match="no nano is plugged in; there is:"):
        flash.desk_of(mine, mine.boards[0], "", desk.attached)


def test_a_board_without_a_tool_says_so(make: Make, desk: FakeDesk) -> None:
    mine = make("blink", "versatilepb")
    with pytest.raises(BadInputError, match=r"versatilepb .* is not flashed from here"):
        flash.desk_of(mine, mine.boards[0], "", desk.attached)


def test_a_failure_of_the_tool_is_explained(make: Make, desk: FakeDesk) -> None:
    mine = built(make("blink", "nano"))
    device = desk.plug("ttyUSB0", CH340, location="1-2")
    desk.then(desk.fails(1, NO_ANSWER))
    found = flash.desk_of(mine, mine.boards[0], device.name, desk.attached)
    with pytest.raises(FlashError, match="boot loader does not answer"):
        flash.write(mine, found)
