# SPDX-License-Identifier: MIT
"""An emulator that reports its program in frames on its standard output, in order of time.

text N          N bytes of the console follow after the end of the line
interval C...   a measured interval, without its marks: cycles, reads, writes
pin NAME L C    a watched pin has this level since cycle C; since C nanoseconds where no clock is known
port NAME       the pseudo-terminal that is the console
end {...}       the last frame: the end as JSON with the keys state, exit and why, and further facts
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import sys
from collections.abc import Sequence
from pathlib import Path

from runner.child import EXIT_CRASHED, Child, End
from runner.records import Console


class Framed(Child):
    """A running emulator; `given` is its standard input."""

    def __init__(self, command: Sequence[str | Path], given: bytes = b"", *, hz: int = 10**9) -> None:
        super().__init__(command)
        self._frames = bytearray()
        self._hz = hz
        with contextlib.suppress(BrokenPipeError):  # the emulator has ended, and run() reports it
            rest = memoryview(given)
            while rest:
                rest = rest[self.receiver.write(rest) :]
            self.receiver.close()

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
                console.take(bytes(self._frames[stop:until]))
                stop = until
            elif word == b"interval":
                console.add(tuple(map(int, rest.split())))
            elif word == b"pin":
                name, level, cycles = rest.decode().split()
                at_ms = int(cycles) * 1000 / self._hz
                print(f"pin {name}={level} at {at_ms:.3f} ms", file=sys.stderr, flush=True)
            elif word == b"port":
                print(rest.decode(), file=sys.stderr, flush=True)
            else:
                facts = json.loads(rest)
                return End(facts.pop("state"), facts.pop("exit"), facts.pop("why", ""), facts)
            del self._frames[:stop]
        return None
