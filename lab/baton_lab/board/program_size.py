# SPDX-License-Identifier: MIT
"""Asks tools/program_size for the memory that programs take, as the builds and the runners do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from baton_lab.base.project import ROOT, Project
from baton_lab.board.board_files import Board

TOOL = ROOT / "tools" / "program_size" / "program-size"
LIMIT_S = 60.0
REFUSED = 1

Sizes = dict[str, int]
"""flash, ram and reserved, in bytes."""


class SizeError(RuntimeError):
    """There are no sizes; the message has the reason."""


def sizes(programs: Sequence[Path]) -> dict[Path, Sizes]:
    """Returns the sizes of each program.

    Errors   SizeError: one of them is no program.
    """
    answer = _ask(*map(str, programs))
    if answer.returncode != 0:
        raise SizeError(answer.stderr.strip())
    return {Path(name): size for name, size in json.loads(answer.stdout).items()}


def too_large(project: Project, board: Board, program: Path) -> str:
    """Names the memory of the chip that does not hold an ELF file, or nothing."""
    if board.memory is None or not program.is_file():
        return ""
    answer = _ask("--board", str(description(project, board)), str(program))
    return answer.stderr.strip() if answer.returncode == REFUSED else ""


def over_budget(project: Project, board: Board, programs: Sequence[Path], budgets: Path, nm: str) -> str:
    """Names the programs over their budgets or without one, with their symbols, or nothing."""
    words = ["--board", str(description(project, board)), "--budgets", str(budgets), "--nm", nm]
    answer = _ask(*words, *map(str, programs))
    return answer.stderr.strip() if answer.returncode != 0 else ""


def description(project: Project, board: Board) -> Path:
    """Returns the path of the board's board.toml."""
    return project.tree / "boards" / board.name / "board.toml"


def _ask(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOL), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_S)
