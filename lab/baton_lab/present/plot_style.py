# SPDX-License-Identifier: MIT
"""The look of every plot of the report: drawn by matplotlib, coloured by the page that it is put into."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import matplotlib
from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from baton_lab.present.grid import described, filled

Item = TypeVar("Item")
STYLE = Path(__file__).with_name("plots.mplstyle")
NAMES = ("ink", "muted", "rule", "ours", "ours-soft", "theirs", "theirs-old", "paper", "floor")
VARIABLES = {f"#{i:02}{i:02}{i:02}": f"--{name}" for i, name in enumerate(NAMES, 1)}
"""A colour that is drawn with -> the variable of the page's style that takes its place, so that light and dark work."""

INK, MUTED, RULE, OURS, OURS_SOFT, THEIRS, THEIRS_OLD, PAPER, FLOOR = VARIABLES
WIDTH = 6.6
WIDE = 13.9
"""Inches, of a plot in one of two columns and of one across both; the page scales them to what room there is."""

_OF_CONTENT = "m[0-9a-f]{10}|p[0-9a-f]{10}"
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


def draw(name: str, height: float, paint: Callable[[Figure], None], *, wide: bool = False, **known: Any) -> Plot:
    """Draws a plot of tables.toml; `paint` fills the figure, and the caption sees the names `known`.

    Context  a screen reader says the title.
    """
    title, caption = title_of(name, **known), " ".join(filled(described().plot[name].caption, **known).split())
    name = known.get("suite", name)
    with matplotlib.rc_context({"svg.hashsalt": name}, STYLE):
        figure = Figure(figsize=(WIDE if wide else WIDTH, height), layout="constrained")
        FigureCanvasSVG(figure)
        paint(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return Plot(name, title, caption, _for_page(out.getvalue(), name, title), wide)


def legend(axes: Axes, columns: int = 4) -> None:
    """Draws a legend above the axes, flush left with the names of the rows."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=columns, borderaxespad=0, borderpad=0)


def ticks(axes: Axes, points: Sequence[tuple[float, float]], marker: str, colour: str, label: str) -> None:
    """Draws a mark at each point (value, line): a bar across the line where the marker is `|`."""
    if points:
        (size, width), edge = ((15, 2.2), colour) if marker == "|" else ((6.5, 1.0), PAPER)
        shape: dict[str, Any] = {"markersize": size, "markeredgewidth": width, "markeredgecolor": edge}
        axes.plot(*zip(*points, strict=True), marker, color=colour, label=label, **shape)


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


def halves(groups: Sequence[list[Item]]) -> list[list[Item]]:
    """The groups of lines in two panels that are about as long, none of them cut; one group in one."""
    cuts = range(1, len(groups)) or range(len(groups), len(groups) + 1)
    parts = [[list(chain(*groups[:cut])), list(chain(*groups[cut:]))] for cut in cuts]
    return [lines for lines in min(parts, key=lambda two: max(map(len, two))) if lines]


def without_frame(axes: Axes) -> None:
    """Leaves a grid across the values as the only frame."""
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="x", length=0)


def _for_page(text: str, name: str, label: str) -> Markup:
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    head, end, rest = text.partition(">")
    head = re.sub(r' (width|height)="[^"]*"', "", head)
    text = re.sub(rf'\bid="(?!{_OF_CONTENT})([^"]+)"', rf'id="{name}-\1"', head + end + rest)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, f"var({variable})")
    return Markup(text.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1))
