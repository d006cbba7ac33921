# SPDX-License-Identifier: MIT
"""The suite srr beside what is published: tables, lines in its layout, and ours as an ARM920T would take them.

Without caches each access, of an instruction or of data, costs the same: WITHOUT_CACHES_CYCLES at CLOCK_MHZ. With
them it does, too, by a constant that the published figures give: of each pair with and without caches the quotient is
nearly one number, whatever is optimized, copied, or first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from baton_lab.present.board_tables import COUNTED
from baton_lab.present.grid import Grid, number, table
from baton_lab.present.rows import CpuRow
from baton_lab.present.srr_published import CLOCK_MHZ, TOO_LARGE, PublishedRounds, rounds

SUITE = "srr"
MODELLED_BOARD = "versatilepb"
"""Its ARM926 executes what the published ARM920T does."""

ROUND_TRIPS = ("send_receive_reply", "reply_receive")
LAYOUT = "optimized, caches (- where they cannot be switched), receiver or sender first, bytes, figure"

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


def core_cycles_error(published: PublishedRounds) -> float:
    """The most by which CORE_CYCLES_FACTOR misses the published figures with caches, of the counted round trips."""
    misses = []
    for row in published.counted.rows:
        true = published.micros(optimized=row.optimized, caches=True, first="receiver", message_bytes=row.message_bytes)
        if true is not None:
            misses.append(abs(CORE_CYCLES_FACTOR * row.core_cycles / CLOCK_MHZ / true - 1))
    return max(misses)


@dataclass(frozen=True)
class ModelledRound:
    """A counted round trip, and what an ARM920T would take for it."""

    row: CpuRow
    without_caches: float
    with_caches: float

    @property
    def parts(self) -> tuple[float | None, ...]:
        """The instructions, reads and writes that were counted."""
        return self.row.figure.gross, self.row.reads, self.row.writes


def round_trips(rows: Iterable[CpuRow]) -> list[CpuRow]:
    """The cases that have a size and somebody who blocks first."""
    keys = {"bytes", "first", "optimized"}
    return [row for row in rows if row.suite == SUITE and row.case in ROUND_TRIPS and keys <= row.params.keys()]


def published_grid() -> Grid:
    """The published figures as printed and divided by sixteen."""
    published = rounds()
    keys = dict.fromkeys((r.optimized, r.first_to_block, r.message_bytes) for r in published.rows)

    def find(key: tuple[bool, str, int], caches: bool, times: int = 1) -> float | None:
        found = published.micros(optimized=key[0], caches=caches, first=key[1], message_bytes=key[2])
        return None if found is None else found * times

    return table("srr_published", list(keys), source=published.source, factor=TOO_LARGE, published=find)


def modelled(rows: Iterable[CpuRow]) -> list[ModelledRound]:
    """What an ARM920T would take for the counted round trips of the board that is modelled."""
    each = fit(rounds()).cycles
    found = []
    for row in round_trips(rows):
        if row.board == MODELLED_BOARD and row.reads is not None and row.writes is not None:
            accesses = row.figure.gross + row.reads + row.writes
            slow = accesses * WITHOUT_CACHES_CYCLES / CLOCK_MHZ
            found.append(ModelledRound(row, slow, accesses * each / CLOCK_MHZ))
    return found


def modelled_grid(rows: Iterable[CpuRow]) -> list[Grid]:
    """The modelled microseconds, with the formula, its clock and its error; nothing where nothing was counted."""
    made, published = modelled(rows), rounds()
    each, error = WITHOUT_CACHES_CYCLES, WITHOUT_CACHES_ERROR
    given = {"each": each, "error": error, "core_error": core_cycles_error(published)}
    given |= {"clock": CLOCK_MHZ, "factor": TOO_LARGE}
    return [table("srr_modelled", made, board=MODELLED_BOARD, fit=fit(published), **given)] if made else []


@dataclass(frozen=True)
class Round:
    """A round trip as the published layout names it; `caches` is None where they cannot be switched."""

    optimized: bool
    caches: bool | None
    first: str
    message_bytes: int
    figure: str

    @property
    def line(self) -> str:
        """As published: `opt cache R 4 14.25`."""
        caches = {None: "-", True: "cache", False: "nocache"}[self.caches]
        words = ["opt" if self.optimized else "noopt", caches, self.first[0].upper(), str(self.message_bytes)]
        return " ".join([*words, self.figure])


@dataclass(frozen=True)
class Lines:
    """Lines in the published layout, all in one unit and obtained in one way."""

    title: str
    lines: tuple[str, ...]


def lines(rows: Sequence[CpuRow]) -> list[Lines]:
    """Lines in the published layout: ours by board, unit and case, modelled ones, and then the published figures."""
    groups: dict[tuple[str, str, str], list[CpuRow]] = {}
    for row in round_trips(rows):
        groups.setdefault((row.board, row.figure.unit, row.case), []).append(row)
    made = [_measured_lines(board, unit, case, found) for (board, unit, case), found in groups.items()]
    made += _modelled_lines(rows)
    return [*made, published_lines()] if made else []


def _measured_lines(board: str, unit: str, case: str, rows: Sequence[CpuRow]) -> Lines:
    """Times in microseconds, as published; counts as counts."""
    found = [_round(row, None, number(row.micros, 3) if unit == "ns" else number(row.figure.gross, 1)) for row in rows]
    what = "microseconds" if unit == "ns" else COUNTED[unit]
    how = rows[0].figure.valid
    return Lines(f"{board}: {case}, {what}{'' if how == unit else f', {how}'}", _sorted(found))


def _modelled_lines(rows: Sequence[CpuRow]) -> list[Lines]:
    made = modelled(rows)
    result = []
    for case in dict.fromkeys(each.row.case for each in made):
        found = [
            _round(each.row, caches, number(each.with_caches if caches else each.without_caches, 2))
            for each in made
            if each.row.case == case
            for caches in (False, True)
        ]
        result.append(Lines(f"{MODELLED_BOARD} as an ARM920T: {case}, microseconds, modelled", _sorted(found)))
    return result


def published_lines() -> Lines:
    """The published figures / 16."""
    found = [
        Round(row.optimized, row.caches, row.first_to_block, row.message_bytes, number(row.micros_per_srr, 2))
        for row in rounds().rows
    ]
    return Lines(f"the published kernel, ARM920T: microseconds, what was printed / {TOO_LARGE}", _sorted(found))


def _round(row: CpuRow, caches: bool | None, figure: str) -> Round:
    optimized, size = row.params["optimized"] == "yes", int(row.params["bytes"])
    return Round(optimized, caches, row.params["first"], size, figure)


def _sorted(found: Iterable[Round]) -> tuple[str, ...]:
    """As published: without caches before with, unoptimized before optimized, receiver before sender, small first."""
    order = sorted(found, key=lambda r: (r.caches is True, r.optimized, r.first, r.message_bytes))
    return tuple(each.line for each in order)
