# SPDX-License-Identifier: MIT
"""Runs systemd_program as systemd does, with a socket for its messages. systemd_test.py PROGRAM"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

WATCHDOG_S = 0.4
PATIENCE_S = 20.0
NOTHING = "nothing"


class Started:
    """A program that has been started, and the messages that it sends."""

    def __init__(self, program: str, way: str, path: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(path)
        limit_us = str(int(WATCHDOG_S * 1_000_000))
        environment = {**os.environ, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": limit_us}
        self.process = subprocess.Popen([program, way], env=environment, stdout=subprocess.PIPE, text=True)

    def next_message(self, patience_s: float = PATIENCE_S) -> str:
        """Returns the next message; NOTHING if none comes."""
        self.socket.settimeout(patience_s)
        try:
            return self.socket.recv(1000).decode()
        except TimeoutError:
            return NOTHING

    def messages_until(self, last: str) -> list[str]:
        """Returns the messages up to one, which is their last."""
        seen = [self.next_message()]
        while seen[-1] not in (last, NOTHING):
            seen.append(self.next_message())
        return seen

    def line(self) -> str:
        """Returns the next line of the program's output."""
        assert self.process.stdout
        return self.process.stdout.readline().strip()


@contextlib.contextmanager
def started(program: str, way: str) -> Iterator[Started]:
    """Starts the program, and ends it, however that goes."""
    with tempfile.TemporaryDirectory() as folder:
        it = Started(program, way, str(Path(folder) / "notify"))
        try:
            yield it
        finally:
            it.process.kill()
            it.process.wait()


def check_states(program: str) -> None:
    """Ready comes after the slow start of the other worker, beats all the while, stopping at the end."""
    with started(program, "good") as it:
        seen = it.messages_until("READY=1")
        assert it.line() == "slow has started"
        assert set(seen[:-1]) == {"WATCHDOG=1"}, seen
        beats = [it.next_message() for _ in range(4)]
        assert beats == ["WATCHDOG=1"] * 4, beats
        it.process.send_signal(signal.SIGTERM)
        last = it.messages_until("STOPPING=1")
        assert last[-1] == "STOPPING=1", last
        assert it.process.wait(PATIENCE_S) == 0


def check_watchdog(program: str) -> None:
    """A worker that is stuck ends the beats, although the notifier's own worker goes on."""
    with started(program, "stuck") as it:
        assert it.messages_until("READY=1")[-1] == "READY=1"
        assert [it.line(), it.line()] == ["slow has started", "stuck"]
        end = time.monotonic() + PATIENCE_S
        while it.next_message(5 * WATCHDOG_S) != NOTHING:
            assert time.monotonic() < end, "the beats go on"
        assert it.process.poll() is None


def check_alone(program: str) -> None:
    """Without systemd there is nobody to tell, and the program runs as ever."""
    environment = {name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"}
    process = subprocess.Popen([program, "good"], env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline().strip() == "slow has started"
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0


if __name__ == "__main__":
    check_states(sys.argv[1])
    check_watchdog(sys.argv[1])
    check_alone(sys.argv[1])
    print("verdict: good")
