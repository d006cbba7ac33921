# SPDX-License-Identifier: MIT
"""Runs a program of this machine as a person does: its input and output are the terminal's."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from baton_lab.base.notices import say
from baton_lab.base.process import forget, start, stop

TIMED_OUT = 124
ENDING_S = 45.0
"""A service has so long for an orderly end; options::shutdown_limit is less."""


def run(
    command: Sequence[str | Path], folder: Path, limit_s: float | None, env: Mapping[str, str] | None = None
) -> int:
    """Runs a program to its end or limit, 0 or None for none, and returns its exit code.

    Context  it gets Ctrl-C and SIGTERM as its own signals. At the limit it gets SIGTERM, and that is no failure.
    Errors   FileNotFoundError
    """
    process = start([str(word) for word in command], cwd=folder, streams=(0, 1, 2), env=env)
    limit = time.monotonic() + limit_s if limit_s else None
    try:
        with _passed_on(process):
            return _waited(process, limit)
    finally:
        stop(process)
        forget(process)


def _waited(process: subprocess.Popen[bytes], limit: float | None) -> int:
    try:
        code = process.wait(None if limit is None else max(0.0, limit - time.monotonic()))
    except subprocess.TimeoutExpired:
        say("the run reached its limit")
        return _ended(process)
    if code < 0:
        say(f"the program was ended by {signal.Signals(-code).name}")
        return 128 - code
    return code


def _ended(process: subprocess.Popen[bytes]) -> int:
    """Ends a program by SIGTERM. A program that does nothing about the signal has ended well, too."""
    process.send_signal(signal.SIGTERM)
    try:
        code = process.wait(ENDING_S)
    except subprocess.TimeoutExpired:
        say(f"the program did not end within {ENDING_S:.0f} s of SIGTERM")
        return TIMED_OUT
    return 0 if code == -signal.SIGTERM else code


@contextmanager
def _passed_on(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Passes SIGINT and SIGTERM on to the program while the block runs."""

    def pass_on(number: int, _frame: FrameType | None) -> None:
        process.send_signal(number)

    before: Sequence[tuple[int, object]] = [(n, signal.signal(n, pass_on)) for n in (signal.SIGINT, signal.SIGTERM)]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)  # type: ignore[arg-type]
