# SPDX-License-Identifier: MIT
"""Runs the commands of docs/own-program/device.txt in a project for a simulated Nano, and compares what they print."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from transcripts import FOLDER, commands, differences, ended

FILE = FOLDER / "device.txt"


def printed(command: str, folder: Path) -> list[str]:
    """Runs a command of the lab, which has to end well; returns the lines of its standard output."""
    assert command.startswith("./baton ")
    done = ended(command, folder)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return [line.rstrip() for line in done.stdout.rstrip("\n").splitlines()]


@pytest.mark.skipif(shutil.which("avr-g++") is None, reason="./baton setup nano")
def test_the_commands_of_the_page_print_what_the_page_shows(tmp_path: Path) -> None:
    assert differences(FILE, tmp_path, printed) == [], f"not as in {FILE.name}"


def test_a_transcript_is_read_command_by_command() -> None:
    assert commands("$ ./baton build\nbuilt\n$ ./baton run\none\n\ntwo\n") == [
        ("./baton build", ["built"]),
        ("./baton run", ["one", "", "two"]),
    ]
