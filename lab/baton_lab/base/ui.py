# SPDX-License-Identifier: MIT
"""Shows progress to people: a line per step with its seconds, on standard error."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TimeElapsedColumn,
)
from rich.text import Text

from baton_lab.base.build_counts import COUNTS
from baton_lab.base.estimate import Estimate

LOG_WIDTH = 120


class Screen:
    """A progress bar on a terminal, plain lines elsewhere. Use it as a context manager.

    Standard output is not touched: it is for results. The bar counts the steps of a build while one runs, and
    estimates the time that is left by `known`, the seconds that steps took before.
    """

    def __init__(
        self,
        total: int | None = None,
        console: Console | None = None,
        *,
        planned: Iterable[str] = (),
        known: Mapping[str, float] | None = None,
    ) -> None:
        self.console = console or error_console()
        self.estimate = Estimate(planned, known or {})
        columns = (SpinnerColumn(), _Said(self.words), BarColumn(bar_width=20), MofNCompleteColumn())
        more = (TimeElapsedColumn(), _Said(lambda: self.estimate.words(time.monotonic())))
        self._progress = Progress(*columns, *more, console=self.console, transient=True)
        self._live = self.console.is_terminal
        self._task = self._progress.add_task("", total=total)
        self._running: dict[str, str] = {}

    def __enter__(self) -> Screen:
        if self._live:
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._progress.stop()

    @contextmanager
    def step(self, what: str, preset: str = "") -> Iterator[None]:
        """Shows the current step, and at its end the time that it took, also after a failure.

        `preset` is the one that the step builds.
        """
        self._running[what] = preset
        began = time.monotonic()
        self.estimate.begin(what, preset, began)
        passed = False
        try:
            yield
            passed = True
        finally:
            seconds = time.monotonic() - began
            self._running.pop(what, None)
            self.estimate.end(what, seconds if passed else None)
            self.line(f"{seconds:6.1f} s  {what}")
            self._progress.advance(self._task)

    def line(self, text: str) -> None:
        """Prints a line that stays."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def words(self) -> str:
        """Names the running steps; of a build also its steps."""
        return ", ".join(with_count(what, preset) for what, preset in list(self._running.items()))


class _Said(ProgressColumn):
    """A column that asks for its words at each refresh."""

    def __init__(self, words: Callable[[], str]) -> None:
        super().__init__()
        self._words = words

    def render(self, task: Task) -> Text:
        return Text(self._words())


def with_count(what: str, preset: str) -> str:
    """Returns the name of a step, with the count of the build that it runs."""
    count = COUNTS.of(preset) if preset else None
    return f"{what} {count.done} of {count.total}" if count else what


def error_console() -> Console:
    """Returns a console on standard error; a log file gets lines of LOG_WIDTH columns."""
    console = Console(stderr=True)
    return console if console.is_terminal else Console(stderr=True, width=LOG_WIDTH)
