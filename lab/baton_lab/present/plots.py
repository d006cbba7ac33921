# SPDX-License-Identifier: MIT
"""The plots of the report. Each is drawn from typed rows, or left out with the reason; tables.toml has their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from baton_lab.base.records import Record
from baton_lab.board.board_facts import HOST, ordered
from baton_lab.measure import suites
from baton_lab.measure.published import LIBRARY, published
from baton_lab.measure.published_service import FRAMEWORK, OPERATIONS, service
from baton_lab.measure.targets import TargetRow
from baton_lab.present import plot_style as look
from baton_lab.present.beside import growth_note, start_growth
from baton_lab.present.grid import number
from baton_lab.present.plot_style import LeftOut, Plot, draw, left_out, legend, say, ticks
from baton_lab.present.rows import EMPTY_LOOP, Case, Feature, Idle, validities
from baton_lab.present.tables import NAMED, REALTIME_CASES, equal_boards, heading, realtime_rows

ROW_INCHES = 0.33
SWITCH_CASE = "published_scheduler"
BOARDS = ("nano", "promicro", "samd21", "stm32", "esp8266", "esp32", "teensy32")
"""In the order of the plot of a switch; a board of another name comes after them."""

COROUTINES = ("coroutine", "delaying_coroutine", "channel_coroutine", "deadline_coroutine")
MARKS = (("D", look.OURS), ("o", look.FLOOR), ("s", look.THEIRS), ("^", look.INK))
NUMBER = 0.12
"""The part of an axis that a figure beside a bar takes."""
MICRO, MILLI = 1e-3, 1e-6
EXACT_BELOW = 8
"""Shorter than so many nanoseconds each has a bin of its own."""

Outcome = Plot | LeftOut
Points = list[tuple[tuple[float, float], str | None]]
"""Values and the line that each stands on, each with the address of its run's row."""

Pair = tuple[int | None, int | None]
"""Our bytes, and the published ones."""

Panel = tuple[str, Sequence[str], Mapping[str, Points]]
"""An axis' title, the names of its lines, and the points of each series."""

Line = tuple[str, Case | None]
"""The words beside a line of the host's plot, and its case; a suite's name has none."""


