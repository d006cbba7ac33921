# SPDX-License-Identifier: MIT
"""Tables of text, which the terminal, the Markdown and the HTML renderers share, laid out by tables.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

from jinja2 import DictLoader, Environment, StrictUndefined
from pydantic import BaseModel, ConfigDict, Field

from baton_lab.measure.published import LIBRARY, published

FILE = Path(__file__).with_name("tables.toml")
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


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Column(_Model):
    """A column of tables.toml: strings but `kind` are expressions, and `head` is a template."""

    head: str
    text: str
    kind: Kind = "number"
    sparse: bool = False
    optional: int | str = 0
    volatile: bool | str = False
    unsteady: str = "()"
    when: str = "true"


class _Group(_Model):
    """Columns for each thing of an expression's value, which they call `each`."""

    each: str
    columns: tuple[_Column, ...]


class _Table(_Model):
    """A table of tables.toml; the name of a shared list stands for the columns in it."""

    title: str
    columns: tuple[_Column | _Group | str, ...]
    notes: tuple[str, ...] = ()
    family: str = "''"


class _Plot(_Model):
    """The words of a plot, templates both."""

    title: str
    caption: str


class _Tables(_Model):
    """The file."""

    meaning: dict[str, str]
    counted: dict[str, str]
    shared: dict[str, str]
    columns: dict[str, tuple[_Column | _Group | str, ...]]
    table: dict[str, _Table] = Field(min_length=1)
    plot: dict[str, _Plot]


@cache
def described() -> _Tables:
    """Reads tables.toml."""
    return _Tables.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))


def table(name: str, rows: Sequence[Any], **known: Any) -> Grid:
    """The table of this name in tables.toml, a line for each of `rows`; its templates see what is `known`, and `rows`.

    Shape    `title` replaces the table's own. A sparse column that is empty is left out, and rows of another family are
             ruled off. A note is each line of its template that is not empty.
    """
    spec = described().table[name]
    scope = {**known, "rows": rows}
    laid = [_laid(column, inner, rows) for column, inner in _columns(spec.columns, scope)]
    used = [i for i, (column, texts) in enumerate(laid) if not column.sparse or any(texts)]
    families = [value(spec.family, r=row, **scope) for row in rows]
    return Grid(
        title=known.get("title") or filled(spec.title, **scope),
        columns=tuple(laid[i][0] for i in used),
        rows=tuple(tuple(laid[i][1][place] for i in used) for place in range(len(rows))),
        rules=frozenset(i for i in range(1, len(families)) if families[i] != families[i - 1]),
        notes=tuple(line for note in spec.notes for line in filled(note, **scope).splitlines() if line.strip()),
    )


def _columns(
    given: Sequence[_Column | _Group | str], scope: dict[str, Any]
) -> Iterator[tuple[_Column, dict[str, Any]]]:
    for one in given:
        if isinstance(one, str):
            yield from _columns(described().columns[one], scope)
        elif isinstance(one, _Group):
            for each in value(one.each, **scope):
                yield from _columns(one.columns, {**scope, "each": each})
        elif value(one.when, **scope):
            yield one, scope


def _laid(column: _Column, scope: dict[str, Any], rows: Sequence[Any]) -> tuple[Column, list[str]]:
    volatile, optional = _flag(column.volatile, scope), _flag(column.optional, scope)
    unsteady = frozenset(value(column.unsteady, **scope))
    made = Column(filled(column.head, **scope), column.kind, column.sparse, optional, volatile, unsteady)
    found = [value(column.text, r=row, **scope) for row in rows]
    return made, ["" if each is None else str(each) for each in found]


def _flag(given: int | str, scope: dict[str, Any]) -> Any:
    return value(given, **scope) if isinstance(given, str) else given


def value(expression: str, **scope: Any) -> Any:
    """An expression's value."""
    return _expression(expression)(**scope)


def filled(template: str, **scope: Any) -> str:
    """A template's text."""
    return str(_template(template).render(**scope))


def number(value: float | None, decimals: int) -> str:
    """A figure with fixed decimals, never "-0.0"; blank where there is none."""
    if value is None:
        return ""
    text = f"{value:.{decimals}f}"
    return text.lstrip("-") if float(text) == 0 else text


def ratio(value: float | None) -> str:
    """A ratio with two decimals, from a hundred on with none."""
    return number(value, 2 if value is None or abs(value) < 100 else 0)


def crowded(threads: float | str, processors: int | None) -> str:
    """The number of threads, and of the processors on which they take turns, where these are fewer."""
    return f"{threads} on {processors}" if processors and threads and int(threads) > processors else f"{threads}"


def as_printed(value: float | None) -> str:
    """A published figure with a decimal at the least, and no more than it needs."""
    if value is None:
        return ""
    short = f"{value:.1f}"
    return short if float(short) == value else f"{value:g}"


def scaled(value: float | None, size: float) -> str:
    """A figure in a larger unit of this size, with one decimal; blank where there is none."""
    return number(None if value is None else value / size, 1)


@cache
def _environment() -> Environment:
    texts = DictLoader(described().shared)
    made = Environment(loader=texts, undefined=StrictUndefined, autoescape=False, trim_blocks=True)
    made.filters.update(
        n=number,
        ratio=ratio,
        printed=as_printed,
        crowded=crowded,
        mb=partial(scaled, size=1e6),
        micros=partial(scaled, size=1e3),
    )
    made.filters.update(grouped="{:,}".format, g="{:g}".format, percent="{:.{}%}".format)
    made.filters.update(figure=lambda record: record and record.value)
    made.globals.update(meaning=described().meaning, counted=described().counted, library=LIBRARY)
    made.globals.update(hardware=lambda board: published().hardware(board))
    return made


@cache
def _expression(text: str) -> Any:
    return _environment().compile_expression(text, undefined_to_none=False)


@cache
def _template(text: str) -> Any:
    return _environment().from_string(text)
