# SPDX-License-Identifier: MIT
"""How every plot of the report looks: drawn by matplotlib, coloured by the page that it is put into."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.typing import RcKeyType

INK = "#010101"
MUTED = "#020202"
RULE = "#030303"
OURS = "#040404"
OURS_SOFT = "#050505"
THEIRS = "#060606"
THEIRS_OLD = "#070707"
PAPER = "#080808"
FLOOR = "#090909"
VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    RULE: "--rule",
    OURS: "--ours",
    OURS_SOFT: "--ours-soft",
    THEIRS: "--theirs",
    THEIRS_OLD: "--theirs-old",
    PAPER: "--paper",
    FLOOR: "--floor",
}
"""A colour that is drawn with -> the variable of the page's style that takes its place, so that light and dark work."""

STYLE: dict[RcKeyType, Any] = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.size": 10.5,
    "axes.edgecolor": RULE,
    "axes.labelcolor": MUTED,
    "axes.titlecolor": INK,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "grid.color": RULE,
    "grid.linewidth": 0.7,
    "text.color": INK,
    "xtick.color": RULE,
    "xtick.labelcolor": MUTED,
    "ytick.color": RULE,
    "ytick.labelcolor": INK,
    "ytick.major.size": 0,
    "legend.frameon": False,
    "legend.fontsize": 10,
    "legend.markerscale": 0.8,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "legend.handlelength": 1.2,
    "legend.columnspacing": 1.2,
    "legend.handletextpad": 0.5,
}
WIDTH = 6.6
WIDE = 13.9
"""Inches, of a plot in one of two columns and of one across both; the page scales them to what room there is."""

_SIZE = re.compile(r'<svg([^>]*?) width="[^"]*"([^>]*)>')
_HEIGHT = re.compile(r'<svg([^>]*?) height="[^"]*"([^>]*)>')


@dataclass(frozen=True)
class Plot:
    """A drawn plot, as text to put into a page, and what a reader must know of it: units and how it was obtained."""

    name: str
    title: str
    caption: str
    svg: str
    wide: bool = False


@dataclass(frozen=True)
class LeftOut:
    """A plot that could not be drawn, and why."""

    name: str
    title: str
    reason: str


def draw(words: tuple[str, str, str], height: float, paint: Callable[[Figure], None], *, wide: bool = False) -> Plot:
    """A plot by its name, title and caption, so many inches high; `paint` fills the figure.

    Context  the title is what a screen reader says.
    """
    name, title, caption = words
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=(WIDE if wide else WIDTH, height), layout="constrained")
        FigureCanvasSVG(figure)
        paint(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return Plot(name, title, caption, _for_page(out.getvalue(), name, title), wide)


def legend(axes: Axes, columns: int = 4) -> None:
    """A legend above the axes, flush left with the names of the rows."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=columns, borderaxespad=0, borderpad=0)


def ticks(axes: Axes, points: Sequence[tuple[float, float]], marker: str, colour: str, label: str) -> None:
    """A mark at each point (value, line): a bar across the line where the marker is `|`."""
    if points:
        values, places = zip(*points, strict=True)
        size, width = (15, 2.2) if marker == "|" else (6.5, 1.0)
        axes.plot(
            values, places, marker, color=colour, markersize=size, markeredgewidth=width,
            markeredgecolor=colour if marker == "|" else PAPER, label=label,
        )  # fmt: skip


def rows(axes: Axes, names: Sequence[str], most: int = 0) -> None:
    """A line for each name, the first on top, in module for `most`, with a grid across the values alone."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(len(names), most) - 0.5, -0.5)
    without_frame(axes)


def without_frame(axes: Axes) -> None:
    """Only a grid across the values."""
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="x", length=0)


def _for_page(text: str, name: str, label: str) -> str:
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = _HEIGHT.sub(r"<svg\1\2>", _SIZE.sub(r"<svg\1\2>", text, count=1), count=1)
    text = re.sub(r'\bid="(?!m[0-9a-f]{10}|p[0-9a-f]{10})([^"]+)"', rf'id="{name}-\1"', text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, f"var({variable})")
    said = label.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return text.replace("<svg", f'<svg role="img" aria-label="{said}"', 1)
