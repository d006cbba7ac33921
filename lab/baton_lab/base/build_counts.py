# SPDX-License-Identifier: MIT
"""Counts the steps of the builds that run, by ninja's `[n/m]`."""

from __future__ import annotations

import re
import time
from typing import NamedTuple

FEWEST = 5
"""After so many steps their pace tells something of the remaining ones."""
_STEP = re.compile(r"\[(\d+)/(\d+)\] ")


class Count(NamedTuple):
    """The steps that have ended, their number, and the time at which the build began."""

    done: int
    total: int
    began: float

    def left_s(self, now: float) -> float | None:
        """Estimates the seconds that are left, by the pace until now; None while too few steps have ended."""
        return (now - self.began) / self.done * (self.total - self.done) if self.done >= FEWEST else None


class BuildCounts:
    """The builds that run, by the name of their preset.

    Context  any thread; a build has one writer, and a reader may be a step behind.
    """

    def __init__(self) -> None:
        self._counts: dict[str, Count] = {}
        self._began: dict[str, float] = {}

    def begin(self, preset: str) -> None:
        """Notes that a build begins."""
        self._began[preset] = time.monotonic()

    def read(self, preset: str, line: str) -> None:
        """Takes a line of a build's output; a line without a count changes nothing."""
        if found := _STEP.match(line):
            began = self._began.get(preset, time.monotonic())
            self._counts[preset] = Count(int(found[1]), int(found[2]), began)

    def end(self, preset: str) -> None:
        """Forgets a build."""
        self._counts.pop(preset, None)
        self._began.pop(preset, None)

    def of(self, preset: str) -> Count | None:
        """Returns the count of a build; None if it does not run, or has printed none."""
        return self._counts.get(preset)


COUNTS = BuildCounts()
"""The builds of this process."""
