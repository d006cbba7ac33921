# SPDX-License-Identifier: MIT
"""Runs the commands of docs/own-program/device.txt in a project for a simulated Nano, and compares what they print.

BATON_BLESS=1 in the environment writes the file anew.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from baton_lab.base.project import ROOT
from baton_lab.user_project.place import TOLD

FILE = ROOT / "docs" / "own-program" / "device.txt"
PROMPT = "$ "
LIMIT_S = 600
UNORDERED = ("run",)
"""Commands that show two streams, whose lines may come in another order."""


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Returns the commands of a transcript, each with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith(PROMPT):
            found.append((line.removeprefix(PROMPT), []))
        else:
            found[-1][1].append(line)
    return found


def printed(command: str, folder: Path) -> list[str]:
    """Runs a command of the lab in a folder; returns the lines of its standard output."""
    words = shlex.split(command)
    assert words[0] == "./baton"
    environment = {key: value for key, value in os.environ.items() if key != TOLD}
    environment |= {"PYTHONPATH": str(ROOT / "lab"), "TZ": "UTC"}
    ended = subprocess.run(
        [sys.executable, "-m", "baton_lab", *words[1:]], cwd=folder, env=environment, capture_output=True,
        text=True, check=False, timeout=LIMIT_S,
    )  # fmt: skip
    assert ended.returncode == 0, f"{command}\n{ended.stdout}{ended.stderr}"
    return [line.rstrip() for line in ended.stdout.rstrip("\n").splitlines()]


@pytest.mark.skipif(shutil.which("avr-g++") is None, reason="./baton setup nano")
def test_the_commands_of_the_page_print_what_the_page_shows(tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8")
    folder, fresh, wrong = tmp_path, "", []
    for command, expected in commands(text):
        lines = printed(command, folder)
        fresh += "".join(f"{line}\n" for line in (f"{PROMPT}{command}", *lines))
        in_order = sorted if command.split()[1] in UNORDERED else list
        if in_order(lines) != in_order(expected):
            wrong.append("\n".join([command, *lines]))
        if command.split()[1] == "new":
            folder = tmp_path / command.split()[2]
    if os.environ.get("BATON_BLESS"):
        FILE.write_text(fresh, encoding="utf-8")
        return
    assert wrong == [], f"not as in {FILE.name}"


def test_a_transcript_is_read_command_by_command() -> None:
    assert commands("$ ./baton build\nbuilt\n$ ./baton run\none\n\ntwo\n") == [
        ("./baton build", ["built"]),
        ("./baton run", ["one", "", "two"]),
    ]
