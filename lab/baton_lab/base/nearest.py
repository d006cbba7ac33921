# SPDX-License-Identifier: MIT
"""Splits the names that a person types, and words the message for one that does not exist."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


def split(given: Iterable[str] | None) -> list[str]:
    """Returns the names of an option that may be repeated and may hold commas: `a,b` is `a` and `b`."""
    return [name for text in given or () for part in text.split(",") if (name := part.strip())]


def among(name: str, known: Sequence[str]) -> str:
    """Returns the known name that is nearest to one; nothing if none is near."""
    return next(iter(difflib.get_close_matches(name.lower(), known, 1)), "")


def unknown(kind: str, name: str, known: Sequence[str]) -> str:
    """Returns the message for a name that is not among the known ones, with the nearest of them."""
    close = among(name, known)
    meant = f"did you mean {close!r}? " if close else ""
    return f"there is no {kind} {name!r}; {meant}{kind}s: {' '.join(known)}"
