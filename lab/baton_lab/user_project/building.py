# SPDX-License-Identifier: MIT
"""Builds a project for this machine and for its boards."""

from __future__ import annotations

from collections.abc import Sequence

from baton_lab.base.ui import Screen
from baton_lab.board import emulator
from baton_lab.board.board_files import Board
from baton_lab.builds import presets
from baton_lab.user_project import generated
from baton_lab.user_project.place import UserProject


def build(mine: UserProject, board: Board, targets: Sequence[str] = ()) -> None:
    """Builds targets of the project for a board, or all of them.

    Errors   BuildError, BadInputError
    """
    generated.refresh(mine)
    presets.build(mine.lab, board.name, targets)


def build_all(mine: UserProject, boards: Sequence[Board]) -> None:
    """Builds everything for these boards, and tells the time of each.

    Errors   BuildError, BadInputError
    """
    with Screen(len(boards)) as screen:
        for board in boards:
            with screen.step(f"{board.name}: build"):
                build(mine, board)


def prepare_run(mine: UserProject, board: Board) -> None:
    """Builds the program, and the part of the board's emulator that is compiled.

    Errors   BuildError, BadInputError
    """
    emulator.prepare(mine.lab, board)
    build(mine, board, [mine.name])
