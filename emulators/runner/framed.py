# SPDX-License-Identifier: MIT
"""An emulator that reports its program in frames on its standard output, in order of time.

text N          N bytes of the console follow after the end of the line
interval C...   a measured interval, without its marks: cycles, reads, writes
port NAME       the pseudo-terminal that is the console
at NS           the board's time of the frames that follow; of text it is told with a script alone
level PIN 0|1   a watched pin has changed to this level; before its first frame it is low
end {...}       the last frame: the end as JSON with the keys state, exit and why, and further facts
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from runner.child import EXIT_CRASHED, Child, End
from runner.records import Console
from runner.timeline import Timeline


class Framed(Child):
    """A running emulator; `given` is its standard input, and `told` are the pins whose changes are printed."""

    def __init__(self, command: Sequence[str | Path], given: bytes = b"", *, told: Iterable[str] = ()) -> None:
        super().__init__(command)
        self._frames = bytearray()
        self.timeline = Timeline()
        self._told = frozenset(told)
        self._at_ns = 0
        with contextlib.suppress(BrokenPipeError):  # the emulator has ended, and run() reports it
            rest = memoryview(given)
            while rest:
                rest = rest[self.receiver.write(rest) :]
            self.receiver.close()

    @property
    def ended_ns(self) -> int:
        """The board's time at the end of a run with a script."""
        return self._at_ns

    def run(self, console: Console) -> End:
        """Passes on the program's output until the program has ended.

        Errors   BrokenPipeError: the reader of the output is gone.
        """
        poll = select.poll()
        poll.register(self.console, select.POLLIN)
        poll.register(sys.stdout.fileno(), 0)  # an error, when its reader has gone
        while True:
            if sys.stdout.fileno() in dict(poll.poll()):
                raise BrokenPipeError
            more = os.read(self.console.fileno(), 65536)
            if not more:
                return End("crashed", EXIT_CRASHED, f"the emulator itself ended, with {self.process.wait()}")
            self._frames += more
            end = self._take_frames(console)
            if end:
                self.process.wait()
                return end

    def _take_frames(self, console: Console) -> End | None:
        while (stop := self._frames.find(b"\n") + 1) > 0:
            word, _, rest = bytes(self._frames[: stop - 1]).partition(b" ")
            if word == b"text":
                until = stop + int(rest)
                if len(self._frames) < until:
                    return None
                text = bytes(self._frames[stop:until])
                console.take(text)
                self.timeline.send(self._at_ns, text)
                stop = until
            elif word == b"interval":
                console.add(tuple(map(int, rest.split())))
            elif word == b"at":
                self._at_ns = int(rest)
            elif word == b"level":
                pin, level = rest.decode().split()
                self._take_level(pin, int(level))
            elif word == b"port":
                print(rest.decode(), file=sys.stderr, flush=True)
            else:
                facts = json.loads(rest)
                return End(facts.pop("state"), facts.pop("exit"), facts.pop("why", ""), facts)
            del self._frames[:stop]
        return None

    def _take_level(self, pin: str, level: int) -> None:
        self.timeline.level(self._at_ns, pin, level)
        if pin in self._told:
            print(f"pin {pin}={level} at {self._at_ns / 1e6:.3f} ms", file=sys.stderr, flush=True)
