# SPDX-License-Identifier: MIT
"""Transcripts of docs/own-program: commands of a project with what they print, run again and compared.

BATON_BLESS=1 in the environment writes a transcript anew.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from baton_lab.base.project import ROOT
from baton_lab.user_project.place import TOLD

FOLDER = ROOT / "docs" / "own-program"
PROMPT = "$ "
LIMIT_S = 600
UNORDERED = ("run", "-rh")
"""Commands that show two streams, or the files of a folder, whose lines may come in another order."""


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Returns the commands of a transcript, each with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith(PROMPT):
            found.append((line.removeprefix(PROMPT), []))
        else:
            found[-1][1].append(line)
    return found


def ended(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command in a folder; ./baton is the lab of this tree."""
    words = shlex.split(command)
    words = [sys.executable, "-m", "baton_lab", *words[1:]] if words[0] == "./baton" else words
    environment = {key: value for key, value in os.environ.items() if key != TOLD}
    environment |= {"PYTHONPATH": str(ROOT / "lab"), "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=LIMIT_S
    )


def differences(file: Path, folder: Path, printed: Callable[[str, Path], list[str]]) -> list[str]:
    """Runs each command of a transcript, after `new` in the new project; returns those that print something else."""
    fresh, wrong = "", []
    for command, expected in commands(file.read_text(encoding="utf-8")):
        lines = printed(command, folder)
        fresh += "".join(f"{line}\n" for line in (f"{PROMPT}{command}", *lines))
        words = command.split()
        in_order = sorted if words[1] in UNORDERED else list
        if in_order(lines) != in_order(expected):
            wrong.append("\n".join([command, *lines]))
        folder = folder / words[2] if words[1] == "new" else folder
    if os.environ.get("BATON_BLESS"):
        file.write_text(fresh, encoding="utf-8")
        return []
    return wrong
