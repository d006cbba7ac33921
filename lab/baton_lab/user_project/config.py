# SPDX-License-Identifier: MIT
"""Reads a project's baton.toml; a mistake is named with its line, its key and the remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from baton_lab.base import descriptions, nearest
from baton_lab.base.descriptions import DescriptionError
from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError, Board

FILE = "baton.toml"
HOST = "host"
NAME = r"^[a-z][a-z0-9_-]*$"

Name = Annotated[str, Field(pattern=NAME)]
Patterns = tuple[str, ...]


class Part(BaseModel):
    """A table of baton.toml; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class About(Part):
    """The project: its name, its kind, and the boards that a command without --board means."""

    name: Name
    kind: Literal["device", "service"]
    boards: tuple[str, ...] = (HOST,)

    @model_validator(mode="after")
    def _has_boards(self) -> About:
        if not self.boards:
            raise ValueError('boards is empty; name one, for example boards = ["nano"]')
        if self.kind == "service" and self.boards != (HOST,):
            raise ValueError(f'a service runs on Linux: boards = ["{HOST}"], or leave the key out')
        return self


class Origin(Part):
    """The place that Baton comes from: a folder, a git tag, or the installed baton-lab.

    With `package` the C++ comes from the installed CMake package of that version; the tools come
    from the place.
    """

    folder: str | None = None
    git: str | None = None
    tag: str | None = None
    lab: str | None = None
    package: str | None = None

    @model_validator(mode="after")
    def _is_one_place(self) -> Origin:
        given = [key for key in ("folder", "git", "lab") if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError(f"name one of folder, git and lab; {' and '.join(given) or 'none'} is given")
        if (self.git is None) != (self.tag is None):
            raise ValueError("git and tag go together")
        return self


class Program(Part):
    """The sources of the program, as patterns below the project."""

    sources: Patterns = ("src/*.cpp",)


class Tests(Part):
    """The sources of the tests; each file is a program. Those of `virtual_time` also run on the boards."""

    virtual_time: Patterns = ("test/*_test.cpp",)
    real_time: Patterns = ()


class Bench(Part):
    """The sources of the measured functions; each file is a suite."""

    sources: Patterns = ("bench/*.cpp",)


class Budget(Part):
    """The most bytes that the program may take on a board."""

    flash: int | None = Field(default=None, ge=0)
    ram: int | None = Field(default=None, ge=0)


class Config(Part):
    """A baton.toml."""

    project: About
    baton: Origin
    program: Program = Program()
    tests: Tests = Tests()
    bench: Bench = Bench()
    budget: dict[str, Budget] = {}


def read(path: Path) -> Config:
    """Reads the file.

    Errors   BadInputError
    """
    try:
        return descriptions.read(path, Config)
    except DescriptionError as error:
        raise BadInputError(str(error)) from error


def boards(path: Path, config: Config, tree: Path) -> list[Board]:
    """Returns the boards of the file, as the tree of Baton describes them.

    Errors   BadInputError: there is no such board.
    """
    known = [*board_files.names(tree), *(board.name for board in board_files.on_desks(tree))]
    named = [(name, ("project", "boards")) for name in config.project.boards]
    for name, key in (*named, *((name, ("budget", name)) for name in config.budget)):
        if name not in known:
            raise BadInputError(descriptions.at(path, key, nearest.unknown("board", name, known)))
    return board_files.select(tree, config.project.boards, to_run=False)
