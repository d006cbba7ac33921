# SPDX-License-Identifier: MIT
"""A QEMU with the plugin inside, which does not outlive the runner."""

from __future__ import annotations

import ctypes
import mmap
import os
import shlex
import signal
import socket
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

from qemu_runner.elf import Elf
from qemu_runner.options import Options

_COUNTERS = struct.Struct("=QQQQ")  # struct counters of count.c
_PR_SET_PDEATHSIG = 1
_MARKS = ("baton_mark_start", "baton_mark_stop")
_STACK = ("__stack_limit", "__stack_top")


@dataclass(frozen=True)
class Counters:
    """What the plugin counted so far, over the whole run."""

    instructions: int
    reads: int
    writes: int
    lowest_stack: int


class Machine:
    """A running emulator. `console` is what the program prints, `errors` what QEMU itself has to say.

    Shape    `messages` are the plugin's, and each wants an answer.
    """

    def __init__(self, options: Options) -> None:
        elf = Elf(options.program)
        self._symbols = elf.symbols([*_MARKS, *_STACK])
        self.stack_top = self._symbols.get(_STACK[1], 0) if options.stack else 0
        shared = os.memfd_create("baton-count")
        os.ftruncate(shared, mmap.PAGESIZE)
        self._memory = mmap.mmap(shared, mmap.PAGESIZE)
        self.messages, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        words = _plugin_words(options, elf, self._symbols)
        words += [f"socket={theirs.fileno()}", f"counters={shared}"]
        self.process = subprocess.Popen(
            _command(options, ",".join([str(options.plugin).replace(",", ",,"), *words])),
            stdin=subprocess.PIPE,  # never the terminal, whose modes QEMU would change
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=(theirs.fileno(), shared),
            preexec_fn=_die_with(os.getpid()),  # noqa: PLW1509  (this process has one thread)
            start_new_session=True,
        )
        self._threads = Path(f"/proc/{self.process.pid}/task")
        theirs.close()
        os.close(shared)
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.receiver, self.console, self.errors = self.process.stdin, self.process.stdout, self.process.stderr
        for stream in (self.console, self.errors):
            os.set_blocking(stream.fileno(), False)

    @property
    def printable(self) -> str:
        """The command, as a person types it."""
        return shlex.join(map(str, self.process.args))  # type: ignore[arg-type]  # a list, as it was given

    def answer(self) -> None:
        """Lets the program go on."""
        self.messages.send(b"\n")

    def counters(self) -> Counters:
        """Read from memory that the two share, so also when the emulator is gone."""
        return Counters(*_COUNTERS.unpack_from(self._memory))

    def waits(self) -> bool:
        """Whether all of its threads do, rather than run or be kept from it by other programs."""
        try:
            states = [path.read_text().rpartition(")")[2].split()[0] for path in self._threads.glob("*/stat")]
        except OSError:  # one has just ended
            return False
        return all(state == "S" for state in states)

    def kill(self) -> None:
        """Ends it, whatever it is doing."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def _command(options: Options, plugin: str) -> list[str]:
    words = [options.board.program, *options.board.arguments, "-plugin", plugin]
    return words + (["-kernel"] if options.board.is_system else []) + [str(options.program)]


def _plugin_words(options: Options, elf: Elf, symbols: dict[str, int]) -> list[str]:
    words = [
        f"{key}={symbols[name]:#x}" for key, name in zip(("start", "stop"), _MARKS, strict=True) if name in symbols
    ]
    if options.stack and set(_STACK) <= set(symbols):
        words.append(f"stack={symbols[_STACK[0]]:#x}:{symbols[_STACK[1]]:#x}")
    words += ["steps=1"] if options.lines else []  # so that it ends right after the last of them
    if not options.board.is_system:
        return words + ([f"base={elf.code()[0][0]:#x}"] if elf.is_movable else [])
    words += [f"code={low:#x}:{high:#x}" for low, high in elf.code()]
    words += [f"limit={options.limit_ms}", f"instruction={options.board.instruction_ns}"]
    words += [f"byte={10_000_000_000 // options.baud}"]
    return words + [f"send={send.at_ms}:{send.data.hex()}" for send in options.sends]


def _die_with(parent: int):  # type: ignore[no-untyped-def]  # what Popen calls in the child
    libc = ctypes.CDLL(None, use_errno=True)

    def prepare() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before
            os._exit(1)

    return prepare
