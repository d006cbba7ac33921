# SPDX-License-Identifier: MIT
"""The suite srr beside what is published: a table of that, and one that is modelled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from baton_lab.present import srr_model
from baton_lab.present.grid import Grid, table
from baton_lab.present.rows import CpuRow
from baton_lab.present.srr_published import CLOCK_MHZ, TOO_LARGE, rounds

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
    keys = dict.fromkeys((r.optimized, r.first_to_block, r.message_bytes) for r in published.rows)

    def find(key: tuple[bool, str, int], caches: bool, times: int = 1) -> float | None:
        found = published.micros(optimized=key[0], caches=caches, first=key[1], message_bytes=key[2])
        return None if found is None else found * times

    return table("srr_published", list(keys), source=published.source, factor=TOO_LARGE, published=find)


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
    made, published = modelled(rows), rounds()
    each, error = srr_model.WITHOUT_CACHES_CYCLES, srr_model.WITHOUT_CACHES_ERROR
    given = {"each": each, "error": error, "core_error": srr_model.core_cycles_error(published)}
    given |= {"clock": CLOCK_MHZ, "factor": TOO_LARGE}
    return [table("srr_modelled", made, board=MODELLED_BOARD, fit=srr_model.fit(published), **given)] if made else []
