# SPDX-License-Identifier: MIT
"""Builds a project for this machine and for its boards."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from baton_lab.base.files import write_atomically
from baton_lab.base.ui import Screen
from baton_lab.board import emulator
from baton_lab.board.board_files import Board
from baton_lab.builds import diagnosis, presets
from baton_lab.builds.presets import BuildError
from baton_lab.user_project import generated
from baton_lab.user_project.place import UserProject


def build(mine: UserProject, board: Board, targets: Sequence[str] = ()) -> None:
    """Builds targets of the project for a board, or all of them, and prints the warnings of its own lines.

    Errors   BuildError: with each mistake at a line of the project; BadInputError
    """
    generated.refresh(mine)
    try:
        output = presets.build(mine.lab, board.name, targets)
    except BuildError as error:
        raise _explained(mine, board, error) from error
    for line in diagnosis.worded(diagnosis.faults(output, mine.root, mine.tree), mine.root):
        print(line, file=sys.stderr)


def _explained(mine: UserProject, board: Board, error: BuildError) -> BuildError:
    """Words a failure by the mistakes in the project; as it is if none is found in what the tools said."""
    found = diagnosis.faults(error.output, mine.root, mine.tree)
    if not any(fault.kind != "warning" for fault in found):
        return error
    whole = mine.root / "build" / "lab" / f"{board.name}-build.txt"
    write_atomically(whole, error.output)
    told = diagnosis.worded(found, mine.root, _headers(mine, board))
    end = f"all that the tools said: {whole.relative_to(mine.root)}; to repeat it: {error.command}"
    return BuildError("\n".join((f"{mine.name} does not build for {board.name}", *told, end)), error.output)


def _headers(mine: UserProject, board: Board) -> list[str]:
    """Returns the headers of Baton that a program for this board may include."""
    roots = [mine.tree / "boards" / board.name / "include", *mine.tree.glob("*/include")]
    paths = (path.relative_to(root) for root in roots for path in root.glob("baton/**/*.hpp"))
    return [path.as_posix() for path in paths if not {"detail", "spi"} & set(path.parts)]


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
