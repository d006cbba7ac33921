# SPDX-License-Identifier: MIT
"""Runs a project's program, and shows its console while it runs: in the board's emulator, or here."""

from __future__ import annotations

import json
import math
import re
import selectors
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from baton_lab.base.notices import say
from baton_lab.base.process import forget, start, stop
from baton_lab.board import device_script, emulator, foreground
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.board.emulator import Request
from baton_lab.user_project.monitor import REQUIREMENT, Explain
from baton_lab.user_project.place import UserProject

DEFAULT_LIMIT_S = 60.0
MORE_S = 60
"""A busy machine is so much slower than the board."""
FOR_EVER_S = 4_000_000.0
"""The largest limit that the runner takes, about 46 days."""
REQUIREMENT_FAILED = 70
REFUSED = 2
"""The runner's code, without facts of a run, for options that it does not take."""
KEPT = 4096
_LIMIT = "emulators/run: limit: "
_USAGE, _ARGUMENT = "usage: emulators/run", "emulators/run: argument "
"""The runner's list of its own options, which are not those of ./baton run; and what it says of one that is wrong."""
_PIN = re.compile(r"^pin (\S+)=([01]) at ([0-9.]+) ms$")


@dataclass(frozen=True)
class Wanted:
    """A request to ./baton run. `limit_s` is None where nobody has named a limit; 0 lifts it."""

    limit_s: float | None = None
    lines: int | None = None
    send: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    fast: bool = False
    script: Path | None = None


def run(mine: UserProject, board: Board, wanted: Wanted, explain: Explain = str) -> int:
    """Runs the built program to its end, its limit or Ctrl-C; returns the exit code.

    `explain` says what a requirement means that did not hold.

    Errors   BadInputError: nothing here runs the board's programs.
    """
    if board.not_emulated:
        raise BadInputError(f"{board.name} ({board.title}): {board.not_emulated}; write it to a board: ./baton flash")
    if wanted.script:
        return _scripted(mine, board, wanted, wanted.script)
    if board.emulator is None:
        return _here(mine.program(board), mine.root, wanted)
    if wanted.words:
        raise BadInputError(f"{' '.join(wanted.words)}: a program on a board gets no words; --send sends it a text")
    return _emulated(mine, board, wanted, explain)


def _scripted(mine: UserProject, board: Board, wanted: Wanted, script: Path) -> int:
    """Plays a script of edges and bytes to the program, as fast as the emulator can; returns 0 if it was passed."""
    if board.emulator is None:
        raise BadInputError("--script is for a board in its emulator; on this machine a test plays it over fakes")
    if wanted.send or wanted.inputs or wanted.words or wanted.lines is not None:
        raise BadInputError("--script: not together with --send, --input, --lines or words for the program")
    if not script.is_file():
        raise BadInputError(f"{script}: there is no such file")
    limit_ms = round(_limit_s(wanted) * 1000)
    run = device_script.play(mine.lab, board, mine.program(board), script.absolute(), limit_ms)
    return device_script.tell(run, mine.root)


def _limit_s(wanted: Wanted) -> float:
    return DEFAULT_LIMIT_S if wanted.limit_s is None else wanted.limit_s or FOR_EVER_S


def _emulated(mine: UserProject, board: Board, wanted: Wanted, explain: Explain) -> int:
    command = emulator.command(mine.lab, board, request(mine.program(board), board, wanted))
    process = start(command, cwd=mine.root, streams=(subprocess.DEVNULL, subprocess.PIPE, subprocess.PIPE))
    shown = Shown(board, explain=explain)
    try:
        _carry(process, shown)
    except KeyboardInterrupt:
        return 0
    finally:
        stop(process)
        forget(process)
    return shown.verdict(process.returncode)


def request(program: Path, board: Board, wanted: Wanted) -> Request:
    """Returns the run of a program as the emulators take it, in real time unless it shall be fast.

    QEMU's limit of the board's time leaves its sleep out, so there the real time is limited.
    """
    limit_s = _limit_s(wanted)
    beyond = 0 if board.emulator and board.emulator.kind == "qemu" else MORE_S
    return Request(
        program,
        limit_ms=round(limit_s * 1000),
        lines=wanted.lines,
        send=wanted.send,
        ends_after_s=math.ceil(limit_s) + beyond,
        inputs=wanted.inputs,
        watches=board.watched_led,
        pace=not wanted.fast,
    )


class Shown:
    """The output of an emulated program as a person sees it: its console, and its LED."""

    def __init__(self, board: Board, out: IO[bytes] | None = None, explain: Explain = str) -> None:
        self._board = board
        self._out = out or sys.stdout.buffer
        self._explain = explain
        self._said = b""  # the end of the console's text
        self._rest = b""
        self._in_usage = False
        self.facts: dict[str, object] = {}

    def console(self, text: bytes) -> None:
        """Passes the program's text on."""
        self._said = (self._said + text)[-KEPT:]
        self._out.write(text)
        self._out.flush()

    def errors(self, text: bytes) -> None:
        """Takes what the runner says: a pin's level, its facts, or a message."""
        *lines, self._rest = (self._rest + text).split(b"\n")
        for line in lines:
            self._line(line.decode("utf-8", errors="replace"))

    def _line(self, line: str) -> None:
        if pin := _PIN.match(line):
            self.console(f"LED {'on ' if self._lights(pin[2]) else 'off'}  {float(pin[3]) / 1000:8.3f} s\n".encode())
        elif line.startswith('{"state"'):
            self.facts = json.loads(line)
        elif line.startswith(_USAGE) or (self._in_usage and line.startswith(" ")):
            self._in_usage = True
        elif line and not line.startswith(_LIMIT):
            print(line.removeprefix(_ARGUMENT), file=sys.stderr, flush=True)

    def _lights(self, level: str) -> bool:
        assert self._board.emulator is not None
        return str(self._board.emulator.lit_at) == level

    def verdict(self, code: int) -> int:
        """Says how the run ended, and returns the exit code: a run that reached its limit is well."""
        state = self.facts.get("state")
        if state == "limit":
            say("the run reached its limit; --limit SECONDS sets another, and --limit 0 lifts it")
            return 0
        if code == REQUIREMENT_FAILED:
            failed = REQUIREMENT.findall(self._said.decode("utf-8", errors="replace"))
            number = "an AVR prints no number; docs/require.md of Baton says where it is found"
            say(f"a requirement does not hold: {self._explain(int(failed[-1])) if failed else number}")
        elif code == REFUSED and not self.facts:
            say("the program was not run")
        elif code:
            say(f"the program {'crashed' if state == 'crashed' else f'ended with {code}'}")
        return code


def _carry(process: subprocess.Popen[bytes], shown: Shown) -> None:
    """Shows both streams of the runner until both have ended."""
    assert process.stdout is not None and process.stderr is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ, shown.console)
        selector.register(process.stderr, selectors.EVENT_READ, shown.errors)
        while selector.get_map():
            for key, _ in selector.select():
                data = key.fileobj.read1(65536)  # type: ignore[union-attr]
                take: Callable[[bytes], None] = key.data
                if data:
                    take(data)
                else:
                    selector.unregister(key.fileobj)
    process.wait()


def _here(program: Path, folder: Path, wanted: Wanted) -> int:
    """Runs a program of this machine, which gets Ctrl-C and SIGTERM as its own signals."""
    if wanted.send or wanted.inputs or wanted.lines is not None:
        raise BadInputError("--send, --input and --lines are for a board in its emulator")
    return foreground.run([program, *wanted.words], folder, wanted.limit_s)
