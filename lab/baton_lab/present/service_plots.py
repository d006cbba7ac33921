# SPDX-License-Identifier: MIT
"""The plot of the suite service: what n services take, against n."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from baton_lab.base.records import Record
from baton_lab.present import plot_style as look
from baton_lab.present.plot_style import LeftOut, Plot, draw, legend
from baton_lab.present.service_grids import growth_note, start_growth
from baton_lab.present.service_published import FRAMEWORK, OPERATIONS, service

MILLI = 1e-6


def growth(records: Sequence[Record]) -> Plot | LeftOut:
    """Milliseconds of n services from creation to end, on logarithmic axes, with the exponent that was fitted."""
    name, title = "growth", "Create, start and stop n services"
    found = start_growth(records)
    if found.exponent is None:
        return LeftOut(name, title, growth_note(found))
    theirs = service().of_case("start", 1)

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        floors = [(n, n * f * MILLI) for n, f in zip(found.sizes, found.floors, strict=True) if f is not None]
        if floors:
            axes.plot(*zip(*floors, strict=True), "--o", color=look.FLOOR, markersize=4, linewidth=1.3, label="floor")
        ours = [value * MILLI for value in found.whole]
        label = f"Baton, n ** {found.exponent:.2f}"
        axes.plot(found.sizes, ours, "-D", color=look.OURS, markersize=5, linewidth=2, label=label)
        if theirs is not None:
            point = ([OPERATIONS["start"]], [theirs.micros / 1000])
            axes.plot(*point, "s", color=look.THEIRS, markersize=7, label=f"{FRAMEWORK}, published")
        axes.set_xscale("log")
        axes.set_yscale("log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}" if value < 1e6 else f"{value:,.0f}"))
        axes.set_xlabel("n, services; logarithmic")
        axes.set_ylabel("milliseconds; logarithmic")
        axes.grid(axis="both")
        legend(axes, columns=3)

    caption = (
        f"Milliseconds on one thread, measured on this machine: {growth_note(found)}."
        f" {FRAMEWORK}'s is published for one size, on another machine ({service().source})."
    )
    return draw((name, title, caption), 3.6, paint)
