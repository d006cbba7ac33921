# SPDX-License-Identifier: MIT
"""Makes the list of ./baton boards: every board, how it runs, its toolchain, devices on USB."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from baton_lab.board import board_files, usb
from baton_lab.board.board_files import Board
from baton_lab.board.usb import Device

GAP = "  "
LEAST = 40
"""A list in a narrower window is as wide as this."""


@dataclass(frozen=True)
class Row:
    """A board in the list."""

    name: str
    title: str
    how: str
    toolchain: str
    plugged_in: tuple[str, ...] = ()

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as one line has it."""
        return (self.name, self.toolchain, self.title, self.how, "; ".join(self.plugged_in))


def rows(root: Path, devices: Sequence[Device]) -> list[Row]:
    """Returns a row for each board of the tree, also for those without an emulator."""
    known = _known(root)
    return [
        Row(
            board.name,
            board.title,
            _how(board),
            board_files.toolchain(root, board),
            tuple(usb.plugged_in(known, board, devices)),
        )
        for board in known
    ]


def blocks(listed: Sequence[Row], width: int) -> list[str]:
    """Returns the list within `width` columns: a board's name, and beside it a line or more of each fact.

    Shape    a line is broken between words alone; a word that is longer than the line keeps its length.
    """
    beside = max((len(row.name) for row in listed), default=0)
    room = max(width, LEAST) - beside - len(GAP)
    made = []
    for row in listed:
        state = row.toolchain if row.toolchain == "ready" else f"not set up: {row.toolchain}"
        facts = [row.title, row.how, state, *(f"plugged in: {each}" for each in row.plugged_in)]
        lines = [line for fact in facts for line in _broken(fact, room)]
        names = [row.name, *[""] * (len(lines) - 1)]
        made += [f"{name:<{beside}}{GAP}{line}".rstrip() for name, line in zip(names, lines, strict=True)]
    return made


def wide(listed: Sequence[Row]) -> list[str]:
    """Returns a line for each board, below a line of headings, however long that is."""
    table = [("board", "toolchain", "what it is", "how it is run", "plugged in"), *(row.cells for row in listed)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [GAP.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table]


def strangers(root: Path, devices: Sequence[Device]) -> list[str]:
    """Returns a line for each USB serial port that is no board of the tree."""
    return [f"unknown: {device}" for device in usb.unknown(_known(root), devices)]


def _broken(text: str, room: int) -> list[str]:
    """Returns the lines of a text. The second and further ones are indented."""
    return textwrap.wrap(text, room, subsequent_indent=GAP, break_long_words=False, break_on_hyphens=False) or [""]


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
