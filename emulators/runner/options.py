# SPDX-License-Identifier: MIT
"""Reads the command line and the emulator's part of the board's description."""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from elf import Elf, ElfError
from program_size import limits
from program_size.size import size_of_elf

from runner import script_run
from runner.script_run import Input, Script, ScriptRefusedError, Send

ROOT = Path(__file__).resolve().parents[2]
TIMINGS = ROOT / "emulators" / "timings.toml"
KINDS = ("simavr", "qemu", "rp2040js")
WORDS = ("title", "manual", "ranges")
"""The keys of a core in timings.toml that are text."""

FIGURES = (
    "load", "store", "store_indexed", "multiple", "multiple_each", "multiple_least", "refill", "refill_load", "call",
    "jump", "multiply", "accumulate", "long_multiply", "long_accumulate", "divide", "status_read", "status_write",
    "barrier", "shift_by_register", "exception", "interlock", "interlock_narrow", "pipelined", "arm_state",
)  # fmt: skip
"""The keys that are cycles, or 1: those of struct timing in qemu/timing.h without wait, which a
board.toml names.
"""

_MOST = 255
_ESCAPES = {"n": b"\n", "r": b"\r", "t": b"\t", "\\": b"\\"}


class UsageError(Exception):
    """The command line names something missing or unfit; the message says what to do."""


class Board(NamedTuple):
    """The parts of a board.toml that concern the emulator. `emulator` is its table of that name."""

    name: str
    path: Path
    kind: str
    emulator: dict[str, Any]
    pins: dict[str, str]
    mhz: float

    def fact(self, key: str, kind: type) -> Any:
        """Returns a fact about the emulator from the description.

        Errors   UsageError: the key is missing, or its value has another type.
        """
        value = self.emulator.get(key)
        if not isinstance(value, kind):
            raise UsageError(f"--board {self.path}: [emulator] {key}: {self.kind} needs it ({kind.__name__})")
        return value


class Options(NamedTuple):
    """A valid command line, and the program that it names."""

    board: Board
    plugin: Path | None
    limit_ms: int
    wall_s: int
    lines: int
    sends: tuple[Send, ...]
    inputs: tuple[Input, ...]
    baud: int
    stack: bool
    timing: dict[str, int] | None
    pty: bool
    pace: bool
    told: tuple[str, ...]
    script: Script | None
    program: Path
    elf: Elf

    @property
    def until_us(self) -> int:
        """The end of the script; 0 without one."""
        return self.script.until_us if self.script else 0

    @property
    def watches(self) -> tuple[str, ...]:
        """The pins whose changes are told, and those whose levels the script asks for."""
        return tuple(dict.fromkeys((*self.told, *(self.script.watches if self.script else ()))))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage().rstrip()}")


