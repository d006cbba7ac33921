# SPDX-License-Identifier: MIT
"""The suite realtime: how late, how often too late, and by which scheduler under which throttle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from baton_lab.base.records import Record
from baton_lab.present.grid import Cell, Column, Grid, layout, number

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
    cells: list[Cell[Record]] = [
        Cell(Column("case", "text"), lambda r: r.case),
        Cell(Column("scheduling", "text"), lambda r: r.params.get("scheduling", "")),
        Cell(Column("throttle"), throttle),
        Cell(Column("granted", "text"), lambda r: r.params.get("granted", "").replace(",", ", ")),
        Cell(Column("refused", "text", sparse=True), _refused),
        Cell(Column("events", optional=1, volatile=True), lambda r: str(r.iterations)),
        *(Cell(Column(name, volatile=True), _micros(key)) for key, name in _FIGURES),
        Cell(Column("deadline"), _micros("deadline")),
        Cell(Column("missed", volatile=True), lambda r: r.params.get("missed", "")),
    ]
    notes = [
        "microseconds; latency is from a moment set beforehand to the handler, payload the time of a computation in"
        " a handler",
        "p50, p99 and p99.9 are rounded up to the end of a bin, which is at most a quarter wide",
        "throttle is /proc/sys/kernel/sched_rt_runtime_us, microseconds of a second; off is -1",
        "Ichor's real-time example times the payload alone, never an event's way to its handler; it is not compared",
    ]
    title = f"{board}: {SUITE}, microseconds"
    return [layout(title, cells, rows, notes, family=lambda r: r.case)] if rows else []


_FIGURES = (("min", "min"), ("p50", "p50"), ("p99", "p99"), ("p999", "p99.9"), ("max", "max"))


def _micros(key: str) -> Callable[[Record], str]:
    def text(record: Record) -> str:
        value = record.params.get(key, "")
        return number(int(value) / 1000, 1) if value.isdigit() else ""

    return text


def _refused(record: Record) -> str:
    value = record.params.get("refused", "none")
    return "" if value == "none" else value.replace(",", ", ")


def histogram(record: Record) -> list[tuple[int, int]]:
    """The bins that are not empty: the longest that each counts, and how many; nothing where the record has none."""
    pairs = [each.split(":") for each in record.params.get("hist", "").split(",") if each]
    return [(int(end), int(count)) for end, count in pairs]
