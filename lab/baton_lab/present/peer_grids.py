# SPDX-License-Identifier: MIT
"""The tables of a suite beside its peers: what Baton takes, what the best of them takes, and each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from baton_lab.base.records import Record, Unit
from baton_lab.measure.interleaved_runs import PEER
from baton_lab.present.cpu_grids import COUNTED, MEANING
from baton_lab.present.grid import Cell, Column, Grid, layout, number, ratio
from baton_lab.present.rows import parameters

UNITS: tuple[Unit, ...] = ("ns", "bytes")
DECIMALS = {"ns": 1, "bytes": 0}


@dataclass(frozen=True)
class PeerRow:
    """One case: Baton's record, where there is one, and those of the peers that have it."""

    label: str
    case: str
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
        """The same with the least of all repeats of each: what a disturbance cannot have made."""
        ours = None if self.ours is None else least(self.ours)
        theirs = [value for record in self.theirs.values() if (value := least(record))]
        return ours / min(theirs) if ours is not None and theirs else None


def least(record: Record) -> float | None:
    """The least of a record's repeats."""
    return float(record.params["min"]) if "min" in record.params else None


def peer_rows(records: Sequence[Record], unit: Unit) -> list[PeerRow]:
    """The cases that a peer has, in the order of the records, Baton's first."""
    ours: dict[str, Record] = {}
    theirs: dict[str, dict[str, Record]] = {}
    for record in records:
        if record.unit != unit:
            continue
        params = {key: value for key, value in parameters(record).items() if key != PEER}
        label = " ".join([record.case, *(f"{key}={value}" for key, value in sorted(params.items()))])
        if PEER in record.params:
            theirs.setdefault(label, {})[record.params[PEER]] = record
        else:
            ours[label] = record
    order = [label for label in ours if label in theirs] + [label for label in theirs if label not in ours]
    return [PeerRow(label, label.partition(" ")[0], ours.get(label), theirs[label]) for label in order]


def grids(board: str, suite: str, records: Sequence[Record]) -> list[Grid]:
    """A table for nanoseconds and one for bytes; none where no peer was run."""
    versions = {r.params[PEER]: r.params.get("peer_version", "?") for r in records if PEER in r.params}
    whose = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
    note = f"peers: {whose}; a blank is a case that it has not"
    found = [(unit, peer_rows(records, unit)) for unit in UNITS]
    return [_grid(f"{board}: {suite}", unit, rows, note) for unit, rows in found if rows]


def details(board: str, suite: str, records: Sequence[Record]) -> list[Grid]:
    """A line for each peer's case, with the least and the most of its repeats."""
    chosen = [record for row in peer_rows(records, "ns") for record in row.theirs.values()]
    cells: list[Cell[Record]] = [
        Cell(Column("Functionality", "text"), _label),
        Cell(Column("peer", "text"), lambda r: f"{r.params[PEER]} {r.params.get('peer_version', '')}".strip()),
        Cell(Column("nanos/iter"), lambda r: number(r.value, 1)),
        Cell(Column("least"), lambda r: number(least(r), 1)),
        Cell(Column("most"), lambda r: number(float(r.params["max"]) if "max" in r.params else None, 1)),
        Cell(Column("rounds", sparse=True), lambda r: r.params.get("rounds", "")),
    ]
    title = f"{board}: {suite}, each of the peers, measured nanoseconds"
    return [layout(title, cells, chosen, family=_label)] if chosen else []


def _label(record: Record) -> str:
    params = {key: value for key, value in parameters(record).items() if key != PEER}
    return " ".join([record.case, *(f"{key}={value}" for key, value in sorted(params.items()))])


def _grid(what: str, unit: Unit, rows: Sequence[PeerRow], peers: str) -> Grid:
    names = sorted({name for row in rows for name in row.theirs})
    decimals = DECIMALS.get(unit, 1)
    cells: list[Cell[PeerRow]] = [
        Cell(Column("Functionality", "text"), lambda r: r.label),
        Cell(Column("baton", sparse=True, volatile=True), lambda r: _value(r.ours, decimals)),
        Cell(Column("floor", sparse=True, volatile=True), lambda r: number(r.ours.floor if r.ours else None, decimals)),
        Cell(Column("best peer", "text", volatile=True), lambda r: r.best.params[PEER]),
        Cell(Column("x best", sparse=True, volatile=True), lambda r: ratio(r.over_best)),
        Cell(Column("by least", sparse=True, volatile=True), lambda r: ratio(r.least_over_least)),
        *(_peer_cell(name, decimals) for name in names),
    ]
    title = f"{what}, beside its peers, measured {COUNTED[unit]}"
    notes = [MEANING["measured"], *_notes(unit, rows), peers, *_measured_by(rows)]
    return layout(title, cells, rows, notes=notes, family=lambda r: r.case.partition("_")[0])


def _peer_cell(name: str, decimals: int) -> Cell[PeerRow]:
    return Cell(Column(name, optional=1, volatile=True), lambda r: _value(r.theirs.get(name), decimals))


def _value(record: Record | None, decimals: int) -> str:
    return "" if record is None else number(record.value, decimals)


def _notes(unit: Unit, rows: Sequence[PeerRow]) -> list[str]:
    notes = []
    if unit == "ns":
        notes.append("every figure is gross, and the median of rounds in which all the programs take turns")
    if any(row.ours for row in rows):
        notes.append("x best is Baton over the best peer; by least is the same of the least of all repeats")
    return notes


def _measured_by(rows: Sequence[PeerRow]) -> list[str]:
    """What is not a time on the wall, or was not counted as the others' is."""
    how: dict[str, list[str]] = {}
    for record in (record for row in rows for record in row.theirs.values()):
        if "by" in record.params:
            how.setdefault(f"{record.case} by {record.params['by']}", []).append(record.params[PEER])
    return [f"{what}: {', '.join(which)}" for what, which in how.items()]
