# SPDX-License-Identifier: MIT
"""The tables of a suite beside its peers: what Baton takes, what the best of them takes, and each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from baton_lab.base.records import Record, Unit
from baton_lab.measure.interleaved_runs import PEER
from baton_lab.present.grid import Grid, table
from baton_lab.present.rows import parameters

UNITS: tuple[Unit, ...] = ("ns", "bytes")
DECIMALS: dict[Unit, int] = {"ns": 1, "bytes": 0}


@dataclass(frozen=True)
class PeerRow:
    """One case: Baton's record, where there is one, and those of the peers that have it."""

    label: str
    case: str
    ours: Record | None
    theirs: dict[str, Record]

    @property
    def family(self) -> str:
        """What cases of a kind have in common."""
        return self.case.partition("_")[0]

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
        label = _label(record)
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
    made = []
    for unit in UNITS:
        if rows := peer_rows(records, unit):
            names = sorted({name for row in rows for name in row.theirs})
            given = {"whose": whose, "names": names, "decimals": DECIMALS[unit], "measured_by": _measured_by(rows)}
            made.append(table("peers", rows, board=board, suite=suite, unit=unit, **given))
    return made


def details(board: str, suite: str, records: Sequence[Record]) -> list[Grid]:
    """A line for each peer's case, with the least and the most of its repeats."""
    chosen = [record for row in peer_rows(records, "ns") for record in row.theirs.values()]
    return [table("each_peer", chosen, board=board, suite=suite, label=_label, least=least)] if chosen else []


def _label(record: Record) -> str:
    params = {key: value for key, value in parameters(record).items() if key != PEER}
    return " ".join([record.case, *(f"{key}={value}" for key, value in sorted(params.items()))])


def _measured_by(rows: Sequence[PeerRow]) -> dict[str, list[str]]:
    """What is not a time on the wall, or was not counted as the others' is, and whose."""
    how: dict[str, list[str]] = {}
    for record in (record for row in rows for record in row.theirs.values()):
        if "by" in record.params:
            how.setdefault(f"{record.case} by {record.params['by']}", []).append(record.params[PEER])
    return how
