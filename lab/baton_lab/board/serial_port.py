# SPDX-License-Identifier: MIT
"""Opens a serial port exclusively, and explains failures with a remedy."""

from __future__ import annotations

import contextlib
import errno
import grp
import os
import time
from pathlib import Path

import serial

POLL_SECONDS = 0.05
RESET_SECONDS = 0.1
TOUCH_BAUD = 1200


class PortError(RuntimeError):
    """The port cannot be used; the message has the reason and a remedy."""


def open_port(name: str, baud: int) -> serial.Serial:
    """Opens the port exclusively and empties its input. Opening resets many boards.

    Errors   PortError
    """
    check(name)
    try:
        return serial.Serial(name, baud, timeout=POLL_SECONDS, exclusive=True)
    except (OSError, ValueError) as error:  # serial.SerialException is an OSError
        raise PortError(_why(name, error)) from error


def reset(port: serial.Serial, *, by: str = "dtr") -> None:
    """Resets a board by DTR or RTS, also if opening the port did not change that line.

    On boards that RTS resets, DTR and RTS together select the boot loader, so DTR stays off.
    """
    with contextlib.suppress(OSError):  # a port without such a line
        port.dtr = False
        if by == "rts":
            port.rts = True
        time.sleep(RESET_SECONDS)
        if by == "rts":
            port.rts = False
        else:
            port.dtr = True


def check(name: str) -> None:
    """Refuses a port that is gone, that this user may not use, or that another program has open.

    Errors   PortError
    """
    if not Path(name).exists():
        raise PortError(_why(name, FileNotFoundError(errno.ENOENT, "")))
    if not os.access(name, os.R_OK | os.W_OK):
        raise PortError(_why(name, PermissionError(errno.EACCES, "")))
    if users := holders(name):
        raise PortError(f"{name} is in use by {', '.join(users)}: end that, then run the same command again")


def touch(name: str) -> None:
    """Opens and closes the port at 1200 baud, which starts the boot loader of boards of this kind.

    Errors   PortError
    """
    try:
        open_port(name, TOUCH_BAUD).close()
    except OSError as error:
        raise PortError(_why(name, error)) from error


def holders(name: str) -> list[str]:
    """Returns the other programs that have the port open, as far as this user may see them."""
    target = os.path.realpath(name)
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) == os.getpid():
            continue
        try:
            if any(os.path.realpath(link) == target for link in (process / "fd").iterdir()):
                found.append(f"{(process / 'comm').read_text().strip()} (process {process.name})")
        except OSError:  # the process has ended, or belongs to another user
            continue
    return found


def _why(name: str, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return f"{name} is not yours to use: sudo usermod -aG {_group(name)} $USER, then log in again"
    if number in (errno.EBUSY, errno.EAGAIN):
        users = ", ".join(holders(name)) or "another program (sudo fuser -v shows which)"
        return f"{name} is in use by {users}: end that, then run the same command again"
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO):
        return f"{name} is gone: plug the board in again, and see ./baton boards"
    return f"{name} cannot be used: {error}"


def _group(name: str) -> str:
    """Returns the group that may use the port: on Debian, dialout."""
    try:
        return grp.getgrgid(Path(name).stat().st_gid).gr_name
    except (KeyError, OSError):
        return "dialout"
