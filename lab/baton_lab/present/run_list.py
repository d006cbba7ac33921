# SPDX-License-Identifier: MIT
"""The list of the stored runs, as ./baton runs prints it."""

from __future__ import annotations

from collections.abc import Sequence

from baton_lab.base.store import Run
from baton_lab.present.grid import Grid, table


def grid(runs: Sequence[Run]) -> Grid:
    """A line for each run; in a narrow window its compiler is left out."""
    return table("runs", list(runs))
