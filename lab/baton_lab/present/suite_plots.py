# SPDX-License-Identifier: MIT
"""The plots of the report. Each is drawn from typed rows, or left out with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from baton_lab.measure.published import LIBRARY, published
from baton_lab.present import plot_style as look
from baton_lab.present.grid import number
from baton_lab.present.plot_style import LeftOut, Plot, draw, legend, ticks
from baton_lab.present.rows import CpuRow, IdleRow, MemoryRow, validities
from baton_lab.present.targets import TargetRow

ROW_INCHES = 0.33
SWITCH_CASE = "published_scheduler"
BOARDS = ("nano", "promicro", "samd21", "stm32", "esp8266", "esp32", "teensy32")
"""In the order of the plot; a board of another name comes after them."""

Outcome = Plot | LeftOut


def switch(rows: Sequence[CpuRow], stands_for: Mapping[str, str]) -> Outcome:
    """The cost of a switch by board and library version, in microseconds; ours at the board that it stands for."""
    name, title = "switch", "Cost of a switch, by board and library version"
    ours = {row.board: row for row in rows if row.case == SWITCH_CASE and row.micros_net is not None}
    if not ours:
        return LeftOut(name, title, f"no record of {SWITCH_CASE} from a board with a known clock")
    places = {board: stands_for.get(board, board) for board in ours}
    order = [*BOARDS, *sorted(set(places.values()) - set(BOARDS))]
    boards = [board for board in order if board in places.values() or published().cpu(board, SWITCH_CASE)]
    names = [_named(board, [name for name, place in places.items() if place == board]) for board in boards]
    how = ", ".join(validities([row.figure for row in ours.values()]))

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        _published_dots(axes, boards)
        mine = [(row.micros_net or 0.0, boards.index(places[board])) for board, row in ours.items()]
        axes.plot(*zip(*mine, strict=True), "D", color=look.OURS, markersize=7.5, label=f"Baton, {how}")
        for value, place in mine:
            axes.annotate(
                number(value, 2 if value >= 0.1 else 4),
                (value, place),
                (-9, 0),
                textcoords="offset points",
                ha="right",
                va="center",
                color=look.OURS,
            )
        look.rows(axes, names)
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(FixedLocator([0.005, 0.02, 0.1, 0.2, 0.5, 1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlim(min(0.15, *(value / 3 for value, _ in mine if value > 0)), 9)
        axes.set_xlabel("microseconds a switch, less the empty loop (logarithmic)")
        legend(axes, columns=2)

    height = 1.0 + ROW_INCHES * len(boards)
    caption = (
        f"Microseconds, net of the empty loop: {LIBRARY}'s CoroutineScheduling as published, on real hardware,"
        f" to 0.1 us; Baton's {SWITCH_CASE} has the same shape and is {how}."
        " No diamond: Baton has no time there, only instructions or nothing."
    )
    return draw((name, title, caption), height, paint)


def idle(rows: Sequence[IdleRow], peers: Sequence[TargetRow]) -> Outcome:
    """What n idle coroutines add to a round, against n."""
    name, title = "idle", "What idle coroutines add to one round"
    rows = [row for row in rows if row.unit == "cycles" and len(row.points) > 1]
    if not rows:
        return LeftOut(name, title, "no record of the suite idle in cycles")
    board = rows[0].board
    rows = [row for row in rows if row.board == board]
    last = max(n for row in rows for n, _ in row.points)
    models = [(row.target.figure.case, row.target.peer) for row in peers if row.target.figure.suite == "idle"]

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        for kind, each in models:
            if each is not None:
                axes.plot([0, last], [0, each * last], "--", color=look.THEIRS, linewidth=1.3)
                _at_end(axes, last, each * last, f"{LIBRARY}, {kind}", look.MUTED)
        for points, kinds in _same_points(rows).items():
            axes.plot(
                *zip(*points, strict=True), "-o", color=look.OURS, markersize=4.5, linewidth=2, clip_on=False, zorder=5
            )
            _at_end(axes, *points[-1], f"Baton, {' and '.join(kinds)}", look.OURS)
        axes.set_xlabel("n, idle coroutines")
        axes.set_ylabel("cycles added to a round")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlim(0, last)
        axes.set_ylim(bottom=0)
        axes.grid(axis="y")
        axes.tick_params(axis="y", labelcolor=look.MUTED)

    how = ", ".join(dict.fromkeys(row.valid for row in rows))
    caption = f"Cycles on the {board}; Baton is {how}."
    if any(each is not None for _, each in models):
        caption += (
            f" {LIBRARY} 1.5.1 is modelled: n times what one idle coroutine was found to cost in the same simulator."
        )
    return draw((name, title, caption), 3.3, paint)


def memory(rows: Sequence[MemoryRow]) -> Outcome:
    """Flash and RAM of each feature beside what is published."""
    name, title = "memory", "Flash and RAM of each feature"
    boards = [row.board for row in rows if row.published]
    rows = [row for row in rows if row.board in boards[:1]]
    if not rows:
        return LeftOut(name, title, "no record of the suite memory on a board with published figures")
    features = [row.feature for row in rows]

    def paint(figure: Figure) -> None:
        flash, ram = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
        _pairs(
            flash, "flash, bytes", [(row.flash_bytes, row.published and row.published[1].flash_bytes) for row in rows]
        )
        _pairs(ram, "RAM, bytes", [(row.ram_bytes, row.published and row.published[1].ram_bytes) for row in rows])
        look.rows(flash, features)
        legend(flash)

    version = next(row.published[0] for row in rows if row.published)
    caption = (
        f"Bytes more than the empty program on the {boards[0]}, by the linker; {LIBRARY} {version} as published for the"
        " same feature. A feature without a grey bar has no published counterpart."
    )
    return draw((name, title, caption), 1.0 + 0.4 * len(rows), paint, wide=True)


def message(rows: Sequence[CpuRow], targets: Sequence[TargetRow]) -> Outcome:
    """Messages and calls: the counting work, ours, the floor, the target and the peer."""
    name, title = "message", "Cost of a message and of a call"
    rows = [r for r in rows if r.suite == "channel" and r.figure.unit == "cycles" and not r.published]
    if not rows:
        return LeftOut(name, title, "no record of the suite channel in cycles")
    board = rows[0].board
    rows = [row for row in rows if row.board == board]
    goals = _goals(rows, targets)

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        places = range(len(rows))
        bases = [row.figure.gross - row.figure.net for row in rows]
        axes.barh(places, bases, 0.56, color=look.OURS_SOFT, label="counting work")
        axes.barh(places, [row.figure.net for row in rows], 0.56, bases, color=look.OURS, label="Baton")
        floors = [(r.figure.floor + b, i) for i, (r, b) in enumerate(zip(rows, bases, strict=True)) if r.figure.floor]
        ticks(axes, floors, "|", look.FLOOR, "floor")
        ticks(axes, [(g.target.limit, i - 0.4) for i, g in goals], "v", look.INK, "target")
        ticks(axes, [(g.target.peer, i) for i, g in goals if g.target.peer], "o", look.THEIRS, f"{LIBRARY} 1.5.1")
        for place, row in enumerate(rows):
            where = (row.figure.gross, place)
            text = number(row.figure.gross, 0)
            axes.annotate(text, where, (6, 0), textcoords="offset points", va="center", color=look.INK)
        look.rows(axes, [row.label for row in rows])
        axes.set_xlabel("cycles, gross")
        legend(axes, columns=5)

    how = ", ".join(validities([row.figure for row in rows]))
    caption = (
        f"Cycles on the {board}, {how}, gross: the counting work of the workload is the pale part. The floor is a bare"
        f" prototype of the same work in the same program; {LIBRARY} ran in the same simulator."
    )
    return draw((name, title, caption), 1.0 + ROW_INCHES * len(rows), paint)


def _named(board: str, ours: Sequence[str]) -> str:
    """A board of the published figures, and which of ours stand for it."""
    others = [name for name in ours if name != board]
    return f"{board} ({', '.join(others)})" if others else board


def _published_dots(axes: Axes, boards: Sequence[str]) -> None:
    for version, colour in (("1.4", look.THEIRS_OLD), ("1.5.1", look.THEIRS)):
        rows = [(dict(published().cpu(board, SWITCH_CASE)).get(version), place) for place, board in enumerate(boards)]
        points = [(row.diff_micros, place) for row, place in rows if row]
        label = f"{LIBRARY} {version}, published"
        axes.plot(*zip(*points, strict=True), "o", color=colour, markersize=7, label=label)


def _pairs(axes: Axes, title: str, pairs: Sequence[tuple[int | None, int | None]]) -> None:
    for offset, colour, label, which in ((-0.2, look.OURS, "Baton", 0), (0.2, look.THEIRS, f"{LIBRARY}, published", 1)):
        known = [(place + offset, value) for place, pair in enumerate(pairs) if (value := pair[which]) is not None]
        if not known:
            continue
        places, values = [place for place, _ in known], [value for _, value in known]
        bars = axes.barh(places, values, 0.36, color=colour, label=label)
        axes.bar_label(bars, padding=3, fontsize=9, color=look.MUTED)
    axes.set_xlabel(title)
    axes.margins(x=0.14)
    look.without_frame(axes)


def _goals(rows: Sequence[CpuRow], targets: Sequence[TargetRow]) -> list[tuple[int, TargetRow]]:
    """The targets of gross figures, with the place of their row."""
    goals = []
    for place, row in enumerate(rows):
        for each in targets:
            chosen = each.target.figure
            same = (each.target.board, chosen.suite, chosen.case, chosen.params) == (
                row.board, row.suite, row.case, row.params
            )  # fmt: skip
            if same and chosen.use == "gross" and each.target.minus is None:
                goals.append((place, each))
    return goals


def _at_end(axes: Axes, x: float, y: float, text: str, colour: str) -> None:
    axes.annotate(text, (x, y), (8, 0), textcoords="offset points", va="center", color=colour, annotation_clip=False)


def _same_points(rows: Sequence[IdleRow]) -> dict[tuple[tuple[int, float], ...], list[str]]:
    """Kinds with one and the same line, so that no line hides another."""
    lines: dict[tuple[tuple[int, float], ...], list[str]] = {}
    for row in rows:
        lines.setdefault(row.points, []).append(row.kind)
    return lines
