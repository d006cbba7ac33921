# SPDX-License-Identifier: MIT
"""The published documents in their own form, ours beside each row. seeds.toml has the rows, tables.toml the columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from baton_lab.base.store import Run, Store
from baton_lab.board.board_facts import HOST, BoardFacts, all_of
from baton_lab.measure.published_service import HeadRow
from baton_lab.measure.published_srr import TOO_LARGE, rounds
from baton_lab.measure.seeds import EVERY, Document, Ours, committed, seeds, select
from baton_lab.measure.variants import SUITE as VARIED
from baton_lab.present import seed_boards, seed_service, srr
from baton_lab.present.grid import Grid, table
from baton_lab.present.rows import cases
from baton_lab.present.seed_rows import Figure, Found, Row, Shown, Source, figure, missing, of_row, reasons, records_of


def stored(root: Path, store: Store) -> tuple[Source, Collection[str]]:
    """The stored runs, and committed baselines where none is stored; and the names of those, as they are read."""
    facts, blessed = all_of(root), dict[str, None]()

    def latest(board: str, suite: str) -> Found | None:
        found = store.latest(board, suite)
        records = [] if found or board not in facts else committed(facts[board], suite, root)
        if not records:
            return found
        blessed[f"{board} {suite}"] = None
        made = Run(started=datetime.now(UTC), board=board, suite=suite, commit="", dirty=False, compiler="", flags="")
        return made, records

    return Source(latest, lambda: store.latest_variants(HOST, VARIED), facts), blessed


@dataclass(frozen=True)
class Page:
    """A document as tables."""

    document: Document
    tables: tuple[Shown, ...]

    @property
    def grids(self) -> list[Grid]:
        """The tables alone."""
        return [each.grid for each in self.tables]


def page(document: Document, source: Source) -> Page:
    """A document."""
    return Page(document, tuple(_LAYOUTS[document.layout](document, source)))


def grids(names: Iterable[str], source: Source) -> list[Grid]:
    """The tables of these documents.

    Errors   BadInputError: there is no such document.
    """
    return [grid for document in select(names) for grid in page(document, source).grids]


def disciplines(source: Source) -> Grid:
    """The disciplines of services, ours beside the others'."""
    [document] = select(["ichor"])
    return table("linux_disciplines", seed_service.disciplines(document, source))


def summary(source: Source) -> Grid:
    """A line for each document: its rows, those with ours beside them, and how ours were obtained."""
    return table("seeds", [page(document, source) for document in seeds().document], line=_summed)


def _summed(made: Page) -> dict[str, Any]:
    published = [each.rows for each in made.tables if not isinstance(each.rows[0].theirs, HeadRow)]
    best = [row for rows in published for row in _best(rows)]
    ways = Counter(row.ours.obtained for row in best if row.ours)
    ratios = [row.ratio for row in best if row.ratio]
    return {
        "lines": len(best),
        "ours": ways.total(),
        "obtained": ",\n".join(f"{count} {way}" for way, count in ways.items()),
        "least": min(ratios, default=None),
        "most": max(ratios, default=None),
    }


def _best(rows: Sequence[Row]) -> list[Row]:
    """One line for each row of the document: the first of its lines that has ours."""
    found: dict[str, Row] = {}
    for row in rows:
        if row.is_first or (row.ours and not found[row.group].ours):
            found[row.group] = row
    return list(found.values())


@dataclass(frozen=True)
class Round:
    """A published line, with the names that its words have in the other documents."""

    optimized: str
    caches: str
    first: str
    size: int
    printed: int
    micros_per_iter: float
    diff_micros: float = 0.0


def _rounds(document: Document, source: Source) -> list[Shown]:
    facts = source.facts.get(document.board, BoardFacts(document.board))
    records = records_of(source, facts, document.suite)
    modelled = {trip.row.record.identity: trip for trip in srr.modelled(cases(records, facts.mhz))}
    made: list[Row] = []
    for row in rounds().rows:
        words = {"bytes": str(row.message_bytes), "first": row.first_to_block}
        words["optimized"] = "yes" if row.optimized else "no"

        def beside(ours: Ours, words: Mapping[str, str] = words, caches: bool = row.caches) -> Figure | str:
            found = ours.find(records, ("instructions",), **words)
            if found is None:
                return missing(facts.name, document.suite, ours)
            trip = modelled.get(found.identity)
            return _round(trip, caches) if trip else figure(found, facts)

        shown = Round(
            "opt" if row.optimized else "noopt", srr.CACHES[row.caches], row.first_to_block[0].upper(),
            row.message_bytes, row.published_figure, row.micros_per_srr,
        )  # fmt: skip
        group = f"{shown.optimized} {shown.caches} {shown.first} {shown.size}"
        made += of_row(Row(group, group, shown), seeds().ours(document.rows, EVERY), beside)
    given = {"document": document, "board": facts, "factor": TOO_LARGE, "reasons": reasons(made)}
    return [Shown(table("seeds_rounds", made, **given, source=rounds().source), made)]


def _round(trip: srr.ModelledRound, caches: bool) -> Figure:
    """The microseconds of the model; with caches as the round trips before left them."""
    return Figure(trip.row.record, trip.warm if caches else trip.without_caches, "us", "modelled")


_LAYOUTS: dict[str, Callable[[Document, Source], list[Shown]]] = {
    "cpu": seed_boards.cpu,
    "memory": seed_boards.memory,
    "rounds": _rounds,
    "service": seed_service.lines,
}
