# SPDX-License-Identifier: MIT
"""The suite thread_metric beside what others have published of it."""

from __future__ import annotations

from collections.abc import Sequence

from baton_lab.board.board_facts import ordered
from baton_lab.measure.published_thread_metric import scores
from baton_lab.present.grid import Grid, table
from baton_lab.present.rows import Case, pivot
from baton_lab.present.tables import across_grids

SUITE = "thread_metric"


def grids(rows: Sequence[Case]) -> list[Grid]:
    """Our figures by unit, approximate cycles of the boards that are timed, then the published ones."""
    own = [row for row in rows if row.record.suite == SUITE]
    return [*across_grids(SUITE, own), *_timed_grid(own), published_grid()] if own else []


def _timed_grid(rows: Sequence[Case]) -> list[Grid]:
    timed = [row for row in rows if row.timed and row.record.unit == "instructions"]
    if not timed:
        return []
    boards = ordered(dict.fromkeys(row.record.board for row in timed))
    lines = pivot(timed, lambda row: row.record.label, lambda row: row.record.board)
    return [table("thread_metric_timed", lines, boards=boards)]


def published_grid() -> Grid:
    """The published figures, a line for each case of ours that has one, with hardware, clock and configuration."""
    published = scores()
    cases = dict.fromkeys(case for system in published.systems for case in system.rows)
    return table("thread_metric_published", list(cases), published=published)
