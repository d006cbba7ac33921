# SPDX-License-Identifier: MIT
"""Prints progress; standard library only, because ./baton needs it before the set-up."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """Prints a line of progress on standard error; standard output is for results."""
    print(f"baton: {text}", file=sys.stderr, flush=True)
