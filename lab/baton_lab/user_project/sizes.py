# SPDX-License-Identifier: MIT
"""Shows what takes the bytes of a project's program, by feature and by symbol, against its budget."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from baton_lab.board import program_size
from baton_lab.board.board_files import Board
from baton_lab.board.program_size import SizeError, Sizes
from baton_lab.builds.presets import nm_tool
from baton_lab.user_project.config import Budget
from baton_lab.user_project.place import UserProject

WIDTH = 80
SHOWN = 12
NM_LIMIT_S = 60.0
OWN, LIBRARY, REST = "your program", "compiler and C library", "vectors, alignment, constants"
_IN_RAM_ONLY, _IN_BOTH = (".bss", ".noinit", ".tbss", "COMMON"), (".data", ".tdata", ".init_array", ".got")
"""The beginnings of the names of sections with variables: without a start value, and with one."""
_MODULES = (
    (re.compile(r"\bbaton::(?:\w+::)?(kernel|async|asio|service|components|devices|sim)::"), r"baton \1"),
    (
        re.compile(r"\bbaton::(?:board|port|port_detail|avr|arm|cortex_m|bare_metal|hosted|host|family)\b"),
        "board and port",
    ),
    (re.compile(r"\bbaton_(?:avr|start|end|halt|crash|vectors|mark)\w*"), "board and port"),
    (re.compile(r"\bbaton(?:_\w+|::)"), "baton core"),
)
_BODY = re.compile(r"\bbaton::coroutine<(?!baton::)([^,>]+)")
_OF_COMPILER = re.compile(
    r"^(_|mem(cpy|set|move|cmp)\b|str\w+$|std::|operator (new|delete)|boost::|vtable for (std|boost)|typeinfo|"
    r"abort$|exit$|malloc$|free$)"
)


@dataclass(frozen=True)
class Symbol:
    """A named part of a program, and what it belongs to."""

    bytes: int
    name: str
    in_flash: bool
    in_ram: bool

    @property
    def feature(self) -> str:
        """The user's program, a module of Baton, the board, or the compiler's libraries."""
        if _BODY.search(self.name):
            return OWN
        for pattern, name in _MODULES:
            if found := pattern.search(own_name(self.name)):
                return found.expand(name) if "\\" in name else name
        return LIBRARY if _OF_COMPILER.search(own_name(self.name)) else OWN


def own_name(name: str) -> str:
    """Returns a name without its parameters, template arguments and result, whose types may be another module's."""
    head = re.split(r"[<(]", name, maxsplit=1)[0].strip()
    return head if "operator" in head else head.rpartition(" ")[2]


def symbols(nm: str, program: Path) -> list[Symbol]:
    """Returns the symbols of a program, the largest first.

    Errors   SizeError: the toolchain's nm does not read it.
    """
    command = [nm, "--format=sysv", "--radix=d", "--demangle", str(program)]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=NM_LIMIT_S)
    except OSError as error:
        raise SizeError(f"{nm}: {error.strerror}") from error
    if answer.returncode != 0:
        raise SizeError(answer.stderr.strip())
    return sorted(read(answer.stdout.splitlines()), key=lambda each: -each.bytes)


def read(lines: Iterable[str]) -> Iterable[Symbol]:
    """Reads the lines of nm: name, address, class, type, size, line, section. An alias does not count."""
    seen: set[tuple[str, str]] = set()
    for line in lines:
        name, *words = (word.strip() for word in line.rsplit("|", 6))
        if len(words) != 6 or not words[3].isdigit() or not int(words[3]) or (words[0], words[3]) in seen:
            continue
        seen.add((words[0], words[3]))
        only_in_ram = words[5].startswith(_IN_RAM_ONLY)
        in_ram = only_in_ram or words[5].startswith(_IN_BOTH)
        yield Symbol(int(words[3]), name, in_flash=not only_in_ram, in_ram=in_ram)


def by_feature(found: Sequence[Symbol], whole: Sizes) -> list[tuple[str, int, int]]:
    """Returns the features with their bytes of flash and RAM, the largest first; the rest has no name."""
    sums: dict[str, list[int]] = {}
    for each in found:
        row = sums.setdefault(each.feature, [0, 0])
        row[0] += each.bytes * each.in_flash
        row[1] += each.bytes * each.in_ram
    rows = sorted(((name, row[0], row[1]) for name, row in sums.items()), key=lambda row: (-row[1], -row[2]))
    flash, ram = (
        max(0, whole["flash"] - sum(row[1] for row in rows)),
        max(0, whole["ram"] - sum(row[2] for row in rows)),
    )
    return [*rows, (REST, flash, ram)] if flash or ram else rows


def excesses(whole: Sizes, budget: Budget | None) -> list[str]:
    """Describes each memory of which the program takes more than its budget."""
    limits = {} if budget is None else {"flash": budget.flash, "ram": budget.ram}
    return [
        f"{whole[key]} bytes of {key}, and the budget is {most}: {whole[key] - most} too many"
        for key, most in limits.items()
        if most is not None and whole[key] > most
    ]


def page(mine: UserProject, board: Board) -> tuple[list[str], list[str]]:
    """Returns the lines about the built program on a board, and those about what exceeds its budget.

    Errors   SizeError
    """
    program = mine.program(board)
    whole = program_size.sizes([program])[program]
    found = symbols(nm_tool(mine.lab.preset(board.name)), program)
    budget = mine.config.budget.get(board.name)
    lines = [f"{mine.name} on {board.name}", *_head(whole, board, budget), ""]
    lines.append(_row("by feature", "flash", "RAM"))
    lines += [_row(name, flash, ram) for name, flash, ram in by_feature(found, whole)]
    lines += ["", _row(f"the largest of {len(found)} symbols", "flash", "RAM")]
    lines += [_row(each.name, each.bytes * each.in_flash, each.bytes * each.in_ram) for each in found[:SHOWN]]
    return lines, [f"{mine.name} on {board.name}: {line}" for line in excesses(whole, budget)]


def _head(whole: Sizes, board: Board, budget: Budget | None) -> list[str]:
    memory = board.memory
    rows = []
    for name, key, most, has in (
        ("flash", "flash", budget and budget.flash, memory and memory.flash_bytes),
        ("RAM", "ram", budget and budget.ram, memory and memory.ram_bytes),
    ):
        words = [f"{name:5} {whole[key]:>9}"]
        words += [f"of {most} granted ({whole[key] / most:.0%})" if most else "no budget"]
        words += [f"of {has} on the chip ({whole[key] / has:.0%})"] if has else []
        rows.append(", ".join(words))
    return rows


def _row(name: str, flash: object, ram: object) -> str:
    """Formats a row of 80 columns; a long name is cut in its middle, where templates say least."""
    room = WIDTH - 2 * 10
    half = (room - 3) // 2
    shown = name if len(name) <= room else f"{name[: room - 3 - half]}...{name[-half:]}"
    return f"{shown:{room}}{flash:>10}{ram:>10}"
