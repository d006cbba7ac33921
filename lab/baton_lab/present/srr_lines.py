# SPDX-License-Identifier: MIT
"""The suite srr in the published layout: a line a round trip, such as `opt cache R 4 14.25`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from baton_lab.present.cpu_grids import COUNTED
from baton_lab.present.grid import number
from baton_lab.present.rows import CpuRow
from baton_lab.present.srr_grids import MODELLED_BOARD, modelled, round_trips
from baton_lab.present.srr_published import TOO_LARGE, rounds

LAYOUT = "optimized, caches (- where they cannot be switched), receiver or sender first, bytes, figure"


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
