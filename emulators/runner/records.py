# SPDX-License-Identifier: MIT
"""The console's text, with the counts of the measured intervals filled into its record lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import BinaryIO

MARK = b"baton-bench/1 "
LONGEST_LINE = 4096
_COLUMNS = (b"", b"r", b"w")
# A place is the whole value of a word. The mark comes first in a line, so a blank is before each
# word.
_PLACE = re.compile(rb"(?<= )(?P<key>[^ \r\n=]*=)#(?P<which>[rw]?)(?P<index>[0-9]{1,18})(?=[ \r\n]|$)")
_ITERATIONS = re.compile(rb"(?:^| )iterations=([0-9]{1,18})(?=[ \r\n]|$)")

Interval = tuple[int, ...]
"""The counts of a measured interval without its marks: cycles or instructions, reads, writes."""


class Console:
    """Passes text on, line by line.

    Shape    holds a line until it is whole, or too long for one.
    """

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._line = bytearray()
        self._intervals: list[Interval] = []
        self.lines = 0

    @property
    def is_inside_record(self) -> bool:
        """Tells whether a record line has begun and not ended."""
        return self._line.startswith(MARK)

    def add(self, interval: Interval) -> None:
        """Adds an interval that was measured after the output so far."""
        self._intervals.append(interval)

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
            line = filled(line, self._intervals)
            self._intervals.clear()
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
    """Replaces `#K`, `#rK`, `#wK` of a record line by the counts per iteration of interval K."""
    count = iterations(line)

    def value(match: re.Match[bytes]) -> bytes:
        index, column = int(match.group("index")), _COLUMNS.index(match.group("which"))
        if index >= len(intervals) or column >= len(intervals[index]) or not count:
            return match.group("key") + b"missing"
        return match.group("key") + f"{intervals[index][column] / count:.3f}".encode()

    return _PLACE.sub(value, line)
