# SPDX-License-Identifier: MIT
"""What a board is: its folder's board.toml, read and checked."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from baton_lab import packages
from baton_lab.packages import DEFAULT_BOARDS


class BadInputError(ValueError):
    """Something that a person named does not exist or does not fit; the message says what does."""


class Emulator(BaseModel):
    """Which simulator runs the board's programs, and what it has to be told."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["simavr"]
    mcu: str
    hz: int = Field(gt=0)
    uart: int = Field(ge=0)


class Memory(BaseModel):
    """What the chip has."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    flash_bytes: int = Field(gt=0)
    ram_bytes: int = Field(gt=0)


class SetUp(BaseModel):
    """What has to be installed before the board's programs can be built and run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    packages: tuple[str, ...] = ()


class Board(BaseModel):
    """A board of boards/. Without an emulator its programs run on this machine."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    preset: str
    mhz: int | None = None
    emulator: Emulator | None = None
    memory: Memory | None = None
    setup: SetUp = SetUp()

    @property
    def presets(self) -> tuple[str, ...]:
        """The builds that ./baton test makes of the board: the host's also with the other compiler and sanitizers."""
        return ("host", "host-clang", "host-asan") if self.emulator is None else (self.preset,)

    @property
    def program_suffix(self) -> str:
        """The end of the name of a built program."""
        return "" if self.emulator is None else ".elf"


def load(path: Path) -> Board:
    """A board.toml.

    Errors   BadInputError, which names the file and the key.
    """
    try:
        board = Board.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"{path}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise BadInputError(f"{path}: {key}: {first['msg']}") from error
    if board.name != path.parent.name:
        raise BadInputError(f"{path}: name is {board.name!r} and the folder is {path.parent.name!r}")
    return board


def names(root: Path) -> list[str]:
    """The boards of the tree, the default ones first."""
    found = {path.parent.name for path in (root / "boards").glob("*/board.toml")}
    return [name for name in DEFAULT_BOARDS if name in found] + sorted(found.difference(DEFAULT_BOARDS))


def select(root: Path, wanted: Sequence[str]) -> list[Board]:
    """The boards of these names; where none is named, the default ones and those that are already set up.

    Errors   BadInputError: there is no such board.
    """
    known = names(root)
    for name in wanted:
        if name not in known:
            raise BadInputError(f"there is no board {name!r}; boards: {' '.join(known)}")
    chosen = list(dict.fromkeys(wanted)) or [name for name in known if name in DEFAULT_BOARDS or _is_set_up(root, name)]
    return [load(root / "boards" / name / "board.toml") for name in chosen]


def _is_set_up(root: Path, name: str) -> bool:
    return not packages.missing(packages.board_packages(root, [name]))


def left_out(root: Path, chosen: Sequence[Board]) -> list[str]:
    """The boards of the tree that are not among the chosen ones."""
    return [name for name in names(root) if name not in {board.name for board in chosen}]


def toolchain(root: Path, board: Board) -> str:
    """Whether the board's packages are there, or the command that gets them."""
    lacking = packages.missing(packages.board_packages(root, [board.name]))
    return f"missing {' '.join(lacking)}: ./baton setup {board.name}" if lacking else "ready"
