# SPDX-License-Identifier: MIT
"""The rows behind tables and plots: records, put beside a board's clock, their counts and the published figures.

Figures keep their units here. A ratio is formed between two figures of one unit, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeVar

from baton_lab.base.records import TIMING, Record, Unit, Validity
from baton_lab.measure import published as library
from baton_lab.measure import suites
from baton_lab.present.grid import as_printed

EMPTY_LOOP = "empty_loop"
STACK = "stack"
"""The kind of a memory record that is no part of a program's size."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Case:
    """A record of a time, the instructions that were counted for it, its approximate cycles, and its board's clock.

    Shape    `stands_for` is the published board whose figures stand beside ours; empty where it is the board itself.
    """

    record: Record
    counted: Record | None = None
    mhz: float | None = None
    stands_for: str = ""
    timed: Record | None = None
    processors: int | None = None

    @property
    def threads(self) -> int:
        """The threads that run at once: those of the case, or its producers and their consumer."""
        return int(self.record.number("threads") or 1) + int(self.record.number("producers") or 0)

    @property
    def family(self) -> str:
        """The first word of the case's name; tables rule off one family from another."""
        return self.record.case.removeprefix("published_").partition("_")[0]

    @property
    def micros(self) -> float | None:
        """Microseconds an iteration, gross; None where the figure is no time or the clock is unknown."""
        return self._micros(self.record.value)

    @property
    def micros_net(self) -> float | None:
        """Microseconds an iteration, net of the counting work."""
        return self._micros(self.record.net)

    @property
    def compared(self) -> float:
        """The figure that boards are compared by: of the empty loop, which is the counting work, always gross."""
        is_gross = suites.of(self.record.suite).compared == "gross" or self.record.case == EMPTY_LOOP
        return self.record.value if is_gross else self.record.net

    @property
    def accesses(self) -> list[float]:
        """The reads and the writes of memory; none where the board does not count both."""
        found = [self.record.number(key) for key in ("reads", "writes")]
        return [each for each in found if each is not None] if None not in found else []

    @property
    def published_board(self) -> str:
        """The board of the published figures."""
        return self.stands_for or self.record.board

    @cached_property
    def published(self) -> list[tuple[str, library.CpuRow]]:
        """The published rows of the same program by release, the newest first."""
        return library.published().cpu(self.published_board, self.record.case)

    @property
    def published_over_ours(self) -> float | None:
        """The newest published microseconds over our microseconds, both with the loop around them."""
        return self.published[0][1].micros_per_iter / self.micros if self.published and self.micros else None

    @property
    def spread(self) -> float | None:
        """(maximum - minimum) / median; with no maximum kept, at least (median - minimum) / median."""
        low, high = self.record.number("min"), self.record.number("max")
        if low is None or not self.record.value:
            return None
        return ((self.record.value if high is None else high) - low) / self.record.value

    @property
    def spread_text(self) -> str:
        """The spread in percent; it begins with > where it is only the least that it can be."""
        bound = ">" if self.record.number("max") is None else ""
        return "" if self.spread is None else f"{bound}{100 * self.spread:.0f}%"

    def printed(self, version: str, what: Literal["micros_per_iter", "diff_micros"]) -> str:
        """The figure that a release published for the case, in microseconds as it was printed."""
        micros = next((getattr(row, what) for name, row in self.published if name == version), None)
        return as_printed(micros)

    def _micros(self, value: float) -> float | None:
        mhz = self.record.number("mhz") or self.mhz
        if self.record.unit == "cycles" and mhz:
            return value / mhz
        return value / 1000 if self.record.unit == "ns" else None


class Idle(NamedTuple):
    """The cost of n idle coroutines of one kind to a round, for each n."""

    board: str
    kind: str
    unit: Unit
    valid: Validity
    points: tuple[tuple[int, float], ...]

    def at(self, n: int) -> float | None:
        """The cost of n of them; None where that was not measured."""
        return dict(self.points).get(n)

    @property
    def each(self) -> float | None:
        """The cost of one more idle coroutine, between the smallest and the largest n."""
        (low, first), (high, last) = self.points[0], self.points[-1]
        return (last - first) / (high - low) if high > low else None


class Feature(NamedTuple):
    """The bytes of a feature beyond those of the empty program."""

    board: str
    name: str
    flash: int | None
    ram: int | None

    @property
    def published(self) -> tuple[str, library.MemoryRow] | None:
        """The release and the row that are published for the same feature on this board."""
        return library.published().memory(self.board, self.name)


def cases(
    records: Iterable[Record], mhz: float | None = None, stands_for: str = "", processors: int | None = None
) -> list[Case]:
    """The cases in the order of the records, without the peers'; a case's instructions join its nanoseconds.

    Approximate cycles join the case that an emulator counted. `mhz` is the board's clock, used where the record does
    not carry one; `processors` those of the machine.
    """
    found: dict[object, list[Record]] = {}
    timed: dict[object, Record] = {}
    for record in records:
        if "peer" in record.params or not suites.of(record.suite).takes_time or record.unit == "bytes":
            continue
        params = tuple(pair for pair in record.identity[4] if pair[0] != TIMING)
        if record.is_timed:
            timed[*record.identity[:3], params] = record
        else:
            found.setdefault((*record.identity[:3], params), []).append(record)
    made = []
    for key, same in found.items():
        counts = [record for record in same if record.unit == "instructions"]
        times = [record for record in same if record.unit != "instructions"]
        counted = counts[-1] if times and counts else None
        made.append(Case((times or counts)[0], counted, mhz, stands_for, timed.get(key), processors))
    return made


def idle_rows(records: Iterable[Record]) -> list[Idle]:
    """One row for each kind of idle coroutine, its points ordered by n."""
    kinds: dict[tuple[str, str, Unit, Validity], list[tuple[int, float]]] = {}
    for r in records:
        if r.suite == "idle" and not r.is_timed and r.params.get("n", "").isdigit():
            kinds.setdefault((r.board, r.case, r.unit, r.valid), []).append((int(r.params["n"]), r.net))
    return [Idle(*kind, points=tuple(sorted(points))) for kind, points in kinds.items()]


def features(records: Iterable[Record]) -> list[Feature]:
    """One row for each feature of a board, its flash and RAM joined; those with published figures come first."""
    bytes_of: dict[tuple[str, str], dict[str, int]] = {}
    for r in records:
        if r.suite == "memory" and r.params.get("kind") != STACK:
            bytes_of.setdefault((r.board, r.case), {})[r.params.get("kind", "")] = round(r.value)
    known = list(suites.of("memory").published)
    order = sorted(bytes_of, key=lambda key: (known.index(key[1]) if key[1] in known else len(known), key[1]))
    return [Feature(*key, bytes_of[key].get("flash"), bytes_of[key].get("ram")) for key in order]


def validities(records: Iterable[Record]) -> list[Validity]:
    """The ways in which the figures were obtained, each once, in order."""
    return list(dict.fromkeys(each.valid for each in records))


def pivot(rows: Sequence[Item], line: Callable[[Item], str], column: Callable[[Item], str]) -> list[dict[str, Item]]:
    """The rows of each line by their columns; of two in one place the later one."""
    lines: dict[str, dict[str, Item]] = {}
    for row in rows:
        lines.setdefault(line(row), {})[column(row)] = row
    return list(lines.values())
