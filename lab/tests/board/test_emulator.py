# SPDX-License-Identifier: MIT
"""A program's run in an emulator: the words of the command that starts it."""

from __future__ import annotations

from pathlib import Path

from baton_lab.base.project import ROOT, Project
from baton_lab.board import emulator
from baton_lab.board.board_files import load


def test_what_is_sent_and_what_pins_get_stand_in_the_command() -> None:
    board = load(ROOT / "boards" / "nano" / "board.toml")
    request = emulator.Request(Path("a.elf"), 500, 7, ("50:a", "60:b"), inputs=("0:adc0=1250", "100:D2=0"))
    words = emulator.command(Project(ROOT), board, request)
    assert words[3:] == [
        *("--limit-ms", "500", "--lines", "7", "--send", "50:a", "--send", "60:b"),
        *("--input", "0:adc0=1250", "--input", "100:D2=0", "a.elf"),
    ]
