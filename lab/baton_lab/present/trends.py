# SPDX-License-Identifier: MIT
"""The trend of each figure over the stored runs: first and last value, and a line with the run behind each point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from baton_lab.base.records import Identity, Record
from baton_lab.base.store import Run, Store
from baton_lab.measure.suites import place
from baton_lab.present.grid import number

MOST_RUNS = 400
"""The newest runs, whose figures are shown."""
MOST_POINTS = 16
"""The newest points of a figure that are drawn; runs in a row with the same value are one point."""
WIDTH, HEIGHT, EDGE = 150, 26, 5
DECIMALS = {"bytes": 0, "cycles": 1, "instructions": 1, "ns": 1}


@dataclass(frozen=True)
class Point:
    """A value, and the runs in a row that have it: the first, the last, and their number."""

    value: float
    first: Run
    last: Run
    runs: int = 1

    @property
    def words(self) -> str:
        """The point in words: its runs, their days, and the commit of the last."""
        numbers, days = f"run {self.last.id}", f"{self.last.started.date()}"
        if self.runs > 1:
            numbers, days = (
                f"{self.runs} runs, {self.first.id} to {self.last.id}",
                f"{self.first.started.date()} to {days}",
            )
        return f"{numbers}, {days}, commit {self.last.commit[:10]}{' with changes' if self.last.dirty else ''}"


@dataclass(frozen=True)
class Trend:
    """A figure of several runs; its points are the newest ones, in the order of time. `runs` counts all of its runs."""

    label: str
    unit: str
    points: tuple[Point, ...]
    runs: int

    @property
    def first(self) -> str:
        """The value of the oldest point."""
        return number(self.points[0].value, DECIMALS.get(self.unit, 1))

    @property
    def last(self) -> str:
        """The value of the newest point."""
        return number(self.points[-1].value, DECIMALS.get(self.unit, 1))

    @property
    def change(self) -> str:
        """The newest value beside the oldest."""
        old, new = self.points[0].value, self.points[-1].value
        return "" if old == new else f"{(new - old) / abs(old):+.1%}" if old else f"{new - old:+g}"

    @property
    def line(self) -> Markup:
        """The points as a line: each tells its value and its run, and leads to the run's row."""
        values = [point.value for point in self.points]
        low, span = min(values), (max(values) - min(values)) or 1.0
        step = (WIDTH - 2 * EDGE) / max(len(values) - 1, 1)
        flat = HEIGHT / 2 if max(values) == low else None
        places = [
            (EDGE + index * step, flat or HEIGHT - EDGE - (value - low) / span * (HEIGHT - 2 * EDGE))
            for index, value in enumerate(values)
        ]
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        dots = Markup("").join(map(self._dot, self.points, places))
        said = f"{self.label}: {self.first} to {self.last} {self.unit}"
        return Markup(
            '<svg class="trend" viewBox="0 0 {} {}" role="img" aria-label="{}"><polyline points="{}"/>{}</svg>'
        ).format(WIDTH, HEIGHT, said, drawn, dots)

    def _dot(self, point: Point, at: tuple[float, float]) -> Markup:
        value = number(point.value, 3).rstrip("0").rstrip(".")
        return Markup(
            '<a href="#run-{}"><circle cx="{:.1f}" cy="{:.1f}" r="3"><title>{} {}: {}</title></circle></a>'
        ).format(point.last.id, *at, value, self.unit, point.words)


@dataclass(frozen=True)
class SuiteTrends:
    """The trends of a suite on a board: those that moved, the names of those that did not, and the count of figures of
    one run alone.
    """

    board: str
    suite: str
    moved: tuple[Trend, ...]
    steady: tuple[Trend, ...]
    once: int


def of_store(store: Store) -> tuple[list[SuiteTrends], list[Run]]:
    """The trends of every suite and board over the newest runs, and those runs, the newest first."""
    runs = store.runs(MOST_RUNS)
    found: dict[tuple[str, str], dict[Identity, list[Point]]] = {}
    for run in reversed(runs):
        for record in store.run(run.id or 0)[1]:
            _join(found.setdefault((run.board, run.suite), {}).setdefault(record.identity, []), record, run)
    keys = sorted(found, key=lambda key: (key[0], place(key[1])))
    return [_of_suite(board, suite, found[board, suite]) for board, suite in keys], runs


def _join(points: list[Point], record: Record, run: Run) -> None:
    """Adds a run's value to the points of its figure: to the last one where it is the same."""
    if points and points[-1].value == record.value:
        points[-1] = Point(record.value, points[-1].first, run, points[-1].runs + 1)
    else:
        points.append(Point(record.value, run, run))


def _of_suite(board: str, suite: str, figures: dict[Identity, list[Point]]) -> SuiteTrends:
    several = {key: points for key, points in figures.items() if sum(point.runs for point in points) > 1}
    trends = [_trend(key, points) for key, points in several.items()]
    moved = tuple(trend for trend in trends if len(trend.points) > 1)
    steady = tuple(trend for trend in trends if len(trend.points) == 1)
    return SuiteTrends(board, suite, moved, steady, len(figures) - len(several))


def _trend(key: Identity, points: Sequence[Point]) -> Trend:
    _, case, _, unit, chosen = key
    label = " ".join([case, *(f"{name}={value}" for name, value in chosen)])
    return Trend(label, unit, tuple(points[-MOST_POINTS:]), sum(point.runs for point in points))
