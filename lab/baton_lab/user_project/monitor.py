# SPDX-License-Identifier: MIT
"""Shows what a board sends over its serial line, with time stamps; sends what is typed."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, Protocol

from baton_lab.base.notices import say

LONGEST_LINE = 4096
QUIET_S = 0.5
"""A line that is not ended is shown after this silence."""
REQUIREMENT = re.compile(r"\brequirement (\d{1,5}) does not hold")

Explain = Callable[[int], str]


class Port(Protocol):
    """The port that is read, such as a serial.Serial."""

    @property
    def in_waiting(self) -> int:
        """The number of bytes that have arrived."""

    def read(self, size: int = 1, /) -> bytes:
        """Returns at most `size` bytes, after a short wait."""

    def write(self, data: bytes, /) -> int | None:
        """Sends bytes."""


def now() -> str:
    """The time of day in milliseconds, as a line shows it."""
    return datetime.now().astimezone().strftime("%H:%M:%S.%f")[:-3]


@dataclass
class Monitor:
    """Turns bytes into lines, each with the time of its first byte; shows at most `most` of them, if that is not 0.

    `explain` says what a requirement means.
    """

    explain: Explain
    out: IO[str] = field(default_factory=lambda: sys.stdout)
    clock: Callable[[], str] = now
    most: int = 0
    lines: int = 0
    _line: bytearray = field(default_factory=bytearray)
    _since: str = ""

    def take(self, data: bytes) -> None:
        """Takes bytes; a whole line is shown."""
        for piece in data.splitlines(keepends=True):
            if not self._line:
                self._since = self.clock()
            self._line += piece
            if piece.endswith((b"\n", b"\r")) or len(self._line) > LONGEST_LINE:
                self.flush()

    @property
    def is_done(self) -> bool:
        """True if it has shown all lines that it was asked for."""
        return self.most != 0 and self.lines >= self.most

    def flush(self) -> None:
        """Shows a line, also one that has not ended."""
        text = self._line.decode("utf-8", errors="backslashreplace").rstrip("\r\n")
        self._line.clear()
        if not text or self.is_done:
            return
        self.lines += 1
        print(f"{self._since}  {text}", file=self.out, flush=True)
        if found := REQUIREMENT.search(text):
            for line in self._explained(int(found[1])).splitlines():
                print(f"{' ' * len(self._since)}  {line}", file=self.out, flush=True)

    def _explained(self, id: int) -> str:
        try:
            return self.explain(id)
        except ValueError as error:  # a program of another Baton
            return str(error)


def watch(port: Port, monitor: Monitor, *, limit_s: float = 0.0, typed: int | None = None) -> None:
    """Shows lines until Ctrl-C, the limit or the number of lines; `typed` is a descriptor that is sent on.

    Errors   OSError: the board is gone.
    """
    until = time.monotonic() + limit_s if limit_s else float("inf")
    heard = time.monotonic()
    while time.monotonic() < until and not monitor.is_done:
        data = port.read(max(1, port.in_waiting))
        if data:
            heard = time.monotonic()
            monitor.take(data)
        elif time.monotonic() - heard > QUIET_S:
            monitor.flush()
        typed = _send(port, typed)
    monitor.flush()


def _send(port: Port, typed: int | None) -> int | None:
    """Sends what has been typed; returns None once the input has ended."""
    if typed is None or not select.select([typed], [], [], 0)[0]:
        return typed
    data = os.read(typed, 4096)
    if data:
        port.write(data)
    return typed if data else None


def begin(name: str, baud: int) -> None:
    """Says what is shown."""
    say(f"{name} at {baud} baud; Ctrl-C ends")
