# SPDX-License-Identifier: MIT
"""A desk with pseudo-terminals as boards, and a script as avrdude."""

from __future__ import annotations

import json
import os
import pty
import shlex
import signal
import sys
import threading
import tty
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from baton_lab.board.transcript import checksum
from baton_lab.board.usb import Device

HERE = Path(__file__).parent
FTDI, CH340, CP2102 = "0403:6001", "1a86:7523", "10c4:ea60"
WRONG_CHIP = """
avrdude: AVR device initialized and ready to accept instructions
avrdude: device signature = 0x1e9587 (probably m32u4)
avrdude error: expected signature for ATmega328P is 1E 95 0F
        double check chip or use -F to override this check

avrdude done.  Thank you.
"""
NO_ANSWER = """avrdude error: programmer is not responding
avrdude warning: attempt 10 of 10: not in sync: resp=0x00

avrdude done.  Thank you.
"""


def program(*lines: str, exit_code: int = 0) -> bytes:
    """Returns the output of a program."""
    body = "".join(f"{line}\n" for line in lines).encode()
    return b"\n# begin\n" + body + f"# end exit={exit_code} sum={checksum(body)}\n".encode()


class FakeDesk:
    """Devices whose ports are links in a folder. The script avrdude starts their programs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.devices: list[Device] = []
        for name in ("bin", "dev", "started"):
            (folder / name).mkdir()
        self.tool("avrdude")
        self.idle = pty.openpty()  # an adapter without a board behind it
        tty.setraw(self.idle[1])
        self.idle_name = os.ttyname(self.idle[1])

    def tool(self, name: str) -> None:
        """Makes a script of this name on PATH."""
        script = self.folder / "bin" / name
        words = [sys.executable, str(HERE / "fake_tool.py"), str(self.folder)]
        script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$0" "$@"\n')
        script.chmod(0o755)

    @property
    def path(self) -> str:
        """A PATH on which the scripts come first."""
        return f"{self.folder / 'bin'}:{os.environ['PATH']}"

    def plug(self, port: str, id: str, serial: str = "", product: str = "", location: str = "1-1") -> Device:
        """Plugs a device in; its port is a link in the folder `dev`, or none."""
        device = Device(str(self.folder / "dev" / port) if port else "", id, serial, product, location)
        self.devices.append(device)
        return device

    def unplug(self, device: Device) -> None:
        """Takes a device away."""
        self.devices.remove(device)

    def attached(self) -> list[Device]:
        """Returns the devices. An adapter stays when the board behind it has ended."""
        for device in self.devices:
            port = Path(device.port)
            if device.port and not port.exists():
                port.unlink(missing_ok=True)
                port.symlink_to(self.idle_name)
        return list(self.devices)

    def then(self, *behaviours: dict[str, Any]) -> None:
        """Sets the tool's behaviours, call by call; the last is repeated."""
        (self.folder / "behaviours.json").write_text(json.dumps(behaviours))

    def runs(self, *words: str | Path) -> dict[str, Any]:
        """A tool that writes, and starts this command as the board; `{file}` is the program."""
        return {"command": [str(word) for word in words]}

    def runs_behind_adapter(self, *words: str | Path) -> dict[str, Any]:
        """A tool that writes, and sends this command's output through the adapter."""
        wire = self.folder / "wire"
        os.mkfifo(wire)

        def carry() -> None:
            with wire.open("rb") as sender:
                while data := sender.read1(1000):
                    os.write(self.idle[0], data)

        threading.Thread(target=carry, daemon=True).start()
        return {"command": [str(word) for word in words], "wire": str(wire)}

    def sends(self, data: bytes, *, stays: bool = True) -> dict[str, Any]:
        """A tool that writes; the board sends `data`, and then stays or is unplugged."""
        return self.runs(sys.executable, HERE / "fake_board.py", data.hex(), "stays" if stays else "goes")

    def fails(self, code: int, says: str) -> dict[str, Any]:
        """A tool that fails and writes nothing."""
        return {"code": code, "says": says}

    @property
    def calls(self) -> list[list[str]]:
        """The tool's arguments, call by call."""
        log = self.folder / "calls.log"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def close(self) -> None:
        """Ends the started programs."""
        for path in (self.folder / "started").iterdir():
            try:
                os.killpg(int(path.name), signal.SIGKILL)
            except ProcessLookupError:
                continue
        for end in self.idle:
            os.close(end)


def argument_after(call: Sequence[str], option: str) -> str:
    """Returns the value of an option."""
    return call[call.index(option) + 1]
