# SPDX-License-Identifier: MIT
"""The machine of a run of the host: its processor and its cores, which tables of times name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from baton_lab.base.store import Run
from baton_lab.board.board_facts import HOST
from baton_lab.present.grid import Grid


def processors(run: Run) -> int | None:
    """The processors of the machine; None of an emulated board, and where the run does not say it."""
    cpus = run.machine.get("cpus", "")
    return int(cpus) if run.board == HOST and cpus.isdigit() else None


def named(grids: Iterable[Grid], run: Run) -> list[Grid]:
    """The tables of a run; those of the host with a note that names the machine."""
    cpu, count = run.machine.get("cpu"), processors(run)
    if not cpu or not count:
        return list(grids)
    note = f"machine: {cpu}, {count} processor{'' if count == 1 else 's'}"
    return [replace(grid, notes=(*grid.notes, note)) for grid in grids]
