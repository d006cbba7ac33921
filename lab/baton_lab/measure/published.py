# SPDX-License-Identifier: MIT
"""The published figures of AceRoutine; suites.toml maps our cases to its programs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from baton_lab.base.project import ROOT
from baton_lab.measure import suites

DIRECTORY = ROOT / "bench" / "published"
LIBRARY = "AceRoutine"

Model = TypeVar("Model", bound=BaseModel)
SIMULATED = "simavr"
"""The kind of the file whose figures were measured here, with AceRoutine's own programs in the boards' simulator."""
_NAME = re.compile(r"aceroutine-(?P<version>\d+(?:\.\d+)+)-(?P<kind>[a-z]+)\.json")


class PublishedError(ValueError):
    """A file of published figures that cannot be used; the message names the file."""


class PublishedModel(BaseModel):
    """Published figures, just as they stand in their file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CpuRow(PublishedModel):
    """One row of a published CPU table, in microseconds as printed there."""

    functionality: str
    iterations: int
    micros_per_iter: float
    diff_micros: float


class MemoryRow(PublishedModel):
    """One row of a published memory table: bytes more than the baseline program."""

    functionality: str
    flash_bytes: int
    ram_bytes: int


class FlashRow(PublishedModel):
    """The flash of a feature in bytes more than the baseline program, where the RAM was not noted."""

    functionality: str
    flash_bytes: int


class Baseline(PublishedModel):
    """The bytes of the published baseline program itself."""

    flash_bytes: int
    ram_bytes: int


class PublishedBoard(PublishedModel):
    """The figures of one real board, and with which tools they were obtained."""

    board: str
    title: str
    hardware: str
    notes: tuple[str, ...]
    sizes_bytes: dict[str, int] = {}
    baseline: Baseline | None = None
    rows: tuple[CpuRow | MemoryRow | FlashRow, ...]


class Table(PublishedModel):
    """One published file: one program of one release."""

    source: str
    unit: str
    boards: tuple[PublishedBoard, ...]


class Figure(PublishedModel):
    """A published figure and the release it belongs to."""

    version: str
    source: str
    row: CpuRow | MemoryRow | FlashRow


class Published:
    """The published figures of a folder, looked up by board and name, newest release first."""

    def __init__(self, directory: Path = DIRECTORY) -> None:
        self._tables: list[tuple[str, Table]] = []
        self._simulated: list[Table] = []
        for path in sorted(directory.glob("aceroutine-*.json")):
            version, kind = _version(path)
            table = load(path, Table)
            if kind == SIMULATED:
                self._simulated.append(table)
            else:
                self._tables.append((version, table))
        if not self._tables:
            raise PublishedError(f"{directory}: no aceroutine-<version>-<kind>.json there")
        self._tables.sort(key=lambda entry: _order(entry[0]), reverse=True)

    def figures(self, board: str, functionality: str) -> list[Figure]:
        """The figures of one functionality on one board, newest release first; empty where none is published."""
        return [
            Figure(version=version, source=table.source, row=row)
            for version, table in self._tables
            for each in table.boards
            if each.board == board
            for row in each.rows
            if row.functionality == functionality
        ]

    def hardware(self, board: str) -> str:
        """The hardware of a board, by the newest release that has it; empty where none has."""
        for _, table in self._tables:
            for each in table.boards:
                if each.board == board:
                    return each.hardware if each.title in each.hardware else f"{each.title}, {each.hardware}"
        return ""

    def cpu(self, board: str, case: str) -> list[tuple[str, CpuRow]]:
        """The published rows of the program that our case repeats, as (version, row), newest first."""
        name = suites.counterpart(case, "auto", "channel", "compat")
        return [(each.version, each.row) for each in self.figures(board, name) if isinstance(each.row, CpuRow)]

    def simulated(self, board: str, functionality: str) -> CpuRow | None:
        """The time of AceRoutine's own program in the simulator of a board; None where it was not run."""
        found = (row for row in self._simulated_rows(board, functionality) if isinstance(row, CpuRow))
        return next(found, None)

    def simulated_flash(self, board: str, functionality: str) -> int | None:
        """The flash of a feature of AceRoutine's own program with our compiler; None where it was not built."""
        found = (row.flash_bytes for row in self._simulated_rows(board, functionality) if isinstance(row, FlashRow))
        return next(found, None)

    def _simulated_rows(self, board: str, functionality: str) -> list[CpuRow | MemoryRow | FlashRow]:
        boards = [each for table in self._simulated for each in table.boards if each.board == board]
        return [row for each in boards for row in each.rows if row.functionality == functionality]

    def memory(self, board: str, feature: str) -> tuple[str, MemoryRow] | None:
        """The published row of our memory feature, of the newest release only."""
        for figure in self.figures(board, suites.counterpart(feature, "memory")):
            if isinstance(figure.row, MemoryRow):
                return figure.version, figure.row
        return None

    def size(self, board: str, type_name: str) -> tuple[str, str, int] | None:
        """(version, published type, bytes) of the type that ours replaces, newest release only."""
        name = suites.counterpart(type_name, "sizes")
        for version, table in self._tables:
            for each in table.boards:
                if each.board == board and name in each.sizes_bytes:
                    return version, name, each.sizes_bytes[name]
        return None


@cache
def published() -> Published:
    """The figures that lie in this tree."""
    return Published()


def _version(path: Path) -> tuple[str, str]:
    """The release and the kind in a file's name."""
    match = _NAME.fullmatch(path.name)
    if match is None:
        raise PublishedError(f"{path}: the name is not aceroutine-<version>-<kind>.json")
    return match["version"], match["kind"]


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def load(path: Path, model: type[Model]) -> Model:
    """A file of published figures.

    Errors   PublishedError: it cannot be used.
    """
    try:
        return model.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise PublishedError(f"{path}: {where}: {first['msg']}") from error
