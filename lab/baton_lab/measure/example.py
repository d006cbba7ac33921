# SPDX-License-Identifier: MIT
"""An example of examples/, by its example.toml: its boards, its time limit, and its input."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from baton_lab.base import descriptions
from baton_lab.base.descriptions import DescriptionError
from baton_lab.base.project import Project
from baton_lab.board import emulator
from baton_lab.board.board_files import Board

SPARE_WALL_S = 60.0


class Example(BaseModel):
    """An example.toml: its time limit, what is typed to it, and after how many lines it has shown all.

    It is for every board but those of `except`, which lack what it needs; one with a kernel also wants a port with a
    kernel part, one of async a compiler for C++20, one with threads or
    services Linux, one of asio Boost, one of components the libraries that are under it, one of cortex_m such a core.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    lacking: tuple[str, ...] = Field(default=(), alias="except")
    limit_ms: int = Field(default=10_000, gt=0)
    lines: int | None = Field(default=None, gt=0)
    send: tuple[str, ...] = ()
    memory: bool = False
    kernel: bool = False
    uses_async: bool = Field(default=False, alias="async")
    threads: bool = False
    asio: bool = False
    service: bool = False
    components: bool = False
    cortex_m: bool = False

    @property
    def wants_more(self) -> bool:
        """True where some boards lack what it needs; the build then decides."""
        on_linux = self.threads or self.asio or self.service or self.components
        return on_linux or self.kernel or self.uses_async or self.cortex_m

    def request(self, program: Path, *, stack: bool = False) -> emulator.Request:
        """The request to run a program; with `stack` the depth of its stack is reported."""
        wall_s = self.limit_ms / 1000 + SPARE_WALL_S
        return emulator.Request(program, self.limit_ms, self.lines, self.send, wall_s, stack=stack)


class ExampleError(RuntimeError):
    """An example's description cannot be used; the message names the file, the line and the key."""


def folders(root: Path) -> list[Path]:
    """The examples of the tree, in the order of their numbers."""
    return sorted(path for path in (root / "examples").glob("*") if (path / "main.cpp").is_file())


def program(project: Project, board: Board, folder: Path) -> Path:
    """The built program of an example."""
    return project.preset(board.preset) / "examples" / f"{folder.name}{board.program_suffix}"


def is_for(project: Project, board: Board, folder: Path, described: Example) -> bool:
    """True where a board has the example, by its description or, if it needs more than core, by the build's targets."""
    if board.name in described.lacking:
        return False
    build = project.preset(board.preset) / "build.ninja"
    if not described.wants_more:
        return True
    return build.is_file() and f"example_{folder.name}:" in build.read_text(encoding="utf-8")


def load(folder: Path, known: Sequence[str]) -> Example:
    """Reads the description of an example.

    Errors   ExampleError
    """
    path = folder / "example.toml"
    try:
        example = descriptions.read(path, Example)
    except DescriptionError as error:
        raise ExampleError(str(error)) from error
    strange = [name for name in example.lacking if name not in known]
    if strange:
        says = f"there is no {' '.join(strange)}; boards: {' '.join(known)}"
        raise ExampleError(descriptions.at(path, ("except",), says))
    return example
