# SPDX-License-Identifier: MIT
"""Identifies boards on USB by vendor, product and serial number, never by a port's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from baton_lab.board.board_files import BadInputError, Board


@dataclass(frozen=True)
class Device:
    """A serial port of a USB device, or a boot loader or debug probe without one.

    The `location` "1-1.4" is port 4 of the hub at 1-1.
    """

    port: str  # "" for a device without one; the folder of a drive that is mounted
    id: str  # "2341:0043"
    serial: str = ""
    product: str = ""
    location: str = ""

    @property
    def name(self) -> str:
        """The name for people: the serial number, or the socket of a device without one."""
        return self.serial or self.location

    def __str__(self) -> str:
        words = [
            self.port or "no port",
            self.id,
            self.product,
            f"serial number {self.serial}" if self.serial else "no serial number",
        ]
        return ", ".join(filter(None, [*words, f"at {self.location}" if self.location else ""]))


Attached = Callable[[], Sequence[Device]]


def without_port(sys: Path = Path("/sys"), mounts: Path = Path("/proc/mounts")) -> list[Device]:
    """Returns the devices that have no serial port. The port of a drive is the folder where it is mounted.

    Source   Linux, Documentation/ABI/stable/sysfs-bus-usb
    """
    found = []
    for folder in sorted((sys / "bus" / "usb" / "devices").glob("*")):
        id = f"{_fact(folder, 'idVendor')}:{_fact(folder, 'idProduct')}"
        if id in WITHOUT_PORT:
            port = _mounted(folder.resolve(), sys, mounts)
            found.append(Device(port, id, _fact(folder, "serial"), _fact(folder, "product"), folder.name))
    return found


def _fact(folder: Path, name: str) -> str:
    try:
        return (folder / name).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _mounted(device: Path, sys: Path, mounts: Path) -> str:
    """Returns the folder where a disk of the device is mounted, or nothing."""
    for line in _fact(mounts.parent, mounts.name).splitlines():
        source, folder = line.split(" ")[:2]
        disk = (sys / "class" / "block" / Path(source).name).resolve()
        if source.startswith("/dev/") and disk.is_relative_to(device):
            return re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), folder)
    return ""


WITHOUT_PORT = ("0483:3748", "16c0:0478", "2e8a:0003")
"""The devices without a serial port: an ST-Link/V2, a Teensy's boot loader, a Pico's, which is a drive."""


def attached() -> list[Device]:
    """Returns the USB serial ports of this machine, and the devices without one by which a board is flashed."""
    from serial.tools.list_ports import comports

    return [*without_port()] + [
        Device(
            port=port.device,
            id=f"{port.vid:04x}:{port.pid:04x}",
            serial=port.serial_number or "",
            product=port.product or "",
            location=(port.location or "").partition(":")[0],
        )
        for port in sorted(comports())
        if port.vid is not None and port.pid is not None
    ]


def is_one(board: Board, device: Device) -> bool:
    """Tells whether the device may be such a board, running a program or its boot loader."""
    if board.usb is None or device.id not in (*board.usb.ids, *board.usb.boot_ids):
        return False
    return board.usb.product is None or board.usb.product.search(device.product) is not None


def claimants(boards: Sequence[Board], device: Device) -> list[str]:
    """Returns the names of the boards that the device may be; several may share a USB adapter."""
    return [board.name for board in boards if is_one(board, device)]


def find(boards: Sequence[Board], board: Board, wanted: str, devices: Sequence[Device]) -> Device:
    """Returns the device of this name, which has to be such a board; without a name, the only one.

    Errors   BadInputError: it is missing, or another board, or several fit; the message lists them.
    """
    if board.usb is None or board.flash is None:
        raise BadInputError(
            f"boards/{board.name}/real.toml has no [usb] and [flash], so a real one cannot be found or flashed"
        )
    ours = [device for device in devices if is_one(board, device)]
    if not wanted:
        return _only_one(boards, board, ours, devices)
    named = [device for device in devices if wanted in (device.serial, device.location)]
    if not named:
        if any(wanted == device.port for device in devices) or wanted.startswith("/dev/"):
            raise BadInputError(
                f"{wanted} changes from plug to plug: name a {board.name} by its serial number{_listed(board, ours)}"
            )
        raise BadInputError(f"no {board.name} {wanted} is plugged in{_listed(board, ours) or _others(devices)}")
    fitting = [device for device in named if device in ours]
    if not fitting:
        known = " or ".join(claimants(boards, named[0])) or "no board that is known here"
        raise BadInputError(f"{wanted} is not a {board.name}: by its USB identity it is {known} ({named[0]})")
    if len(fitting) > 1:
        sockets = "".join(f"\n  --board {board.name}@{device.location}  {device}" for device in fitting)
        raise BadInputError(f"{len(fitting)} devices have the serial number {wanted}; name the socket:{sockets}")
    return fitting[0]


def _only_one(boards: Sequence[Board], board: Board, ours: Sequence[Device], devices: Sequence[Device]) -> Device:
    if not ours:
        raise BadInputError(f"no {board.name} is plugged in{_others(devices)}")
    if len(ours) > 1:
        raise BadInputError(f"{len(ours)} devices may be a {board.name}{_listed(board, ours)}")
    may_be = claimants(boards, ours[0])
    if len(may_be) > 1:
        raise BadInputError(f"{ours[0].port} may be {' or '.join(may_be)}, by its USB identity{_listed(board, ours)}")
    return ours[0]


def _listed(board: Board, ours: Sequence[Device]) -> str:
    return ":" + "".join(f"\n  --board {board.name}@{device.name}  {device}" for device in ours) if ours else ""


def _others(devices: Sequence[Device]) -> str:
    return (
        "; there is:" + "".join(f"\n  {device}" for device in devices) if devices else ", nor any other USB serial port"
    )


def plugged_in(boards: Sequence[Board], board: Board, devices: Sequence[Device]) -> list[str]:
    """Returns a line for each device that may be this board: port, serial number, product, name."""
    lines = []
    for device in devices:
        may_be = claimants(boards, device)
        if board.name in may_be:
            others = " or ".join(name for name in may_be if name != board.name)
            doubt = f"; or {others}, which its USB id does not tell: name the board that it is" if others else ""
            name = f"--board {board.name}@{device.name}" if board.flash else "cannot be flashed from here"
            lines.append(f"{device} ({name}){doubt}")
    return lines


def unknown(boards: Sequence[Board], devices: Sequence[Device]) -> list[Device]:
    """Returns the devices that are no known board."""
    return [device for device in devices if not claimants(boards, device)]
