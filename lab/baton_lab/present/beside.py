# SPDX-License-Identifier: MIT
"""The tables of our figures beside others: the peers, the published service framework, variants of our build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from baton_lab.base.records import Record, Unit
from baton_lab.measure import scaling
from baton_lab.measure.board_run import Measured
from baton_lab.measure.interleaved_runs import BARE_QUEUE, PEER, SCOPE
from baton_lab.measure.published_service import (
    FRAMEWORK,
    OPERATIONS,
    STANDARD,
    THREADS,
    PublishedBenchmark,
    service,
)
from baton_lab.measure.scaling import Scaling
from baton_lab.measure.variants import ALL, CONTAINERS, SUITE, VARIANT
from baton_lab.present.grid import Grid, crowded, described, filled, table
from baton_lab.present.machine import named, processors

DECIMALS: dict[Unit, int] = {"ns": 1, "bytes": 0}
START, MEMORY = "start", "event_memory"
GROWTHS = {
    START: ("services", "create, start and stop n services"),
    "event_drain": ("events", "push and take n events"),
}
"""A case with n -> what it has n of, and what it does with them."""

ABREAST = 6
"""Benchmarks in a table of variants: two columns each, so that it fits a terminal."""

Matrix = Mapping[str, Mapping[str, Record]]
"""The records of each variant by the label of the benchmark."""


@dataclass(frozen=True)
class PeerRow:
    """One case: Baton's record, where there is one, and those of the peers that have it."""

    label: str
    ours: Record | None
    theirs: dict[str, Record]

    @property
    def best(self) -> Record:
        """The peer that takes least."""
        return min(self.theirs.values(), key=lambda record: record.value)

    @property
    def over_best(self) -> float | None:
        """Ours over the best peer's, both gross."""
        return None if self.ours is None or self.best.value <= 0 else self.ours.value / self.best.value

    @property
    def least_over_least(self) -> float | None:
        """The ratio of the least repeats of each, which a disturbance cannot have lowered."""
        ours = None if self.ours is None else self.ours.number("min")
        theirs = [value for record in self.theirs.values() if (value := record.number("min"))]
        return ours / min(theirs) if ours is not None and theirs else None


def peer_rows(records: Sequence[Record], unit: Unit) -> list[PeerRow]:
    """The cases that a peer has, in the order of the records, Baton's first."""
    ours = {_peer_label(r): r for r in records if r.unit == unit and PEER not in r.params}
    theirs: dict[str, dict[str, Record]] = {}
    for record in records:
        if record.unit == unit and PEER in record.params:
            theirs.setdefault(_peer_label(record), {})[peer_name(record)] = record
    order = [label for label in ours if label in theirs] + [label for label in theirs if label not in ours]
    return [PeerRow(label, ours.get(label), theirs[label]) for label in order]


def peer_name(record: Record) -> str:
    """A peer's name, with the words that it is less than what it stands beside."""
    return f"{record.params[PEER]} (bare queue)" if is_bare_queue(record) else record.params[PEER]


def is_bare_queue(record: Record) -> bool:
    """True where a peer is a queue alone, without a scheduler or a loop around it."""
    return record.params.get(SCOPE) == BARE_QUEUE


def peer_grids(board: str, suite: str, records: Sequence[Record]) -> list[Grid]:
    """A table for nanoseconds and one for bytes; none where no peer was run."""
    versions = {r.params[PEER]: r.params.get("peer_version", "?") for r in records if PEER in r.params}
    whose = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
    made = []
    for unit, decimals in DECIMALS.items():
        if rows := peer_rows(records, unit):
            how: dict[str, list[str]] = {}  # figures that are no time on the wall, or were counted in another way
            for record in (record for row in rows for record in row.theirs.values() if "by" in record.params):
                how.setdefault(f"{record.case} by {record.params['by']}", []).append(peer_name(record))
            given = {"names": sorted({name for row in rows for name in row.theirs}), "unit": unit, "decimals": decimals}
            has_bare = any(is_bare_queue(record) for row in rows for record in row.theirs.values())
            whom = {"whom": peer_name, "whose": whose, "measured_by": how, "has_bare": has_bare}
            made.append(table("peers", rows, board=board, suite=suite, **whom, **given))
    return made


