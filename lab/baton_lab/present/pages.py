# SPDX-License-Identifier: MIT
"""The place of each table: those of a board, those of all boards, and the named blocks of the generated files.

The terminal, the report and the files of `suites.pages()` take their tables from here, and suites.toml says which
tables a suite has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

from baton_lab.base.records import Record
from baton_lab.base.store import Run
from baton_lab.board import board_facts
from baton_lab.board.board_facts import HOST, BoardFacts, Facts
from baton_lab.board.board_files import BadInputError
from baton_lab.measure import suites
from baton_lab.measure.targets import judge, load
from baton_lab.measure.variants import SUITE as VARIED
from baton_lab.present import beside, seeds, srr, tables, thread_metric, timing_page
from baton_lab.present.grid import Grid
from baton_lab.present.machine import named, processors
from baton_lab.present.rows import Case, cases, features, idle_rows
from baton_lab.present.seed_rows import Source

Need = tuple[str, str]
"""A board and a suite."""

Found = tuple[Run, list[Record]]
Runs = Mapping[str, Found]
"""The run of each suite of a board."""

VARIANTS = "variants"
"""Stands for a suite of the host: the newest session of variants of the suite service."""

DETAILED = ("nano", "promicro")
"""Boards with tables of their own, beside those across all boards."""

BLOCKS = """summary, disciplines [host], targets [BOARD...], boards, auto BOARD, channel BOARD, compat BOARD, \
select BOARD, srr BOARD, async BOARD, service BOARD, across SUITE, published, timing, modelled, rtos, \
idle [BOARD...], sizes [BOARD...], memory [BOARD...], host, realtime BOARD, variants, seeds [DOCUMENT...]"""


class UnknownBlockError(ValueError):
    """There is no block of that name; the message says which there are."""


@dataclass(frozen=True)
class Context:
    """The source of the figures: the latest run of a board and suite, and what is known of the boards."""

    latest: Callable[[str, str], Found | None]
    facts: Facts
    variants: Callable[[], Sequence[Found]] = list

    @property
    def of_seeds(self) -> Source:
        """The same figures for the published documents; variants count as a suite of the host."""

        def variants() -> Sequence[Found]:
            self.latest(HOST, VARIANTS)
            return self.variants()

        return Source(self.latest, variants, self.facts)

    @property
    def counted(self) -> list[str]:
        """The boards whose figures are counted, in the order of the tables."""
        return board_facts.counted(self.facts)

    def records(self, boards: Iterable[str], suite: str) -> list[Record]:
        """The latest records of these boards; none where nothing is stored."""
        found = [self.latest(board, suite) for board in boards]
        return [record for run in found if run for record in run[1]]

    def rows(self, boards: Iterable[str], suite: str) -> list[Case]:
        """The rows of these boards' latest records."""
        return [row for board in boards for row in rows_of(self.board(board), self.records([board], suite))]

    def board(self, name: str) -> BoardFacts:
        """The facts of a board; of a real one those of its kind."""
        return replace(board_facts.of(self.facts, name), name=name)


@dataclass(frozen=True)
class Block:
    """The tables that a name stands for, and the runs that they need."""

    name: str
    needs: tuple[Need, ...]
    grids: tuple[Grid, ...]


def rows_of(facts: BoardFacts, records: Iterable[Record]) -> list[Case]:
    """The rows of a board's records, with its clock and what is published beside it."""
    return cases(records, facts.mhz, facts.stands_for, facts.processors)


def on(facts: BoardFacts, run: Run) -> BoardFacts:
    """The board as the run found it: this machine with its processors."""
    return replace(facts, processors=processors(run))


def _memory_of(board: str, records: Sequence[Record]) -> list[Grid]:
    own = [record for record in records if record.board == board]
    return [*tables.memory_grid(board, features(own)), *tables.memory_grids([], own)]


def _stands_for(boards: Iterable[BoardFacts]) -> dict[str, str]:
    return {each.name: each.stands_for or each.name for each in boards}


MAKERS: dict[str, Callable[[BoardFacts, str, Sequence[Record]], list[Grid]]] = {
    "cpu": lambda facts, suite, records: tables.cpu_grids(facts.name, suite, rows_of(facts, records)),
    "modelled": lambda facts, suite, records: srr.modelled_grid(rows_of(facts, records)),
    "peers": lambda facts, suite, records: beside.peer_grids(facts.name, suite, records),
    "service": lambda facts, suite, records: beside.service_grids(facts.name, records, facts.processors),
    "realtime": lambda facts, suite, records: tables.realtime_grids(facts.name, records),
    "idle": lambda facts, suite, records: tables.idle_grids(idle_rows(records)),
    "sizes": lambda facts, suite, records: tables.size_grids(_stands_for([facts]), records),
    "memory": lambda facts, suite, records: _memory_of(facts.name, records),
}
"""The functions that make the tables of a kind that suites.toml names, from a board's facts, the suite and its records.

The blocks of the written files are another thing: `_BLOCKS`.
"""

