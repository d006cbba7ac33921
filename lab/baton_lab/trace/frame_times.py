# SPDX-License-Identifier: MIT
"""The times of the frames of a trace's page, while a script zooms and pans in Chromium without a window."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from baton_lab.trace.browser import Browser

ROUNDS = 3
LIMIT_S = 300.0
WIDTH, HEIGHT = 1400, 900
LOADED = "window.batonTrace ? batonTrace.started.then(() => true) : false"


@dataclass(frozen=True)
class FrameTimes:
    """Milliseconds of each frame of a walk: from frame to frame, and for the drawing alone; of each round.

    `processor` is the mean over all frames, of the thread of the page alone.
    """

    between: tuple[tuple[float, ...], ...]
    drawing: tuple[tuple[float, ...], ...]
    processor: float
    size: int

    def lines(self) -> list[str]:
        """Words them, with the load of the machine, which a frame waits for."""
        load = os.getloadavg()[0] / (os.cpu_count() or 1)
        frames, rounds = len(self.between[0]), len(self.between)
        return [
            f"page: {self.size:,} bytes; {frames} frames, {rounds} rounds, {WIDTH} x {HEIGHT}",
            f"95 % of frames within {_both(self.between)}",
            f"95 % of drawings within {_both(self.drawing)}",
            f"processor time of the page's thread: {self.processor:.1f} ms for each frame on average",
            f"load of this machine: {load:.1f} programs for each processor",
        ]


def _both(rounds: Sequence[Sequence[float]]) -> str:
    return f"{share(flat(rounds)):.1f} ms; least of the rounds for each: {share(least(rounds)):.1f} ms"


def measure(page: Path, rounds: int = ROUNDS) -> FrameTimes:
    """Walks through a page as often as there are rounds.

    Cost     five seconds for each round, and more on a machine with other work.
    Errors   BrowserError
    """
    with Browser(LIMIT_S) as browser:
        browser.resize(WIDTH, HEIGHT)
        browser.open(page)
        wait(browser)
        before = browser.processor_s()
        found: list[dict[str, Any]] = [browser.evaluate("batonTrace.walk()") for _ in range(rounds)]
        taken = browser.processor_s() - before
    between, drawing = (tuple(tuple(each[key]) for each in found) for key in ("between", "drawing"))
    frames = sum(map(len, between))
    return FrameTimes(between, drawing, 1000 * taken / frames, page.stat().st_size)


def wait(browser: Browser) -> None:
    """Waits until the page has read its trace and drawn it.

    Errors   BrowserError
    """
    browser.until(LOADED)


def flat(rounds: Sequence[Sequence[float]]) -> list[float]:
    """Returns the times of all rounds."""
    return [each for times in rounds for each in times]


def least(rounds: Sequence[Sequence[float]]) -> list[float]:
    """Returns the least time of each frame: other programs only add to it."""
    return [min(times) for times in zip(*rounds, strict=True)]


def share(times: Sequence[float], part: float = 0.95) -> float:
    """Returns the time within which this part of the frames is."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
