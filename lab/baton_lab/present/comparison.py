# SPDX-License-Identifier: MIT
"""Ours beside the best that others have, drawn as bars: the picture of a README, from the rows of its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from baton_lab.present.grid import Grid, ratio
from baton_lab.present.markdown import plain

TEMPLATES = Path(__file__).with_name("templates")
PICTURES = {
    "disciplines": "bench/results/disciplines.svg",
    "disciplines host": "bench/results/disciplines-host.svg",
}
"""The block of README.md that a picture is drawn from -> the file of the picture."""

_COLUMNS: dict[str, tuple[str, str]] = {
    "disciplines": ("ours", "others"),
    "disciplines host": ("ours instr", "Ichor instr"),
}
_UNIT, _WHOSE, _BOARD = "unit", "others are", "board"
_WIDTH = 680
"""Pixels of a picture that a bar and the text behind it share; the ratio stands beyond them."""
_LETTER = 7
"""Pixels of a letter of that text, in the widest of the usual fonts."""


@dataclass(frozen=True)
class Bar:
    """A comparison: what is compared, where, in which unit, both figures as printed, and whose the other is."""

    name: str
    board: str
    unit: str
    ours: str
    others: str
    whose: str

    @property
    def ratio(self) -> str:
        """Ours over the others'; empty where one is no figure, or theirs is 0."""
        ours, others = _figure(self.ours), _figure(self.others)
        return f"{ratio(ours / others)} x" if ours is not None and others else ""

    @property
    def theirs(self) -> str:
        """Returns the text behind the bar of the others: their figure, and who they are."""
        return f"{self.others}, {self.whose}"

    def share(self, which: str) -> float:
        """The length of the bar of `ours` or `others`: its part of the longer one."""
        figures = {"ours": _figure(self.ours) or 0.0, "others": _figure(self.others) or 0.0}
        return figures[which] / (max(figures.values()) or 1.0)


def bars(block: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Bar]:
    """The comparisons of a table's rows that have figures of both sides.

    `block` is the name of the block that the table stands in; cells may be escaped for Markdown.
    """
    names = [" ".join(plain(each).split()) for each in header]
    ours, others = _COLUMNS[block]
    made = []
    for cells in rows:
        row = dict(zip(names, map(plain, cells), strict=True))
        unit = row.get(_UNIT, "instructions")
        bar = Bar(
            row["discipline"], row.get(_BOARD, "Linux"), unit, *_both(row, ours, others), row.get(_WHOSE, "Ichor")
        )
        made += [bar] if bar.ratio else []
    return made


def of_grid(block: str, grid: Grid) -> list[Bar]:
    """The comparisons of a table that has not been written yet."""
    return bars(block, [column.header for column in grid.columns], grid.rows)


def measured(grid: Grid) -> Grid:
    """A table without the rows that have no figure of ours, which a note names."""
    place = next(i for i, column in enumerate(grid.columns) if column.header.split("\n")[0] == "ours")
    kept = tuple(row for row in grid.rows if _figure(row[place]) is not None)
    absent = [row[0] for row in grid.rows if row not in kept]
    return replace(grid, rows=kept, notes=(*grid.notes, *([f"not measured: {'; '.join(absent)}"] if absent else [])))


def picture(title: str, drawn: Sequence[Bar]) -> str:
    """The bars as a file that stands beside a README, light or dark as the reader's system is."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    template = environment.get_template("bars.svg.j2")
    return str(template.render(title=Markup.escape(title), bars=drawn, room=bar_room(drawn))) + "\n"


def bar_room(drawn: Sequence[Bar]) -> int:
    """The pixels that the longest bar has, so that the longest text still fits behind it."""
    return _WIDTH - _LETTER * max((len(bar.theirs) for bar in drawn), default=0)


def _both(row: Mapping[str, str], ours: str, others: str) -> tuple[str, str]:
    return row.get(ours, ""), row.get(others, "")


def _figure(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None
