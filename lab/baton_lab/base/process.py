# SPDX-License-Identifier: MIT
"""Runs other programs, each within a time limit and in a process group of its own."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

GRACE_SECONDS = 2.0
TAIL_LINES = 30


@dataclass(frozen=True)
class Outcome:
    """The end of a program. `output` includes standard error, unless the caller separated them."""

    command: tuple[str, ...]
    code: int
    output: str
    errors: str
    seconds: float
    timed_out: bool = False

    @property
    def ok(self) -> bool:
        """True if the program ended by itself, with 0."""
        return self.code == 0 and not self.timed_out

    @property
    def how(self) -> str:
        """The end in words."""
        if self.timed_out:
            return f"did not end within {self.seconds:.0f} s and was stopped"
        if self.code < 0:
            return f"was ended by signal {signal.Signals(-self.code).name}"
        return f"ended with {self.code}"

    def tail(self, lines: int = TAIL_LINES) -> str:
        """Returns the last lines of the output."""
        return last_lines("\n".join(part.rstrip() for part in (self.output, self.errors) if part.strip()), lines)


def last_lines(text: str, lines: int = TAIL_LINES) -> str:
    """Returns the end of a text, without blank lines at its ends."""
    return "\n".join(text.strip("\n").splitlines()[-lines:])


def printable(command: Sequence[str], cwd: Path | None = None) -> str:
    """Formats a command as a person types it."""
    line = shlex.join(command)
    return f"cd {shlex.quote(str(cwd))} && {line}" if cwd else line


def run(  # noqa: PLR0913 - an option each
    command: Sequence[str],
    *,
    cwd: Path,
    limit_s: float,
    environment: Mapping[str, str] | None = None,
    apart: bool = False,
    watch: Callable[[str], None] | None = None,
) -> Outcome:
    """Runs a program to its end or to its limit; returns its output in both cases.

    Shape    `watch` gets each line of the output as it comes, in a thread of its own; then errors are not `apart`.

    Errors   FileNotFoundError: there is no such program.
    """
    began = time.monotonic()
    process = start(
        command,
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        streams=(subprocess.DEVNULL, subprocess.PIPE, subprocess.PIPE if apart else subprocess.STDOUT),
    )
    timed_out = False
    output: bytes | None
    errors: bytes | None
    try:
        output, errors = _watched(process, limit_s, watch) if watch else process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired as error:
        timed_out = True
        stop(process)
        output, errors = (error.stdout, None) if watch else _rest(process)
    except BaseException:  # Ctrl-C must leave no compiler behind
        stop(process)
        raise
    finally:
        forget(process)
    return Outcome(
        tuple(command), process.returncode, _text(output), _text(errors), time.monotonic() - began, timed_out
    )


class InterruptedRunError(RuntimeError):
    """All programs were told to end, so no further one starts."""


_running: set[subprocess.Popen[bytes]] = set()
_guard = threading.Lock()
_ending = threading.Event()


def start(
    command: Sequence[str],
    *,
    cwd: Path,
    streams: tuple[int, int, int],
    env: Mapping[str, str] | None = None,
    descriptors: tuple[int, ...] = (),
) -> subprocess.Popen[bytes]:
    """Starts a program in a session of its own, where `stop_all` finds it until `forget` is called.

    `streams` are its standard input, output and error, as Popen takes them; `descriptors` stay open in it.

    Errors   FileNotFoundError; InterruptedRunError: `stop_all` was called.
    """
    with _guard:
        if _ending.is_set():
            raise InterruptedRunError(f"interrupted before it ran {command[0]}")
        process = subprocess.Popen(
            list(command),
            cwd=cwd,
            env=env,
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            pass_fds=descriptors,
            start_new_session=True,
        )
        _running.add(process)
    return process


def forget(process: subprocess.Popen[bytes]) -> None:
    """Forgets a process whose end the caller has seen."""
    with _guard:
        _running.discard(process)


def stop_all() -> None:
    """Ends every program that a thread of this process runs, and lets no further one start.

    Context  the process itself is about to end.
    """
    with _guard:
        _ending.set()
        processes = list(_running)
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
    for process in processes:
        stop(process)


@contextmanager
def ending_reset() -> Iterator[None]:
    """Undoes `stop_all` at the end of the block, for tests."""
    try:
        yield
    finally:
        _ending.clear()


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and the others of its session, first by SIGTERM."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _watched(
    process: subprocess.Popen[bytes], limit_s: float, watch: Callable[[str], None]
) -> tuple[bytes, bytes | None]:
    """Reads a program's output to its end, and shows each line to `watch`.

    Errors   TimeoutExpired, with the output until then.
    """
    lines: list[bytes] = []
    until = time.monotonic() + limit_s

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            watch(_text(line).rstrip("\n"))

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(limit_s)
    if reader.is_alive():
        raise subprocess.TimeoutExpired(process.args, limit_s, b"".join(lines))
    process.wait(max(until - time.monotonic(), 0.1))
    return b"".join(lines), None


def _rest(process: subprocess.Popen[bytes]) -> tuple[bytes | None, bytes | None]:
    """Returns a stopped process's output, even if a stranger still holds the pipe."""
    try:
        return process.communicate(timeout=GRACE_SECONDS)
    except subprocess.TimeoutExpired as error:
        return error.stdout, error.stderr


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", errors="replace")
