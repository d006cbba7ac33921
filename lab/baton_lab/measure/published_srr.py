# SPDX-License-Identifier: MIT
"""The published figures of a send/receive/reply kernel on an ARM920T, and ours as that processor would take them.

Without caches each access, of an instruction or of data, costs the same: WITHOUT_CACHES_CYCLES at CLOCK_MHZ. With
caches a core cycle costs CORE_CYCLES_FACTOR of that clock, and each access that caches would need besides at most as
much as without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from baton_lab.measure.published import DIRECTORY, PublishedError, PublishedModel, load

FILE_NAME = "k2-srr.json"
TOO_LARGE = 16
"""The iteration count was the macro 4096 * 4, without parentheses: to divide by it divides by 4096, times 4."""

CLOCK_MHZ = 200.0

WITHOUT_CACHES_CYCLES = 30.2
"""For each instruction, read and write. Found with the published kernel's counts in an emulator, of which only the
instructions are kept in the file of published figures."""

WITHOUT_CACHES_ERROR = 0.05
"""Within this share it reproduced the published figures without caches."""

CORE_CYCLES_FACTOR = 2.14
"""With caches: what a core cycle of the published kernel took, in cycles of CLOCK_MHZ. It had no misses, or else they
are in it."""

TABLES_DIFFER = 0.023
"""The core cycles of the published kernel come from another table than emulators/timings.toml, by the same manual. By
both a kernel of two tasks was counted, with messages of 4, 64 and 256 bytes: 503, 713 and 1385, and by ours 492, 702
and 1374."""

WORDS_OF_A_LINE = 8
"""A line that is filled costs at most as many accesses. Nothing is published of a burst."""

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


@dataclass(frozen=True)
class CheckedRound:
    """A published figure with caches beside the formula's, by the published kernel's own core cycles."""

    counted: CountedRound
    published: float

    @property
    def modelled(self) -> float:
        """The microseconds by the formula, without misses."""
        return with_caches(self.counted.core_cycles)

    @property
    def error(self) -> float:
        """The share by which the formula differs."""
        return self.modelled / self.published - 1


def without_caches(accesses: float) -> float:
    """The microseconds of so many instructions, reads and writes."""
    return accesses * WITHOUT_CACHES_CYCLES / CLOCK_MHZ


def with_caches(core_cycles: float, accesses: float = 0) -> float:
    """The microseconds of so many core cycles, and of accesses of the memory beside them, at most."""
    return core_cycles * CORE_CYCLES_FACTOR / CLOCK_MHZ + without_caches(accesses)


def checked(published: PublishedRounds) -> list[CheckedRound]:
    """The counted round trips of the published kernel that are published with caches."""
    made = []
    for row in published.counted.rows:
        true = published.micros(optimized=row.optimized, caches=True, first="receiver", message_bytes=row.message_bytes)
        if true is not None:
            made.append(CheckedRound(row, true))
    return made


def with_caches_error(published: PublishedRounds) -> float:
    """The most by which the formula differs from what is published, with the difference of the tables of timings."""
    return (1 + max(abs(row.error) for row in checked(published))) * (1 + TABLES_DIFFER) - 1
