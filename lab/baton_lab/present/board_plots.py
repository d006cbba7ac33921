# SPDX-License-Identifier: MIT
"""The plots across all boards: a line a board, and a panel for each unit, so that no axis holds two."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from baton_lab.board.board_facts import HOST, ordered
from baton_lab.measure import suites
from baton_lab.present import plot_style as look
from baton_lab.present.all_boards import value
from baton_lab.present.board_tables import NAMED, equal_boards, heading
from baton_lab.present.plot_style import LeftOut, Plot, draw, legend
from baton_lab.present.rows import CpuRow, SizeRow, validities

UNITS = ("cycles", "instructions")
MARKS = (("D", look.OURS), ("o", look.FLOOR), ("s", look.THEIRS), ("^", look.INK))
ROW_INCHES = 0.3
COROUTINES = ("coroutine", "delaying_coroutine", "channel_coroutine", "deadline_coroutine")

Outcome = Plot | LeftOut
Panel = tuple[str, list[str], dict[str, list[tuple[float, int]]]]
"""An axis' title, the names of its lines, and of each series the points (value, line)."""


def suite(name: str, rows: Sequence[CpuRow]) -> Outcome:
    """The plot of a suite across all boards, of the cases that suites.toml names."""
    plot = suites.of(name).plot
    if plot is None:
        raise ValueError(f"suites.toml has no plot of {name}")
    title, names = plot.title, plot.names
    chosen = [
        row.model_copy(update={"case": names[row.label], "params": {}})
        for row in rows
        if row.suite == name and row.label in names and row.board != HOST
    ]
    found = {unit: [row for row in chosen if row.figure.unit == unit] for unit in UNITS}
    panels = [_panel(unit, of_unit, list(names.values())) for unit, of_unit in found.items() if of_unit]
    if not panels:
        return LeftOut(name, title, f"no record of the suite {name} from a board that counts")
    how = ", ".join(validities([row.figure for row in chosen]))
    gross = "gross" if any(value(row) != row.figure.net for row in chosen) else "net of the counting work"
    caption = (
        f"An operation, {gross}; {how}. Cycles and instructions have an axis each: how many cycles an instruction"
        " takes, QEMU does not say."
    )
    return _plot(name, title, caption, panels)


def sizes(rows: Sequence[SizeRow]) -> Outcome:
    """What a coroutine of each kind takes of the RAM, by what the boards have in common."""
    name, title = "sizes", "Bytes of a coroutine"
    chosen = [row for row in rows if row.name in COROUTINES]
    if not chosen:
        return LeftOut(name, title, "no record of the suite sizes")
    groups = equal_boards(ordered(dict.fromkeys(row.board for row in chosen)), chosen)
    kinds = [kind for kind in COROUTINES if any(row.name == kind for row in chosen)]
    series = {
        heading(group): [(row.size_bytes, kinds.index(row.name)) for row in chosen if row.board == group[0]]
        for group in groups
    }
    caption = "Bytes of the object, all of it: a coroutine has no stack and takes nothing from the heap."
    for group in groups:
        caption += f" {heading(group)}: {', '.join(group)}." if len(group) > NAMED else ""
    return _plot(
        name, title, caption, [("bytes", kinds, {k: [(float(v), at) for v, at in s] for k, s in series.items()})]
    )


def _panel(unit: str, rows: Sequence[CpuRow], cases: Sequence[str]) -> Panel:
    boards = ordered(dict.fromkeys(row.board for row in rows))
    points: dict[str, list[tuple[float, int]]] = {case: [] for case in cases}
    for row in rows:
        points[row.label].append((value(row), boards.index(row.board)))
    return unit, boards, points


def _plot(name: str, title: str, caption: str, panels: Sequence[Panel]) -> Plot:
    lines = max(len(names) for _, names, _ in panels)

    def paint(figure: Figure) -> None:
        all_axes = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, panel in zip(all_axes, panels, strict=True):
            _paint(axes, panel, lines)
        legend(all_axes[0], columns=4)

    return draw((name, title, caption), 1.2 + ROW_INCHES * lines, paint, wide=len(panels) > 1)


def _paint(axes: Axes, panel: Panel, lines: int) -> None:
    unit, names, series = panel
    for (label, points), (mark, colour) in zip(series.items(), MARKS, strict=False):
        if points:
            x, y = zip(*points, strict=True)
            axes.plot(x, y, mark, color=colour, markersize=6.5, label=label)
    look.rows(axes, names, lines)
    axes.set_xlim(left=0)
    axes.set_xlabel(unit)
