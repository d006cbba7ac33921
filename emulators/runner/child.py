# SPDX-License-Identifier: MIT
"""The emulator's process, which does not outlive the runner, and the end of its run."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

EXIT_LIMIT, EXIT_CRASHED = 124, 125
_PR_SET_PDEATHSIG = 1


class End(NamedTuple):
    """The end of a run and its further facts. `state` is "refused" if the run never began."""

    state: str
    code: int
    why: str = ""
    facts: dict[str, object] = {}  # noqa: RUF012  (nobody writes to it)


class Child:
    """A running emulator. Its standard input is never the terminal, whose modes it might change."""

    def __init__(self, command: Sequence[str | Path], errors: int | None = None, passed: Sequence[int] = ()) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0, pass_fds=passed,
            preexec_fn=_die_with(os.getpid()), start_new_session=True,  # noqa: PLW1509  (this process has one thread)
        )  # fmt: skip
        assert self.process.stdin and self.process.stdout
        self.receiver: IO[bytes] = self.process.stdin
        self.console: IO[bytes] = self.process.stdout

    def kill(self) -> None:
        """Ends the emulator at once."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def _die_with(parent: int) -> Any:
    libc = ctypes.CDLL(None, use_errno=True)

    def prepare() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # the parent has died before
            os._exit(1)

    return prepare
