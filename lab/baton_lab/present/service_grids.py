# SPDX-License-Identifier: MIT
"""The suite service beside what is published: the same work, its memory, and how a start grows with n."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from baton_lab.base.records import Record
from baton_lab.measure.interleaved_runs import PEER
from baton_lab.present import scaling
from baton_lab.present.grid import Cell, Column, Grid, layout, number, ratio
from baton_lab.present.rows import parameters
from baton_lab.present.scaling import Scaling
from baton_lab.present.service_published import FRAMEWORK, OPERATIONS, STANDARD, PublishedBenchmark, service

SUITE = "service"
START = "start"
MEMORY = "event_memory"
MEGABYTE = 1_000_000
ONE_THREAD = {"threads": "1"}


@dataclass(frozen=True)
class Beside:
    """A case of ours, and the published benchmark of the same work."""

    record: Record
    theirs: PublishedBenchmark


@dataclass(frozen=True)
class Point:
    """So many services, and what one of them takes."""

    n: int
    each: float
    floor: float | None
    exponent: float | None


def grids(board: str, records: Sequence[Record]) -> list[Grid]:
    """Growth, memory and published figures; what was not measured is not among them."""
    return [*growth_grids(board, records), *memory_grids(board, records), *published_grids(board, records)]


def start_growth(records: Sequence[Record]) -> Scaling:
    """What one of n services takes, on one thread, from its creation to its end."""
    return scaling.of_case(records, START, ONE_THREAD, ("ns",))


def growth_grids(board: str, records: Sequence[Record]) -> list[Grid]:
    """What n services take, a line for each n."""
    found = start_growth(records)
    exponents = [None] * (len(found.sizes) - 1) + [found.exponent]
    points = [Point(*each) for each in zip(found.sizes, found.each, found.floors, exponents, strict=False)]
    cells: list[Cell[Point]] = [
        Cell(Column("services"), lambda p: f"{p.n:,}"),
        Cell(Column("nanos each", volatile=True), lambda p: number(p.each, 1)),
        Cell(Column("millis all", volatile=True), lambda p: number(p.n * p.each / 1e6, 3)),
        Cell(Column("floor, each", volatile=True), lambda p: number(p.floor, 1)),
        Cell(Column("x floor", volatile=True), lambda p: ratio(p.each / p.floor if p.floor else None)),
        Cell(Column("fit, n **", volatile=True), lambda p: number(p.exponent, 2)),
    ]
    note = (
        "fit: all n take about a constant times n to the power of this, by least squares of the logarithms; 1 is linear"
    )
    title = f"{board}: {SUITE}, create, start and stop n services, measured"
    return [layout(title, cells, points, [note])] if points else []


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
    cells: list[Cell[Record]] = [
        Cell(Column("threads"), lambda r: r.params.get("threads", "")),
        Cell(Column("events in each"), lambda r: r.params.get("events", "")),
        Cell(Column("MB", volatile=True), lambda r: number(r.value / MEGABYTE, 1)),
        Cell(Column("floor, MB", volatile=True), lambda r: _megabytes(r.floor)),
        Cell(Column(f"{FRAMEWORK} published, MB"), lambda r: _megabytes(_published_memory(r))),
    ]
    notes = ["the most that a process of its own held (VmHWM), program and libraries included; a MB is 1,000,000 bytes"]
    return [layout(f"{board}: {SUITE}, memory of queued events", cells, chosen, notes)] if chosen else []


def _published_memory(record: Record) -> float | None:
    same = record.params.get("events") == str(OPERATIONS["event"])
    found = service().of_case("event_drain", _threads(record)) if same else None
    return None if found is None else found.peak_bytes


def published_grids(board: str, records: Sequence[Record]) -> list[Grid]:
    """Our cases that do the work of a published benchmark, beside its figures. No ratio: the machines differ."""
    found = [Beside(r, theirs) for r in records if r.unit == "ns" and (theirs := published(r)) is not None]
    cells: list[Cell[Beside]] = [
        Cell(Column("case", "text"), lambda b: b.record.case),
        Cell(Column("library", "text", sparse=True), lambda b: b.record.params.get("library", "")),
        Cell(Column("threads"), lambda b: b.record.params.get("threads", "")),
        Cell(Column("baton\nnanos/iter", volatile=True), lambda b: number(b.record.value, 1)),
        Cell(Column("published\nnanos/iter"), lambda b: number(b.theirs.nanos, 1)),
        Cell(Column("baton\nMB/s", sparse=True, volatile=True), lambda b: _megabytes(_count(b.record, "bytes_per_s"))),
        Cell(
            Column("published\nMB/s", sparse=True), lambda b: _megabytes(b.theirs.rate if b.theirs.bytes_each else None)
        ),
        Cell(Column("baton\npeak MB", volatile=True), lambda b: _megabytes(_count(b.record, "peak_bytes"))),
        Cell(Column("published\npeak MB"), lambda b: number(b.theirs.peak_bytes / MEGABYTE, 1)),
        Cell(Column("iters", optional=1), lambda b: str(b.record.iterations)),
        Cell(Column("published\niters", optional=1), lambda b: str(_published_iterations(b))),
    ]
    notes = [
        f"published: {service().source}, containers and allocator of the standard library",
        "ours is measured on this machine and with the compiler named below: another machine, so no ratio is formed",
        f"{FRAMEWORK}'s event benchmark quits when all are pushed, and handles 64 of them; event_drain handles all",
        "peak MB is the whole process's, with as many iterations as each has",
        *_bytes_note(found),
    ]
    title = f"{board}: {SUITE}, beside {FRAMEWORK} as published"
    return [layout(title, cells, found, notes, family=lambda b: b.record.params.get("threads", ""))] if found else []


def _bytes_note(found: Sequence[Beside]) -> list[str]:
    """What the bytes of a rate are, where there is one."""
    theirs = {b.record.params.get("library", ""): b.theirs.bytes_each for b in found if b.theirs.bytes_each}
    if not theirs:
        return []
    ours = {b.record.params.get("library", ""): _bytes_each(b.record) for b in found if b.theirs.bytes_each}
    return [
        "MB/s: bytes of JSON written and bytes read, so the text counts twice a round trip:"
        f" {_listed(ours)}; by its rates and times {FRAMEWORK} counts {_listed(theirs)}"
    ]


def _bytes_each(record: Record) -> float:
    """Bytes that a record's rate counts in an operation."""
    return (_count(record, "bytes_per_s") or 0) * record.value / 1e9


def _listed(bytes_each: dict[str, float]) -> str:
    return ", ".join(f"{each:.0f} bytes with {library}" for library, each in bytes_each.items())


def published(record: Record, built: tuple[str, str] = STANDARD) -> PublishedBenchmark | None:
    """The published benchmark of a record's work, `built` with containers and allocator; None where there is none."""
    chosen = parameters(record)
    if record.suite != SUITE or PEER in chosen or ("n" in chosen and chosen["n"] != str(OPERATIONS[START])):
        return None
    return service().of_case(record.case, _threads(record), chosen.get("library"), built)


def _published_iterations(beside: Beside) -> int:
    return OPERATIONS[beside.theirs.benchmark] * _threads(beside.record)


def _threads(record: Record) -> int:
    text = record.params.get("threads", "")
    return int(text) if text.isdigit() else 0


def _count(record: Record, key: str) -> float | None:
    text = record.params.get(key, "")
    return float(text) if text.isdigit() else None


def _megabytes(value: float | None) -> str:
    return number(None if value is None else value / MEGABYTE, 1)
