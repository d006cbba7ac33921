# SPDX-License-Identifier: MIT
"""The matrix of the variants, as it is published elsewhere: a row a variant, time and peak of memory a benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from baton_lab.base.records import Record
from baton_lab.measure.board_run import Measured
from baton_lab.measure.variants import ALL, CONTAINERS, SUITE, VARIANT
from baton_lab.present.grid import Grid, table
from baton_lab.present.rows import parameters
from baton_lab.present.service_grids import published
from baton_lab.present.service_published import FRAMEWORK, THREADS, service

ABREAST = 6
"""Benchmarks in a table: two columns each, so that it fits a terminal."""


@dataclass(frozen=True)
class VariantRow:
    """What one variant took for each benchmark of the suite, by the benchmark's label."""

    name: str
    records: dict[str, Record]

    def time(self, label: str) -> float | None:
        """A benchmark's figure."""
        return self.records[label].value if label in self.records else None

    def peak(self, label: str) -> str | None:
        """The most memory that the process of a benchmark held, as its record has it."""
        return self.records[label].params.get("peak_bytes", "") if label in self.records else None


def grids(board: str, runs: Sequence[Measured]) -> list[Grid]:
    """The benchmarks that are published too, and those published figures; then the others. None without a run."""
    rows = _rows(runs)
    if not rows:
        return []
    by_threads: dict[str, dict[str, Record]] = {}
    for row in rows:
        for label, record in row.records.items():
            by_threads.setdefault(record.params.get("threads", ""), {}).setdefault(label, record)
    made: list[Grid] = []
    for threads, benchmarks in by_threads.items():
        same = {label: record for label, record in benchmarks.items() if published(record) is not None}
        title = f"{board}: {SUITE}, variants, threads={threads}"
        tables = [(title, same)] if same else []
        others = [label for label in benchmarks if label not in same]
        tables += [(f"{title}: other cases", {each: benchmarks[each] for each in part}) for part in _abreast(others)]
        for name, chosen in tables:
            made.append(table("variants", rows, title=name, benchmarks=chosen, heading=_heading))
            if chosen is same:
                made.append(_published_matrix(threads, same))
    return [*made[:-1], replace(made[-1], notes=(*made[-1].notes, *_notes(runs)))]


def _published_matrix(threads: str, benchmarks: dict[str, Record]) -> Grid:
    """Its rows for as many threads; the machine is another one."""
    built = list(dict.fromkeys((row.containers, row.allocator) for row in service().rows))
    word = next(word for word, number in THREADS.items() if number == int(threads))
    given = {"benchmarks": benchmarks, "heading": _heading, "published": published, "source": service().source}
    return table("published_variants", built, framework=FRAMEWORK, word=word, **given)


def _rows(runs: Sequence[Measured]) -> list[VariantRow]:
    """In the matrix's order, whatever that of the runs."""
    found: dict[str, dict[str, Record]] = {}
    for _, records in runs:
        for record in records:
            found.setdefault(record.params[VARIANT], {})[_label(record)] = record
    order = {variant.name: position for position, variant in enumerate(ALL)}
    return [VariantRow(name, found[name]) for name in sorted(found, key=lambda name: order.get(name, len(order)))]


def _label(record: Record) -> str:
    """A benchmark, without the variant: equal for what is compared."""
    return " ".join([record.case, *(f"{k}={v}" for k, v in parameters(record).items() if k != VARIANT)])


def _heading(record: Record) -> str:
    chosen = {key: value for key, value in parameters(record).items() if key not in (VARIANT, "threads")}
    words = [value if key in ("library", "work") else f"{key}={value}" for key, value in chosen.items()]
    return "\n".join([record.case, *words])


def _abreast(labels: Sequence[str]) -> Iterator[Sequence[str]]:
    for first in range(0, len(labels), ABREAST):
        yield labels[first : first + ABREAST]


def _notes(runs: Sequence[Measured]) -> list[str]:
    """How the variants were compiled, and how they were measured."""
    compiled: dict[str, list[str]] = {}
    rounds: dict[str, None] = {}
    for run, records in runs:
        compiled.setdefault(f"{run.compiler} {run.flags}", []).append(records[0].params[VARIANT])
        rounds.update(dict.fromkeys(record.params.get("rounds", "1") for record in records))
    numbers = " or ".join(rounds)
    return [
        f"ns: nanoseconds an operation, gross, the median of {numbers} rounds in which all variants take turns",
        "peak MB: the most that a process of its own held (VmHWM), program and libraries included, in any round",
        f"no variants of {CONTAINERS}",
        *(f"{', '.join(names)}: {how}" for how, names in compiled.items()),
    ]