def each_peer_grids(board: str, suite: str, records: Sequence[Record]) -> list[Grid]:
    """A line for each peer's case, with the least and the most of its repeats."""
    chosen = [record for row in peer_rows(records, "ns") for record in row.theirs.values()]
    return [table("each_peer", chosen, board=board, suite=suite, label=_peer_label, whom=peer_name)] if chosen else []


def _peer_label(record: Record) -> str:
    chosen = {key: value for key, value in record.chosen.items() if key != PEER}
    return " ".join([record.case, *(f"{key}={value}" for key, value in sorted(chosen.items()))])


class Beside(NamedTuple):
    """A case of ours, the published benchmark of the same work, and how often that did it."""

    record: Record
    theirs: PublishedBenchmark
    iterations: int


def service_grids(board: str, records: Sequence[Record], cpus: int | None = None) -> list[Grid]:
    """Returns the tables of growth, memory and published figures, as far as they were measured."""
    beside = [*queue_grids(board, records, cpus), *published_grids(board, records, cpus)]
    return [*growth_grids(board, records), *beside]


def start_growth(records: Sequence[Record]) -> Scaling:
    """The cost of one of n services, on one thread, from its creation to its end."""
    return scaling.of_case(records, START, {"threads": "1"}, ("ns",))


def growth_grids(board: str, records: Sequence[Record]) -> list[Grid]:
    """The cost of one of n services, and of one of n events that wait, a line for each n."""
    made = []
    for case, (things, work) in GROWTHS.items():
        found = scaling.of_case(records, case, {"threads": "1"}, ("ns",))
        counts = scaling.of_case(records, case, {"threads": "1"}, ("instructions",))
        instructions = dict(zip(counts.sizes, counts.each, strict=True))
        points = list(zip(found.sizes, found.each, found.floors, strict=True))
        given = {"exponent": found.exponent, "things": things, "work": work, "instructions": instructions}
        made += [table("growth", points, board=board, **given)] if points else []
    return made


def growth_note(found: Scaling) -> str:
    """The fitted exponent, or why there is none."""
    if found.exponent is None:
        return f"no exponent of n: {len(found.sizes)} sizes, where {scaling.FEWEST} are needed"
    return (
        f"n services take about n ** {found.exponent:.2f}, by least squares of the logarithms of {len(found.sizes)}"
        f" sizes, {found.sizes[0]:,} to {found.sizes[-1]:,}; 1 is linear"
    )


def queue_grids(board: str, records: Sequence[Record], cpus: int | None = None) -> list[Grid]:
    """The most memory that a process held in which so many events waited, a line for each number of threads."""

    def theirs(record: Record) -> float | None:
        same = record.params.get("events") == str(OPERATIONS["event"])
        found = service().of_case("event_drain", _threads(record)) if same else None
        return None if found is None else found.peak_bytes

    chosen = [record for record in records if record.case == MEMORY and record.unit == "bytes"]
    given = {"framework": FRAMEWORK, "published": theirs, "processors": cpus}
    return [table("event_memory", chosen, board=board, **given)] if chosen else []


def published_grids(board: str, records: Sequence[Record], cpus: int | None = None) -> list[Grid]:
    """Our cases that do the work of a published benchmark, beside its figures. No ratio: the machines differ."""
    found = [
        Beside(record, theirs, OPERATIONS[theirs.benchmark] * _threads(record))
        for record in records
        if record.unit == "ns" and (theirs := published(record)) is not None
    ]
    rated = {b.record.params.get("library", ""): b for b in found if b.theirs.bytes_each}
    ours = {name: (b.record.number("bytes_per_s") or 0) * b.record.value / 1e9 for name, b in rated.items()}
    counted = {name: b.theirs.bytes_each or 0 for name, b in rated.items()}
    given = {"processors": cpus, "source": service().source, "ours": _listed(ours), "theirs": _listed(counted)}
    return [table("beside_published", found, board=board, framework=FRAMEWORK, **given)] if found else []


