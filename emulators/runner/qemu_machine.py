# SPDX-License-Identifier: MIT
"""A QEMU with the counting plugin inside."""

from __future__ import annotations

import mmap
import os
import shlex
import shutil
import socket
import struct
import subprocess
from pathlib import Path
from typing import NamedTuple

from elf import Elf

from runner.child import Child
from runner.options import Options, UsageError, built
from runner.records import FIRST

_COUNTERS = struct.Struct("=QQQQ")  # struct counters of count.c
_FIRST_BYTES = 8192 * FIRST.size  # first_instructions of model.h
_SHARED_BYTES = _COUNTERS.size + _FIRST_BYTES
_MARKS = ("baton_mark_start", "baton_mark_stop")
_STACK = ("__stack_limit", "__stack_top")
_MASKS = "baton_watches_masks"
_VECTORS = ("vectors", "baton_vectors")
_VECTORS_BYTES = 64  # 16 jumps, of RV32
_CONSOLE = ("-nographic", "-monitor", "none", "-serial", "stdio")


class Counters(NamedTuple):
    """The plugin's counts so far, over the whole run."""

    instructions: int
    reads: int
    writes: int
    lowest_stack: int


class Machine(Child):
    """A running emulator. `console` is the program's output, `errors` is QEMU's own.

    Shape    `messages` are the plugin's, and each wants an answer.
    Errors   UsageError
    """

    def __init__(self, options: Options) -> None:
        self.program: str = options.board.fact("program", str)
        self.is_system = self.program.startswith("qemu-system-")  # a whole machine, and not one program's system calls
        if shutil.which(self.program) is None:
            raise UsageError(f"{self.program} is not installed: ./baton setup {options.board.name}")
        symbols = options.elf.symbols([*_MARKS, *_STACK, *_VECTORS, _MASKS])
        self.stack_top = symbols.get(_STACK[1], 0) if options.stack else 0
        plugin = str(built(options, "qemu/libbaton-count.so")).replace(",", ",,")
        shared = os.memfd_create("baton-count")
        os.ftruncate(shared, _SHARED_BYTES)
        self._memory = mmap.mmap(shared, _SHARED_BYTES)
        self.messages, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        words = _plugin_words(options, symbols, self.is_system)
        words += [f"socket={theirs.fileno()}", f"counters={shared}"]
        command = [self.program, *self._arguments(options), "-plugin", ",".join([plugin, *words])]
        command += [*(["-kernel"] if self.is_system else []), str(options.program)]
        super().__init__(command, subprocess.PIPE, (theirs.fileno(), shared))
        self.printable = shlex.join(command)
        self._threads = Path(f"/proc/{self.process.pid}/task")
        theirs.close()
        os.close(shared)
        assert self.process.stderr
        self.errors = self.process.stderr
        for stream in (self.console, self.errors):
            os.set_blocking(stream.fileno(), False)

    def _arguments(self, options: Options) -> list[str]:
        words = [str(word) for word in options.board.emulator.get("arguments", ())]
        if not self.is_system:
            return words
        words += ["-M", options.board.fact("machine", str), *_CONSOLE]
        return words + (
            ["-icount", f"shift={options.board.emulator['shift']},sleep={'on' if options.pace else 'off'}"]
            if _has_shift(options)
            else []
        )

    def answer(self) -> None:
        """Lets the program go on."""
        self.messages.send(b"\n")

    def counters(self) -> Counters:
        """Reads the counters from the shared memory, which outlives the emulator."""
        return Counters(*_COUNTERS.unpack_from(self._memory))

    def first_misses(self) -> bytes:
        """Reads the misses of the last interval's first instructions, if its caches are modelled."""
        return self._memory[_COUNTERS.size :]

    def waits(self) -> bool:
        """Tells whether all threads of the emulator wait, rather than run or lack a processor."""
        try:
            states = [path.read_text().rpartition(")")[2].split()[0] for path in self._threads.glob("*/stat")]
        except OSError:  # a thread has just ended
            return False
        return all(state == "S" for state in states)


def _has_shift(options: Options) -> bool:
    return "shift" in options.board.emulator and options.board.fact("shift", int) >= 0


def _plugin_words(options: Options, symbols: dict[str, int], is_system: bool) -> list[str]:
    elf: Elf = options.elf
    code = [(each.address, each.address + each.size) for each in elf.segments if each.is_code and each.size]
    words = [
        f"{key}={symbols[name]:#x}" for key, name in zip(("start", "stop"), _MARKS, strict=True) if name in symbols
    ]
    if options.stack and set(_STACK) <= set(symbols):
        words.append(f"stack={symbols[_STACK[0]]:#x}:{symbols[_STACK[1]]:#x}")
    if options.timing:
        figures = dict(options.timing)
        words += [f"caches={figures.pop('caches', 0)}"]
        words += [f"timing={'/'.join(f'{key}:{cycles}' for key, cycles in figures.items())}"]
    if _MASKS in symbols and not options.timing:
        words += [f"masks={options.board.fact('masks', str)}"]
        words += [
            f"trap={symbols[name]:#x}:{symbols[name] + _VECTORS_BYTES:#x}" for name in _VECTORS if name in symbols
        ]
    words += ["steps=1"] if options.lines or options.script else []  # so that it ends right after the last line
    if not is_system:
        return words + ([f"base={code[0][0]:#x}"] if elf.is_movable else [])
    words += [f"code={low:#x}:{high:#x}" for low, high in code]
    words += [f"limit={options.limit_ms}"]
    words += [f"instruction={1 << options.board.emulator['shift'] if _has_shift(options) else 0}"]
    words += [f"byte={10_000_000_000 // options.baud}"]
    words += [f"send={send.at_us}:{send.data.hex()}" for send in options.sends]
    # The level before the first event is that of a pull-up on the board, which QEMU has not.
    words += [f"input=0:{pin}" for pin in options.board.pins.values() if "=" in pin]
    words += [f"input={each.at_us}:{each.pin.partition('=')[0]}={each.value}" for each in options.inputs]
    words += [f"watch={pin}" for pin in options.watches]
    return words + ([f"until={options.until_us}"] if options.script else [])
