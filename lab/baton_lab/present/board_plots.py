# SPDX-License-Identifier: MIT
"""The plots across all boards: a line a board, and a panel for each unit, so that no axis holds two."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from baton_lab.board.board_facts import HOST, ordered
from baton_lab.present import plot_style as look
from baton_lab.present.all_boards import value
from baton_lab.present.byte_grids import NAMED, equal_boards, heading
from baton_lab.present.byte_rows import SizeRow
from baton_lab.present.plot_style import LeftOut, Plot, bare, draw, legend
from baton_lab.present.rows import CpuRow, validities

UNITS = ("cycles", "instructions")
MARKS = (("D", look.OURS), ("o", look.FLOOR), ("s", look.THEIRS), ("^", look.INK))
ROW_INCHES = 0.3
COROUTINES = ("coroutine", "delaying_coroutine", "channel_coroutine", "deadline_coroutine")

Outcome = Plot | LeftOut
Panel = tuple[str, list[str], dict[str, list[tuple[float, int]]]]
"""An axis' title, the names of its lines, and of each series the points (value, line)."""


def auto(rows: Sequence[CpuRow]) -> Outcome:
    """A switch, direct and through the scheduler, on every board."""
    cases = ("direct yields=2", "scheduler yields=2", "scheduler_profiled yields=2 clock=32")
    return _across("auto", "A switch on every board", rows, cases)


def channel(rows: Sequence[CpuRow]) -> Outcome:
    """A message and a call on every board."""
    cases = ("message channels=1", "message_deadline channels=1", "call bytes=4")
    return _across("channel", "A message and a call on every board", rows, cases)


def select(rows: Sequence[CpuRow]) -> Outcome:
    """A wait for the first of two, and what a message costs beside it, on every board."""
    cases = ("select cases=2", "message channels=1", "call bytes=4")
    return _across("select", "A wait for the first of two on every board", rows, cases)


def srr(rows: Sequence[CpuRow]) -> Outcome:
    """A round trip between two tasks of the kernel, short and long, and with one call less, on every board."""
    chosen = "first=receiver optimized=yes"
    names = {
        f"send_receive_reply bytes=4 {chosen}": "send, receive, reply, 4 B",
        f"send_receive_reply bytes=256 {chosen}": "256 B",
        f"reply_receive bytes=4 {chosen}": "reply and receive in one, 4 B",
    }
    named = [row.model_copy(update={"case": names[row.label], "params": {}}) for row in rows if row.label in names]
    return _across("srr", "A round trip between two tasks on every board", named, list(names.values()))


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


def _across(name: str, title: str, rows: Sequence[CpuRow], cases: Sequence[str]) -> Outcome:
    chosen = [row for row in rows if row.suite == name and row.label in cases and row.board != HOST]
    panels = [
        _panel(unit, of_unit, cases) for unit in UNITS if (of_unit := [r for r in chosen if r.figure.unit == unit])
    ]
    if not panels:
        return LeftOut(name, title, f"no record of the suite {name} from a board that counts")
    how = ", ".join(validities([row.figure for row in chosen]))
    gross = "gross" if any(value(row) != row.figure.net for row in chosen) else "net of the counting work"
    caption = (
        f"An operation, {gross}; {how}. Cycles and instructions have an axis each: how many cycles an instruction"
        " takes, QEMU does not say."
    )
    return _plot(name, title, caption, panels)


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

    wide = len(panels) > 1
    size = (look.WIDE if wide else look.WIDTH, 1.2 + ROW_INCHES * lines)
    return Plot(name, title, caption, draw(name, size, paint, label=title), wide=wide)


def _paint(axes: Axes, panel: Panel, lines: int) -> None:
    unit, names, series = panel
    for (label, points), (mark, colour) in zip(series.items(), MARKS, strict=False):
        if points:
            x, y = zip(*points, strict=True)
            axes.plot(x, y, mark, color=colour, markersize=6.5, label=label)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(lines - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.set_xlabel(unit)
    axes.spines["left"].set_visible(False)
    bare(axes)
