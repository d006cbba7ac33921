# SPDX-License-Identifier: MIT
"""Shows progress to people: a line per step with its seconds, on standard error."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

LOG_WIDTH = 120


class Screen:
    """A progress bar on a terminal, plain lines elsewhere. Use it as a context manager.

    Standard output is not touched: it is for results.
    """

    def __init__(self, total: int | None = None, console: Console | None = None) -> None:
        self.console = console or error_console()
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        self._progress = Progress(*columns, TimeElapsedColumn(), console=self.console, transient=True)
        self._live = self.console.is_terminal
        self._task = self._progress.add_task("", total=total)

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
    def step(self, what: str) -> Iterator[None]:
        """Shows the current step, and at its end the time that it took, also after a failure."""
        self._progress.update(self._task, description=escape(what))
        began = time.monotonic()
        try:
            yield
        finally:
            self.line(f"{time.monotonic() - began:6.1f} s  {what}")
            self._progress.advance(self._task)

    def line(self, text: str) -> None:
        """Prints a line that stays."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)


def error_console() -> Console:
    """Returns a console on standard error; a log file gets lines of LOG_WIDTH columns."""
    console = Console(stderr=True)
    return console if console.is_terminal else Console(stderr=True, width=LOG_WIDTH)
