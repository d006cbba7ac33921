# SPDX-License-Identifier: MIT
"""The published figures of a send/receive/reply kernel on an ARM920T, and ours as that processor would take them.

Without caches each access, of an instruction or of data, costs the same: WITHOUT_CACHES_CYCLES at CLOCK_MHZ. With
them it does, too, by a constant that the published figures give: of each pair with and without caches the quotient is
nearly one number, independent of the optimization, the size and the order.
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
"""With caches: what a core cycle of the published kernel took, in cycles of CLOCK_MHZ. QEMU counts no core cycles, so
this one is of no use for our counts, and says only what the other formula is beside."""

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
class Fit:
    """The quotient of a published figure with caches and that without, and the most by which a pair differs from it."""

    quotient: float
    error: float
    pairs: int

    @property
    def cycles(self) -> float:
        """The cost of an access with caches."""
        return WITHOUT_CACHES_CYCLES * self.quotient

    @property
    def whole_error(self) -> float:
        """Of both constants, one after the other."""
        return (1 + WITHOUT_CACHES_ERROR) * (1 + self.error) - 1


def fit(published: PublishedRounds) -> Fit:
    """The fit to the published pairs.

    Errors   ValueError: there is no pair.
    """
    quotients = []
    for row in published.rows:
        with_caches = published.micros(
            optimized=row.optimized, caches=True, first=row.first_to_block, message_bytes=row.message_bytes
        )
        if not row.caches and with_caches is not None:
            quotients.append(with_caches / row.micros_per_srr)
    if not quotients:
        raise ValueError("no figure is published both with caches and without")
    mean = sum(quotients) / len(quotients)
    return Fit(mean, max(abs(each / mean - 1) for each in quotients), len(quotients))


def core_cycles_error(published: PublishedRounds) -> float:
    """The most by which CORE_CYCLES_FACTOR misses the published figures with caches, of the counted round trips."""
    misses = []
    for row in published.counted.rows:
        true = published.micros(optimized=row.optimized, caches=True, first="receiver", message_bytes=row.message_bytes)
        if true is not None:
            misses.append(abs(CORE_CYCLES_FACTOR * row.core_cycles / CLOCK_MHZ / true - 1))
    return max(misses)
