# SPDX-License-Identifier: MIT
"""The plot of what the host takes time for: a line a case, under the name of its suite, in two panels with one axis."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from baton_lab.present import plot_style as look
from baton_lab.present.plot_style import LeftOut, Plot, draw, legend, ticks
from baton_lab.present.rows import CpuRow, validities

ROW_INCHES = 0.29
Line = tuple[str, CpuRow | None]
"""What stands beside a line, and its case; a suite's name has none."""


def nanoseconds(rows: Sequence[CpuRow]) -> Plot | LeftOut:
    """Nanoseconds on the host: median, the range of the runs, and the floor."""
    name, title = "host", "Nanoseconds on the host"
    rows = [row for row in rows if row.figure.unit == "ns" and row.case != "empty_loop"]
    if not rows:
        return LeftOut(name, title, "no record in nanoseconds")
    panels = halves([of_suite(suite, list(of)) for suite, of in groupby(rows, lambda row: row.suite)])
    most = max(len(lines) for lines in panels)

    def paint(figure: Figure) -> None:
        all_axes = figure.subplots(1, len(panels), squeeze=False, sharex=True)[0]
        for axes, lines in zip(all_axes, panels, strict=True):
            _paint(axes, lines, most)
        legend(all_axes[0])

    how = ", ".join(validities([row.figure for row in rows]))
    caption = (
        f"Nanoseconds an iteration, {how} on this machine: the median, and pale the range of the runs as far as kept."
    )
    return draw((name, title, caption), 1.0 + ROW_INCHES * most, paint, wide=len(panels) > 1)


def of_suite(suite: str, rows: Sequence[CpuRow]) -> list[Line]:
    """A suite's name, and its cases below."""
    return [(suite, None), *((row.label, row) for row in rows)]


def halves(suites: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The suites in two panels that are about as long, none of them cut; one suite in one."""
    cuts = range(1, len(suites)) or range(len(suites), len(suites) + 1)
    parts = [[_joined(suites[:cut]), _joined(suites[cut:])] for cut in cuts]
    best = min(parts, key=lambda two: max(len(lines) for lines in two))
    return [lines for lines in best if lines]


def _joined(suites: Sequence[Sequence[Line]]) -> list[Line]:
    return [line for suite in suites for line in suite]


def _paint(axes: Axes, lines: Sequence[Line], most: int) -> None:
    cases = [(place, row) for place, (_, row) in enumerate(lines) if row]
    for place, row in cases:
        low, high = row.minimum or row.figure.gross, row.maximum or row.figure.gross
        axes.plot([low, high], [place, place], color=look.OURS_SOFT, linewidth=6, solid_capstyle="butt")
    medians = [(row.figure.gross, float(place)) for place, row in cases]
    ticks(axes, medians, "D", look.OURS, "Baton, median")
    floors = [
        (row.figure.floor + row.figure.gross - row.figure.net, float(place)) for place, row in cases if row.figure.floor
    ]
    ticks(axes, floors, "|", look.FLOOR, "floor")
    look.rows(axes, [label for label, _ in lines], most)
    for text, (_, case) in zip(axes.get_yticklabels(), lines, strict=True):
        text.set_fontweight("normal" if case else "bold")
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("nanoseconds, gross; logarithmic")