def switch(rows: Sequence[Case], stands_for: Mapping[str, str]) -> Outcome:
    """The cost of a switch by board and library version, in microseconds; ours at the board that it stands for."""
    ours = {r.record.board: r for r in rows if r.record.case == SWITCH_CASE and r.micros_net is not None}
    if not ours:
        return left_out("switch", f"no record of {SWITCH_CASE} from a board with a known clock")
    places = {board: stands_for.get(board, board) for board in ours}
    order = [*BOARDS, *sorted(set(places.values()) - set(BOARDS))]
    boards = [board for board in order if board in places.values() or published().cpu(board, SWITCH_CASE)]
    named = {board: [name for name, place in places.items() if place == board != name] for board in boards}
    how = _how(ours.values())

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        for version, colour in (("1.4", look.THEIRS_OLD), ("1.5.1", look.THEIRS)):
            theirs = [(dict(published().cpu(board, SWITCH_CASE)).get(version), i) for i, board in enumerate(boards)]
            points = [(row.diff_micros, place) for row, place in theirs if row]
            label = f"{LIBRARY} {version}, published"
            axes.plot(*zip(*points, strict=True), "o", color=colour, markersize=7, label=label)
        mine = [(row.micros_net or 0.0, boards.index(places[board])) for board, row in ours.items()]
        ticks(axes, mine, "D", look.OURS, f"Baton, {how}", [look.behind(row.record) for row in ours.values()])
        for value, place in mine:
            digits, shift, side = (2, -9, "right") if value >= 0.1 else (4, 9, "left")  # the boards' names are left
            say(axes, number(value, digits), (value, place), shift, look.OURS, ha=side)
        look.rows(axes, [f"{board} ({', '.join(others)})" if others else board for board, others in named.items()])
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(FixedLocator([0.005, 0.02, 0.1, 0.2, 0.5, 1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlim(min(0.15, *(value / 3 for value, _ in mine if value > 0)), 9)
        axes.set_xlabel("microseconds a switch, less the empty loop (logarithmic)")
        legend(axes, columns=2)

    return draw("switch", 1.0 + ROW_INCHES * len(boards), paint, how=how, case=SWITCH_CASE)


def message(rows: Sequence[Case], targets: Sequence[TargetRow]) -> Outcome:
    """Messages and calls: the counting work, ours, the floor and the peer."""
    rows = [r for r in rows if r.record.suite == "channel" and r.record.unit == "cycles" and not r.published]
    if not rows:
        return left_out("message", "no record of the suite channel in cycles")
    board = rows[0].record.board
    records = [row.record for row in rows if row.record.board == board]
    goals = [(i, each) for i, record in enumerate(records) for each in targets if _is_goal(each, record)]

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        bases = [record.value - record.net for record in records]
        axes.barh(range(len(records)), bases, 0.56, color=look.OURS_SOFT, label="counting work")
        nets = [record.net for record in records]
        drawn = axes.barh(range(len(records)), nets, 0.56, bases, color=look.OURS, label="Baton")
        for bar, record in zip(drawn, records, strict=True):
            bar.set_url(look.behind(record))
        floors = [(r.net_floor + b, i) for i, (r, b) in enumerate(zip(records, bases, strict=True)) if r.net_floor]
        ticks(axes, floors, "|", look.FLOOR, "floor")
        ticks(axes, [(g.target.peer, i) for i, g in goals if g.target.peer], "o", look.THEIRS, f"{LIBRARY} 1.5.1")
        peers = {i: g.target.peer for i, g in goals if g.target.peer}
        most = max(record.value for record in records)
        for place, record in enumerate(records):
            peer = peers.get(place, 0.0)
            end = peer if record.value <= peer < record.value + NUMBER * most else record.value
            say(axes, number(record.value, 0), (end, place), 8 if end == peer else 6, look.INK)
        look.rows(axes, [record.label for record in records])
        axes.set_xlabel("cycles, gross")
        legend(axes, columns=4)

    return draw("message", 1.0 + ROW_INCHES * len(records), paint, board=board, how=", ".join(validities(records)))


def _is_goal(row: TargetRow, record: Record) -> bool:
    """True where a target is of the record's gross figure."""
    of, target = row.target.figure, row.target
    same = (target.board, of.suite, of.case, of.params) == (record.board, record.suite, record.case, record.chosen)
    return same and of.use == "gross" and target.minus is None


def idle(rows: Sequence[Idle], targets: Sequence[TargetRow]) -> Outcome:
    """The cost of n idle coroutines to a round, against n; kinds that cost the same share a line."""
    rows = [row for row in rows if row.unit == "cycles" and len(row.points) > 1]
    if not rows:
        return left_out("idle", "no record of the suite idle in cycles")
    rows = [row for row in rows if row.board == rows[0].board]
    last = max(n for row in rows for n, _ in row.points)
    idle_targets = [row.target for row in targets if row.target.figure.suite == "idle"]
    models = [(each.figure.case, each.peer) for each in idle_targets if each.peer is not None]
    lines: dict[tuple[tuple[int, float], ...], list[str]] = {}
    for row in rows:
        lines.setdefault(row.points, []).append(row.kind)

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        for kind, each in models:
            axes.plot([0, last], [0, each * last], "--", color=look.THEIRS, linewidth=1.3)
            say(axes, f"{LIBRARY}, {kind}", (last, each * last), 8, look.MUTED, annotation_clip=False)
        for points, kinds in lines.items():
            shape: dict[str, Any] = {"markersize": 4.5, "linewidth": 2, "clip_on": False, "zorder": 5}
            axes.plot(*zip(*points, strict=True), "-o", color=look.OURS, **shape)
            say(axes, f"Baton, {' and '.join(kinds)}", points[-1], 8, look.OURS, annotation_clip=False)
        axes.set_xlabel("n, idle coroutines")
        axes.set_ylabel("cycles added to a round")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlim(0, last)
        axes.set_ylim(bottom=0)
        axes.grid(axis="y")
        axes.tick_params(axis="y", labelcolor=look.MUTED)

    how = ", ".join(dict.fromkeys(row.valid for row in rows))
    return draw("idle", 3.3, paint, board=rows[0].board, how=how, models=models)


def memory(rows: Sequence[Feature]) -> Outcome:
    """Flash and RAM of each feature beside what is published."""
    board = next((row.board for row in rows if row.published), "")
    rows = [row for row in rows if row.board == board]
    if not rows:
        return left_out("memory", "no record of the suite memory on a board with published figures")
    theirs = [row.published[1] if row.published else None for row in rows]

    flashes = [(row.flash, each.flash_bytes if each else None) for row, each in zip(rows, theirs, strict=True)]
    rams = [(row.ram, each.ram_bytes if each else None) for row, each in zip(rows, theirs, strict=True)]

    def paint(figure: Figure, title: str, pairs: Sequence[Pair]) -> None:
        axes = figure.subplots()
        _pairs(axes, title, pairs)
        look.rows(axes, [row.name for row in rows])
        legend(axes)

    panels = [partial(paint, title=title, pairs=pairs) for title, pairs in (("flash", flashes), ("RAM", rams))]
    version = next(row.published[0] for row in rows if row.published)
    return draw("memory", 1.0 + 0.4 * len(rows), *panels, board=board, version=version)


def _pairs(axes: Axes, title: str, pairs: Sequence[Pair]) -> None:
    """Draws two bars on each line, or one in its middle."""
    alone = {place for place, pair in enumerate(pairs) if None in pair}
    for side, colour, label, which in ((-0.2, look.OURS, "Baton", 0), (0.2, look.THEIRS, f"{LIBRARY}, published", 1)):
        known = [
            (place + (0 if place in alone else side), value)
            for place, pair in enumerate(pairs)
            if (value := pair[which]) is not None
        ]
        if known:
            places, values = zip(*known, strict=True)
            bars = axes.barh(places, values, 0.36, color=colour, label=label)
            axes.bar_label(bars, padding=3, fontsize=9, color=look.MUTED)
    axes.set_xlabel(f"{title}, bytes")
    axes.margins(x=0.14)


def suite(name: str, rows: Sequence[Case]) -> Outcome:
    """The plot of a suite across all boards, of the cases that suites.toml names; a panel for each unit."""
    plot = suites.of(name).plot
    if plot is None:
        raise ValueError(f"suites.toml has no plot of {name}")
    chosen = [row for row in rows if row.record.suite == name and row.record.label in plot.names]
    chosen = [row for row in chosen if row.record.board != HOST]
    panels: list[Panel] = []
    for unit in ("cycles", "instructions"):
        of_unit = [row for row in chosen if row.record.unit == unit]
        boards = ordered(dict.fromkeys(row.record.board for row in of_unit))
        points: dict[str, Points] = {each: [] for each in plot.names.values()}
        for row in of_unit:
            at = (row.compared, float(boards.index(row.record.board)))
            points[plot.names[row.record.label]].append((at, look.behind(row.record, row.compared)))
        panels += [(unit, boards, points)] if of_unit else []
    known = {"suite": name, "suite_title": plot.title}
    if not panels:
        return left_out("suite", f"no record of the suite {name} from a board that counts", **known)
    is_gross = any(row.compared != row.record.net for row in chosen)
    return _panels("suite", panels, how=_how(chosen), is_gross=is_gross, **known)


def sizes(records: Sequence[Record]) -> Outcome:
    """The RAM of a coroutine of each kind, by what the boards have in common."""
    chosen = [record for record in records if record.suite == "sizes" and record.case in COROUTINES]
    if not chosen:
        return left_out("sizes", "no record of the suite sizes")
    groups = equal_boards(ordered(dict.fromkeys(record.board for record in chosen)), chosen)
    kinds = [kind for kind in COROUTINES if any(record.case == kind for record in chosen)]
    series = {
        heading(group): [((r.value, float(kinds.index(r.case))), look.behind(r)) for r in chosen if r.board == group[0]]
        for group in groups
    }
    many = {heading(group): ", ".join(group) for group in groups if len(group) > NAMED}
    return _panels("sizes", [("bytes", kinds, series)], many=many)


def _panels(name: str, panels: Sequence[Panel], **known: Any) -> Plot:
    most = max(len(names) for _, names, _ in panels)

    def paint(figure: Figure, panel: Panel) -> None:
        unit, names, series = panel
        axes = figure.subplots()
        for (label, points), (mark, colour) in zip(series.items(), MARKS, strict=False):
            ticks(axes, [at for at, _ in points], mark, colour, label, [address for _, address in points])
        look.rows(axes, names, most)
        # The library's own margin is a share of the distance between the marks, which may be small.
        axes.set_xlim(0, 1.05 * max((at for points in series.values() for (at, _), _ in points), default=0) or 1)
        axes.set_xlabel(unit)
        legend(axes, columns=3)

    return draw(name, 1.2 + 0.3 * most, *(partial(paint, panel=panel) for panel in panels), **known)


def host(rows: Sequence[Case]) -> Outcome:
    """Nanoseconds on the host: median, the range of the runs, and the floor; a line a case, below its suite's name."""
    rows = [row for row in rows if row.record.unit == "ns" and row.record.case != EMPTY_LOOP]
    if not rows:
        return left_out("host", "no record in nanoseconds")
    panels = look.halves([of_suite(suite, list(of)) for suite, of in groupby(rows, lambda row: row.record.suite)])
    most = max(len(lines) for lines in panels)

    records = [row.record for row in rows]

    def paint(figure: Figure, lines: Sequence[Line]) -> None:
        axes = figure.subplots()
        _paint_host(axes, lines, most)
        look.same_range(axes, records)
        legend(axes)

    return draw("host", 1.0 + 0.29 * most, *(partial(paint, lines=lines) for lines in panels), how=_how(rows))


def of_suite(suite: str, rows: Sequence[Case]) -> list[Line]:
    """A suite's name, and its cases below."""
    return [(suite, None), *((row.record.label, row) for row in rows)]


def _paint_host(axes: Axes, lines: Sequence[Line], most: int) -> None:
    cases = [(place, row.record) for place, (_, row) in enumerate(lines) if row]
    for place, record in cases:
        ends = [record.number("min") or record.value, record.number("max") or record.value]
        axes.plot(ends, [place, place], color=look.OURS_SOFT, linewidth=6, solid_capstyle="butt")
    addresses = [look.behind(record) for _, record in cases]
    ticks(axes, [(record.value, float(place)) for place, record in cases], "D", look.OURS, "Baton, median", addresses)
    floors = [(r.net_floor + r.value - r.net, float(place)) for place, r in cases if r.net_floor]
    ticks(axes, floors, "|", look.FLOOR, "floor")
    look.rows(axes, [label for label, _ in lines], most)
    look.embolden(axes, [case is None for _, case in lines])
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("nanoseconds, gross; logarithmic")


def growth(records: Sequence[Record]) -> Outcome:
    """Milliseconds of n services from creation to end, on logarithmic axes, with the exponent that was fitted."""
    found, theirs = start_growth(records), service().of_case("start", 1)
    if found.exponent is None:
        return left_out("growth", growth_note(found))

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
        look.logarithmic(axes, "{:,.15g}")
        axes.set_xlabel("n, services; logarithmic")
        axes.set_ylabel("milliseconds; logarithmic")
        legend(axes, columns=3)

    return draw("growth", 3.6, paint, note=growth_note(found), framework=FRAMEWORK, source=service().source)


def realtime(records: Sequence[Record]) -> Outcome:
    """Histograms of the events' times with the deadline, on logarithmic axes: a panel a case, a row a scheduler."""
    rows = [record for record in realtime_rows(records) if histogram(record)]
    columns = [[record for record in rows if record.case == case] for case in REALTIME_CASES]
    height = max(map(len, columns))
    if not height:
        return left_out("realtime", "no record of the suite realtime with a histogram")

    def paint(figure: Figure, of_case: Sequence[Record]) -> None:
        panels = figure.subplots(height, 1, sharex="col", squeeze=False)[:, 0]
        for axes, record in zip(panels, of_case, strict=False):
            _paint_histogram(axes, record)
        for axes in panels[len(of_case) :]:
            axes.set_visible(False)
        panels[len(of_case) - 1].set_xlabel("microseconds; logarithmic")
        panels[0].set_ylabel("events")

    return draw("realtime", 1.0 + 1.5 * height, *(partial(paint, of_case=each) for each in columns if each))


def histogram(record: Record) -> list[tuple[int, int]]:
    """The bins that are not empty: the longest that each counts, and how many; nothing where the record has none."""
    pairs = [each.split(":") for each in record.params.get("hist", "").split(",") if each]
    return [(int(end), int(count)) for end, count in pairs]


def begin_of(end: int) -> int:
    """The begin of the bin that ends so: four bins between a power of two and the next."""
    return end if end < EXACT_BELOW else end + 1 - (1 << (end.bit_length() - 3))


def _paint_histogram(axes: Axes, record: Record) -> None:
    ends, counts = zip(*histogram(record), strict=True)
    begins = [begin_of(end) * MICRO for end in ends]
    widths = [(end + 1) * MICRO - begin for end, begin in zip(ends, begins, strict=True)]
    axes.bar(begins, counts, widths, align="edge", color=look.OURS, linewidth=0).set_label("events")
    if (deadline := record.number("deadline")) is not None:
        axes.axvline(deadline * MICRO, color=look.THEIRS, linestyle="--", linewidth=1.2)
    look.logarithmic(axes)
    axes.set_ylim(0.6, None)
    throttle = record.params.get("throttle", "").replace("-1", "off")
    axes.set_title(f"{record.case}, {record.params.get('scheduling', '')}, throttle {throttle}")


def _how(rows: Any) -> str:
    return ", ".join(validities(row.record for row in rows))
