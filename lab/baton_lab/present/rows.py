# SPDX-License-Identifier: MIT
"""The typed rows behind every table and plot: records, put beside their floors and the published figures.

Figures keep their units here. A ratio is formed between two figures of one unit, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from baton_lab.base.records import STATISTICS, Record, Unit, Validity
from baton_lab.measure import published as library
from baton_lab.measure import suites
from baton_lab.present.grid import as_printed

STACK = "stack"
"""The kind of a memory record that is no part of a program's size."""

NOBODY: Mapping[str, str] = {}


class Row(BaseModel):
    """A line of a table."""

    model_config = ConfigDict(frozen=True)


class Figure(Row):
    """One figure in its own unit: gross, and net of the counting work, as is its floor."""

    unit: Unit
    valid: Validity
    gross: float
    net: float
    floor: float | None = None

    @property
    def over_floor(self) -> float | None:
        """Net over net floor; None where there is no floor to divide by."""
        return self.net / self.floor if self.floor is not None and self.floor > 0 else None


class CpuRow(Row):
    """One case of a board's CPU table."""

    board: str
    suite: str
    case: str
    params: dict[str, str]
    iterations: int
    figure: Figure
    minimum: float | None = None
    maximum: float | None = None
    instructions: Figure | None = None
    reads: float | None = None
    writes: float | None = None
    mhz: float | None = None
    published: tuple[tuple[str, library.CpuRow], ...] = ()
    published_on: str = ""

    @property
    def label(self) -> str:
        """The case and its parameters."""
        return " ".join([self.case, *(f"{key}={value}" for key, value in self.params.items())])

    @property
    def family(self) -> str:
        """What cases of a kind have in common; tables rule off one from another."""
        return self.case.removeprefix("published_").partition("_")[0]

    @property
    def micros(self) -> float | None:
        """Microseconds an iteration, gross; None where the figure is no time or the clock is unknown."""
        return self._micros(self.figure.gross)

    @property
    def micros_net(self) -> float | None:
        """Microseconds an iteration, net of the counting work."""
        return self._micros(self.figure.net)

    @property
    def published_over_ours(self) -> float | None:
        """The newest published microseconds over our microseconds, both with the loop around them."""
        if not self.published or not self.micros:
            return None
        return self.published[0][1].micros_per_iter / self.micros

    @property
    def spread(self) -> float | None:
        """(maximum - minimum) / median; with no maximum kept, at least (median - minimum) / median."""
        if self.minimum is None or not self.figure.gross:
            return None
        high = self.figure.gross if self.maximum is None else self.maximum
        return (high - self.minimum) / self.figure.gross

    @property
    def spread_text(self) -> str:
        """The spread in percent, and whether it is only the least that it can be."""
        if self.spread is None:
            return ""
        return f"{'>' if self.maximum is None else ''}{100 * self.spread:.0f}%"

    def printed(self, version: str, what: Literal["micros_per_iter", "diff_micros"]) -> str:
        """What a release published for the case, in microseconds as it was printed."""
        return next((as_printed(getattr(row, what)) for name, row in self.published if name == version), "")

    def _micros(self, value: float) -> float | None:
        if self.figure.unit == "cycles" and self.mhz:
            return value / self.mhz
        return value / 1000 if self.figure.unit == "ns" else None


class IdleRow(Row):
    """What n idle coroutines of one kind add to a round, for each n."""

    board: str
    kind: str
    unit: Unit
    valid: Validity
    points: tuple[tuple[int, float], ...]

    def at(self, n: int) -> float | None:
        """What n of them add; None where that was not measured."""
        return dict(self.points).get(n)

    @property
    def each(self) -> float | None:
        """What one more idle coroutine adds, between the smallest and the largest n."""
        (low, first), (high, last) = self.points[0], self.points[-1]
        return (last - first) / (high - low) if high > low else None


def figure(record: Record) -> Figure:
    """The figure of a record."""
    return Figure(unit=record.unit, valid=record.valid, gross=record.value, net=record.net, floor=record.net_floor)


def parameters(record: Record) -> dict[str, str]:
    """The params that say what was measured, in the order of the line."""
    return {key: value for key, value in record.params.items() if key not in STATISTICS}


