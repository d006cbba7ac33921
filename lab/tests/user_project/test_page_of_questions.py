# SPDX-License-Identifier: MIT
"""Runs the commands of docs/questions.md in a project for a Nano; the page quotes the transcript."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from transcripts import FOLDER, PROMPT, commands, differences, ended

from baton_lab.base.process import printable
from baton_lab.base.project import ROOT
from baton_lab.board import board_files, flashing, usb
from baton_lab.board.usb import Device

FILE = FOLDER / "questions.txt"
PAGE = ROOT / "docs" / "questions.md"
BOARDS = ROOT / "docs" / "real-boards.md"
_STEP = re.compile(r" +\d+\.\d s  ")


def printed(command: str, folder: Path) -> list[str]:
    """Runs a command, which may fail; returns the lines of its output and then those of its errors, without times."""
    done = ended(command, folder)
    return [line.rstrip() for line in (done.stdout + done.stderr).splitlines() if not _STEP.match(line)]


@pytest.mark.skipif(shutil.which("avr-g++") is None, reason="./baton setup nano")
def test_the_commands_of_the_page_print_what_the_page_shows(tmp_path: Path) -> None:
    if usb.attached():
        pytest.skip("a device on USB: the page shows a desk without one")
    assert differences(FILE, tmp_path, printed) == [], f"not as in {FILE.name}"


def test_each_command_of_the_page_stands_in_the_transcript() -> None:
    tried = {command for command, _ in commands(FILE.read_text(encoding="utf-8"))}
    shown = re.findall(rf"^{re.escape(PROMPT)}(.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(shown) > 5 and set(shown) <= tried


def test_the_lines_that_write_a_program_are_those_of_the_boards() -> None:
    text = BOARDS.read_text(encoding="utf-8")
    block = re.split(r"^```$", text[text.index("## The commands that write") :], flags=re.MULTILINE)[1]
    lines = re.sub(r"\\\n +", "", block).splitlines()
    written = [line for line in lines if line and not line.startswith("#")]
    assert sorted(written) == sorted(line_of(board) for board in flashed())


def flashed() -> list[board_files.Board]:
    every = [*board_files.select(ROOT, board_files.names(ROOT)), *board_files.on_desks(ROOT)]
    return [board for board in every if board.flash is not None]


def line_of(board: board_files.Board) -> str:
    """Returns the command that writes FILE to a board at PORT, with the words of the page."""
    flash = board.flash
    assert flash is not None
    file = Path("FILE").with_suffix({"elf": ".elf", "hex": ".hex", "uf2": ".uf2"}.get(flash.image, ".bin"))
    device = Device("PORT", "", "SERIAL")
    return printable(flashing.command(flash, device, file, next(iter(flash.boot_bauds), 0)))
