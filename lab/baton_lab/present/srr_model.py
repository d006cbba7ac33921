# SPDX-License-Identifier: MIT
"""Microseconds that an ARM920T would take for counted instructions, reads and writes: a formula, and how far it is off.

Without caches each access, of an instruction or of data, costs the same: WITHOUT_CACHES_CYCLES at CLOCK_MHZ. With
them it does, too, by a constant that the published figures give: of each pair with and without caches the quotient is
nearly one number, whatever is optimized, copied, or first.
"""

from __future__ import annotations

from dataclasses import dataclass

from baton_lab.present.srr_published import CLOCK_MHZ, PublishedRounds

WITHOUT_CACHES_CYCLES = 30.2
"""For each instruction, read and write. Found with the published kernel's counts in an emulator, of which only the
instructions are kept in the file of published figures."""

WITHOUT_CACHES_ERROR = 0.05
"""Within this share it reproduced the published figures without caches."""

CORE_CYCLES_FACTOR = 2.14
"""With caches: what a core cycle of the published kernel took, in cycles of CLOCK_MHZ. QEMU counts no core cycles, so
this one is of no use for our counts, and says only what the other formula is beside."""


@dataclass(frozen=True)
class Fit:
    """The quotient of a published figure with caches and that without, and the most by which a pair differs from it."""

    quotient: float
    error: float
    pairs: int

    @property
    def cycles(self) -> float:
        """What an access costs with caches."""
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


def micros(accesses: float, cycles_each: float) -> float:
    """Microseconds of so many instructions, reads and writes."""
    return accesses * cycles_each / CLOCK_MHZ


def core_cycles_error(published: PublishedRounds) -> float:
    """The most by which CORE_CYCLES_FACTOR misses the published figures with caches, of the counted round trips."""
    misses = []
    for row in published.counted.rows:
        true = published.micros(optimized=row.optimized, caches=True, first="receiver", message_bytes=row.message_bytes)
        if true is not None:
            misses.append(abs(CORE_CYCLES_FACTOR * row.core_cycles / CLOCK_MHZ / true - 1))
    return max(misses)
