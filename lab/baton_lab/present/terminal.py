# SPDX-License-Identifier: MIT
"""The tables of a board on the terminal, in the layout that users of such libraries know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.box import Box
from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from baton_lab.base.records import Record
from baton_lab.base.store import IMPORTED, Run
from baton_lab.board import board_facts
from baton_lab.board.board_files import Board
from baton_lab.measure.published import published
from baton_lab.present.grid import Grid
from baton_lab.present.pages import board_grids, board_lines
from baton_lab.present.srr import LAYOUT, Lines

KNOWN_BOX = Box("+-++\n| ||\n|-+|\n| ||\n|-+|\n|-+|\n| ||\n+-++\n", ascii=True)
"""+---+ above and below, |---+---| between: the box of AutoBenchmark's tables."""

PADDING = 2
VERDICTS = {"met": "green", "missed": "bold red", "not measured": "dim"}


def print_board(console: Console, board: Board, runs: Mapping[str, tuple[Run, list[Record]]]) -> None:
    """Prints a board's object sizes, its memory table and its CPU tables.

    Shape    `runs` maps a suite to its run; other suites are not printed.
    """
    console.print(Rule(Text(board.title, style="bold"), align="left"))
    facts = board_facts.facts_of(board)
    sizes = [record for _, records in runs.values() for record in records if record.suite == "sizes"]
    _print_sizes(console, sizes, facts.stands_for or board.name)
    print_grids(console, board_grids(facts, runs, without=["sizes"]))
    _print_lines(console, board_lines(facts, runs))
    _print_sources(console, runs)


def print_grids(console: Console, grids: Sequence[Grid]) -> None:
    """Prints tables, and below them what a reader must know, each once."""
    for grid in grids:
        print_grid(console, grid)
    narrow = [grid for grid in grids if len(fit(grid, console.width).columns) < len(grid.columns)]
    if narrow:
        hidden = dict.fromkeys(name for grid in narrow for name in _left_out(grid, console.width))
        wide = max(map(_total, narrow))
        _print_aside(console, f"left out at {console.width} columns, shown at {wide}: {', '.join(hidden)}")
    for note in dict.fromkeys(note for grid in grids for note in grid.notes):
        _print_aside(console, note)


def print_grid(console: Console, grid: Grid) -> None:
    """Prints one table, without its optional columns where the console is too narrow for them."""
    fitted = fit(grid, console.width)
    console.print(Text(grid.title, style="bold"))
    table = Table(box=KNOWN_BOX, highlight=False)
    for position, column in enumerate(fitted.columns):
        first = position == 0
        table.add_column(
            Text(column.header),
            justify="right" if column.kind == "number" else "left",
            no_wrap=column.kind == "number",
            overflow="fold",
            min_width=None if first else _width(fitted, position),
        )
    room = console.width - _total(fitted) + _width(fitted, 0)
    for index, row in enumerate(fitted.rows):
        if index in fitted.rules:
            table.add_section()
        cells = (broken(row[0], room), *row[1:])
        table.add_row(*(Text(text, style=VERDICTS.get(text, "")) for text in cells))
    console.print(table)
    console.print()


def fit(grid: Grid, width: int) -> Grid:
    """The table without as many of its optional columns as it takes to fit, the most optional first."""
    while _total(grid) > width:
        numbers = [column.optional for column in grid.columns]
        if max(numbers) == 0:
            return grid
        for position in reversed([i for i, each in enumerate(numbers) if each == max(numbers)]):
            grid = grid.without(position)
    return grid


def _left_out(grid: Grid, width: int) -> list[str]:
    """The headers of the columns for which there is no room."""
    names = [Counter(" ".join(column.header.split()) for column in each.columns) for each in (grid, fit(grid, width))]
    return list(names[0] - names[1])


def broken(name: str, width: int) -> str:
    """A name of one word that is too long, broken before its last capital that leaves room enough."""
    if len(name) <= width or " " in name:
        return name
    places = [at for at in range(2, min(width, len(name) - 1) + 1) if name[at].isupper() and name[at - 1].islower()]
    return f"{name[: places[-1]]}\n{name[places[-1] :]}" if places else name


def _total(grid: Grid) -> int:
    return sum(_width(grid, i) + PADDING for i in range(len(grid.columns))) + len(grid.columns) + 1


def _width(grid: Grid, position: int) -> int:
    header = grid.columns[position].header.split("\n")
    cells = (line for row in grid.rows for line in row[position].split("\n"))
    return max(len(text) for text in (*header, *cells))


def _print_sizes(console: Console, sizes: Sequence[Record], published_board: str) -> None:
    ours = [f"sizeof({record.case}): {record.value:.0f}" for record in sizes]
    for record, line in zip(sizes, ours, strict=True):
        shown = Text(line)
        if found := published().size(published_board, record.case):
            gap = " " * (max(map(len, ours)) - len(line) + 4)
            shown.append(f"{gap}{found[1]} of AceRoutine {found[0]}: {found[2]}", style="dim")
        console.print(shown)
    if sizes:
        console.print()


def _print_lines(console: Console, groups: Sequence[Lines]) -> None:
    if groups:
        console.print(Text(f"In the published layout: {LAYOUT}", style="bold"))
    for group in groups:
        console.print(Text(f"# {group.title}", style="dim"))
        for line in group.lines:
            console.print(Text(line))
        console.print()


def _print_sources(console: Console, runs: Mapping[str, tuple[Run, list[Record]]]) -> None:
    by_build: dict[str, list[str]] = {}
    for suite, (run, _) in runs.items():
        number = "" if run.id is None else f" run {run.id}"
        commit = f", commit {run.commit[:10]}{' with changes' if run.dirty else ''}"
        build = run.build if IMPORTED in run.machine else f"{run.build}{commit}"
        by_build.setdefault(build, []).append(f"{suite}{number}")
    for build, suites in by_build.items():
        _print_aside(console, f"{', '.join(suites)}: {build}")


def _print_aside(console: Console, text: str) -> None:
    aside = Table.grid(padding=(0, 1))
    aside.add_row(Text("  *", style="dim"), Text(text, style="dim"))
    console.print(aside)
