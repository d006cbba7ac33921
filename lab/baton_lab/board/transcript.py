# SPDX-License-Identifier: MIT
"""Reads the output of a real board's bench program, from `# begin` to `# end`, and verifies it."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Protocol

from baton_lab.base.process import last_lines
from baton_lab.base.records import MARK

BEGIN = b"# begin"
END = re.compile(rb"# end exit=(\d{1,3}) sum=(\d{1,5})")
MOST_BEGINNINGS = 2
MOST_BEFORE_BEGINNING = 64 * 1024
SHOWN_BYTES = 60


@dataclass(frozen=True)
class Limits:
    """The most time for a board's output, and for the silence between two bytes.

    A boot loader waits up to two seconds.
    """

    total_s: float = 300.0
    silence_s: float = 10.0


class Port(Protocol):
    """The port that is read, such as a serial.Serial."""

    @property
    def in_waiting(self) -> int:
        """The number of bytes that have arrived."""

    def read(self, size: int = 1, /) -> bytes:
        """Returns at most `size` bytes, after a short wait."""


@dataclass
class Transcript:
    """The bytes so far. A `# begin` starts it over, because the reader has reset the board."""

    raw: bytearray = field(default_factory=bytearray)
    body: bytearray = field(default_factory=bytearray)
    partial: bytearray = field(default_factory=bytearray)
    beginnings: int = 0
    exit_code: int | None = None
    problem: str = ""

    @property
    def done(self) -> bool:
        """True if no more bytes are expected."""
        return self.exit_code is not None or bool(self.problem)

    @property
    def lines(self) -> list[str]:
        """The whole lines between beginning and end."""
        return self.body.decode("utf-8", errors="replace").splitlines()

    def feed(self, data: bytes) -> None:
        """Takes new bytes; lines may come in any pieces."""
        self.raw += data
        *whole, rest = bytes(self.partial + data).split(b"\n")
        self.partial = bytearray(rest)
        for line in whole:
            if not self.done:
                self._take(line)
        if not self.done and not self.beginnings and len(self.raw) > MOST_BEFORE_BEGINNING:
            self.problem = self._garbage()

    def _take(self, line: bytes) -> None:
        if line == BEGIN:
            self.beginnings += 1
            self.body.clear()
            if self.beginnings > MOST_BEGINNINGS:
                self.problem = "it starts over and over: it crashes, or its supply breaks down"
        elif self.beginnings and (end := END.fullmatch(line)):
            self._end(int(end[1]), int(end[2]))
        elif self.beginnings:
            self.body += line + b"\n"
            if line and not line.startswith((b"#", MARK.encode())):
                self.problem = f"it sent garbage instead of a record: {_shown(line)}"

    def _end(self, exit_code: int, expected: int) -> None:
        if checksum(self.body) != expected:
            self.problem = "characters were lost or changed on the way; run it again, with another cable"
        elif exit_code:
            self.problem = f"it ended with {exit_code}"
        else:
            self.exit_code = exit_code

    def _garbage(self) -> str:
        return (
            f"it sent {len(self.raw)} bytes, but no line {BEGIN.decode()!r}: {_shown(bytes(self.raw))}; "
            "is it another board, or its console at another baud rate?"
        )

    def give_up(self, why: str) -> None:
        """Ends the transcript, because no more bytes will come."""
        if self.done:
            return
        if self.raw and not self.beginnings:
            why = f"{why}. Until then {self._garbage()}"
        self.problem = why

    def received(self) -> str:
        """Returns the part of the output that a person needs to see."""
        text = last_lines((self.body + self.partial).decode("utf-8", errors="backslashreplace"), lines=1000)
        return text or "(nothing)"


def checksum(data: bytes | bytearray) -> int:
    """Computes the same sum as bench/harness over its output."""
    value = 0
    for byte in data:
        value = (value * 31 + byte) & 0xFFFF
    return value


def _shown(data: bytes) -> str:
    return repr(data[:SHOWN_BYTES])[1:] + (" ..." if len(data) > SHOWN_BYTES else "")


def read(port: Port, limits: Limits) -> Transcript:
    """Reads until the program's end, or until none can come; nothing that a board sends raises."""
    got = Transcript()
    began = heard = time.monotonic()
    while not got.done:
        try:
            data = port.read(max(1, port.in_waiting))
        except OSError:  # serial.SerialException is an OSError
            got.give_up("it was unplugged, or its adapter failed: the port is gone")
            break
        now = time.monotonic()
        if data:
            heard = now
            got.feed(data)
        elif now - heard > limits.silence_s:
            got.give_up(_silence(got, limits))
        if now - began > limits.total_s:
            got.give_up(f"it did not end within {limits.total_s:.0f} s")
    return got


def _silence(got: Transcript, limits: Limits) -> str:
    if got.raw:
        return f"it fell silent for {limits.silence_s:g} s: it hangs, has crashed, or sleeps"
    return (
        f"it was silent for {limits.silence_s:g} s: press its reset button and run the same command again; "
        "if it stays silent, see that its console is connected"
    )
