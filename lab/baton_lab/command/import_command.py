# SPDX-License-Identifier: MIT
"""Runs ./baton import: reads a terminal's saved text, stores its runs and shows them."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from baton_lab.base.notices import say
from baton_lab.base.project import Project
from baton_lab.base.store import IMPORTED, Store
from baton_lab.board import board_files
from baton_lab.board.board_files import Board
from baton_lab.command import bench_command
from baton_lab.measure import board_run, imported
from baton_lab.measure.board_run import BoardResult


@dataclass(frozen=True)
class Wanted:
    """The options: a name for the board, the format of standard output, and whether to store."""

    name: str
    format: str
    keep: bool


def carry_out(project: Project, path: Path, wanted: Wanted) -> int:
    """Imports the file; returns 0 if each record of it is stored, else 1."""
    found = imported.read(path)
    names = imported.names_of(path, found, wanted.name)
    results: dict[str, BoardResult] = {}
    now = datetime.now(UTC)
    with ExitStack() as stack:
        store = stack.enter_context(Store(project.store)) if wanted.keep else None
        for (kind, suite), records in found.runs:
            if kind not in names:
                continue
            result = results.setdefault(kind, BoardResult(_board(project, kind, path)))
            made = imported.describe(path, names[kind], suite, now)
            result.runs[suite] = board_run.keep(made, records, store)  # the table has the last of several
        if others := sorted({kind for (kind, _), _ in found.runs if kind not in names}):
            say(f"{path}: left out, because --board names {' '.join(names)} alone: {' '.join(others)}")
        if unknown := sorted(kind for kind in names if not _described(project, kind).is_file()):
            say(f"{path}: no board of this tree, so nothing but its name is shown: {' '.join(unknown)}")
        for line in found.notes:
            say(line)
        for line in found.problems:
            print(f"baton: {line}", file=sys.stderr)
        bench_command.show(wanted.format, list(results.values()))
        written = store is None or bench_command.write_report(project, list(results.values()), store)
    return 0 if written and not found.problems else 1


def _board(project: Project, kind: str, path: Path) -> Board:
    """The board of the tree, or one that nothing is known of; its title says that it was imported."""
    described = _described(project, kind)
    board = board_files.load(described) if described.is_file() else Board(name=kind, title=kind)
    return board.model_copy(update={"title": f"{board.title}, {IMPORTED} {path.name}"})


def _described(project: Project, kind: str) -> Path:
    return project.root / "boards" / kind / "board.toml"
