# SPDX-License-Identifier: MIT
"""Lines of progress; standard library only, since ./baton prints them before there is anything else."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """A line of progress; standard output belongs to results."""
    print(f"baton: {text}", file=sys.stderr, flush=True)
