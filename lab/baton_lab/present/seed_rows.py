# SPDX-License-Identifier: MIT
"""The rows of a published document: its own figures, and one of ours or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from baton_lab.base.records import Record, Unit
from baton_lab.base.store import Run
from baton_lab.board.board_facts import BoardFacts, Facts
from baton_lab.measure.seeds import Ours
from baton_lab.present.grid import Grid
from baton_lab.present.rows import cases

Found = tuple[Run, list[Record]]
Latest = Callable[[str, str], Found | None]

UNITS: tuple[Unit, ...] = ("cycles", "ns", "instructions", "bytes")
SHORT: dict[str, str] = {"instructions": "instr"}


class Source(NamedTuple):
    """The figures of ours: the latest run of a board and suite, the runs of variants, and the boards."""

    latest: Latest
    variants: Callable[[], Sequence[Found]]
    facts: Facts


@dataclass(frozen=True)
class Figure:
    """A figure of ours by a record: gross, less the document's first row, its unit, how it was obtained, the peak."""

    record: Record
    value: float
    unit: str
    obtained: str
    diff: float | None = None
    peak: float | None = None
    rate: float | None = None
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Row:
    """A row of a document with a figure of ours, or the reason why there is none.

    Shape    `is_first` is false of the further lines of ours beside the same row.
    """

    group: str
    name: str
    theirs: Any
    ours: Figure | None = None
    here: Any = None
    because: str = ""
    is_first: bool = True
    counted: Figure | None = None

    @property
    def ratio(self) -> float | None:
        """Theirs over ours, both microseconds: of the difference, where the document's own figure is one."""
        theirs = self.here or self.theirs
        if self.ours is None or self.ours.unit != "us":
            return None
        if theirs.diff_micros and self.ours.diff:
            return float(theirs.diff_micros / self.ours.diff)
        return None if theirs.diff_micros else float(theirs.micros_per_iter / self.ours.value)


class Shown(NamedTuple):
    """A table, and its rows."""

    grid: Grid
    rows: Sequence[Row]


def figure(record: Record, facts: BoardFacts, first: Record | None = None) -> Figure:
    """Microseconds where it is a time and the clock is known, and else what was counted."""
    case = next(iter(cases([record], facts.mhz)), None)
    micros = case.micros if case else None
    share = micros / record.value if micros is not None and record.value else None
    base = None if first is None or first.unit != record.unit else first.value
    diff = None if base is None else (record.value - base) * (share or 1)
    if share is None:
        return Figure(record, record.value, SHORT.get(record.unit, record.unit), record.valid, diff)
    return Figure(record, record.value * share, "us", record.valid, diff)


def missing(board: str, suite: str, ours: Ours) -> str:
    """The reason where no record is stored, with the command that measures."""
    return f"no run of {board} has {ours.case}: ./baton bench --board {board} --suite {suite}"


def of_row(row: Row, ours: Sequence[Ours], beside: Callable[[Ours], Figure | str], absent: str = "") -> list[Row]:
    """A line for each of ours beside a row; the first has the row's own name. `absent` is why there can be none."""
    if absent:
        return [replace(row, because=absent)]
    made = []
    for number, each in enumerate(ours):
        found = each.none or beside(each)
        because, got = (found, None) if isinstance(found, str) else ("", found)
        name = row.name if number == 0 else f"- {each.label}"
        made.append(replace(row, name=name, ours=got, because=because, is_first=number == 0))
    return made


def records_of(source: Source, facts: BoardFacts, suite: str) -> list[Record]:
    """The latest records of a board; none of a board that cannot be."""
    found = None if facts.absent else source.latest(facts.name, suite)
    return found[1] if found else []


def reasons(rows: Sequence[Row]) -> dict[str, list[str]]:
    """The reasons why there is none, each with its rows."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.because:
            found.setdefault(row.because, []).append(row.name if row.is_first else f"{row.group} {row.name}")
    every = {row.group for row in rows}
    return {
        reason: ["each row"] if {row.group for row in rows if row.because == reason} == every else names
        for reason, names in found.items()
    }
