# SPDX-License-Identifier: MIT
"""The budgets of a board's programs: read and judged by the build (boards/program_size), written here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from baton_lab.base.files import write_atomically
from baton_lab.base.project import Project
from baton_lab.board import program_size
from baton_lab.board.board_files import Board, Budget, load
from baton_lab.board.program_size import Sizes
from baton_lab.builds.presets import nm_tool
from baton_lab.measure import example

HEADROOM = 0.05
"""The share that a budget is larger than the program when it is written, so that not every change meets it."""

ROUND_TO = {"flash": 32, "ram": 4}
"""Budgets are whole numbers of these bytes; nothing stays nothing."""

TABLE = "[budgets]"
COMMENT = (
    "# The most bytes that each program may take; the build refuses more. ./baton gate --bless writes what is missing."
)


def programs(project: Project, board: Board) -> list[Path]:
    """The built programs that need a budget: examples, and those of the suite memory; none without a chip."""
    if board.memory is None:
        return []
    sources = sorted((project.root / "bench" / "suites" / "memory").glob("*.cpp"))
    folder = project.preset(board.preset) / "bench" / "memory"
    found = [example.program(project, board, each) for each in example.folders(project.root)]
    found += [folder / f"{source.stem}{board.program_suffix}" for source in sources]
    return [path for path in found if path.is_file()]


def problems(project: Project, board: Board) -> str:
    """What the build would say of the programs as they stand, or nothing."""
    chosen = programs(project, board)
    return program_size.over_budget(project, board, chosen, nm_tool(project.preset(board.preset))) if chosen else ""


def bless(project: Project, board: Board) -> bool:
    """Writes the budgets that are missing or exceeded and drops those without a program; whether the file changed.

    Errors   SizeError
    """
    chosen = programs(project, board)
    if not chosen:
        return False
    path = program_size.description(project, board)
    sizes = {program.stem: size for program, size in program_size.sizes(chosen).items()}
    old = path.read_text(encoding="utf-8")
    new = with_table(old, granted(load(path).budgets, sizes))
    if new != old:
        write_atomically(path, new)
    return new != old


def granted(budgets: Mapping[str, Budget], sizes: Mapping[str, Sizes]) -> dict[str, Budget]:
    """A budget for each program: the one that it has while it keeps to it."""
    made = {}
    for name, size in sizes.items():
        old = budgets.get(name)
        kept = old is not None and size["flash"] <= old.flash and size["ram"] <= old.ram
        made[name] = old if old and kept else Budget(**{kind: with_headroom(kind, size[kind]) for kind in ROUND_TO})
    return made


def with_headroom(kind: str, size: int) -> int:
    """The budget for a program of that size."""
    step = ROUND_TO[kind]
    return -(-int(size * (1 + HEADROOM)) // step) * step


def with_table(text: str, budgets: Mapping[str, Budget]) -> str:
    """A board.toml's text with these budgets and everything else as it was; a new table comes last."""
    lines = text.splitlines()
    table = [TABLE, COMMENT, *(_line(name, each) for name, each in budgets.items())]
    if TABLE not in lines:
        return "\n".join([*lines, "", *table]) + "\n"
    begin = lines.index(TABLE)
    end = next((i for i in range(begin + 1, len(lines)) if lines[i].startswith("[")), len(lines))
    while not _belongs(lines[end - 1]):
        end -= 1
    return "\n".join([*lines[:begin], *table, *lines[end:]]) + "\n"


def _belongs(line: str) -> bool:
    """Whether a line before the next table is the budgets' own: not a blank line, nor a comment on that table."""
    return line in (TABLE, COMMENT) or not (line.startswith("#") or not line.strip())


def _line(name: str, budget: Budget) -> str:
    return f'"{name}" = {{ flash = {budget.flash}, ram = {budget.ram} }}'
