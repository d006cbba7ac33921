# SPDX-License-Identifier: MIT
"""The budgets of a board's programs: read and judged by the build (tools/program_size), written here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from baton_lab.base import descriptions
from baton_lab.base.descriptions import DescriptionError
from baton_lab.base.files import write_atomically
from baton_lab.base.project import Project
from baton_lab.board import program_size
from baton_lab.board.board_files import BadInputError, Board, Part
from baton_lab.board.program_size import Sizes
from baton_lab.builds.presets import nm_tool
from baton_lab.measure import example
from baton_lab.measure.baselines import FOLDER

HEADROOM = 0.05
"""A fresh budget is larger than its program by this share, so that a small change keeps to it."""

ROUND_TO = {"flash": 32, "ram": 4}
"""Budgets are multiples of so many bytes; a budget of 0 stays 0."""

HEAD = """# SPDX-License-Identifier: MIT
# The most bytes that each program may take; the build refuses more. ./baton gate --bless writes what is missing.
[budgets]
"""


class Budget(Part):
    """The most bytes that a program may take; a build that takes more fails."""

    flash: int = Field(ge=0)
    ram: int = Field(ge=0)


class Budgets(Part):
    """A budgets.toml: by program, an example's folder or a feature of the memory suite."""

    budgets: dict[str, Budget]


def path_of(project: Project, board: Board) -> Path:
    """The file of a board's budgets, beside its baselines."""
    return project.root / FOLDER / board.name / "budgets.toml"


def read(project: Project, board: Board) -> dict[str, Budget]:
    """Reads the budgets of a board's programs; a board without the file has none.

    Errors   BadInputError
    """
    path = path_of(project, board)
    if not path.is_file():
        return {}
    try:
        return descriptions.read(path, Budgets).budgets
    except DescriptionError as error:
        raise BadInputError(str(error)) from error


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
    """The message of the build about the programs as they stand; empty where each is within its budget."""
    chosen = programs(project, board)
    if not chosen:
        return ""
    nm = nm_tool(project.preset(board.preset))
    return program_size.over_budget(project, board, chosen, path_of(project, board), nm)


def bless(project: Project, board: Board) -> bool:
    """Writes the budgets that are missing or exceeded and drops those without a program; whether the file changed.

    Errors   SizeError, BadInputError
    """
    chosen = programs(project, board)
    if not chosen:
        return False
    path = path_of(project, board)
    sizes = {program.stem: size for program, size in program_size.sizes(chosen).items()}
    old = path.read_text(encoding="utf-8") if path.is_file() else ""
    rows = [_line(name, each) for name, each in granted(read(project, board), sizes).items()]
    new = HEAD + "".join(f"{row}\n" for row in rows)
    if new != old:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, new)
    return new != old


def granted(budgets: Mapping[str, Budget], sizes: Mapping[str, Sizes]) -> dict[str, Budget]:
    """Returns a budget for each program: the old one where the program keeps to it."""
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


def _line(name: str, budget: Budget) -> str:
    return f'"{name}" = {{ flash = {budget.flash}, ram = {budget.ram} }}'
