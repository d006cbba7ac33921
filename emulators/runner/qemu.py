# SPDX-License-Identifier: MIT
"""Talks to a QEMU: reads its console, its complaints, and the messages of the plugin inside it."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time

from runner.child import EXIT_CRASHED, EXIT_LIMIT, End
from runner.options import Options
from runner.qemu_machine import Machine
from runner.records import Console
from runner.timeline import Timeline

EMPTY_INTERVAL = 2  # instructions: the return from the first mark and the call of the second
LOOK_SECONDS = 0.25  # between polls of values that give no notice
REST_OF_A_RECORD_SECONDS = 2.0
IDLE_SECONDS = 5.0  # beyond --limit-ms


def start(options: Options) -> Run:
    """Starts an emulator.

    Errors   UsageError
    """
    return Run(options, Machine(options))


class Run:
    """A run in one emulator."""

    _console: Console

    def __init__(self, options: Options, machine: Machine) -> None:
        self._options = options
        self._machine = machine
        self._began = time.monotonic()
        self._progress, self._progressed = 0, 0.0  # of a user-mode program: instructions, and when they grew
        self._end: End | None = None
        self._errors_end = b""
        self._sends = [] if machine.is_system else sorted(options.sends, key=lambda send: send.at_us)
        self.timeline = Timeline()
        self._at_ns = 0

    @property
    def ended_ns(self) -> int:
        """The board's time at the end of a run with a script."""
        return self._now_ns()

    def _now_ns(self) -> int:
        """The virtual time of the last write to a device; the real time of a user-mode program."""
        return self._at_ns if self._machine.is_system else int((time.monotonic() - self._began) * 1e9)

    def _take_time(self, words: list[str]) -> None:
        self._at_ns = int(words[0])
        for pin, level in zip(self._options.watches, words[1:], strict=True):
            self.timeline.level(self._at_ns, pin, int(level))

    def kill(self) -> None:
        """Ends the run at once."""
        self._machine.kill()

    def run(self, console: Console) -> End:
        """Runs the program to its end.

        Errors   BrokenPipeError: the reader of the output is gone.
        """
        self._console = console
        console.core = self._options.board.emulator["timing"] if self._options.timing else ""
        end = self._run()
        self._machine.kill()
        console.flush()
        self._pass_errors()
        if self._errors_end not in (b"", b"\n"):  # the emulator was killed in the middle of a line
            print(file=sys.stderr)
        counters = self._machine.counters()
        facts: dict[str, object] = {"instructions": counters.instructions}
        if self._options.timing and console.unclaimed:
            facts["intervals"] = console.unclaimed
        if self._machine.stack_top:
            facts["stack_bytes"] = self._machine.stack_top - counters.lowest_stack
        return end._replace(facts=facts)

    def _run(self) -> End:
        gone = os.pidfd_open(self._machine.process.pid)
        poll = select.poll()
        # With a script the text before a message is that of its time, and nothing else is passed on.
        timed = self._options.script is not None and self._machine.is_system
        console = () if timed else (self._machine.console,)
        for descriptor in (*console, self._machine.errors, self._machine.messages, gone):
            poll.register(descriptor, select.POLLIN)
        poll.register(sys.stdout.fileno(), 0)  # an error, when its reader has gone
        while self._end is None:
            ready = dict(poll.poll(self._patience() * 1000))
            if ready.get(sys.stdout.fileno(), 0) & (select.POLLERR | select.POLLNVAL):
                raise BrokenPipeError
            if self._machine.messages.fileno() in ready and not self._take_message():
                poll.unregister(self._machine.messages)
            if self._machine.console.fileno() in ready and not self._drain():
                poll.unregister(self._machine.console)
            if self._machine.errors.fileno() in ready and not self._pass_errors():
                poll.unregister(self._machine.errors)
            if gone in ready and self._end is None:
                self._drain()
                self._end = self._end or self._verdict(self._machine.process.wait())
            self._look_at_the_clock()
        os.close(gone)
        return self._end

    # ---- output of the emulator ----

    def _drain(self) -> bool:
        """Passes on the program's output; returns whether there may be more."""
        while self._end is None:
            try:
                text = os.read(self._machine.console.fileno(), 65536)
            except BlockingIOError:
                return True
            if not text:
                return False
            self.timeline.send(self._now_ns(), text)
            if self._console.take(text, self._options.lines):
                self._end = End("lines", 0)
        return True

    def _pass_errors(self) -> bool:
        """Passes on QEMU's own messages; returns whether there may be more."""
        with contextlib.suppress(BlockingIOError):
            while text := os.read(self._machine.errors.fileno(), 65536):
                self._errors_end = text[-1:]
                sys.stderr.buffer.write(text)
                sys.stderr.flush()
            return False
        return True

    def _take_message(self) -> bool:
        """Handles a message of the plugin, and returns whether there may be more.

        Context  the program stands still meanwhile.
        """
        try:
            words = self._machine.messages.recv(512).decode().split()
        except ConnectionResetError:
            return False
        if not words:
            return False
        if words[0] == "step" and len(words) > 1:
            self._take_time(words[1:])
        self._drain_before()
        if self._end is None:
            self._handle(words)
        if self._end is None:
            self._machine.answer()
        return True

    def _handle(self, words: list[str]) -> None:
        if words[0] == "interval":
            instructions, *others = map(int, words[1:])
            first = self._machine.first_misses() if (self._options.timing or {}).get("caches") else b""
            self._console.add((max(instructions - EMPTY_INTERVAL, 0), *others), first)  # the marks touch no memory
        elif words[0] == "limit":
            self._end = End("limit", EXIT_LIMIT, "it was awake for all of --limit-ms")
        elif words[0] == "until":
            self._end = End("script", 0)
        elif words[0] == "stray":
            self._end = End("crashed", EXIT_CRASHED, f"it left its code: the next instruction is at {words[1]}")

    def _drain_before(self) -> None:
        """Passes on all output before the message; the end of a record may still be under way."""
        until = time.monotonic() + REST_OF_A_RECORD_SECONDS
        while self._drain() and self._end is None and self._console.is_inside_record and time.monotonic() < until:
            select.select([self._machine.console], [], [], LOOK_SECONDS)

    def _verdict(self, code: int) -> End:
        if code < 0:
            return End("crashed", EXIT_CRASHED, f"{self._machine.program} ended by signal {-code}")
        if self._machine.counters().instructions == 0 and code != 0:
            return End("refused", 2, f"it did not start; it was: {self._machine.printable}")
        if code == EXIT_CRASHED:
            return End("crashed", EXIT_CRASHED, "the board's fault handler ended it")
        return End("finished", code)

    # ---- time ----

    def _patience(self) -> float:
        if self._sends:
            return max(0.0, min(LOOK_SECONDS, self._began + self._sends[0].at_us / 1e6 - time.monotonic()))
        return LOOK_SECONDS

    def _look_at_the_clock(self) -> None:
        now = time.monotonic() - self._began
        while self._sends and now * 1e6 >= self._sends[0].at_us:
            self._machine.receiver.write(self._sends.pop(0).data)
        if self._end is not None:
            return
        if self._options.script and not self._machine.is_system and now * 1e6 >= self._options.until_us:
            self._end = End("script", 0)
        elif now >= self._options.wall_s:
            self._end = End("limit", EXIT_LIMIT, "end of the real time (--wall-s)")
        else:
            self._look_at_the_progress(now)

    def _look_at_the_progress(self, now: float) -> None:
        """Finds a run without an end.

        A user-mode program has no virtual time, and a machine may sleep for ever.
        """
        count = self._machine.counters().instructions
        if count != self._progress or not count or not self._machine.waits():
            self._progress, self._progressed = count, now
        if self._machine.is_system:
            if now - self._progressed > IDLE_SECONDS:
                self._end = End("limit", EXIT_LIMIT, "it sleeps, and nothing will ever wake it")
        elif count > self._options.limit_ms * self._options.board.mhz * 1000:
            self._end = End("limit", EXIT_LIMIT, "as many instructions as its processor executes in --limit-ms")
        elif now - self._progressed > IDLE_SECONDS + self._options.limit_ms / 1000:
            self._end = End("limit", EXIT_LIMIT, "it waits for something that does not come")
