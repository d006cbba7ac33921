# SPDX-License-Identifier: MIT
"""Opening a serial port, and each way in which it fails."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
import serial

from baton_lab.board import serial_port
from baton_lab.board.serial_port import PortError

HOLD = "import sys, time; held = open(sys.argv[1], 'rb', 0); print('held', flush=True); time.sleep(60)"


@pytest.fixture
def line() -> Iterator[tuple[int, str]]:
    """The far end of a port, and the port's name."""
    far, near = pty.openpty()
    tty.setraw(near)
    yield far, os.ttyname(near)
    os.close(far)
    os.close(near)


def test_what_is_sent_arrives(line: tuple[int, str]) -> None:
    with serial_port.open_port(line[1], 115200) as port:
        os.write(line[0], b"hello\n")
        assert port.read(6) == b"hello\n"


def test_a_reset_pulls_the_line_that_a_board_hangs_on_and_minds_no_port_without_one(line: tuple[int, str]) -> None:
    class Port:
        def __init__(self) -> None:
            self.levels: list[tuple[str, bool]] = []

        def __setattr__(self, name: str, value: object) -> None:
            if name in ("dtr", "rts"):
                self.levels.append((name, bool(value)))
            object.__setattr__(self, name, value)

    port = Port()
    serial_port.reset(cast(serial.Serial, port))
    assert port.levels == [("dtr", False), ("dtr", True)]
    other = Port()
    serial_port.reset(cast(serial.Serial, other), by="rts")
    assert other.levels == [("dtr", False), ("rts", True), ("rts", False)]
    with serial_port.open_port(line[1], 115200) as without:
        serial_port.reset(without)


def test_a_port_that_is_gone_says_so(tmp_path: Path) -> None:
    with pytest.raises(PortError, match=r"ttyUSB9 is gone: plug the board in again"):
        serial_port.open_port(str(tmp_path / "ttyUSB9"), 115200)


def test_a_port_in_use_names_the_program_that_has_it(line: tuple[int, str]) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, line[1]], stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None and other.stdout.readline() == b"held\n"
            with pytest.raises(PortError, match=rf"{line[1]} is in use by python\S* \(process {other.pid}\): end that"):
                serial_port.open_port(line[1], 115200)
        finally:
            other.kill()


def test_a_port_that_is_locked_is_in_use(line: tuple[int, str]) -> None:
    with serial_port.open_port(line[1], 115200), pytest.raises(PortError, match="is in use by another program"):
        serial_port.open_port(line[1], 115200)


def test_a_port_of_another_group_says_how_to_join_it(line: tuple[int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *words: False)
    with pytest.raises(PortError, match=r"is not yours to use: sudo usermod -aG \w+ \$USER, then log in again"):
        serial_port.open_port(line[1], 115200)
