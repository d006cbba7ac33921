# SPDX-License-Identifier: MIT
"""Reads the bytes that a board's chip has, and those that each program of the board may take."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from program_size.size import Size

Budgets = dict[str, dict[str, int]]
"""The bytes of `flash` and `ram` that each program may take."""


class Limits(NamedTuple):
    """A chip's memory. Programs of a board without `flash_bytes` have the machine's memory."""

    board: str
    flash_bytes: int | None
    ram_bytes: int | None


def read(description: Path) -> Limits:
    """Reads the limits of a board.toml.

    Errors   OSError, tomllib.TOMLDecodeError
    """
    return of(tomllib.loads(description.read_text(encoding="utf-8")), description)


def of(board: dict[str, Any], description: Path) -> Limits:
    """Returns the limits of a board.toml that was read already."""
    memory = board.get("memory", {})
    name = board.get("name", description.parent.name)
    return Limits(name, memory.get("flash_bytes"), memory.get("ram_bytes"))


def read_budgets(path: Path) -> Budgets:
    """Reads a budgets.toml; a board without one grants nothing.

    Errors   OSError, tomllib.TOMLDecodeError
    """
    granted: Budgets = tomllib.loads(path.read_text(encoding="utf-8"))["budgets"] if path.is_file() else {}
    return granted


class Excess(NamedTuple):
    """A memory of the chip, `flash` or `ram`, that is too small for a program."""

    memory: str
    says: str


def excesses(size: Size, limits: Limits) -> list[Excess]:
    """Returns the memories of the chip that do not hold a program."""
    found = []
    ram = size.ram + size.reserved
    for takes, memory, has in ((size.flash, "flash", limits.flash_bytes), (ram, "RAM", limits.ram_bytes)):
        if has is not None and takes > has:
            says = f"{takes} bytes of {memory}, and {limits.board} has {has}: {takes - has} too many"
            found.append(Excess(memory.lower(), says))
    return found


def too_large(program: str, size: Size, limits: Limits) -> str:
    """Names the first memory of the chip that does not hold the program, or returns nothing."""
    return "".join(f"{program}: takes {excess.says}" for excess in excesses(size, limits)[:1])
