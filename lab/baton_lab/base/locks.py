# SPDX-License-Identifier: MIT
"""Locks between processes; standard library only, because ./baton needs it before the set-up."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from baton_lab.base.notices import say


@contextmanager
def alone(path: Path, doing: str) -> Iterator[None]:
    """Holds the lock file while the block runs; waits for another holder first.

    Context  the operating system frees the lock when its holder ends in any way; children do not
             inherit it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another ./baton is {doing}; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
