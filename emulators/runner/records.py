# SPDX-License-Identifier: MIT
"""The console's text, with the counts of the measured intervals filled into its record lines."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from typing import BinaryIO

MARK = b"baton-bench/1 "
LONGEST_LINE = 4096
_COLUMNS = (b"", b"r", b"w", b"m")
# A place is the whole value of a word. The mark comes first in a line, so a blank is before each
# word.
_PLACE = re.compile(rb"(?<= )(?P<key>[^ \r\n=]*=)#(?P<which>[rwm]?)(?P<index>[0-9]{1,18})(?=[ \r\n]|$)")
_ITERATIONS = re.compile(rb"(?:^| )iterations=([0-9]{1,18})(?=[ \r\n]|$)")

Interval = tuple[int, ...]
"""The counts of a measured interval without its marks: cycles or instructions, reads, writes.

The instructions of the longest run with interrupts masked follow, if the program asks for them.
With --timing approximate cycles follow instead, then the counts CACHES of caches, if the board's core has some.
"""

CYCLES = 3
"""The place of the approximate cycles."""

CACHES = (
    "code_hits", "code_misses", "read_hits", "read_misses", "write_hits", "write_misses", "halves_written",
)  # fmt: skip
"""Of instructions and of data, by caches as the program left them; a replaced line writes its changed halves."""

COLD = ("cold_code_misses", "cold_read_misses", "cold_write_misses")
"""The misses of an operation that begins with empty caches."""

FIRST = struct.Struct("=III")
"""The counts COLD of an interval up to and with one of its first instructions. (struct first_misses of model.h)"""


class Console:
    """Passes text on, line by line.

    Shape    holds a line until it is whole, or too long for one.
    """

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._line = bytearray()
        self._intervals: list[Interval] = []
        self._first: list[bytes] = []
        self.core = ""  # of the approximate cycles; empty without --timing
        self.lines = 0

    @property
    def is_inside_record(self) -> bool:
        """Tells whether a record line has begun and not ended."""
        return self._line.startswith(MARK)

    @property
    def unclaimed(self) -> list[Interval]:
        """The intervals that no record line has followed."""
        return list(self._intervals)

    def add(self, interval: Interval, first: bytes = b"") -> None:
        """Adds an interval that was measured after the output so far, and FIRST of each of its first instructions."""
        self._intervals.append(interval)
        self._first.append(first)

    def take(self, text: bytes, lines_wanted: int = 0) -> bool:
        """Passes text on to the end of the last wanted line; returns whether that was reached."""
        at = 0
        while at < len(text):
            longest = at + LONGEST_LINE - len(self._line)
            end = text.find(b"\n", at, longest) + 1
            self._line += text[at : end or longest]
            at += len(text[at : end or longest])
            if end or len(self._line) == LONGEST_LINE:
                self.flush()
            self.lines += bool(end)
            if end and self.lines == lines_wanted:
                return True
        return False

    def flush(self) -> None:
        """Writes the rest of an unfinished line."""
        line = bytes(self._line)
        self._line.clear()
        if line.startswith(MARK):
            more = approximate(line, self._intervals, self._first, self.core) if self.core else b""
            line = filled(line, self._intervals) + more
            self._intervals.clear()
            self._first.clear()
        self._out.write(line)
        self._out.flush()


def places(line: bytes) -> list[int]:
    """Returns the intervals that a record line names."""
    return [int(match.group("index")) for match in _PLACE.finditer(line)]


def iterations(line: bytes) -> int:
    """Returns the iterations of the record line's interval; 0 if the line does not state them."""
    given = _ITERATIONS.search(line)
    return int(given.group(1)) if given else 0


def filled(line: bytes, intervals: Sequence[Interval]) -> bytes:
    """Replaces `#K`, `#rK`, `#wK`, `#mK` of a record line by the counts per iteration of interval K."""
    count = iterations(line)

    def value(match: re.Match[bytes]) -> bytes:
        index, column = int(match.group("index")), _COLUMNS.index(match.group("which"))
        if index >= len(intervals) or column >= len(intervals[index]) or not count:
            return match.group("key") + b"missing"
        shared = 1 if match.group("which") == b"m" else count  # a longest run is not one of each iteration
        return match.group("key") + f"{intervals[index][column] / shared:.3f}".encode()

    return _PLACE.sub(value, line)


def approximate(line: bytes, intervals: Sequence[Interval], first: Sequence[bytes], core: str) -> bytes:
    """Returns the record line of the same intervals in approximate cycles of a core; nothing where none were measured.

    Beside its `value` stand the counts CACHES and COLD of an operation, if there are caches.
    """
    value = next((m for m in _PLACE.finditer(line) if m.group("key") == b"value=" and not m.group("which")), None)
    index, count = int(value.group("index")) if value else len(intervals), iterations(line)
    if b" unit=instructions " not in line or index >= len(intervals) or len(intervals[index]) <= CYCLES or not count:
        return b""
    line = line.replace(b" unit=instructions ", b" unit=cycles ").replace(b" valid=instructions", b" valid=approximate")
    shifted = [(each[CYCLES], *each[1:]) for each in intervals]
    words = filled(line.rstrip(b"\r\n"), shifted)
    for name, each in zip(CACHES, intervals[index][CYCLES + 1 :], strict=False):
        words += f" {name}={each / count:.3f}".encode()
    instructions = round(intervals[index][0] / count)
    if 0 < instructions <= len(first[index]) // FIRST.size:
        for name, misses in zip(COLD, FIRST.unpack_from(first[index], (instructions - 1) * FIRST.size), strict=True):
            words += f" {name}={misses}".encode()
    return words + f" timing={core}\n".encode()