def _listed(bytes_each: dict[str, float]) -> str:
    return ", ".join(f"{each:.0f} bytes with {library}" for library, each in bytes_each.items())


def published(record: Record, built: tuple[str, str] = STANDARD) -> PublishedBenchmark | None:
    """The published benchmark of a record's work, `built` with containers and allocator; None where there is none."""
    chosen = record.chosen
    wanted = str(OPERATIONS[START]) if record.case == START else None
    if record.suite != SUITE or PEER in chosen or chosen.get("n") != wanted:
        return None
    return service().of_case(record.case, _threads(record), chosen.get("library"), built)


def _threads(record: Record) -> int:
    return int(record.number("threads") or 0)


def variant_grids(board: str, runs: Sequence[Measured]) -> list[Grid]:
    """The benchmarks that are published too, and those published figures; then the others. None without a run."""
    matrix = _matrix(runs)
    by_threads: dict[str, dict[str, Record]] = {}
    for records in matrix.values():
        for label, record in records.items():
            by_threads.setdefault(record.params.get("threads", ""), {}).setdefault(label, record)
    count = processors(runs[0][0]) if runs else None
    made: list[Grid] = []
    for threads, benchmarks in by_threads.items():
        same = {label: record for label, record in benchmarks.items() if published(record) is not None}
        title = f"{board}: {SUITE}, variants, threads={crowded(threads, count)}"
        if same:
            made += [*named([_variants(title, matrix, same)], runs[0][0]), _published_variants(threads, same)]
        others = [label for label in benchmarks if label not in same]
        for first in range(0, len(others), ABREAST):
            part = {label: benchmarks[label] for label in others[first : first + ABREAST]}
            made += named([_variants(f"{title}: other cases", matrix, part)], runs[0][0])
    return [*made[:-1], replace(made[-1], notes=(*made[-1].notes, *_notes(runs)))] if made else []


def _variants(title: str, matrix: Matrix, benchmarks: Mapping[str, Record]) -> Grid:
    return table("variants", list(matrix.items()), title=title, benchmarks=benchmarks, heading=_heading)


def _published_variants(threads: str, benchmarks: Mapping[str, Record]) -> Grid:
    """The published rows for as many threads; the machine is another one."""
    built = list(dict.fromkeys((row.containers, row.allocator) for row in service().rows))
    word = next(word for word, number in THREADS.items() if number == int(threads))
    given = {"benchmarks": benchmarks, "heading": _heading, "published": published, "source": service().source}
    return table("published_variants", built, framework=FRAMEWORK, word=word, **given)


def _matrix(runs: Sequence[Measured]) -> Matrix:
    """The records of the runs, in the order in which the variants are listed."""
    found: dict[str, dict[str, Record]] = {}
    for record in (record for _, records in runs for record in records):
        label = record.label.replace(f" {VARIANT}={record.params[VARIANT]}", "")  # equal for what is compared
        found.setdefault(record.params[VARIANT], {})[label] = record
    order = {variant.name: position for position, variant in enumerate(ALL)}
    return {name: found[name] for name in sorted(found, key=lambda name: order.get(name, len(order)))}


def _heading(record: Record) -> str:
    chosen = {key: value for key, value in record.chosen.items() if key not in (VARIANT, "threads")}
    words = [value if key in ("library", "work") else f"{key}={value}" for key, value in chosen.items()]
    return "\n".join([record.case, *words])


def _notes(runs: Sequence[Measured]) -> list[str]:
    """The notes on the compilation and the measurement of the variants."""
    compiled: dict[str, list[str]] = {}
    for run, records in runs:
        compiled.setdefault(f"{run.compiler} {run.flags}", []).append(records[0].params[VARIANT])
    rounds = dict.fromkeys(record.params.get("rounds", "1") for _, records in runs for record in records)
    text = filled(described().shared["variants"], compiled=compiled, rounds=list(rounds), containers=CONTAINERS)
    return text.strip().splitlines()
