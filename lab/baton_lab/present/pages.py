# SPDX-License-Identifier: MIT
"""Which tables stand where: those of a board, those of all boards, and the named blocks of the generated files.

The terminal, the report and the files of `suites.pages()` take their tables from here, and suites.toml says which
tables a suite has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from baton_lab.base.records import Record
from baton_lab.base.store import Run
from baton_lab.board import board_facts
from baton_lab.board.board_facts import HOST, BoardFacts, Facts
from baton_lab.measure import suites
from baton_lab.present import all_boards, peer_grids, realtime_grids, service_grids
from baton_lab.present.board_tables import cpu_grids, idle_grids, known_grids, memory_grid, size_grid
from baton_lab.present.grid import Grid
from baton_lab.present.rows import CpuRow, cpu_rows, idle_rows, memory_rows, size_rows, stack_rows
from baton_lab.present.srr import MODELLED_BOARD, Lines, lines, modelled_grid, published_grid
from baton_lab.present.srr import SUITE as SRR
from baton_lab.present.targets import judge, load, target_grid

Need = tuple[str, str]
"""A board and a suite."""

Runs = Mapping[str, tuple[Run, list[Record]]]
"""What a board's suites gave."""

DETAILED = ("nano", "promicro")
"""Boards with tables of their own, beside those across all boards."""

BLOCKS = (
    "summary, targets [BOARD...], boards, auto BOARD, channel BOARD, select BOARD, srr BOARD, async BOARD,"
    " service BOARD, across SUITE, published, modelled, idle [BOARD...], sizes [BOARD...], memory [BOARD...], host,"
    " realtime BOARD"
)


class UnknownBlockError(ValueError):
    """There is no block of that name; the message says which there are."""


@dataclass(frozen=True)
class Context:
    """Where the figures come from: the latest run of a board and suite, and what is known of the boards."""

    latest: Callable[[str, str], tuple[Run, list[Record]] | None]
    facts: Facts

    @property
    def counted(self) -> list[str]:
        """The boards whose figures are counted, in the order of the tables."""
        return board_facts.counted(self.facts)

    def records(self, board: str, suite: str) -> list[Record]:
        """The latest records; none where nothing is stored."""
        found = self.latest(board, suite)
        return [] if found is None else found[1]

    def rows(self, boards: Iterable[str], suite: str) -> list[CpuRow]:
        """The rows of these boards' latest records."""
        return [row for board in boards for row in rows_of(self.board(board), self.records(board, suite))]

    def board(self, name: str) -> BoardFacts:
        """What is known of a board; of a real one what is known of its kind."""
        return replace(board_facts.of(self.facts, name), name=name)


@dataclass(frozen=True)
class Block:
    """What a name stands for."""

    name: str
    needs: tuple[Need, ...]
    grids: tuple[Grid, ...]


def rows_of(facts: BoardFacts, records: Iterable[Record]) -> list[CpuRow]:
    """The rows of a board's records, with its clock and what is published beside it."""
    return cpu_rows(records, facts.mhz, facts.stands_for)


Maker = Callable[[BoardFacts, str, Sequence[Record]], list[Grid]]
MAKERS: dict[str, Maker] = {
    "cpu": lambda facts, suite, records: cpu_grids(facts.name, suite, rows_of(facts, records)),
    "modelled": lambda facts, suite, records: modelled_grid(rows_of(facts, records)),
    "peers": lambda facts, suite, records: peer_grids.grids(facts.name, suite, records),
    "service": lambda facts, suite, records: service_grids.grids(facts.name, records),
    "realtime": lambda facts, suite, records: realtime_grids.grids(facts.name, records),
    "idle": lambda facts, suite, records: idle_grids(idle_rows(records)),
    "sizes": lambda facts, suite, records: _sizes_of([facts], records),
    "memory": lambda facts, suite, records: _memory_of(facts.name, records),
}
"""The tables that suites.toml names."""

NOT_IN_FILES = frozenset({"modelled", "peers"})
"""Tables that are in no board's block: one has a block of its own, and the other differs from run to run."""


def _sizes_of(boards: Sequence[BoardFacts], records: Iterable[Record]) -> list[Grid]:
    rows = size_rows(records, {each.name: each.stands_for or each.name for each in boards})
    return [size_grid([each.name for each in boards], rows)] if rows else []


def _memory_of(board: str, records: Iterable[Record]) -> list[Grid]:
    own = [record for record in records if record.board == board]
    rows = memory_rows(own)
    return [*([memory_grid(board, rows)] if rows else []), *all_boards.memory_grids([], stack_rows(own))]


def board_grids(facts: BoardFacts, runs: Runs, without: Collection[str] = ()) -> list[Grid]:
    """Every table of one board, in the order in which suites are shown, but those of the kinds `without`."""
    return [
        grid
        for suite in suites.as_shown(runs)
        for kind in suites.of(suite).tables
        if kind not in without
        for grid in MAKERS[kind](facts, suite, runs[suite][1])
    ]


def board_lines(facts: BoardFacts, runs: Runs) -> list[Lines]:
    """The board's lines in the published layout, and the published ones."""
    return lines(rows_of(facts, runs[SRR][1])) if SRR in runs else []


