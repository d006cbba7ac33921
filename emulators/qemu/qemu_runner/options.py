# SPDX-License-Identifier: MIT
"""The command line, and the board's description."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[3]
PLUGIN = ROOT / "build" / "host" / "emulators" / "qemu" / "libbaton-count.so"
PROGRAM_SIZE = ROOT / "tools" / "program_size" / "program-size"
SIZE_LIMIT_S = 60
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}


class UsageError(Exception):
    """Something that the command line names is not there or does not fit; the message says what to do."""


@dataclass(frozen=True)
class Board:
    """What a board.toml says of the emulator."""

    name: str
    program: str
    arguments: tuple[str, ...]
    mhz: float

    @property
    def is_system(self) -> bool:
        """A whole machine, and not the kernel calls of one program."""
        return self.program.startswith("qemu-system-")

    @property
    def instruction_ns(self) -> int:
        """How far the virtual clock moves with each instruction; 0 where it is the real one."""
        shift = re.search(r"\bshift=(\d+)", " ".join(self.arguments))
        return 1 << int(shift.group(1)) if shift else 0


@dataclass(frozen=True)
class Send:
    """Bytes for the console's receiver from a virtual time on."""

    at_ms: int
    data: bytes


@dataclass(frozen=True)
class Options:
    """A command line that was understood."""

    board: Board
    plugin: Path
    limit_ms: int
    wall_s: int
    lines: int
    sends: tuple[Send, ...]
    baud: int
    stack: bool
    program: Path


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage().rstrip()}")


def parse(arguments: Sequence[str]) -> Options:
    """The options of a command line.

    Errors   UsageError
    """
    parser = _Parser(prog="qemu-runner", allow_abbrev=False)
    parser.add_argument("--board", type=Path, required=True, metavar="FILE", help="the board's board.toml")
    parser.add_argument("--plugin", type=Path, default=PLUGIN, metavar="FILE", help="libbaton-count.so")
    parser.add_argument("--limit-ms", type=_count, default=60_000, metavar="N", help="virtual time, then 124 (60000)")
    parser.add_argument("--wall-s", type=_count, default=120, metavar="N", help="real time, then 124 (120)")
    parser.add_argument("--lines", type=_count, default=0, metavar="N", help="end with 0 after N lines of text")
    text = r"send TEXT from virtual time MS on; \n \r \t \\ \xHH are understood; may be repeated"
    parser.add_argument("--send", type=_send, action="append", default=[], metavar="MS:TEXT", help=text)
    parser.add_argument("--baud", type=_count, default=115_200, metavar="N", help="speed of what is sent (115200)")
    parser.add_argument("--stack", action="store_true", help="report the deepest write to the stack")
    parser.add_argument("program", type=Path, metavar="program.elf")
    given = parser.parse_args(arguments)
    if not given.baud:
        raise UsageError("--baud: 0 is no speed")
    if not given.program.is_file():
        raise UsageError(f"{given.program}: no such file")
    board = _board(given.board)
    _refuse_too_large(given.board, given.program)
    return Options(
        board=board, plugin=_plugin(given.plugin), limit_ms=given.limit_ms, wall_s=given.wall_s,
        lines=given.lines, sends=tuple(given.send), baud=given.baud, stack=given.stack, program=given.program,
    )  # fmt: skip


def _refuse_too_large(board: Path, program: Path) -> None:
    """QEMU's machine may have more memory than the chip, and stop only where the program runs out of it."""
    command = [sys.executable, str(PROGRAM_SIZE), "--board", str(board), str(program)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SIZE_LIMIT_S)
    if answer.returncode == 1:
        raise UsageError(answer.stderr.strip())


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(f"not a number: {text!r}")
    return int(text)


def _send(text: str) -> Send:
    ms, colon, rest = text.partition(":")
    if not colon or not ms.isascii() or not ms.isdigit():
        raise argparse.ArgumentTypeError(f"is to be MS:TEXT and is {text!r}")
    return Send(int(ms), _unescaped(rest))


def _unescaped(text: str) -> bytes:
    def value(match: re.Match[str]) -> str:
        hexadecimal, name = match.group(1), match.group(2)
        if hexadecimal:
            return chr(0xDC00 + int(hexadecimal, 16)) if int(hexadecimal, 16) >= 0x80 else chr(int(hexadecimal, 16))
        if name not in _ESCAPES:
            raise argparse.ArgumentTypeError(f"unknown escape \\{name}")
        return _ESCAPES[name]

    return re.sub(r"\\(?:x([0-9a-fA-F]{2})|(.?))", value, text, flags=re.DOTALL).encode(errors="surrogateescape")


def _board(path: Path) -> Board:
    try:
        described = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"--board {path}: {error}") from error
    emulator = described.get("emulator", {})
    if emulator.get("kind") != "qemu" or not isinstance(emulator.get("program"), str):
        raise UsageError(f'--board {path}: [emulator] is to have kind = "qemu" and a program')
    board = Board(
        name=str(described.get("name", path.parent.name)),
        program=emulator["program"],
        arguments=tuple(map(str, emulator.get("arguments", ()))),
        mhz=_mhz(described),
    )
    if shutil.which(board.program) is None:
        raise UsageError(f"{board.program} is not installed: ./baton setup {board.name}")
    return board


def _mhz(described: dict[str, Any]) -> float:
    chip = described.get("chip", {})
    return float(described.get("mhz") or chip.get("hz", 0) / 1e6 or 1000)


def _plugin(path: Path) -> Path:
    if not path.is_file():
        raise UsageError(
            f"{path} is not there: cmake --preset host && cmake --build --preset host --target baton-count"
        )
    return path.resolve()