def parse(arguments: Sequence[str]) -> Options:
    """Reads the options of a command line.

    Errors   UsageError
    """
    parser = _Parser(prog="emulators/run", allow_abbrev=False)
    parser.add_argument("--board", type=Path, required=True, metavar="FILE", help="the board's board.toml")
    parser.add_argument("--plugin", type=Path, metavar="FILE", help="what the build of emulators/ makes")
    parser.add_argument(
        "--limit-ms", type=_count, default=60_000, metavar="N", help="the board's time, then 124 (60000)"
    )
    parser.add_argument("--wall-s", type=_count, default=120, metavar="N", help="real time, then 124 (120)")
    parser.add_argument("--lines", type=_count, default=0, metavar="N", help="end with 0 after N lines of text")
    text = r"send TEXT from the board's time MS on; \n \r \t \\ \xHH are understood; may be repeated"
    parser.add_argument("--send", type=_send, action="append", default=[], metavar="MS:TEXT", help=text)
    text = (
        "a pin's level from the board's time MS on, or the millivolts of a pin adc0 to adc7; "
        "the pin by its name in [pins] or as the emulator has it"
    )
    parser.add_argument("--input", type=_input, action="append", default=[], metavar="MS:PIN=VALUE", help=text)
    text = "play the events of a script, and end with 0 if its expectations are met, else with 1"
    parser.add_argument("--script", type=Path, metavar="FILE", help=text)
    parser.add_argument("--baud", type=_count, default=115_200, metavar="N", help="speed of what is sent (115200)")
    parser.add_argument("--stack", action="store_true", help="report the depth of the stack, where it costs time too")
    text = "after each record of instructions another one of approximate cycles, by [emulator] timing (qemu)"
    parser.add_argument("--timing", action="store_true", help=text)
    text = "the console is a pseudo-terminal, whose name is the first line of standard error (simavr)"
    parser.add_argument("--pty", action="store_true", help=text)
    text = "the board's time does not run ahead of the real time; a busy qemu may still do"
    parser.add_argument("--pace", action="store_true", help=text)
    text = "a line on standard error for each change of a pin: pin B5=1 at 200.004 ms (simavr, rp2040js)"
    parser.add_argument("--watch", type=_pin, action="append", default=[], metavar="PIN", help=text)
    parser.add_argument("program", type=Path, metavar="program.elf")
    given = parser.parse_args(arguments)
    if not given.baud:
        raise UsageError("--baud: 0 is no speed")
    described = _described(given.board)
    board = _board(described, given.board)
    if given.pty and board.kind != "simavr":
        raise UsageError(f"--pty: {board.kind} has none")
    script = _script(given, board)
    inputs = tuple(_resolved(each, board) for each in given.input)
    if given.watch and board.kind == "qemu":
        raise UsageError(f"--watch: {board.kind} tells no changes of a pin")
    elf = _elf(given.program)
    too_large = limits.too_large(given.program.name, size_of_elf(elf), limits.of(described, given.board))
    if too_large:
        raise UsageError(too_large)
    return Options(
        board=board, plugin=given.plugin, limit_ms=given.limit_ms, wall_s=given.wall_s, lines=given.lines,
        sends=script.sends if script else tuple(given.send), inputs=script.inputs if script else inputs,
        baud=given.baud, stack=given.stack, timing=timing(board) if given.timing else None, pty=given.pty,
        pace=given.pace, told=tuple(given.watch), script=script, program=given.program, elf=elf,
    )  # fmt: skip


def _script(given: argparse.Namespace, board: Board) -> Script | None:
    if given.script is None:
        return None
    for name in ("send", "input", "lines", "pty", "timing"):
        if getattr(given, name):
            raise UsageError(f"--script: not together with --{name}")
    no_script = board.emulator.get("no_script", "")
    is_real_time = board.kind == "qemu" and not str(board.emulator.get("program", "")).startswith("qemu-system-")
    place = script_run.Place(board.name, board.kind, board.pins, no_script, given.baud, is_real_time)
    try:
        return script_run.load(given.script, place)
    except ScriptRefusedError as error:
        raise UsageError(str(error)) from error


def _resolved(given: Input, board: Board) -> Input:
    """Replaces the name of a pin by what the board's emulator calls it."""
    pin = board.pins.get(given.pin, given.pin)
    if board.kind == "qemu" and (pin == given.pin or script_run.REGISTER.fullmatch(pin)):
        named = " ".join(sorted(name for name, at in board.pins.items() if not script_run.REGISTER.fullmatch(at)))
        raise UsageError(f"--input: {board.name} has no pin {given.pin} to drive; it has {named or 'none'}")
    return given._replace(pin=pin)


def timing(board: Board) -> dict[str, int]:
    """Returns the figures of timings.toml for the board's core, and the wait states of its flash.

    Errors   UsageError: the board names no core, or one that timings.toml lacks or describes wrongly.
    """
    figures = _described(TIMINGS, "--timing:")
    core = board.emulator.get("timing")
    if not isinstance(core, str) or not isinstance(figures.get(core), dict):
        raise UsageError(f"--timing: --board {board.path}: [emulator] timing: is {core!r}; can be {' '.join(figures)}")
    of_core = {key: _figure(core, key, value) for key, value in figures[core].items() if key not in WORDS}
    wait = board.emulator.get("wait_states", 0)
    if type(wait) is not int or not 0 <= wait <= _MOST:
        raise UsageError(f"--timing: --board {board.path}: [emulator] wait_states: is {wait!r}; can be 0 to {_MOST}")
    return of_core | {"wait": wait}


