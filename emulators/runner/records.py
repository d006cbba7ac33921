# SPDX-License-Identifier: MIT
"""The console's text, into whose record lines the counts of the measured intervals are put."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import BinaryIO

MARK = b"baton-bench/1 "
LONGEST_LINE = 4096
_COLUMNS = (b"", b"r", b"w")
# A place is the whole value of a word; the mark comes first in a line, so a blank before each word.
_PLACE = re.compile(rb"(?<= )(?P<key>[^ \r\n=]*=)#(?P<which>[rw]?)(?P<index>[0-9]{1,18})(?=[ \r\n]|$)")
_ITERATIONS = re.compile(rb"(?:^| )iterations=([0-9]{1,18})(?=[ \r\n]|$)")

Interval = tuple[int, ...]
"""What a measured interval counted, without its marks: cycles or instructions, and maybe reads and writes."""


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
        """Whether a record line has begun and not ended."""
        return self._line.startswith(MARK)

    def add(self, interval: Interval) -> None:
        """An interval that was measured after what was printed so far."""
        self._intervals.append(interval)

    def take(self, text: bytes, lines_wanted: int = 0) -> bool:
        """Passes text on, up to the end of the last line that is wanted; whether that was reached."""
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
        """Writes what there is of a line."""
        line = bytes(self._line)
        self._line.clear()
        if line.startswith(MARK):
            line = filled(line, self._intervals)
            self._intervals.clear()
        self._out.write(line)
        self._out.flush()


def places(line: bytes) -> list[int]:
    """The intervals that a record line names."""
    return [int(match.group("index")) for match in _PLACE.finditer(line)]


def iterations(line: bytes) -> int:
    """How often an interval of the record line did what is measured; 0 where it does not say."""
    given = _ITERATIONS.search(line)
    return int(given.group(1)) if given else 0


def filled(line: bytes, intervals: Sequence[Interval]) -> bytes:
    """A record line with `#K`, `#rK` and `#wK` replaced by what interval K counted for each iteration."""
    count = iterations(line)

    def value(match: re.Match[bytes]) -> bytes:
        index, column = int(match.group("index")), _COLUMNS.index(match.group("which"))
        if index >= len(intervals) or column >= len(intervals[index]) or not count:
            return match.group("key") + b"missing"
        return match.group("key") + f"{intervals[index][column] / count:.3f}".encode()

    return _PLACE.sub(value, line)
