# SPDX-License-Identifier: MIT
"""The generated blocks of the READMEs: which tables a name stands for, and which runs they are made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from baton_lab.grid import Grid
from baton_lab.grids import cpu_grids, idle_grid, memory_grid, size_grid
from baton_lab.records import Record
from baton_lab.rows import cpu_rows, idle_rows, memory_rows, size_rows
from baton_lab.store import Run
from baton_lab.targets import judge, load, target_grid

Need = tuple[str, str]
"""A board and a suite."""

Latest = Callable[[str, str], tuple[Run, list[Record]] | None]

VOLATILE_BOARD = "host"
"""Its times depend on the machine, and its counts and sizes on the compiler: never stale for their values."""

SIMULATED = ("nano", "promicro")
CPU_KINDS = ("auto", "channel", "select")
KINDS = ("summary", *CPU_KINDS, "idle", "sizes", "memory", "host")


class UnknownBlockError(ValueError):
    """There is no block of that name; the message says which there are."""


@dataclass(frozen=True)
class Context:
    """Where the figures come from: the latest run of a board and suite, and a board's clock in MHz."""

    latest: Latest
    mhz: Callable[[str], float | None]

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
    """The block of a name: a kind, then the boards where the kind takes them.

    Errors   UnknownBlockError
    """
    kind, *boards = name.split() or [""]
    if kind not in KINDS or (kind in CPU_KINDS and len(boards) != 1):
        raise UnknownBlockError(
            f"there is no block {name!r}; blocks: summary, auto BOARD, channel BOARD, select BOARD, idle [BOARD...],"
            " sizes [BOARD...], memory [BOARD...], host"
        )
    makers: dict[str, Callable[[str, Sequence[str], Context], Block]] = {
        "summary": _summary,
        **dict.fromkeys(CPU_KINDS, _cpu),
        "idle": _idle,
        "sizes": _sizes,
        "memory": _memory,
        "host": _host,
    }
    block = makers[kind](kind, boards, context)
    return Block(name, block.needs, block.grids)


def _summary(kind: str, boards: Sequence[str], context: Context) -> Block:
    targets = load()
    board = boards[0] if boards else SIMULATED[0]
    needs = dict.fromkeys((t.board, suite) for t in targets.target if t.board == board for suite in t.suites)
    title = f"The targets on the {board}, by the latest records"
    return Block(kind, tuple(needs), (target_grid(title, judge(targets, context.records, board)),))


def _cpu(kind: str, boards: Sequence[str], context: Context) -> Block:
    [board] = boards
    rows = cpu_rows(context.records(board, kind), context.mhz(board))
    return Block(kind, ((board, kind),), tuple(cpu_grids(board, kind, rows)))


def _idle(kind: str, boards: Sequence[str], context: Context) -> Block:
    needs = _needs(boards or SIMULATED, kind)
    rows = idle_rows(record for need in needs for record in context.records(*need))
    return Block(kind, needs, (idle_grid(rows),) if rows else ())


def _sizes(kind: str, boards: Sequence[str], context: Context) -> Block:
    boards = boards or (*SIMULATED, VOLATILE_BOARD)
    needs = _needs(boards, kind)
    rows = size_rows(record for need in needs for record in context.records(*need))
    return Block(kind, needs, (size_grid(boards, rows),) if rows else ())


def _memory(kind: str, boards: Sequence[str], context: Context) -> Block:
    needs = _needs(boards or SIMULATED, kind)
    found = [(board, memory_rows(context.records(board, kind))) for board, _ in needs]
    return Block(kind, needs, tuple(memory_grid(board, rows) for board, rows in found if rows))


def _host(kind: str, boards: Sequence[str], context: Context) -> Block:
    needs = tuple((VOLATILE_BOARD, suite) for suite in CPU_KINDS)
    grids = [grid for need in needs for grid in cpu_grids(*need, cpu_rows(context.records(*need)))]
    return Block(kind, needs, tuple(grids))


def _needs(boards: Sequence[str], suite: str) -> tuple[Need, ...]:
    return tuple((board, suite) for board in boards)
