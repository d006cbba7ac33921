# SPDX-License-Identifier: MIT
"""Remembers passed checks, by keys of the checked text.

The keys are in the user's cache, so that another checkout on this machine finds them.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from baton_lab.base.files import write_atomically
from baton_lab.base.project import Project

VARIABLE = "BATON_CLANG_TIDY_CACHE"
OFF = "off"
KEPT = 40_000
"""Keys of 65 bytes. A tree has about 1,000; a change of a common header adds half as many."""


def folder(project: Project) -> Path:
    """Returns the folder of the keys: that of the environment, or the user's cache.

    Shape    with `off`, or if that folder cannot be written to, the build folder.
    """
    said = os.environ.get(VARIABLE, "")
    own = project.build / "lab" / "clang-tidy"
    if said == OFF:
        return own
    chosen = Path(said).expanduser() if said else _caches() / "baton" / "clang-tidy"
    try:
        chosen.mkdir(parents=True, exist_ok=True)
    except OSError:
        return own
    return chosen if os.access(chosen, os.W_OK) else own


def _caches() -> Path:
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return named if named.is_absolute() else Path("~/.cache").expanduser()


class CheckCache:
    """The keys of passed checks in a file, the newest last.

    Shape    a line per key; an incomplete line is no key. Above `kept` lines the oldest are
             dropped.
    Context  several processes at once, from several checkouts: a writer is alone.
    """

    def __init__(self, place: Path, kept: int = KEPT) -> None:
        place.mkdir(parents=True, exist_ok=True)
        self._path, self._lock, self._kept = place / "passed", place / "lock", kept
        self._keys = set(self._read())

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def add(self, passed: Iterable[str]) -> None:
        """Keeps these keys from here on."""
        fresh = dict.fromkeys(key for key in passed if key not in self._keys)
        if not fresh:
            return
        self._keys.update(fresh)
        with self._alone(), self._path.open("a", encoding="utf-8") as file:
            file.write("\n".join(["", *fresh, ""]))  # on a new line, even after an incomplete one

    def let_go(self, used: Collection[str]) -> None:
        """Drops the excess: the oldest keys that are not `used`."""
        with self._alone():
            keys = self._read()
            if len(keys) > self._kept:
                wanted = set(used)
                order = [key for key in keys if key not in wanted] + [key for key in keys if key in wanted]
                write_atomically(self._path, "\n".join(order[-self._kept // 2 :]) + "\n")

    def _read(self) -> list[str]:
        try:
            return list(dict.fromkeys(self._path.read_text(encoding="utf-8", errors="replace").split()))
        except OSError:
            return []

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._lock.open("a", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
