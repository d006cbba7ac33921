# SPDX-License-Identifier: MIT
"""The published documents that Baton is measured beside, by seeds.toml: ours for each of their rows."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from baton_lab.base.nearest import unknown
from baton_lab.base.project import ROOT
from baton_lab.base.records import Record, Unit
from baton_lab.board.board_facts import HOST, BoardFacts
from baton_lab.board.board_files import BadInputError
from baton_lab.measure import baselines, suites

FILE = Path(__file__).with_name("seeds.toml")
EVERY = "*"
"""The name of the row that stands for each row of a document."""

Layout = Literal["cpu", "memory", "rounds", "service"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Ours(_Model):
    """A figure of ours beside a row, or the reason why there is none."""

    suite: str = ""
    case: str = ""
    params: dict[str, str] = {}
    label: str = Field("", alias="as")
    none: str = ""
    peak: Ours | None = None

    @model_validator(mode="after")
    def _is_a_case_or_a_reason(self) -> Ours:
        if bool(self.case) == bool(self.none):
            raise ValueError("ours is a case, or none with its reason")
        return self

    def find(self, records: Iterable[Record], units: Iterable[Unit], **more: str) -> Record | None:
        """The record of this case with its params and those of the row; of the first of the units that it has."""
        wanted = self.params | more
        found = {r.unit: r for r in records if r.case == self.case and r.chosen == wanted}
        return next((found[unit] for unit in units if unit in found), None)


class Document(_Model):
    """A published document."""

    name: str
    title: str
    layout: Layout
    file: str
    suite: str
    rows: str
    here: bool = False
    sizes: str = ""
    board: str = ""


class IchorWords(_Model):
    """The words of Ichor's lines, and ours."""

    benchmark: dict[str, Ours]
    library: dict[str, str]
    variant: dict[str, str]
    discipline: dict[str, str]
    throttle: dict[str, str]


class Seeds(_Model):
    """The file."""

    document: tuple[Document, ...]
    rows: dict[str, dict[str, tuple[Ours, ...]]]
    ichor: IchorWords

    def ours(self, table: str, row: str) -> tuple[Ours, ...]:
        """Ours beside a row.

        Errors   KeyError: the file does not name the row.
        """
        rows = self.rows[table]
        return rows[row] if row in rows else rows[EVERY]


@cache
def seeds() -> Seeds:
    """The documents of the file."""
    return Seeds.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))


def select(names: Iterable[str]) -> tuple[Document, ...]:
    """The documents of these names; all where none is named.

    Errors   BadInputError: there is no such document.
    """
    known = {each.name: each for each in seeds().document}
    chosen = list(dict.fromkeys(names)) or list(known)
    for name in chosen:
        if name not in known:
            raise BadInputError(unknown("document", name, list(known)))
    return tuple(known[name] for name in chosen)


def stand_ins(facts: Mapping[str, BoardFacts]) -> dict[str, BoardFacts]:
    """The board of ours that stands for each published one, among those whose figures are in files."""
    boards = [each for each in facts.values() if each.name != HOST and (each.absent or not each.is_on_desk)]
    return {each.stands_for or each.name: each for each in boards}


def committed(board: BoardFacts, suite: str, root: Path = ROOT) -> list[Record]:
    """The figures of a board's committed baseline, as records; none where there is no baseline.

    A baseline keeps the case, its params, the unit and the gross figure. A file with several compilers gives those of
    the first.

    Errors   BaselineError
    """
    sections = list(baselines.read(root, board.name, suite).values())
    return [_record(board, suite, name, value) for name, value in (sections[0].figures if sections else {}).items()]


def _record(board: BoardFacts, suite: str, name: str, value: float) -> Record:
    label, _, unit = name.rpartition(", ")
    case, *pairs = label.split(" ")
    params = dict(pair.split("=", 1) for pair in pairs)
    valid = board.valid if suites.of(suite).takes_time or suite == "idle" else "measured"
    given = {"suite": suite, "case": case, "board": board.name, "unit": unit, "value": value, "valid": valid}
    return Record.model_validate({**given, "params": params})