NOT_IN_FILES = frozenset({"modelled", "peers"})
"""Tables that are in no board's block: `modelled` has a block of its own, and `peers` differs from run to run."""


def board_grids(facts: BoardFacts, runs: Runs, without: Collection[str] = ()) -> list[Grid]:
    """Every table of one board, in the order in which suites are shown, but those of the kinds `without`."""
    kinds = [(suite, kind) for suite in suites.as_shown(runs) for kind in suites.of(suite).tables]
    made: list[Grid] = []
    for suite, kind in kinds:
        run, records = runs[suite]
        made += named(MAKERS[kind](on(facts, run), suite, records), run) if kind not in without else []
    return made


def board_lines(facts: BoardFacts, runs: Runs) -> list[srr.Lines]:
    """The board's lines in the published layout, and the published ones."""
    return srr.lines(rows_of(facts, runs[srr.SUITE][1])) if srr.SUITE in runs else []


def across_grids(facts: Facts, boards: Mapping[str, BoardFacts], runs: Mapping[str, Runs]) -> list[Grid]:
    """The tables of all boards, suite by suite: `boards` are those that have `runs`."""
    records = [record for of_board in runs.values() for _, of_suite in of_board.values() for record in of_suite]
    counted = [record for record in records if record.board != HOST]
    grids = [tables.board_grid(facts)] if facts else []
    cpu = [row for name, each in runs.items() for _, found in each.values() for row in rows_of(boards[name], found)]
    for suite in dict.fromkeys(row.record.suite for row in cpu):
        rows = [row for row in cpu if row.record.suite == suite and row.record.board != HOST]
        grids += [*tables.across_grids(suite, rows), *tables.access_grids(suite, rows)]
        grids += tables.published_grids(suite, rows)
        grids += srr.published_grids(rows) if suite == srr.SUITE else []
        grids += [thread_metric.published_grid()] if suite == thread_metric.SUITE else []
    grids += [*tables.idle_grids(idle_rows(counted)), *tables.size_grids(_stands_for(boards.values()), records)]
    return grids + tables.memory_grids(features(counted), records)


def make(name: str, context: Context) -> Block:
    """The block of a name: a kind, then the boards or the suite where the kind takes them.

    Errors   UnknownBlockError
    """
    kind, *words = name.split() or [""]
    timed = [suite.name for suite in suites.known() if suite.takes_time]
    takes_one = kind in (*timed, "across", "realtime")
    known = kind in (*timed, *_BLOCKS) and (not takes_one or len(words) == 1)
    if not known or (kind == "across" and words[0] not in timed):
        raise UnknownBlockError(f"there is no block {name!r}; blocks: {BLOCKS}")
    needs: dict[Need, None] = {}

    def latest(board: str, suite: str) -> Found | None:
        needs[board, suite] = None
        return context.latest(board, suite)

    noting = replace(context, latest=latest)
    grids = _BLOCKS[kind](words, noting) if kind in _BLOCKS else _of_board(kind, words, noting)
    return Block(name, tuple(needs), tuple(grids))


def _judged(boards: Sequence[str], title: str, context: Context) -> list[Grid]:
    rows = judge(load(), lambda board, suite: context.records([board], suite), boards)
    return [tables.target_grid(title, sorted(rows, key=lambda row: boards.index(row.target.board)))]


def _summary(boards: Sequence[str], context: Context) -> list[Grid]:
    board = boards[0] if boards else DETAILED[0]
    return _judged([board], f"The targets on the {board}, by the latest records", context)


def _disciplines(words: Sequence[str], context: Context) -> list[Grid]:
    """A row for each discipline: of boards by the targets, or on the host by the documents."""
    if words == [HOST]:
        found = context.latest(HOST, VARIED)
        grid = seeds.disciplines(context.of_seeds)
        return named([grid], found[0]) if found else [grid]
    shown = load().model_copy(update={"target": tuple(each for each in load().target if each.discipline)})
    titles = {name: facts.title for name, facts in context.facts.items()}
    rows = judge(shown, lambda board, suite: context.records([board], suite))
    return [tables.discipline_grid(rows, titles)]


