# SPDX-License-Identifier: MIT
"""The plot of a suite beside its peers: a line for each program, with the range of its repeats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from baton_lab.base.records import Record
from baton_lab.measure.interleaved_runs import PEER
from baton_lab.present import plot_style as look
from baton_lab.present.beside import PeerRow, is_bare_queue, peer_name, peer_rows
from baton_lab.present.grid import number
from baton_lab.present.plot_style import LeftOut, Plot, draw, left_out, legend, say, ticks

LINE_INCHES = 0.25
Line = tuple[str, Record | None]
"""The words beside a line, and its record; a case's name has none."""


def peers(suites: Iterable[tuple[str, Sequence[Record]]]) -> list[Plot | LeftOut]:
    """A plot for each suite that ran beside its peers."""
    rows = [(suite, peer_rows(records, "ns")) for suite, records in suites]
    made: list[Plot | LeftOut] = [_of_suite(suite, of_suite) for suite, of_suite in rows if of_suite]
    return made or [left_out("peers", "no peer ran: ./baton bench --suite async --peers", what="the suites")]


def _of_suite(suite: str, rows: Sequence[PeerRow]) -> Plot:
    panels = look.halves([_lines(row) for row in rows])
    most = max(len(lines) for lines in panels)
    records = [record for lines in panels for _, record in lines if record]

    def paint(figure: Figure, lines: Sequence[Line]) -> None:
        axes = figure.subplots()
        _paint(axes, lines, most)
        look.same_range(axes, records)
        legend(axes)

    known = {"suite": f"peers-{suite}", "what": suite, "has_bare": any(map(is_bare_queue, records))}
    return draw("peers", 1.0 + LINE_INCHES * most, *(partial(paint, lines=lines) for lines in panels), **known)


def _lines(row: PeerRow) -> list[Line]:
    """A case's name, Baton, and the peers, the least first."""
    theirs = sorted(row.theirs.values(), key=lambda record: record.value)
    ours: list[Line] = [("Baton", row.ours)] if row.ours else []
    return [(row.label, None), *ours, *((peer_name(record), record) for record in theirs)]


def _paint(axes: Axes, lines: Sequence[Line], most: int) -> None:
    known = [(record, float(place)) for place, (_, record) in enumerate(lines) if record]
    for record, place in known:
        ends = [record.number("min") or record.value, record.number("max") or record.value]
        colour = look.THEIRS_OLD if PEER in record.params else look.OURS_SOFT
        axes.plot(ends, [place, place], color=colour, linewidth=5, solid_capstyle="butt")
        say(axes, number(record.value, 1), (max(ends), place), 6, look.MUTED)
    for is_peer, colour, label in ((False, look.OURS, "Baton, median"), (True, look.THEIRS, "others, median")):
        chosen = [(record, place) for record, place in known if (PEER in record.params) == is_peer]
        points = [(record.value, place) for record, place in chosen]
        ticks(axes, points, "o" if is_peer else "D", colour, label, [look.behind(record) for record, _ in chosen])
    floors = [(record.floor, place) for record, place in known if record.floor]
    ticks(axes, floors, "|", look.FLOOR, "floor")
    look.rows(axes, [words for words, _ in lines], most)
    look.embolden(axes, [record is None for _, record in lines])
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("nanoseconds, gross; logarithmic")
