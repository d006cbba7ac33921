# SPDX-License-Identifier: MIT
"""The suite srr beside the published figures: tables, and lines in the published layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from baton_lab.base.records import Record
from baton_lab.measure import published_srr
from baton_lab.measure.published_srr import CLOCK_MHZ, TOO_LARGE, checked, rounds
from baton_lab.present.grid import Grid, described, number, table
from baton_lab.present.rows import Case

SUITE = "srr"
MODELLED_BOARD = "versatilepb"
"""Its ARM926 has the instructions of the published ARM920T."""

ROUND_TRIPS = ("send_receive_reply", "reply_receive")
LAYOUT = "optimized, caches (- where they cannot be switched), receiver or sender first, bytes, figure"
CACHES = {None: "-", False: "nocache", True: "cache"}
"""Words of the published layout; None where caches cannot be switched."""

Round = tuple[bool, bool | None, str, int, str]
"""Optimized, caches, first to block, bytes, and the figure as it is printed."""


@dataclass(frozen=True)
class ModelledRound:
    """A counted round trip with its core cycles, and the microseconds that an ARM920T would take for it."""

    row: Case
    timed: Record

    @property
    def parts(self) -> tuple[float, ...]:
        """The instructions, reads and writes that were counted."""
        return self.row.record.value, *self.row.accesses

    @property
    def without_caches(self) -> float:
        """The microseconds without caches."""
        return published_srr.without_caches(sum(self.parts))

    @property
    def warm(self) -> float:
        """The microseconds with caches as the round trips before left them; the write buffer takes what misses."""
        return published_srr.with_caches(self.timed.value, self._filled(""))

    @property
    def cold(self) -> float:
        """The microseconds with caches that are empty, if each access of the memory is waited for."""
        return published_srr.with_caches(self.timed.value, self._filled("cold_") + self.count("cold_write_misses"))

    def count(self, key: str) -> float:
        """A count of the caches' model in one round trip."""
        return self.timed.number(key) or 0.0

    def _filled(self, which: str) -> float:
        """The words of the lines that are filled."""
        lines = self.count(f"{which}code_misses") + self.count(f"{which}read_misses")
        return published_srr.WORDS_OF_A_LINE * lines


@dataclass(frozen=True)
class Lines:
    """Lines in the published layout, all in one unit and obtained in one way."""

    title: str
    lines: tuple[str, ...]


def round_trips(rows: Iterable[Case]) -> list[Case]:
    """Returns the cases that have a size and name the first to block, of open tasks in the table of three."""
    keys, others = {"bytes", "first", "optimized"}, {"slots", "memory"}
    own = [row for row in rows if row.record.suite == SUITE and row.record.case in ROUND_TRIPS]
    return [row for row in own if keys <= row.record.params.keys() and not others & row.record.params.keys()]


def published_grid() -> Grid:
    """The published figures as printed and divided by sixteen."""
    published = rounds()
    keys = dict.fromkeys((r.optimized, r.first_to_block, r.message_bytes) for r in published.rows)

    def find(key: tuple[bool, str, int], caches: bool, times: int = 1) -> float | None:
        found = published.micros(optimized=key[0], caches=caches, first=key[1], message_bytes=key[2])
        return None if found is None else found * times

    return table("srr_published", list(keys), source=published.source, factor=TOO_LARGE, published=find)


def modelled(rows: Iterable[Case]) -> list[ModelledRound]:
    """The round trips of the board that is modelled, with their core cycles."""
    found = [row for row in round_trips(rows) if row.record.board == MODELLED_BOARD and row.accesses]
    return [ModelledRound(row, row.timed) for row in found if row.timed]


def modelled_grid(rows: Iterable[Case]) -> list[Grid]:
    """The caches' hits and misses, the modelled microseconds, and their error; nothing where nothing was counted."""
    made, published = modelled(rows), rounds()
    if not made:
        return []
    given = {"model": published_srr, "error": published_srr.with_caches_error(published)}
    return [
        table("srr_caches", made, board=MODELLED_BOARD),
        table("srr_modelled", made, board=MODELLED_BOARD, factor=TOO_LARGE, **given),
        table("srr_checked", checked(published), source=published.counted.source, clock=CLOCK_MHZ, **given),
    ]


def published_grids(rows: Iterable[Case]) -> list[Grid]:
    """The published figures, then ours as they would be there."""
    return [published_grid(), *modelled_grid(rows)]


def lines(rows: Sequence[Case]) -> list[Lines]:
    """Lines in the published layout: ours by board, unit and case, modelled ones, and then the published figures."""
    groups: dict[tuple[str, str, str], list[Case]] = {}
    for row in round_trips(rows):
        groups.setdefault((row.record.board, row.record.unit, row.record.case), []).append(row)
    made = [_measured_lines(*group, found) for group, found in groups.items()]
    trips = modelled(rows)
    for case in dict.fromkeys(trip.row.record.case for trip in trips):
        found = [trip for trip in trips if trip.row.record.case == case]
        both = [_round(trip.row, False, number(trip.without_caches, 2)) for trip in found]
        both += [_round(trip.row, True, number(trip.warm, 2)) for trip in found]
        made.append(_lines(f"{MODELLED_BOARD} as an ARM920T: {case}, microseconds, modelled", both))
    return [*made, published_lines()] if made else []


def _measured_lines(board: str, unit: str, case: str, rows: Sequence[Case]) -> Lines:
    """Times in microseconds, as published; counts as counts."""
    is_time = unit == "ns"
    figures = [number(row.micros, 3) if is_time else number(row.record.value, 1) for row in rows]
    found = [_round(row, None, figure) for row, figure in zip(rows, figures, strict=True)]
    what, how = "microseconds" if is_time else described().counted[unit], rows[0].record.valid
    return _lines(f"{board}: {case}, {what}{'' if how == unit else f', {how}'}", found)


def published_lines() -> Lines:
    """The published figures / 16."""
    found = [
        (row.optimized, row.caches, row.first_to_block, row.message_bytes, number(row.micros_per_srr, 2))
        for row in rounds().rows
    ]
    return _lines(f"the published kernel, ARM920T: microseconds, what was printed / {TOO_LARGE}", found)


def _round(row: Case, caches: bool | None, figure: str) -> Round:
    params = row.record.params
    return params["optimized"] == "yes", caches, params["first"], int(params["bytes"]), figure


def _lines(title: str, found: Iterable[Round]) -> Lines:
    """As published, `opt cache R 4 14.25`: without caches before with, unoptimized, receiver and small ones first."""
    order = sorted(found, key=lambda each: (each[1] is True, each[0], *each[2:4]))
    return Lines(
        title,
        tuple(
            f"{'opt' if optimized else 'noopt'} {CACHES[caches]} {first[0].upper()} {size} {figure}"
            for optimized, caches, first, size, figure in order
        ),
    )
