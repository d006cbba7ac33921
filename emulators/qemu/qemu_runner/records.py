# SPDX-License-Identifier: MIT
"""The console's text, into whose record lines the counts of the measured intervals are put."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import BinaryIO

MARK = b"baton-bench/1 "
LONGEST_LINE = 4096
EMPTY_INTERVAL = 2  # instructions: the return from the first mark and the call of the second
_COLUMNS = {b"": 0, b"r": 1, b"w": 2}
_VALUE = re.compile(rb"(?P<key>[^ \r\n=]*=)#(?P<which>[rw]?)(?P<index>[0-9]{1,18})(?=[ \r\n]|$)")
_ITERATIONS = re.compile(rb"(?:^| )iterations=([0-9]{1,18})(?=[ \r\n]|$)")


@dataclass(frozen=True)
class Interval:
    """What a measured interval counted, without its marks."""

    instructions: int
    reads: int
    writes: int

    @staticmethod
    def raw(instructions: int, reads: int, writes: int) -> Interval:
        """As the plugin counts, marks included. They touch no memory."""
        return Interval(max(instructions - EMPTY_INTERVAL, 0), reads, writes)


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
        for byte in text:
            self._line.append(byte)
            if byte == 0x0A:
                self.flush()
                self.lines += 1
                if self.lines == lines_wanted:
                    return True
            elif len(self._line) == LONGEST_LINE:
                self.flush()
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


def filled(line: bytes, intervals: list[Interval]) -> bytes:
    """A record line with `#K`, `#rK` and `#wK` replaced by what interval K counted for each iteration."""
    given = _ITERATIONS.search(line)
    iterations = int(given.group(1)) if given else 0

    def value(match: re.Match[bytes]) -> bytes:
        index = int(match.group("index"))
        if index >= len(intervals) or not iterations:
            return match.group("key") + b"missing"
        interval = intervals[index]
        count = (interval.instructions, interval.reads, interval.writes)[_COLUMNS[match.group("which")]]
        return match.group("key") + f"{count / iterations:.3f}".encode()

    # At the start of each word alone.
    return re.sub(rb"(?<=[ ])" + _VALUE.pattern, value, line)
