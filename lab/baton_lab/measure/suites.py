# SPDX-License-Identifier: MIT
"""The suites, by suites.toml: every module that runs, gates or shows suites reads it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

FILE = Path(__file__).with_name("suites.toml")
CPU = "cpu"
"""The tables of suites whose cases take time; others have a layout of their own."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BoardPlot(_Model):
    """The plot of a suite across all boards: its cases by their labels, and what they are called there."""

    title: str
    cases: tuple[str, ...]
    named: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """The name of each case in the plot."""
        return dict(zip(self.cases, self.named or self.cases, strict=True))


class Suite(_Model):
    """A suite, as suites.toml says."""

    name: str
    tables: tuple[str, ...] = (CPU, "peers")
    shown: int = 0
    compared: Literal["net", "gross"] = "net"
    steady_on_host: bool = False
    timed: tuple[str, ...] = ()
    published: dict[str, str] = {}
    below_floor: dict[str, str] = {}
    plot: BoardPlot | None = None

    @property
    def takes_time(self) -> bool:
        """True where its cases are rows of the tables of time."""
        return CPU in self.tables


class _Suites(_Model):
    suite: tuple[Suite, ...]
    pages: dict[str, tuple[str, ...]]


@cache
def _file() -> _Suites:
    return _Suites.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))


def known() -> tuple[Suite, ...]:
    """The suites of the file, in the order in which they run."""
    return _file().suite


def pages() -> dict[str, tuple[str, ...]]:
    """The files with generated tables, and the blocks that each must have."""
    return _file().pages


def of(name: str) -> Suite:
    """A suite, also one that the file does not know."""
    return next((suite for suite in known() if suite.name == name), Suite(name=name))


def counterpart(case: str, *names: str) -> str:
    """The published name of a case of one of these suites; empty where nothing is published beside it."""
    return next((found for name in names if (found := of(name).published.get(case, ""))), "")


def in_order(names: Iterable[str]) -> list[str]:
    """The names in the order in which the suites run; unknown ones follow by name."""
    return sorted(names, key=place)


def place(name: str) -> tuple[int, str]:
    """A key to sort by, in the order in which the suites run."""
    order = [suite.name for suite in known()]
    return (order.index(name) if name in order else len(order), name)


def as_shown(names: Iterable[str]) -> list[str]:
    """The names in the order in which a board's tables stand."""
    return sorted(in_order(names), key=lambda name: of(name).shown)
