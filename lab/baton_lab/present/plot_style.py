# SPDX-License-Identifier: MIT
"""The look of every plot of the report: drawn by matplotlib, coloured by the page that it is put into."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import matplotlib
from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from baton_lab.base.records import Record
from baton_lab.base.store import Run
from baton_lab.present.grid import described, filled

Item = TypeVar("Item")
STYLE = Path(__file__).with_name("plots.mplstyle")
NAMES = ("ink", "muted", "rule", "ours", "ours-soft", "theirs", "theirs-old", "paper", "floor")
VARIABLES = {f"#{i:02}{i:02}{i:02}": f"--{name}" for i, name in enumerate(NAMES, 1)}
"""A colour that is drawn with -> the variable of the page's style that takes its place, so that light and dark work."""

INK, MUTED, RULE, OURS, OURS_SOFT, THEIRS, THEIRS_OLD, PAPER, FLOOR = VARIABLES
WIDTH = 6.6
"""Inches, of a panel: the page sets two beside each other where there is room, and scales them to it."""

_RUNS: ContextVar[Mapping[int, Run]] = ContextVar("_RUNS", default=MappingProxyType({}))
_BEHIND = re.compile(r'<a xlink:href="(#run-\d+)\|([^"]*)"(?: target="_blank")?>')

_OF_CONTENT = "m[0-9a-f]{10}|p[0-9a-f]{10}|C[0-9a-f]+_[0-9a-f]+_[0-9a-f]{10}"
"""The ids that matplotlib makes of what they name: two plots may share these."""


@dataclass(frozen=True)
class Plot:
    """A drawn plot as text for a page; the caption has its units and how it was obtained."""

    name: str
    title: str
    caption: str
    svg: Markup
    wide: bool = False


@dataclass(frozen=True)
class LeftOut:
    """A plot that could not be drawn, and why."""

    name: str
    title: str
    reason: str


def title_of(name: str, **known: Any) -> str:
    """The title of a plot of tables.toml."""
    return filled(described().plot[name].title, **known)


def left_out(name: str, reason: str, **known: Any) -> LeftOut:
    """Notes that a plot of tables.toml is not drawn."""
    return LeftOut(known.get("suite", name), title_of(name, **known), reason)


@contextmanager
def made_from(found: Iterable[tuple[Run, Sequence[Record]]]) -> Iterator[None]:
    """Within the block a point of one of these records names its run, and leads to the run's row."""
    token = _RUNS.set({id(record): run for run, records in found for record in records})
    try:
        yield
    finally:
        _RUNS.reset(token)


def behind(record: Record, value: float | None = None) -> str | None:
    """The address of a record's point: the row of its run, and the words for the point; None where no run is known."""
    run = _RUNS.get().get(id(record))
    if run is None or run.id is None:
        return None
    shown = f"{record.value if value is None else value:.3f}".rstrip("0").rstrip(".")
    return f"#run-{run.id}|{run.board} {record.label}: {shown} {record.unit}, run {run.id} of {run.started.date()}"


def draw(name: str, height: float, *paints: Callable[[Figure], None], **known: Any) -> Plot:
    """Draws a plot of tables.toml; each of `paints` fills a panel, and the caption sees the names `known`.

    Context  a screen reader says the title.
    """
    title, caption = title_of(name, **known), " ".join(filled(described().plot[name].caption, **known).split())
    name = known.get("suite", name)
    names = [name, *(f"{name}-{number}" for number in range(2, len(paints) + 1))]
    drawn = Markup("\n").join(_panel(each, title, height, paint) for each, paint in zip(names, paints, strict=True))
    return Plot(name, title, caption, drawn, len(paints) > 1)


def _panel(name: str, title: str, height: float, paint: Callable[[Figure], None]) -> Markup:
    with matplotlib.rc_context({"svg.hashsalt": name}, STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        FigureCanvasSVG(figure)
        paint(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _for_page(out.getvalue(), name, title)


def legend(axes: Axes, columns: int = 4) -> None:
    """Draws a legend above the axes, flush left with the names of the rows."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=columns, borderaxespad=0, borderpad=0)


def ticks(  # noqa: PLR0913, PLR0917 - as the series of a plot are
    axes: Axes,
    points: Sequence[tuple[float, float]],
    marker: str,
    colour: str,
    label: str,
    addresses: Sequence[str | None] = (),
) -> None:
    """Draws a mark at each point (value, line): a bar across the line where the marker is `|`.

    `addresses` are those of `behind`, one for each point.
    """
    if points:
        (size, width), edge = ((15, 2.2), colour) if marker == "|" else ((7.0, 1.0), PAPER)
        shape: dict[str, Any] = {"s": size**2, "linewidths": width, "zorder": 3}
        colours: dict[str, Any] = {"color": colour} if marker == "|" else {"facecolors": colour, "edgecolors": edge}
        across, down = zip(*points, strict=True)
        drawn = axes.scatter(across, down, marker=marker, label=label, **shape, **colours)
        drawn.set_urls([*addresses, None])  # one more than points, since one alone is drawn without its address


def say(axes: Axes, text: str, point: tuple[float, float], shift: float, colour: str, **more: Any) -> None:
    """Writes text beside a point, `shift` typographic points to the right of it."""
    axes.annotate(text, point, (shift, 0), textcoords="offset points", va="center", color=colour, **more)


def logarithmic(axes: Axes, words: str = "{:,g}") -> None:
    """Makes both axes logarithmic, with a grid and numbers in full."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: words.format(value)))
    axes.grid(axis="both")


def rows(axes: Axes, names: Sequence[str], most: int = 0) -> None:
    """Labels a line per name, the first on top, in room for `most` lines, with a grid across the values alone."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(len(names), most) - 0.5, -0.5)
    without_frame(axes)


def embolden(axes: Axes, which: Sequence[bool]) -> None:
    """Sets the labels of these lines in bold."""
    for text, is_bold in zip(axes.get_yticklabels(), which, strict=True):
        text.set_fontweight("bold" if is_bold else "normal")


def same_range(axes: Axes, records: Sequence[Record]) -> None:
    """Gives panels of one plot the same axis: from the least repeat of these records to the greatest, logarithmic."""
    ends = [value for r in records for value in (r.number("min"), r.number("max"), r.value, r.floor) if value]
    axes.set_xlim(min(ends) / 1.3, max(ends) * 1.6)


def halves(groups: Sequence[list[Item]]) -> list[list[Item]]:
    """The groups of lines in two panels that are about as long, none of them cut; one group in one."""
    cuts = range(1, len(groups)) or range(len(groups), len(groups) + 1)
    parts = [[list(chain(*groups[:cut])), list(chain(*groups[cut:]))] for cut in cuts]
    return [lines for lines in min(parts, key=lambda two: max(map(len, two))) if lines]


def without_frame(axes: Axes) -> None:
    """Leaves a grid across the values as the only frame."""
    axes.spines["left"].set_visible(False)
    axes.grid(visible=True, axis="x")
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="x", length=0)


def _for_page(text: str, name: str, label: str) -> Markup:
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    head, end, rest = text.partition(">")
    head = re.sub(r' (width|height)="[^"]*"', "", head)
    text = re.sub(rf'\bid="(?!{_OF_CONTENT})([^"]+)"', rf'id="{name}-\1"', head + end + rest)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, f"var({variable})")
    text = _BEHIND.sub(r'<a href="\1"><title>\2</title>', text)
    return Markup(text.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1))
