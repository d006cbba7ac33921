# SPDX-License-Identifier: MIT
"""The plot of the suite realtime: a histogram of each case, one scheduler and throttle above the other."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from baton_lab.base.records import Record
from baton_lab.present import plot_style as look
from baton_lab.present.plot_style import LeftOut, Plot, draw
from baton_lab.present.realtime_grids import CASES, SUITE, chosen, histogram, throttle

MICRO = 1e-3
EXACT_BELOW = 8
"""Shorter than so many nanoseconds each has a bin of its own."""


def begin_of(end: int) -> int:
    """Where the bin begins that ends so: four bins between a power of two and the next."""
    if end < EXACT_BELOW:
        return end
    return end + 1 - (1 << ((end).bit_length() - 3))


def histograms(records: Sequence[Record]) -> Plot | LeftOut:
    """How many events took how long, on logarithmic axes, with the deadline."""
    name, title = "realtime", "How late, and how long: events under a deadline"
    rows = [r for r in chosen(records) if histogram(r) and r.case in CASES]
    if not rows:
        return LeftOut(name, title, f"no record of the suite {SUITE} with a histogram")
    columns = [[r for r in rows if r.case == case] for case in CASES]
    height = max(map(len, columns))

    def paint(figure: Figure) -> None:
        grid = figure.subplots(height, len(CASES), sharex="col", squeeze=False)
        for column, of_case in enumerate(columns):
            for row in range(height):
                axes = grid[row][column]
                if row >= len(of_case):
                    axes.set_visible(False)
                    continue
                record = of_case[row]
                bins = histogram(record)
                begins = [begin_of(end) * MICRO for end, _ in bins]
                widths = [(end + 1) * MICRO - begin for (end, _), begin in zip(bins, begins, strict=True)]
                counts = [count for _, count in bins]
                bars = axes.bar(begins, counts, widths, align="edge", color=look.OURS, linewidth=0)
                bars.set_label("events")
                deadline = record.params.get("deadline", "")
                if deadline.isdigit():
                    axes.axvline(int(deadline) * MICRO, color=look.THEIRS, linestyle="--", linewidth=1.2)
                axes.set_xscale("log")
                axes.set_yscale("log")
                axes.set_ylim(0.6, None)
                for axis in (axes.xaxis, axes.yaxis):
                    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
                axes.set_title(label_of(record))
                axes.grid(axis="both")
            lowest = grid[max(len(of_case), 1) - 1][column]
            lowest.set_xlabel("microseconds; logarithmic")
            grid[0][column].set_ylabel("events" if column == 0 else "")

    caption = (
        "Events in each bin of time, both axes logarithmic, measured on this machine; the broken line is the deadline."
        " Latency is from a moment that was set beforehand to the handler, payload the time of a computation in a"
        " handler that never gives the processor back."
    )
    return draw((name, title, caption), 1.0 + 1.5 * height, paint, wide=True)


def label_of(record: Record) -> str:
    """What tells it from the others of its case."""
    return f"{record.case}, {record.params.get('scheduling', '')}, throttle {throttle(record)}"
