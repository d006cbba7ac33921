# SPDX-License-Identifier: MIT
"""What AceRoutine has published about itself, and which of our cases repeats which of its programs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from baton_lab.base.project import ROOT

DIRECTORY = ROOT / "bench" / "published"
LIBRARY = "AceRoutine"

FUNCTIONALITY = {
    "empty_loop": "EmptyLoop",
    "published_direct": "DirectScheduling",
    "published_direct_profiled": "DirectSchedulingWithProfiler",
    "published_scheduler": "CoroutineScheduling",
    "published_scheduler_profiled": "CoroutineSchedulingWithProfiler",
    "published_baseline": "Baseline",
    "published_channels": "Channels",
    "compat_direct": "DirectScheduling",
    "compat_direct_one_yield": "DirectScheduling",
    "compat_scheduler": "CoroutineScheduling",
    "compat_scheduler_one_yield": "CoroutineScheduling",
    "compat_baseline": "Baseline",
    "compat_channels": "Channels",
}
"""Our case that repeats the shape of a published program -> that program's name."""

FEATURE = {
    "one_coroutine": "One Coroutine (millis)",
    "two_coroutines": "Two Coroutines (millis)",
    "scheduler_one_coroutine": "Scheduler, One Coroutine (millis)",
    "scheduler_two_coroutines": "Scheduler, Two Coroutines (millis)",
    "log_bin_profiler": "Scheduler, LogBinProfiler",
    "table_renderer": "Scheduler, LogBinTableRenderer",
    "json_renderer": "Scheduler, LogBinJsonRenderer",
    "blink": "Blink Coroutine",
    "compat_one_coroutine": "One Coroutine (millis)",
    "compat_one_coroutine_micros": "One Coroutine (micros)",
    "compat_one_coroutine_seconds": "One Coroutine (seconds)",
    "compat_one_coroutine_profiler": "One Coroutine, Profiler",
    "compat_two_coroutines": "Two Coroutines (millis)",
    "compat_two_coroutines_micros": "Two Coroutines (micros)",
    "compat_two_coroutines_seconds": "Two Coroutines (seconds)",
    "compat_two_coroutines_profiler": "Two Coroutines, Profiler",
    "compat_scheduler_one_coroutine": "Scheduler, One Coroutine (millis)",
    "compat_scheduler_one_coroutine_micros": "Scheduler, One Coroutine (micros)",
    "compat_scheduler_one_coroutine_seconds": "Scheduler, One Coroutine (seconds)",
    "compat_scheduler_one_coroutine_setup": "Scheduler, One Coroutine (setup)",
    "compat_scheduler_one_coroutine_man_setup": "Scheduler, One Coroutine (man setup)",
    "compat_scheduler_one_coroutine_profiler": "Scheduler, One Coroutine, Profiler",
    "compat_scheduler_two_coroutines": "Scheduler, Two Coroutines (millis)",
    "compat_scheduler_two_coroutines_micros": "Scheduler, Two Coroutines (micros)",
    "compat_scheduler_two_coroutines_seconds": "Scheduler, Two Coroutines (seconds)",
    "compat_scheduler_two_coroutines_setup": "Scheduler, Two Coroutines (setup)",
    "compat_scheduler_two_coroutines_man_setup": "Scheduler, Two Coroutines (man setup)",
    "compat_scheduler_two_coroutines_profiler": "Scheduler, Two Coroutines, Profiler",
    "compat_log_bin_profiler": "Scheduler, LogBinProfiler",
    "compat_table_renderer": "Scheduler, LogBinTableRenderer",
    "compat_json_renderer": "Scheduler, LogBinJsonRenderer",
    "compat_blink": "Blink Coroutine",
}
"""Our memory feature -> the published feature that does the same."""

TYPE = {
    "coroutine": "Coroutine",
    "scheduler": "CoroutineScheduler",
    "channel<int>": "Channel<int>",
    "log_bin_profiler": "LogBinProfiler",
    "profile": "LogBinProfiler",
    "table_renderer": "LogBinTableRenderer",
    "json_renderer": "LogBinJsonRenderer",
    "compat_coroutine": "Coroutine",
    "compat_channel<int>": "Channel<int>",
    "compat_log_bin_profiler": "LogBinProfiler",
}
"""Our public type -> the published type that serves the same purpose."""

_NAME = re.compile(r"aceroutine-(?P<version>\d+(?:\.\d+)+)-(?P<kind>[a-z]+)\.json")


class PublishedError(ValueError):
    """A file of published figures that cannot be used; the message names the file."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CpuRow(_Model):
    """One row of a published CPU table, in microseconds as printed there."""

    functionality: str
    iterations: int
    micros_per_iter: float
    diff_micros: float


class MemoryRow(_Model):
    """One row of a published memory table: bytes more than the baseline program."""

    functionality: str
    flash_bytes: int
    ram_bytes: int


class Baseline(_Model):
    """What the published baseline program itself takes."""

    flash_bytes: int
    ram_bytes: int


class PublishedBoard(_Model):
    """The figures of one real board, and with which tools they were obtained."""

    board: str
    title: str
    hardware: str
    notes: tuple[str, ...]
    sizes_bytes: dict[str, int] = {}
    baseline: Baseline | None = None
    rows: tuple[CpuRow | MemoryRow, ...]


class Table(_Model):
    """One published file: one program of one release."""

    source: str
    unit: str
    boards: tuple[PublishedBoard, ...]


class Figure(_Model):
    """A published figure and the release it belongs to."""

    version: str
    source: str
    row: CpuRow | MemoryRow


class Published:
    """The published figures of a folder, looked up by board and name, newest release first."""

    def __init__(self, directory: Path = DIRECTORY) -> None:
        self._tables: list[tuple[str, Table]] = []
        for path in sorted(directory.glob("aceroutine-*.json")):
            self._tables.append((_version(path), _read(path)))
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
        """What the board was, by the newest release that has it; empty where none has."""
        for _, table in self._tables:
            for each in table.boards:
                if each.board == board:
                    return each.hardware if each.title in each.hardware else f"{each.title}, {each.hardware}"
        return ""

    def cpu(self, board: str, case: str) -> list[tuple[str, CpuRow]]:
        """What is published for the program that our case repeats: (version, row), newest first."""
        found = self.figures(board, FUNCTIONALITY[case]) if case in FUNCTIONALITY else []
        return [(figure.version, figure.row) for figure in found if isinstance(figure.row, CpuRow)]

    def memory(self, board: str, feature: str) -> tuple[str, MemoryRow] | None:
        """What is published for our memory feature, newest release only."""
        found = self.figures(board, FEATURE[feature]) if feature in FEATURE else []
        for figure in found:
            if isinstance(figure.row, MemoryRow):
                return figure.version, figure.row
        return None

    def size(self, board: str, type_name: str) -> tuple[str, str, int] | None:
        """(version, published type, bytes) of the type that ours replaces, newest release only."""
        name = TYPE.get(type_name)
        for version, table in self._tables:
            for each in table.boards:
                if name is not None and each.board == board and name in each.sizes_bytes:
                    return version, name, each.sizes_bytes[name]
        return None


@cache
def published() -> Published:
    """The figures that lie in this tree."""
    return Published()


def _version(path: Path) -> str:
    match = _NAME.fullmatch(path.name)
    if match is None:
        raise PublishedError(f"{path}: the name is not aceroutine-<version>-<kind>.json")
    return match["version"]


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _read(path: Path) -> Table:
    try:
        return Table.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise PublishedError(f"{path}: {where}: {first['msg']}") from error
