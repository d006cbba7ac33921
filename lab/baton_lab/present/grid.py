# SPDX-License-Identifier: MIT
"""A table of text: what the terminal, the Markdown and the HTML renderers share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Row = TypeVar("Row")
Kind = Literal["text", "number", "verdict"]


@dataclass(frozen=True)
class Column:
    """One column.

    `sparse`    is left out where no row fills it.
    `optional`  goes where room is short, the highest number first; 0 stays.
    `volatile`  differs from run to run, so a README is not stale because of it.
    `unsteady`  the rows, by their first cell, whose figure differs a little from run to run: by what the gate lets
                pass a README is not stale.
    """

    header: str
    kind: Kind = "number"
    sparse: bool = False
    optional: int = 0
    volatile: bool = False
    unsteady: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Grid:
    """A table of text, the rows that a rule goes before, and what a reader must know to read it."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    rules: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()

    def without(self, index: int) -> Grid:
        """The same table without one column."""
        columns = self.columns[:index] + self.columns[index + 1 :]
        return Grid(self.title, columns, tuple(r[:index] + r[index + 1 :] for r in self.rows), self.rules, self.notes)


@dataclass(frozen=True)
class Cell(Generic[Row]):
    """A column and how a row fills it."""

    column: Column
    text: Callable[[Row], str]


def layout(
    title: str,
    cells: Sequence[Cell[Row]],
    rows: Sequence[Row],
    notes: Sequence[str] = (),
    family: Callable[[Row], str] = lambda _: "",
) -> Grid:
    """Fills the cells, leaves out what is sparse and empty, and rules off rows of another family."""
    texts = [[cell.text(row) for cell in cells] for row in rows]
    used = [i for i, cell in enumerate(cells) if not cell.column.sparse or any(row[i] for row in texts)]
    names = [family(row) for row in rows]
    return Grid(
        title=title,
        columns=tuple(cells[i].column for i in used),
        rows=tuple(tuple(row[i] for i in used) for row in texts),
        rules=frozenset(i for i in range(1, len(names)) if names[i] != names[i - 1]),
        notes=tuple(notes),
    )


def number(value: float | None, decimals: int) -> str:
    """A figure with fixed decimals, never "-0.0"; blank where there is none."""
    if value is None:
        return ""
    text = f"{value:.{decimals}f}"
    return text.lstrip("-") if float(text) == 0 else text


def ratio(value: float | None) -> str:
    """A ratio with two decimals, from a hundred on with none."""
    return number(value, 2 if value is None or abs(value) < 100 else 0)


def count(value: int | None) -> str:
    """A whole number; blank where there is none."""
    return "" if value is None else str(value)


def clock(mhz: float) -> str:
    """A clock rate, such as "16 MHz"."""
    return f"{mhz:g} MHz"
