# SPDX-License-Identifier: MIT
"""What a board's description says of bytes: the chip's memory, and the budget of each program."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from elf import Size


@dataclass(frozen=True)
class Limits:
    """A board's. One without `flash_bytes` is no chip: its programs have the memory that the machine has."""

    board: str
    flash_bytes: int | None
    ram_bytes: int | None
    budgets: dict[str, dict[str, int]]


def read(description: Path) -> Limits:
    """A board.toml's limits.

    Errors   OSError, tomllib.TOMLDecodeError
    """
    board = tomllib.loads(description.read_text(encoding="utf-8"))
    memory = board.get("memory", {})
    name = board.get("name", description.parent.name)
    return Limits(name, memory.get("flash_bytes"), memory.get("ram_bytes"), board.get("budgets", {}))


def too_large(program: str, size: Size, limits: Limits) -> str:
    """Which memory of the chip does not hold the program, or nothing."""
    ram = size.ram + size.reserved
    for takes, memory, has in ((size.flash, "flash", limits.flash_bytes), (ram, "RAM", limits.ram_bytes)):
        if has is not None and takes > has:
            return f"{program}: takes {takes} bytes of {memory}, and {limits.board} has {has}"
    return ""
