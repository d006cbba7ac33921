# SPDX-License-Identifier: MIT
"""Finds the project that a command means: the nearest folder with a baton.toml, upward from here."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base import nearest, project
from baton_lab.base.modules import TABLE
from baton_lab.base.project import Project
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.user_project import config
from baton_lab.user_project.config import FILE, HOST, Config

TOLD = "BATON_PROJECT"
"""The launcher of a project names the project by this variable."""


@dataclass(frozen=True)
class UserProject:
    """A project of a user's own, with what its baton.toml says."""

    root: Path
    config: Config
    boards: tuple[Board, ...]
    tree: Path

    @property
    def lab(self) -> Project:
        """The project as the lab's modules take it."""
        return Project(self.root, beside=self.tree)

    @property
    def name(self) -> str:
        """The name of the project, and of its program."""
        return self.config.project.name

    @property
    def file(self) -> Path:
        """The project's baton.toml."""
        return self.root / FILE

    def chosen(self, names: list[str] | tuple[str, ...]) -> list[Board]:
        """Returns the boards of these names, which the project has; without names, all of its own.

        Errors   BadInputError
        """
        here = {board.name: board for board in (*self.boards, host(self))}
        for name in names:
            if name not in here:
                close = nearest.among(name, tuple(here))
                remedy = f"Did you mean {close!r}?" if close else "Add it to [project] boards"
                raise BadInputError(f"{FILE} of {self.name} has no board {name!r}; it has {' '.join(here)}. {remedy}")
        return [here[name] for name in dict.fromkeys(names)] if names else list(self.boards)

    def program(self, board: Board) -> Path:
        """Returns the built program."""
        return self.root / "build" / board.name / f"{self.name}{board.program_suffix}"


def here(start: Path | None = None, tree: Path = project.ROOT) -> UserProject | None:
    """Returns the project of the current folder; None in Baton's own tree, and where no project is.

    Errors   BadInputError: its baton.toml is wrong.
    """
    told = os.environ.get(TOLD)
    root = Path(told) if told and start is None else find((start or Path.cwd()).resolve())
    return None if root is None else load(root, tree)


def find(start: Path) -> Path | None:
    """Returns the nearest folder with a baton.toml, from `start` upward as far as a tree of Baton."""
    for folder in (start, *start.parents):
        if (folder / FILE).is_file():
            return folder
        if (folder / TABLE).is_file() and (folder / "lab" / "baton_lab").is_dir():
            return None
    return None


def load(root: Path, tree: Path = project.ROOT) -> UserProject:
    """Reads the project of a folder. The host is always one of its boards, for its tests.

    Errors   BadInputError
    """
    path = root / FILE
    read = config.read(path)
    return UserProject(root, read, tuple(config.boards(path, read, tree)), tree)


def host(mine: UserProject) -> Board:
    """Returns the board `host`, on which the tests in virtual time run first."""
    from baton_lab.board import board_files

    return board_files.select(mine.tree, [HOST])[0]
