# SPDX-License-Identifier: MIT
"""The generated blocks of the READMEs: which tables a name stands for, and which runs they are made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from baton_lab.base.records import Record
from baton_lab.base.store import Run
from baton_lab.board import board_facts
from baton_lab.board.board_facts import HOST, Facts
from baton_lab.present import all_boards, realtime_grids, service_grids
from baton_lab.present.byte_grids import memory_grid, size_grid
from baton_lab.present.byte_rows import memory_rows, size_rows, stack_rows
from baton_lab.present.cpu_grids import cpu_grids, idle_grids, known_grids
from baton_lab.present.grid import Grid
from baton_lab.present.rows import CpuRow, cpu_rows, idle_rows
from baton_lab.present.srr_grids import MODELLED_BOARD, modelled_grid, published_grid
from baton_lab.present.targets import judge, load, target_grid

Need = tuple[str, str]
"""A board and a suite."""

Latest = Callable[[str, str], tuple[Run, list[Record]] | None]


DETAILED = ("nano", "promicro")
"""Boards with tables of their own, beside those across all boards."""

SUITE_KINDS = ("auto", "channel", "select", "srr", "async", service_grids.SUITE)
KINDS = (
    *("summary", "targets", "boards", *SUITE_KINDS, "across", "published", "modelled"),
    *("idle", "sizes", "memory", "host", realtime_grids.SUITE),
)


class UnknownBlockError(ValueError):
    """There is no block of that name; the message says which there are."""


@dataclass(frozen=True)
class Context:
    """Where the figures come from: the latest run of a board and suite, and what is known of the boards."""

    latest: Latest
    facts: Facts

    @property
    def counted(self) -> list[str]:
        """The boards whose figures are counted, in the order of the tables."""
        return board_facts.counted(self.facts)

    def records(self, board: str, suite: str) -> list[Record]:
        """The latest records; none where nothing is stored."""
        found = self.latest(board, suite)
        return [] if found is None else found[1]


@dataclass(frozen=True)
class Block:
    """What a name stands for."""

    name: str
    needs: tuple[Need, ...]
    grids: tuple[Grid, ...]


def make(name: str, context: Context) -> Block:
    """The block of a name: a kind, then the boards or the suite where the kind takes them.

    Errors   UnknownBlockError
    """
    kind, *words = name.split() or [""]
    takes_one = kind in (*SUITE_KINDS, "across", realtime_grids.SUITE)
    if kind not in KINDS or (takes_one and len(words) != 1) or (kind == "across" and words[0] not in SUITE_KINDS):
        raise UnknownBlockError(
            f"there is no block {name!r}; blocks: summary, targets [BOARD...], boards, auto BOARD, channel BOARD,"
            " select BOARD, srr BOARD, async BOARD, service BOARD, across SUITE, published, modelled,"
            " idle [BOARD...], sizes [BOARD...], memory [BOARD...], host, realtime BOARD"
        )
    makers: dict[str, Callable[[str, Sequence[str], Context], Block]] = {
        "summary": _summary,
        "targets": _targets,
        "boards": _boards,
        **dict.fromkeys(SUITE_KINDS, _cpu),
        "across": _across,
        "published": _published,
        "modelled": _modelled,
        "idle": _idle,
        "sizes": _sizes,
        "memory": _memory,
        "host": _host,
        realtime_grids.SUITE: _realtime,
    }
    block = makers[kind](kind, words, context)
    return Block(name, block.needs, block.grids)


def _summary(kind: str, boards: Sequence[str], context: Context) -> Block:
    board = boards[0] if boards else DETAILED[0]
    return _judged(kind, [board], f"The targets on the {board}, by the latest records", context)


def _targets(kind: str, boards: Sequence[str], context: Context) -> Block:
    others = board_facts.ordered(dict.fromkeys(target.board for target in load().target))
    chosen = boards or [board for board in others if board not in (*DETAILED, HOST)]
    return _judged(kind, chosen, "The targets on the other boards, by the latest records", context)


def _judged(kind: str, boards: Sequence[str], title: str, context: Context) -> Block:
    targets = load()
    needs = dict.fromkeys((t.board, suite) for t in targets.target if t.board in boards for suite in t.suites)
    rows = [row for board in boards for row in judge(targets, context.records, board)]
    return Block(kind, tuple(needs), (target_grid(title, rows),))


def _boards(kind: str, words: Sequence[str], context: Context) -> Block:
    return Block(kind, (), (all_boards.board_grid(context.facts),) if context.facts else ())


def _cpu(kind: str, boards: Sequence[str], context: Context) -> Block:
    [board] = boards
    grids = cpu_grids(board, kind, _cpu_rows(board, kind, context))
    grids += service_grids.grids(board, context.records(board, kind)) if kind == service_grids.SUITE else []
    return Block(kind, ((board, kind),), tuple(grids))


def _cpu_rows(board: str, suite: str, context: Context) -> list[CpuRow]:
    facts = board_facts.of(context.facts, board)
    return cpu_rows(context.records(board, suite), facts.mhz, facts.stands_for)


def _across(kind: str, words: Sequence[str], context: Context) -> Block:
    [suite] = words
    rows = [row for board in context.counted for row in _cpu_rows(board, suite, context)]
    real_time = [board for board in context.counted if context.facts[board].is_real_time]
    return Block(kind, _needs(context.counted, suite), tuple(all_boards.cpu_grids(suite, rows, real_time)))


def _published(kind: str, words: Sequence[str], context: Context) -> Block:
    """Beside the boards with tables of their own: those that stand for a published one."""
    boards = [name for name in context.counted if context.facts[name].is_beside_published and name not in DETAILED]
    found = [(suite, [row for board in boards for row in _cpu_rows(board, suite, context)]) for suite in SUITE_KINDS]
    timed = [(board, suite, rows) for suite, of_all in found for board in boards
             if (rows := [row for row in of_all if row.board == board and row.figure.unit == "cycles"])]  # fmt: skip
    grids = [grid for each in timed for grid in known_grids(*each)]
    grids += [grid for suite, rows in found for grid in all_boards.published_grids(suite, rows)]
    needs = [(board, suite) for suite, rows in found for board in boards if any(row.published for row in rows)]
    return Block(kind, tuple(needs), tuple(grids))


def _modelled(kind: str, words: Sequence[str], context: Context) -> Block:
    """What is published about send, receive, reply, and ours as it would be there."""
    rows = _cpu_rows(MODELLED_BOARD, "srr", context)
    return Block(kind, _needs((MODELLED_BOARD,), "srr"), (published_grid(), *modelled_grid(rows)))


def _idle(kind: str, boards: Sequence[str], context: Context) -> Block:
    needs = _needs(boards or context.counted, kind)
    rows = idle_rows(record for need in needs for record in context.records(*need))
    return Block(kind, needs, tuple(idle_grids(rows)))


def _sizes(kind: str, boards: Sequence[str], context: Context) -> Block:
    boards = boards or (*context.counted, HOST)
    needs = _needs(boards, kind)
    stands_for = {name: each.stands_for or name for name, each in context.facts.items()}
    rows = size_rows((record for need in needs for record in context.records(*need)), stands_for)
    return Block(kind, needs, (size_grid(boards, rows),) if rows else ())


def _memory(kind: str, boards: Sequence[str], context: Context) -> Block:
    needs = _needs(boards or context.counted, kind)
    found = {board: context.records(board, kind) for board, _ in needs}
    grids = [memory_grid(board, rows) for board in DETAILED if (rows := memory_rows(found.get(board, ())))]
    others = [record for board, records in found.items() if board not in DETAILED for record in records]
    everywhere = [record for records in found.values() for record in records]
    return Block(kind, needs, (*grids, *all_boards.memory_grids(memory_rows(others), stack_rows(everywhere))))


def _host(kind: str, boards: Sequence[str], context: Context) -> Block:
    needs = tuple(
        (HOST, suite) for suite in SUITE_KINDS if suite != service_grids.SUITE
    )  # which has a block of its own
    grids = [grid for need in needs for grid in cpu_grids(*need, cpu_rows(context.records(*need)))]
    return Block(kind, needs, tuple(grids))


def _realtime(kind: str, boards: Sequence[str], context: Context) -> Block:
    [board] = boards
    return Block(kind, ((board, kind),), tuple(realtime_grids.grids(board, context.records(board, kind))))


def _needs(boards: Sequence[str], suite: str) -> tuple[Need, ...]:
    return tuple((board, suite) for board in boards)