def across_grids(facts: Facts, boards: Mapping[str, BoardFacts], runs: Mapping[str, Runs]) -> list[Grid]:
    """The tables of all boards, suite by suite: `boards` are those that have `runs`."""
    records = [record for of_board in runs.values() for _, of_suite in of_board.values() for record in of_suite]
    counted = [record for record in records if record.board != HOST]
    grids = [all_boards.board_grid(facts)] if facts else []
    cpu = [row for name, each in runs.items() for _, found in each.values() for row in rows_of(boards[name], found)]
    for suite in dict.fromkeys(row.suite for row in cpu):
        rows = [row for row in cpu if row.suite == suite and row.board != HOST]
        grids += [*all_boards.cpu_grids(suite, rows), *all_boards.access_grids(suite, rows)]
        grids += all_boards.published_grids(suite, rows)
        grids += [published_grid(), *modelled_grid(rows)] if suite == SRR else []
    grids += [*idle_grids(idle_rows(counted)), *_sizes_of(list(boards.values()), records)]
    return grids + all_boards.memory_grids(memory_rows(counted), stack_rows(records))


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
    needs, grids = _BLOCKS.get(kind, _of_board)(kind, words, context)
    return Block(name, tuple(needs), tuple(grids))


Made = tuple[Iterable[Need], Iterable[Grid]]


def _summary(kind: str, boards: Sequence[str], context: Context) -> Made:
    board = boards[0] if boards else DETAILED[0]
    return _judged([board], f"The targets on the {board}, by the latest records", context)


def _targets(kind: str, boards: Sequence[str], context: Context) -> Made:
    others = board_facts.ordered(dict.fromkeys(target.board for target in load().target))
    chosen = boards or [board for board in others if board not in (*DETAILED, HOST)]
    return _judged(chosen, "The targets on the other boards, by the latest records", context)


def _judged(boards: Sequence[str], title: str, context: Context) -> Made:
    targets = load()
    needs = dict.fromkeys((t.board, suite) for t in targets.target if t.board in boards for suite in t.suites)
    rows = [row for board in boards for row in judge(targets, context.records, board)]
    return needs, [target_grid(title, rows)]


def _boards(kind: str, words: Sequence[str], context: Context) -> Made:
    return (), [all_boards.board_grid(context.facts)] if context.facts else ()


def _of_board(suite: str, boards: Sequence[str], context: Context) -> Made:
    found = {board: context.latest(board, suite) for board in boards}
    grids = [
        grid
        for board, run in found.items()
        if run is not None
        for grid in board_grids(context.board(board), {suite: run}, NOT_IN_FILES)
    ]
    return [(board, suite) for board in boards], grids


def _across(kind: str, words: Sequence[str], context: Context) -> Made:
    [suite] = words
    real_time = [board for board in context.counted if context.facts[board].is_real_time]
    grids = all_boards.cpu_grids(suite, context.rows(context.counted, suite), real_time)
    return [(board, suite) for board in context.counted], grids


def _published(kind: str, words: Sequence[str], context: Context) -> Made:
    """Beside the boards with tables of their own: those that stand for a published one."""
    boards = [name for name in context.counted if context.facts[name].is_beside_published and name not in DETAILED]
    found = {suite.name: context.rows(boards, suite.name) for suite in suites.known() if suite.takes_time}
    grids = []
    for suite, rows in found.items():
        for board in boards:
            timed = [row for row in rows if row.board == board and row.figure.unit == "cycles"]
            grids += known_grids(board, suite, timed) if timed else []
    grids += [grid for suite, rows in found.items() for grid in all_boards.published_grids(suite, rows)]
    beside = [suite for suite, rows in found.items() if any(row.published for row in rows)]
    return [(board, suite) for suite in beside for board in boards], grids


def _modelled(kind: str, words: Sequence[str], context: Context) -> Made:
    """What is published about send, receive, reply, and ours as it would be there."""
    return [(MODELLED_BOARD, SRR)], [published_grid(), *modelled_grid(context.rows([MODELLED_BOARD], SRR))]


def _idle(kind: str, boards: Sequence[str], context: Context) -> Made:
    needs = [(board, kind) for board in boards or context.counted]
    return needs, idle_grids(idle_rows(record for need in needs for record in context.records(*need)))


def _sizes(kind: str, boards: Sequence[str], context: Context) -> Made:
    needs = [(board, kind) for board in boards or (*context.counted, HOST)]
    facts = [context.board(board) for board, _ in needs]
    return needs, _sizes_of(facts, [record for need in needs for record in context.records(*need)])


def _memory(kind: str, boards: Sequence[str], context: Context) -> Made:
    needs = [(board, kind) for board in boards or context.counted]
    found = {board: context.records(board, kind) for board, _ in needs}
    grids = [memory_grid(board, rows) for board in DETAILED if (rows := memory_rows(found.get(board, ())))]
    others = [record for board, records in found.items() if board not in DETAILED for record in records]
    everywhere = [record for records in found.values() for record in records]
    return needs, [*grids, *all_boards.memory_grids(memory_rows(others), stack_rows(everywhere))]


def _host(kind: str, boards: Sequence[str], context: Context) -> Made:
    """This machine's times, but those of suites with a block of their own."""
    own = {block.partition(" ")[0] for blocks in suites.pages().values() for block in blocks if block.endswith(HOST)}
    names = [suite.name for suite in suites.known() if suite.takes_time and suite.name not in own]
    grids = [grid for name in names for grid in cpu_grids(HOST, name, cpu_rows(context.records(HOST, name)))]
    return [(HOST, name) for name in names], grids


_BLOCKS: dict[str, Callable[[str, Sequence[str], Context], Made]] = {
    "summary": _summary,
    "targets": _targets,
    "boards": _boards,
    "across": _across,
    "published": _published,
    "modelled": _modelled,
    "idle": _idle,
    "sizes": _sizes,
    "memory": _memory,
    "host": _host,
    "realtime": _of_board,
}