def cpu_rows(records: Iterable[Record], mhz: float | None = None, stands_for: str = "") -> list[CpuRow]:
    """The CPU rows in the order of the records, without the peers'; a case's instructions join its nanoseconds.

    `mhz` is the board's clock, used where the record does not carry one; `stands_for` is whose published figures stand
    beside the board's, where they are not its own.
    """
    own = (r for r in records if "peer" not in r.params)
    chosen = [r for r in own if suites.of(r.suite).takes_time and r.unit != "bytes"]
    counts = {_key(r): r for r in chosen if r.unit == "instructions"}
    rows, done = [], set()
    for record in sorted(chosen, key=lambda r: r.unit == "instructions"):
        if _key(record) in done:
            continue
        done.add(_key(record))
        rows.append((record, counts.get(_key(record)) if record.unit != "instructions" else None))
    first = {_key(r): position for position, r in reversed(list(enumerate(chosen)))}
    rows.sort(key=lambda pair: first[_key(pair[0])])
    return [_cpu_row(record, count, mhz, stands_for or record.board) for record, count in rows]


def idle_rows(records: Iterable[Record]) -> list[IdleRow]:
    """One row for each kind of idle coroutine, its points ordered by n."""
    kinds: dict[tuple[str, str, Unit, Validity], list[tuple[int, float]]] = {}
    for r in records:
        if r.suite == "idle" and r.params.get("n", "").isdigit():
            kinds.setdefault((r.board, r.case, r.unit, r.valid), []).append((int(r.params["n"]), r.net))
    return [
        IdleRow(board=board, kind=kind, unit=unit, valid=valid, points=tuple(sorted(points)))
        for (board, kind, unit, valid), points in kinds.items()
    ]


def validities(figures: Sequence[Figure]) -> list[Validity]:
    """How the figures were obtained, each once, in order."""
    return list(dict.fromkeys(each.valid for each in figures))


def _key(record: Record) -> tuple[object, ...]:
    suite, case, board, _, params = record.identity
    return (suite, case, board, params)


def _cpu_row(record: Record, count: Record | None, mhz: float | None, published_board: str) -> CpuRow:
    own_mhz = _number(record, "mhz")
    return CpuRow(
        board=record.board,
        suite=record.suite,
        case=record.case,
        params=parameters(record),
        iterations=record.iterations,
        figure=figure(record),
        minimum=_number(record, "min"),
        maximum=_number(record, "max"),
        instructions=None if count is None else figure(count),
        reads=_number(record, "reads"),
        writes=_number(record, "writes"),
        mhz=mhz if own_mhz is None else own_mhz,
        published=tuple(library.published().cpu(published_board, record.case)),
        published_on=library.published().hardware(published_board),
    )


def _number(record: Record, key: str) -> float | None:
    try:
        return float(record.params[key])
    except (KeyError, ValueError):
        return None


class SizeRow(Row):
    """The size of one public type, and of the published type that serves the same purpose."""

    board: str
    name: str
    size_bytes: int
    published: tuple[str, str, int] | None = None


class MemoryRow(Row):
    """What one feature takes more than the empty program."""

    board: str
    feature: str
    flash_bytes: int | None
    ram_bytes: int | None
    published: tuple[str, library.MemoryRow] | None = None


class StackRow(Row):
    """How deep the stack of one example went."""

    board: str
    example: str
    stack_bytes: int


def size_rows(records: Iterable[Record], stands_for: Mapping[str, str] = NOBODY) -> list[SizeRow]:
    """The object sizes in the order of the records; `stands_for` says whose published ones stand beside a board's."""
    return [
        SizeRow(
            board=r.board, name=r.case, size_bytes=round(r.value),
            published=library.published().size(stands_for.get(r.board, r.board), r.case),
        )
        for r in records
        if r.suite == "sizes"
    ]  # fmt: skip


def memory_rows(records: Iterable[Record]) -> list[MemoryRow]:
    """One row a feature, its flash and RAM joined."""
    features: dict[tuple[str, str], dict[str, int]] = {}
    for r in records:
        if r.suite == "memory" and r.params.get("kind") != STACK:
            features.setdefault((r.board, r.case), {})[r.params.get("kind", "")] = round(r.value)
    return [
        MemoryRow(
            board=board, feature=feature, flash_bytes=kinds.get("flash"), ram_bytes=kinds.get("ram"),
            published=library.published().memory(board, feature),
        )
        for (board, feature), kinds in sorted(features.items(), key=lambda entry: _published_first(entry[0][1]))
    ]  # fmt: skip


def stack_rows(records: Iterable[Record]) -> list[StackRow]:
    """The examples' stacks in the order of the records."""
    return [
        StackRow(board=r.board, example=r.case, stack_bytes=round(r.value))
        for r in records
        if r.suite == "memory" and r.params.get("kind") == STACK
    ]


def _published_first(feature: str) -> tuple[int, str]:
    known = list(suites.of("memory").published)
    return (known.index(feature) if feature in known else len(known), feature)
