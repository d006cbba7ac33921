# SPDX-License-Identifier: MIT
"""What is published about a send/receive/reply kernel on an ARM920T, and by how much it is printed too large."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from baton_lab.measure.published import DIRECTORY, PublishedError, PublishedModel, load

FILE_NAME = "k2-srr.json"
TOO_LARGE = 16
"""The iteration count was the macro 4096 * 4, without parentheses: to divide by it divides by 4096, times 4."""

CLOCK_MHZ = 200.0

First = Literal["receiver", "sender"]


class PublishedRound(PublishedModel):
    """One published figure: as printed, and the microseconds of one round trip."""

    optimized: bool
    caches: bool
    first_to_block: First
    message_bytes: int
    published_figure: int
    micros_per_srr: float


class CountedRound(PublishedModel):
    """A round trip of the published kernel, receiver first, as counted in an emulator."""

    optimized: bool
    message_bytes: int
    instructions: int
    core_cycles: int


class Counted(PublishedModel):
    """Those rows, and how they were obtained."""

    source: str
    rows: tuple[CountedRound, ...]


class PublishedRounds(PublishedModel):
    """The file."""

    source: str
    iterations: int
    note: str
    rows: tuple[PublishedRound, ...] = Field(min_length=1)
    counted: Counted

    def micros(self, *, optimized: bool, caches: bool, first: str, message_bytes: int) -> float | None:
        """The microseconds of one round trip; None where nothing is published for these."""
        wanted = (optimized, caches, first, message_bytes)
        for row in self.rows:
            if (row.optimized, row.caches, row.first_to_block, row.message_bytes) == wanted:
                return row.micros_per_srr
        return None


def read(path: Path) -> PublishedRounds:
    """The published figures of a file.

    Errors   PublishedError: it cannot be used, or a figure is not what it was printed as, divided by sixteen.
    """
    found = load(path, PublishedRounds)
    for row in found.rows:
        if row.micros_per_srr * TOO_LARGE != row.published_figure:
            raise PublishedError(f"{path}: {row.micros_per_srr} is not {row.published_figure} / {TOO_LARGE}")
    return found


@cache
def rounds() -> PublishedRounds:
    """The figures that lie in this tree."""
    return read(DIRECTORY / FILE_NAME)
