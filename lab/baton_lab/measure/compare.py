# SPDX-License-Identifier: MIT
"""./baton compare A B: the figures of two runs beside each other, and whether they differ by more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from baton_lab.base.case_filter import named
from baton_lab.base.records import Identity, Record
from baton_lab.measure.rank_test import p_value

if TYPE_CHECKING:
    from rich.table import Table

    from baton_lab.base.store import Run

DETERMINISTIC = frozenset({"cycles", "instructions", "bytes"})
SELDOM = 0.001
"""A comparison of equal times says that they differ with this probability; a run has about a hundred comparisons."""

CHIP_AND_ITS_SIMULATOR = frozenset({"measured", "simulated"})
"""A simulated and a measured figure count the same cycles: their difference shows the error of the simulator."""


@dataclass(frozen=True)
class Row:
    """One figure in both runs; None where a run lacks it."""

    identity: Identity
    first: Record | None
    second: Record | None

    @property
    def verdict(self) -> str:
        """Says that the figures are equal, by how much the second differs, or why they cannot be compared."""
        if self.first is None or self.second is None:
            return "only in the second" if self.first is None else "only in the first"
        if self.first.valid != self.second.valid:
            kinds = f"{self.first.valid} and {self.second.valid}"
            if self.first.unit == "cycles" and {self.first.valid, self.second.valid} == CHIP_AND_ITS_SIMULATOR:
                return f"{_exact(self.first.value, self.second.value)}, {kinds}"
            return f"not comparable: {kinds}"
        if self.first.unit in DETERMINISTIC:
            return _exact(self.first.value, self.second.value)
        if self.first.samples and self.second.samples:
            return _by_rank(self.first, self.second)
        return _against_spread(self.first, self.second)


def compare(first: Sequence[Record], second: Sequence[Record]) -> list[Row]:
    """The figures of both runs side by side, in the first run's order; a unit is part of what is compared."""
    one = {record.identity: record for record in first}
    two = {record.identity: record for record in second}
    return [Row(identity, one.get(identity), two.get(identity)) for identity in dict.fromkeys([*one, *two])]


class UnlikeRunsError(ValueError):
    """Two runs have no case in common; the message says what each has."""


@dataclass(frozen=True)
class Comparison:
    """The figures that both runs have, and the labels of those that one of them has alone."""

    rows: tuple[Row, ...]
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()

    @property
    def rest(self) -> str:
        """One line about the figures of one run alone; empty where there are none."""
        both = (("first", self.only_first), ("second", self.only_second))
        parts = [f"{len(labels)} only in the {which} ({named(labels)})" for which, labels in both if labels]
        return f"not compared: {'; '.join(parts)}" if parts else ""


def in_common(first: Run, second: Run, rows: Sequence[Row]) -> Comparison:
    """The figures of both runs, the others apart.

    Errors   UnlikeRunsError: they have none in common.
    """
    both = tuple(row for row in rows if row.first and row.second)
    if not both:
        raise UnlikeRunsError(
            f"run {first.id} and run {second.id} have no figure in common: {_has(first)}; {_has(second)}; ./baton runs"
            " lists runs of one board and suite"
        )
    one, two = (tuple(_named(row) for row in rows if getattr(row, other) is None) for other in ("second", "first"))
    return Comparison(both, one, two)


def _has(run: Run) -> str:
    part = f", its cases {run.cases} alone" if run.cases else ""
    return f"run {run.id} is the suite {run.suite} on {run.board}{part}"


def _named(row: Row) -> str:
    _, case, _, unit, chosen = row.identity
    return f"{' '.join([case, *(f'{key}={value}' for key, value in chosen)])}, {unit}"


def _exact(first: float, second: float) -> str:
    if first == second:
        return "equal"
    share = f" ({(second - first) / first:+.1%})" if first else ""
    return f"{second - first:+.3f}{share}"


def _by_rank(first: Record, second: Record) -> str:
    """Compares times by a rank test of their repeats."""
    share = p_value(first.samples, second.samples)
    change = _exact(first.value, second.value)
    return f"{change}; they differ, p = {share:.1g}" if share < SELDOM else f"no difference ({change}), p = {share:.2f}"


def _against_spread(first: Record, second: Record) -> str:
    """Compares times without their repeats: they differ only where their ranges do not touch."""
    one, two = _range(first), _range(second)
    change = _exact(first.value, second.value)
    if one is None or two is None:
        return f"{change}; no spread recorded, so nothing can be concluded"
    (low_1, high_1), (low_2, high_2) = one, two
    if low_2 <= high_1 and low_1 <= high_2:
        return f"within the spread ({change})"
    return f"{change}; beyond the spread of both"


def _range(record: Record) -> tuple[float, float] | None:
    """Returns the least and the greatest repeat."""
    try:
        return float(record.params["min"]), float(record.params["max"])
    except (KeyError, ValueError):
        return None


def table(first: Run, second: Run, rows: Sequence[Row]) -> Table:
    """Returns the comparison as a table for the terminal."""
    from rich.table import Table

    drawn = Table(title=f"run {first.id} ({_title(first)}) and run {second.id} ({_title(second)})")
    drawn.add_column("case")
    drawn.add_column("unit", no_wrap=True)
    for heading in (f"run {first.id}", f"run {second.id}"):
        drawn.add_column(heading, justify="right", no_wrap=True)
    drawn.add_column("difference")
    for row in rows:
        suite, case, board, unit, chosen = row.identity
        name = " ".join([board, suite, case, *(f"{key}={value}" for key, value in chosen)])
        drawn.add_row(name, unit, _figure(row.first), _figure(row.second), row.verdict)
    return drawn


def circumstances(first: Run, second: Run) -> list[str]:
    """The other differences between two runs: each may explain a difference of their figures."""
    notes = []
    for key in ("compiler", "flags", "source_hash"):
        one, two = getattr(first, key), getattr(second, key)
        if one != two:
            notes.append(f"{key}: {one or '-'} / {two or '-'}")
    for key in sorted({*first.machine, *second.machine} - {"load"}):
        one, two = first.machine.get(key, "-"), second.machine.get(key, "-")
        if one != two:
            notes.append(f"machine {key}: {one} / {two}")
    return notes


def _title(run: Run) -> str:
    part = f": {run.cases}" if run.cases else ""
    return f"{run.board} {run.suite}{part}, {run.commit[:10]}{' and changes' if run.dirty else ''}"


def _figure(record: Record | None) -> str:
    if record is None:
        return "-"
    spread = _range(record)
    text = f"{record.value:.3f}"
    return text if spread is None else f"{text} [{spread[0]:.3f}..{spread[1]:.3f}]"
