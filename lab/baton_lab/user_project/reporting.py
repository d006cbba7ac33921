# SPDX-License-Identifier: MIT
"""The report of a project: one HTML file with the newest figures, and the course of each over the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from baton_lab.base.files import write_atomically
from baton_lab.base.records import Record
from baton_lab.base.store import Run, Store
from baton_lab.user_project.place import UserProject

FILE_NAME = "index.html"
TEMPLATES = Path(__file__).with_name("report")
MOST_RUNS = 50
CURVE_WIDTH, CURVE_HEIGHT = 160, 32


@dataclass(frozen=True)
class Row:
    """A case: its newest record, and its gross figures from the oldest run to the newest."""

    record: Record
    course: tuple[float, ...]

    @property
    def curve(self) -> str:
        """The course as the points of a line; a figure that never changes is level."""
        low, high = min(self.course), max(self.course)
        step = CURVE_WIDTH / max(1, len(self.course) - 1)
        span = (high - low) or 1.0
        room = CURVE_HEIGHT - 4
        return " ".join(f"{i * step:.1f},{2 + room * (high - each) / span:.1f}" for i, each in enumerate(self.course))


@dataclass(frozen=True)
class Section:
    """A suite on a board."""

    run: Run
    rows: tuple[Row, ...]


def write(mine: UserProject, folder: Path, store: Store) -> Path:
    """Writes the report as a whole; returns the file."""
    path = folder / FILE_NAME
    write_atomically(path, render(mine.name, sections(store), datetime.now(UTC)))
    return path


def sections(store: Store) -> list[Section]:
    """Returns each suite on each board, with its runs."""
    by_suite: dict[tuple[str, str], list[Run]] = {}
    for run in store.runs():
        by_suite.setdefault((run.board, run.suite), []).append(run)
    return [_section(store, runs[:MOST_RUNS]) for _, runs in sorted(by_suite.items())]


def _section(store: Store, runs: Sequence[Run]) -> Section:
    """Makes a section of the runs, the newest first."""
    found = [store.run(run.id)[1] for run in runs if run.id is not None]
    course: dict[object, list[float]] = {}
    for records in reversed(found):
        for record in records:
            course.setdefault(record.identity, []).append(record.value)
    return Section(runs[0], tuple(Row(record, tuple(course[record.identity])) for record in found[0]))


def render(name: str, found: Sequence[Section], now: datetime) -> str:
    """Returns the text of the report."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    words = {"name": name, "sections": found, "now": now, "width": CURVE_WIDTH, "height": CURVE_HEIGHT}
    return environment.get_template("report.html.j2").render(words)