def _figure(core: str, key: str, value: object) -> int:
    """A figure of a core in cycles; `caches` is true or false."""
    if key == "caches":
        if isinstance(value, bool):
            return int(value)
        raise UsageError(f"--timing: {TIMINGS}: [{core}] caches: is {value!r}; can be true or false")
    if key not in FIGURES:
        raise UsageError(
            f"--timing: {TIMINGS}: [{core}] {key}: unknown; can be {' '.join((*WORDS, *FIGURES, 'caches'))}"
        )
    if type(value) is not int or not 0 <= value <= _MOST:
        raise UsageError(f"--timing: {TIMINGS}: [{core}] {key}: is {value!r}; can be a whole number, 0 to {_MOST}")
    return value


def built(options: Options, default: str) -> Path:
    """Returns a product of the build of emulators/; `default` is its place in the build folder.

    Errors   UsageError
    """
    path = options.plugin or ROOT / "build" / "emulators" / default
    if not path.is_file():
        raise UsageError(f"{path} is not there: cmake -S emulators -B build/emulators && cmake --build build/emulators")
    return path.resolve()


def check_machine(options: Options, machine: int, name: str) -> None:
    """Refuses programs of other processors.

    Errors   UsageError
    """
    if options.elf.machine != machine:
        raise UsageError(f"{options.program}: not an {name} program")


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(f"not a number: {text!r}")
    return int(text)


def _send(text: str) -> Send:
    ms, colon, rest = text.partition(":")
    if not colon or not ms.isascii() or not ms.isdigit() or int(ms) >= 2**32:
        raise argparse.ArgumentTypeError(f"is to be MS:TEXT and is {text!r}")
    return Send(int(ms) * 1000, _unescaped(rest))


def _input(text: str) -> Input:
    found = re.fullmatch(r"(\d{1,9}):([A-L]\d|adc\d|\d{1,2}|[a-z][a-z0-9_]*)=(\d{1,4})", text, re.ASCII)
    if not found:
        raise argparse.ArgumentTypeError(f"is to be MS:PIN=VALUE, as 100:D2=0, and is {text!r}")
    at_us, pin, value = int(found[1]) * 1000, found[2], int(found[3])
    if value > (5000 if re.fullmatch(r"adc\d", pin) else 1):
        raise argparse.ArgumentTypeError(f"a level is 0 or 1, and an ADC gets at most 5000 mV: {text!r}")
    return Input(at_us, pin, value)


def _pin(text: str) -> str:
    if not re.fullmatch(r"[A-L][0-7]|\d{1,2}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"is to be a pin such as B5 or 25, and is {text!r}")
    return text


def _unescaped(text: str) -> bytes:
    def value(match: re.Match[bytes]) -> bytes:
        hexadecimal, name = match.group(1), match.group(2).decode(errors="replace") if match.group(2) else ""
        if hexadecimal:
            return bytes([int(hexadecimal, 16)])
        if name not in _ESCAPES:
            raise argparse.ArgumentTypeError(f"unknown escape \\{name}")
        return _ESCAPES[name]

    return re.sub(rb"\\(?:x([0-9a-fA-F]{2})|(.?))", value, text.encode(errors="surrogateescape"), flags=re.DOTALL)


def _described(path: Path, option: str = "--board") -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{option} {path}: {error.strerror}") from error
    except ValueError as error:  # no TOML, or no UTF-8
        raise UsageError(f"{option} {path}: {error}") from error


def _board(described: dict[str, Any], path: Path) -> Board:
    emulator, chip = described.get("emulator", {}), described.get("chip", {})
    kind = emulator.get("kind")
    if kind not in KINDS:
        raise UsageError(f"--board {path}: [emulator] kind: is {kind!r}, and can be {' '.join(KINDS)}")
    pins = {str(name): str(at) for name, at in described.get("pins", {}).items()}
    mhz = float(described.get("mhz") or chip.get("hz", 0) / 1e6 or 1000)
    return Board(str(described.get("name", path.parent.name)), path, kind, emulator, pins, mhz)


def _elf(path: Path) -> Elf:
    try:
        return Elf(path)
    except OSError as error:
        raise UsageError(f"{path}: {'no such file' if not path.exists() else error.strerror}") from error
    except ElfError as error:
        raise UsageError(str(error)) from error
