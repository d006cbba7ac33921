# SPDX-License-Identifier: MIT
"""Shows the longest steps of ./baton test, at 80 columns."""

from __future__ import annotations

import resource
from collections.abc import Mapping

WIDTH = 80
LONGEST = 12


def processor_seconds() -> float:
    """Returns the processor time of this process and of its ended programs."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def lines(steps: Mapping[str, float], wall_s: float, processor_s: float) -> list[str]:
    """Makes the table of the steps' seconds, whose sum may exceed the time that passed."""
    if not steps:
        return []
    order = sorted(steps, key=lambda name: -steps[name])
    rest = [steps[name] for name in order[LONGEST:]]
    rows = [(steps[name], name) for name in order[:LONGEST]]
    rows += [(sum(rest), f"{len(rest)} shorter steps together")] if rest else []
    head = f"where the time went: {wall_s:.1f} s passed, {processor_s:.1f} s of processors"
    return [head[:WIDTH], *(_row(seconds, wall_s, name) for seconds, name in rows)]


def _row(seconds: float, wall_s: float, name: str) -> str:
    share = seconds / wall_s if wall_s > 0 else 0.0
    return f"{seconds:7.1f} s {share:5.0%}  {name}"[:WIDTH]
