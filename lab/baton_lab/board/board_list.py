# SPDX-License-Identifier: MIT
"""Makes the table of ./baton boards: every board, how it runs, its toolchain, devices on USB."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from baton_lab.board import board_files, usb
from baton_lab.board.board_files import Board
from baton_lab.board.usb import Device


def table(root: Path, devices: Sequence[Device]) -> Table:
    """Makes a row for each board of the tree, also for those without an emulator."""
    made = Table("board", "what it is", "how it is run", "toolchain", "plugged in")
    known = _known(root)
    for board in known:
        here = usb.plugged_in(known, board, devices)
        cells = (board.name, board.title, _how(board), board_files.toolchain(root, board), "\n".join(here))
        made.add_row(*map(Text, cells))
    return made


def strangers(root: Path, devices: Sequence[Device]) -> list[str]:
    """Returns a line for each USB serial port that is no board of the tree."""
    return [f"unknown: {device}" for device in usb.unknown(_known(root), devices)]


def _known(root: Path) -> list[Board]:
    return board_files.select(root, board_files.names(root)) + board_files.on_desks(root)


def _how(board: Board) -> str:
    emulator = board.emulator
    if emulator is None:
        return f"on a desk alone: {board.not_emulated}" if board.not_emulated else "directly"
    machine = emulator.mcu or ""
    if "-M" in emulator.arguments:
        machine = emulator.arguments[emulator.arguments.index("-M") + 1]
    what = emulator.program or emulator.kind
    return f"emulated by {what} ({machine})" if machine else f"emulated by {what}"