def _targets(boards: Sequence[str], context: Context) -> list[Grid]:
    others = board_facts.ordered(dict.fromkeys(target.board for target in load().target))
    chosen = boards or [board for board in others if board not in (*DETAILED, HOST)]
    return _judged(chosen, "The targets on the other boards, by the latest records", context)


def _of_board(suite: str, boards: Sequence[str], context: Context) -> list[Grid]:
    found = [(context.board(board), run) for board in boards if (run := context.latest(board, suite))]
    return [grid for facts, run in found for grid in board_grids(facts, {suite: run}, NOT_IN_FILES)]


def _across(words: Sequence[str], context: Context) -> list[Grid]:
    real_time = [board for board in context.counted if context.facts[board].is_real_time]
    return tables.across_grids(words[0], context.rows(context.counted, words[0]), real_time)


def _published(words: Sequence[str], context: Context) -> list[Grid]:
    """Beside the boards with tables of their own: those that stand for a published one."""
    boards = [name for name in context.counted if context.facts[name].stands_for and name not in DETAILED]
    names = [suite.name for suite in suites.known() if suite.takes_time and suite.published]
    found = {suite: context.rows(boards, suite) for suite in names}
    grids = []
    for suite, board in product(found, boards):
        timed = [row for row in found[suite] if row.record.board == board and row.record.unit == "cycles"]
        grids += tables.known_grids(board, suite, timed)
    return grids + [grid for suite, rows in found.items() for grid in tables.published_grids(suite, rows)]


def _timing(words: Sequence[str], context: Context) -> list[Grid]:
    """Approximate cycles, their deviations, and what is published where there are none."""

    def rows(board: str) -> list[Case]:
        facts = context.board(board)
        names = [s.name for s in suites.known() if board in s.timed or (facts.no_time and s.published and s.takes_time)]
        return [row for name in names for row in context.rows([board], name)]

    return timing_page.grids(context.facts, rows) if context.facts else []


def _sizes(boards: Sequence[str], context: Context) -> list[Grid]:
    chosen = boards or [*context.counted, HOST]
    return tables.size_grids(_stands_for(map(context.board, chosen)), context.records(chosen, "sizes"))


def _memory(boards: Sequence[str], context: Context) -> list[Grid]:
    """A table for each board with tables of its own, then those of all others."""
    records = context.records(boards or context.counted, "memory")
    rows = features(records)
    own = [tables.memory_grid(name, [row for row in rows if row.board == name]) for name in DETAILED]
    return [*chain(*own), *tables.memory_grids([row for row in rows if row.board not in DETAILED], records)]


def _host(words: Sequence[str], context: Context) -> list[Grid]:
    """This machine's times, but those of suites with a block of their own."""
    own = {block.partition(" ")[0] for blocks in suites.pages().values() for block in blocks if block.endswith(HOST)}
    names = [suite.name for suite in suites.known() if suite.takes_time and suite.name not in own]
    made: list[Grid] = []
    for name in names:
        if found := context.latest(HOST, name):
            run, records = found
            made += named(tables.cpu_grids(HOST, name, rows_of(on(context.board(HOST), run), records)), run)
    return made


def variant_grids(runs: Sequence[Found]) -> list[Grid]:
    """The matrix of a session of variants; none without a run."""
    return beside.variant_grids(HOST, runs)


def _seeds(names: Sequence[str], context: Context) -> list[Grid]:
    """The lines of these documents; where none is named, the summary of all."""
    try:
        return seeds.grids(names, context.of_seeds) if names else [seeds.summary(context.of_seeds)]
    except BadInputError as error:
        raise UnknownBlockError(str(error)) from error


_BLOCKS: dict[str, Callable[[Sequence[str], Context], list[Grid]]] = {
    "summary": _summary,
    "disciplines": _disciplines,
    "targets": _targets,
    "boards": lambda words, context: [tables.board_grid(context.facts)] if context.facts else [],
    "across": _across,
    "published": _published,
    "timing": _timing,
    "modelled": lambda words, context: srr.published_grids(context.rows([srr.MODELLED_BOARD], srr.SUITE)),
    "rtos": lambda words, context: thread_metric.grids(context.rows(context.counted, thread_metric.SUITE)),
    "idle": lambda words, context: tables.idle_grids(idle_rows(context.records(words or context.counted, "idle"))),
    "sizes": _sizes,
    "memory": _memory,
    "host": _host,
    "realtime": lambda words, context: _of_board("realtime", words, context),
    "variants": lambda words, context: variant_grids(context.of_seeds.variants()),
    "seeds": _seeds,
}
