# SPDX-License-Identifier: MIT
"""The suite service beside what is published: the same work, its memory, and how a start grows with n."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from baton_lab.base.records import Record
from baton_lab.measure.interleaved_runs import PEER
from baton_lab.present import scaling
from baton_lab.present.grid import Grid, table
from baton_lab.present.rows import parameters
from baton_lab.present.scaling import Scaling
from baton_lab.present.service_published import FRAMEWORK, OPERATIONS, STANDARD, PublishedBenchmark, service

SUITE = "service"
START = "start"
MEMORY = "event_memory"
ONE_THREAD = {"threads": "1"}


class Beside(NamedTuple):
    """A case of ours, the published benchmark of the same work, and how often that did it."""

    record: Record
    theirs: PublishedBenchmark
    iterations: int


class Point(NamedTuple):
    """So many services, and what one of them takes."""

    n: int
    each: float
    floor: float | None


def grids(board: str, records: Sequence[Record]) -> list[Grid]:
    """Growth, memory and published figures; what was not measured is not among them."""
    return [*growth_grids(board, records), *memory_grids(board, records), *published_grids(board, records)]


def start_growth(records: Sequence[Record]) -> Scaling:
    """What one of n services takes, on one thread, from its creation to its end."""
    return scaling.of_case(records, START, ONE_THREAD, ("ns",))


def growth_grids(board: str, records: Sequence[Record]) -> list[Grid]:
    """What n services take, a line for each n."""
    found = start_growth(records)
    points = [Point(*each) for each in zip(found.sizes, found.each, found.floors, strict=True)]
    return [table("growth", points, board=board, exponent=found.exponent)] if points else []


def growth_note(found: Scaling) -> str:
    """The fitted exponent, or why there is none."""
    if found.exponent is None:
        return f"no exponent of n: {len(found.sizes)} sizes, where {scaling.FEWEST} are needed"
    first, last = found.sizes[0], found.sizes[-1]
    return (
        f"n services take about n ** {found.exponent:.2f}, by least squares of the logarithms of {len(found.sizes)}"
        f" sizes, {first:,} to {last:,}; 1 is linear"
    )


def memory_grids(board: str, records: Sequence[Record]) -> list[Grid]:
    """The most memory that a process held in which so many events waited, a line for each number of threads."""
    chosen = [r for r in records if r.case == MEMORY and r.unit == "bytes"]
    grid = table("event_memory", chosen, board=board, framework=FRAMEWORK, published=_published_memory)
    return [grid] if chosen else []


def _published_memory(record: Record) -> float | None:
    same = record.params.get("events") == str(OPERATIONS["event"])
    found = service().of_case("event_drain", _threads(record)) if same else None
    return None if found is None else found.peak_bytes


def published_grids(board: str, records: Sequence[Record]) -> list[Grid]:
    """Our cases that do the work of a published benchmark, beside its figures. No ratio: the machines differ."""
    found = [
        Beside(r, theirs, OPERATIONS[theirs.benchmark] * _threads(r))
        for r in records
        if r.unit == "ns" and (theirs := published(r)) is not None
    ]
    rated = [b for b in found if b.theirs.bytes_each]  # bytes that a rate counts in an operation
    ours = {b.record.params.get("library", ""): _rate(b.record) * b.record.value / 1e9 for b in rated}
    counted = {b.record.params.get("library", ""): b.theirs.bytes_each or 0 for b in rated}
    given = {"source": service().source, "ours": _listed(ours), "theirs": _listed(counted)}
    return [table("beside_published", found, board=board, framework=FRAMEWORK, **given)] if found else []


def _rate(record: Record) -> float:
    text = record.params.get("bytes_per_s", "")
    return float(text) if text.isdigit() else 0


def _listed(bytes_each: dict[str, float]) -> str:
    return ", ".join(f"{each:.0f} bytes with {library}" for library, each in bytes_each.items())


def published(record: Record, built: tuple[str, str] = STANDARD) -> PublishedBenchmark | None:
    """The published benchmark of a record's work, `built` with containers and allocator; None where there is none."""
    chosen = parameters(record)
    if record.suite != SUITE or PEER in chosen or ("n" in chosen and chosen["n"] != str(OPERATIONS[START])):
        return None
    return service().of_case(record.case, _threads(record), chosen.get("library"), built)


def _threads(record: Record) -> int:
    text = record.params.get("threads", "")
    return int(text) if text.isdigit() else 0
