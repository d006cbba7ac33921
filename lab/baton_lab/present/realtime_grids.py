# SPDX-License-Identifier: MIT
"""The suite realtime: how late, how often too late, and by which scheduler under which throttle."""

from __future__ import annotations

from collections.abc import Sequence

from baton_lab.base.records import Record
from baton_lab.present.grid import Grid, table

SUITE = "realtime"
CASES = ("latency", "payload")
UNLIMITED = "-1"


def chosen(records: Sequence[Record]) -> list[Record]:
    """The records of the suite, latency first; in each case in the order of the records."""
    found = [r for r in records if r.suite == SUITE and r.unit == "ns"]
    return sorted(found, key=lambda r: CASES.index(r.case) if r.case in CASES else len(CASES))


def throttle(record: Record) -> str:
    """The setting in words."""
    setting = record.params.get("throttle", "")
    return "off" if setting == UNLIMITED else setting


def grids(board: str, records: Sequence[Record]) -> list[Grid]:
    """A table of all cases; none where nothing was measured."""
    rows = chosen(records)
    return [table("realtime", rows, board=board, throttle=throttle)] if rows else []


def histogram(record: Record) -> list[tuple[int, int]]:
    """The bins that are not empty: the longest that each counts, and how many; nothing where the record has none."""
    pairs = [each.split(":") for each in record.params.get("hist", "").split(",") if each]
    return [(int(end), int(count)) for end, count in pairs]
