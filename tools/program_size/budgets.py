# SPDX-License-Identifier: MIT
"""Checks that the programs of a build keep to their budgets, and lists the symbols of excesses."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from elf import ElfError

from program_size.limits import Budgets, Limits, too_large
from program_size.size import Size, size_of

SYMBOLS_SHOWN = 12
NM_LIMIT_S = 60
_IN_RAM_ONLY, _IN_BOTH = set("bBsScC"), set("dDgG")


@dataclass(frozen=True)
class Symbol:
    """A named part of a program."""

    size: int
    name: str
    in_flash: bool
    in_ram: bool


@dataclass(frozen=True)
class Granted:
    """A budget, and the program of a board that it is for."""

    board: str
    program: str
    budget: Mapping[str, int]


def check(programs: Mapping[str, Path], limits: Limits, budgets: Budgets, nm: str) -> list[str]:
    """Describes the excesses, one text per program; nothing if there are none."""
    found = []
    missing: dict[str, Size] = {}
    for name, path in sorted(programs.items()):
        try:
            size = size_of(path)
        except (ElfError, OSError) as error:
            found.append(f"{limits.board} {name}: {error}")
            continue
        if limits.flash_bytes is None:
            continue
        if problem := too_large(f"{limits.board} {name}", size, limits):
            found.append(problem)
        if name in budgets:
            found += _over(path, size, Granted(limits.board, name, budgets[name]), nm)
        else:
            missing[name] = size
    return [*found, *_without(missing, limits)]


def _over(path: Path, size: Size, granted: Granted, nm: str) -> list[str]:
    board, name, budget = granted.board, granted.program, granted.budget
    lines = []
    for memory, takes in (("flash", size.flash), ("ram", size.ram)):
        most = budget.get(memory, 0)
        if takes <= most:
            continue
        lines.append(f"{board} {name}: {takes} bytes of {memory}, and its budget is {most}; largest first:")
        lines += largest(nm, path, memory)
    if lines:
        lines.append(f"  make it smaller, or grant it in bench/baselines/{board}/budgets.toml:")
        lines.append(f"  {line(name, max(size.flash, budget.get('flash', 0)), max(size.ram, budget.get('ram', 0)))}")
    return ["\n".join(lines)] if lines else []


def largest(nm: str, program: Path, memory: str) -> list[str]:
    """Returns lines with the largest symbols in `flash` or `ram`, and one for all the others."""
    chosen = [each for each in symbols(nm, program) if (each.in_flash if memory == "flash" else each.in_ram)]
    lines = [f"  {each.size:6}  {each.name}" for each in chosen[:SYMBOLS_SHOWN]]
    rest = sum(each.size for each in chosen[SYMBOLS_SHOWN:])
    return [*lines, f"  {rest:6}  in {len(chosen) - SYMBOLS_SHOWN} others"] if rest else lines


def _without(missing: Mapping[str, Size], limits: Limits) -> Iterable[str]:
    if not missing:
        return []
    names = " ".join(missing)
    lines = [f"{limits.board}: no budget for {names}; in bench/baselines/{limits.board}/budgets.toml write:"]
    lines += [f"  {line(name, size.flash, size.ram)}" for name, size in missing.items()]
    return ["\n".join([*lines, f"  or with some room for all of them: ./baton gate --board {limits.board} --bless"])]


def line(name: str, flash: int, ram: int) -> str:
    """Returns a budget as a line of a budgets.toml."""
    return f'"{name}" = {{ flash = {flash}, ram = {ram} }}'


def symbols(nm: str, program: Path) -> list[Symbol]:
    """Returns the symbols of a program by its toolchain's nm, largest first, or the error of nm."""
    command = [nm, "--print-size", "--size-sort", "--reverse-sort", "--radix=d", "--demangle", str(program)]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=NM_LIMIT_S)
    except OSError as error:
        return [Symbol(0, f"({nm}: {error.strerror})", in_flash=True, in_ram=True)]
    if answer.returncode != 0:
        return [Symbol(0, f"({nm}: {answer.stderr.strip()})", in_flash=True, in_ram=True)]
    found = []
    for text in answer.stdout.splitlines():
        words = text.split(maxsplit=3)
        if len(words) == 4 and words[1].isdigit():
            kind = words[2]
            in_ram = kind in _IN_RAM_ONLY | _IN_BOTH
            found.append(Symbol(int(words[1]), words[3], in_flash=kind not in _IN_RAM_ONLY, in_ram=in_ram))
    return found
