# SPDX-License-Identifier: MIT
"""The suite srr beside what is published: a table of that, and one that is modelled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from baton_lab.present import srr_model
from baton_lab.present.cpu_grids import MEANING
from baton_lab.present.grid import Cell, Column, Grid, layout, number
from baton_lab.present.rows import CpuRow
from baton_lab.present.srr_published import CLOCK_MHZ, TOO_LARGE, PublishedRounds, rounds

SUITE = "srr"
MODELLED_BOARD = "versatilepb"
"""Its ARM926 executes what the published ARM920T does."""

ROUND_TRIPS = ("send_receive_reply", "reply_receive")


@dataclass(frozen=True)
class ModelledRound:
    """A counted round trip, and what an ARM920T would take for it."""

    row: CpuRow
    without_caches: float
    with_caches: float


def round_trips(rows: Iterable[CpuRow]) -> list[CpuRow]:
    """The cases that have a size and somebody who blocks first."""
    keys = {"bytes", "first", "optimized"}
    return [row for row in rows if row.suite == SUITE and row.case in ROUND_TRIPS and keys <= row.params.keys()]


def published_grid() -> Grid:
    """The published figures as printed and divided by sixteen."""
    published = rounds()
    cells: list[Cell[PublishedPair]] = [
        Cell(Column("optimized", "text"), lambda p: _yes(p.optimized)),
        Cell(Column("first", "text"), lambda p: p.first),
        Cell(Column("bytes"), lambda p: str(p.message_bytes)),
        Cell(Column("no caches\nas printed"), lambda p: p.printed(caches=False)),
        Cell(Column("no caches\nmicros"), lambda p: p.micros(caches=False)),
        Cell(Column("caches\nas printed"), lambda p: p.printed(caches=True)),
        Cell(Column("caches\nmicros"), lambda p: p.micros(caches=True)),
    ]
    notes = [
        published.source,
        f"micros are what was printed / {TOO_LARGE}: the program divided by a macro, 4096 * 4, that had no parentheses,"
        " so it divided by 4096 and multiplied by 4; every printed figure is a multiple of 4",
    ]
    title = f"{SUITE}: the published kernel, microseconds a round trip on real hardware"
    return layout(title, cells, _pairs(published), notes, family=lambda p: _yes(p.optimized) + p.first)


@dataclass(frozen=True)
class PublishedPair:
    """A published round trip, with and without caches."""

    published: PublishedRounds
    optimized: bool
    first: str
    message_bytes: int

    def micros(self, *, caches: bool) -> str:
        """Microseconds, of which every digit is printed."""
        return number(self._find(caches), 2)

    def printed(self, *, caches: bool) -> str:
        """The figure as it was printed."""
        found = self._find(caches)
        return "" if found is None else str(round(found * TOO_LARGE))

    def _find(self, caches: bool) -> float | None:
        return self.published.micros(
            optimized=self.optimized, caches=caches, first=self.first, message_bytes=self.message_bytes
        )


def _pairs(published: PublishedRounds) -> list[PublishedPair]:
    keys = dict.fromkeys((r.optimized, r.first_to_block, r.message_bytes) for r in published.rows)
    return [PublishedPair(published, *key) for key in keys]


def modelled(rows: Iterable[CpuRow]) -> list[ModelledRound]:
    """What an ARM920T would take for the counted round trips of the board that is modelled."""
    each = srr_model.fit(rounds()).cycles
    found = []
    for row in round_trips(rows):
        if row.board == MODELLED_BOARD and row.reads is not None and row.writes is not None:
            accesses = row.figure.gross + row.reads + row.writes
            slow = srr_model.micros(accesses, srr_model.WITHOUT_CACHES_CYCLES)
            found.append(ModelledRound(row, slow, srr_model.micros(accesses, each)))
    return found


def modelled_grid(rows: Iterable[CpuRow]) -> list[Grid]:
    """The modelled microseconds, with the formula, its clock and its error; nothing where nothing was counted."""
    made = modelled(rows)
    if not made:
        return []
    cells: list[Cell[ModelledRound]] = [
        Cell(Column("case", "text"), lambda m: m.row.label),
        Cell(Column("instr + reads + writes"), _accesses),
        Cell(Column("no caches\nmicros"), lambda m: number(m.without_caches, 2)),
        Cell(Column("caches\nmicros"), lambda m: number(m.with_caches, 2)),
    ]
    title = f"{SUITE}: {MODELLED_BOARD}'s counts as microseconds of an ARM920T, modelled"
    return [layout(title, cells, made, _model_notes(), family=lambda m: m.row.case)]


def _accesses(made: ModelledRound) -> str:
    row = made.row
    return " + ".join(number(value, 1) for value in (row.figure.gross, row.reads, row.writes))


def _model_notes() -> list[str]:
    published = rounds()
    found = srr_model.fit(published)
    each, error = srr_model.WITHOUT_CACHES_CYCLES, srr_model.WITHOUT_CACHES_ERROR
    return [
        MEANING["modelled"],
        f"no caches: {each:g} cycles x (instructions + reads + writes), at {CLOCK_MHZ:g} MHz, which is assumed; by the"
        f" published kernel's counts that is within about {error:.0%} of its figures / {TOO_LARGE}; how far for another"
        " mix of accesses, nobody knows",
        f"caches: {found.quotient:.4f} of that, {found.cycles:.2f} cycles each, which is the mean of {found.pairs}"
        f" published figures with caches over those without; they differ from it by {found.error:.1%} at most, so the"
        f" column is within about {found.whole_error:.0%}",
        f"by core cycles it would be within {srr_model.core_cycles_error(published):.0%}, but nobody counts them",
    ]


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
