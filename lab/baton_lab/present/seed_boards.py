# SPDX-License-Identifier: MIT
"""The documents of AceRoutine: its tables of each board, ours by the board that stands for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from baton_lab.base.records import Record
from baton_lab.board.board_facts import BoardFacts
from baton_lab.measure import sketch_times, sketches
from baton_lab.measure.published import DIRECTORY, PublishedBoard, Table, load, published
from baton_lab.measure.seeds import Document, Ours, seeds, stand_ins
from baton_lab.present.grid import table
from baton_lab.present.seed_rows import UNITS, Figure, Row, Shown, Source, figure, missing, of_row, reasons, records_of


@cache
def _table(file: str) -> Table:
    return load(DIRECTORY / file, Table)


def _of_boards(document: Document, source: Source, name: str, rows: Callable[..., list[Row]]) -> list[Shown]:
    stand_for = stand_ins(source.facts)
    made = []
    for theirs in _table(document.file).boards:
        facts = stand_for.get(theirs.board, BoardFacts(theirs.board, absent="no board of ours stands for it"))
        if facts.absent:
            facts = replace(facts, absent=f"no figure of ours is of the {theirs.title}: {facts.absent}")
        found = rows(document, theirs, facts, source)
        if found:
            given = {"theirs": theirs, "board": facts, "document": document, "reasons": reasons(found)}
            made.append(Shown(table(name, found, **given, has_here=any(row.here for row in found)), found))
    return made


def _cpu_rows(document: Document, theirs: PublishedBoard, facts: BoardFacts, source: Source) -> list[Row]:
    first = seeds().ours(document.rows, theirs.rows[0].functionality)

    @cache
    def records(suite: str) -> list[Record]:
        return records_of(source, facts, suite)

    def beside(ours: Ours) -> Figure | str:
        suite = ours.suite or document.suite
        found = ours.find(records(suite), UNITS)
        if found is None:
            return _unmeasured(facts, suite, ours)
        same = [each for each in first if each.suite == ours.suite]
        base = next((each for each in same if each.label == ours.label), same[0])
        return figure(found, facts, base.find(records(suite), UNITS))

    made: list[Row] = []
    for row in theirs.rows:
        name = row.functionality
        here = published().simulated(theirs.board, name) if document.here else None
        line = Row(name, name, row, here=here)
        made += of_row(line, seeds().ours(document.rows, name), beside, facts.absent)
    return made


def _unmeasured(facts: BoardFacts, suite: str, ours: Ours) -> str:
    if suite == sketch_times.SUITE and facts.name not in sketches.BOARDS:
        return f"no sketch is built for our {facts.name}: Debian's Arduino core has boards of AVR alone"
    return missing(facts.name, suite, ours)


def _size_rows(document: Document, theirs: PublishedBoard, facts: BoardFacts, source: Source) -> list[Row]:
    records = records_of(source, facts, "sizes")

    def beside(ours: Ours) -> Figure | str:
        found = ours.find(records, ("bytes",))
        return figure(found, facts) if found else missing(facts.name, "sizes", ours)

    made: list[Row] = []
    for name, size in theirs.sizes_bytes.items():
        line = Row(f"sizeof({name})", f"sizeof({name})", size)
        made += of_row(line, seeds().ours(document.sizes, name), beside, facts.absent)
    return made


def cpu(document: Document, source: Source) -> list[Shown]:
    """The sizes and the times on each board."""
    times = _of_boards(document, source, "seeds_cpu", _cpu_rows)
    sizes = _of_boards(document, source, "seeds_sizes", _size_rows) if document.sizes else []
    return [each for pair in zip(sizes, times, strict=True) for each in pair] if sizes else times


def _memory_rows(document: Document, theirs: PublishedBoard, facts: BoardFacts, source: Source) -> list[Row]:
    records = records_of(source, facts, document.suite)

    def beside(ours: Ours) -> Figure | str:
        flash, ram = (ours.find(records, ("bytes",), kind=kind) for kind in ("flash", "ram"))
        if flash is None or ram is None:
            return missing(facts.name, document.suite, ours)
        return replace(figure(flash, facts), peak=ram.value)

    made: list[Row] = []
    for row in theirs.rows:
        name = row.functionality
        here = published().simulated_flash(theirs.board, name) if document.here else None
        line = Row(name, name, row, here=here)
        made += of_row(line, seeds().ours(document.rows, name), beside, facts.absent)
    return made


def memory(document: Document, source: Source) -> list[Shown]:
    """Flash and RAM on each board."""
    return _of_boards(document, source, "seeds_memory", _memory_rows)
