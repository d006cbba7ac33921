# SPDX-License-Identifier: MIT
"""Writes a project's program to a real board: ./baton flash."""

from __future__ import annotations

from baton_lab.board import flashing, serial_port, usb
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.board.usb import Attached
from baton_lab.measure import real_board
from baton_lab.user_project.place import UserProject


def desk_of(mine: UserProject, board: Board, serial: str, attached: Attached = usb.attached) -> real_board.Desk:
    """Returns the board on USB: the only one of its kind, or that of this serial number or socket.

    Several boards share a USB adapter. A device is taken for one of the project's boards; the tool
    that writes compares the chip.

    Errors   BadInputError: none is plugged in, or several are; the message lists them.
    """
    if board.flash is None:
        raise BadInputError(
            f"{board.name} ({board.title}) is not flashed from here: boards/{board.name} has no real.toml"
        )
    return real_board.find(mine.tree, f"{board.name}@{serial}", attached, needs_console=False, among=mine.boards)


def write(mine: UserProject, desk: real_board.Desk) -> None:
    """Writes the built program, and lets the board start it.

    Errors   FlashError, PortError
    """
    flash = desk.board.flash
    assert flash is not None
    device = (
        real_board.boot_loader(desk, again=False)
        if flash.touch_1200 or flash.ask
        else real_board.same(desk, desk.device)
    )
    if any("{port}" in argument for argument in flash.arguments):
        if not device.port:
            raise serial_port.PortError(f"the drive of {desk.name} is not mounted: mount it, and run the command again")
        serial_port.check(device.port)
    flashing.write(mine.lab, desk.board, device, mine.program(desk.board))
