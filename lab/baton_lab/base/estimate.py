# SPDX-License-Identifier: MIT
"""Estimates the time that is left of a list of steps, by the seconds that they took before."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

from baton_lab.base.build_counts import COUNTS


class Estimate:
    """The steps that are planned, those that run and those that have ended.

    `took` has the seconds of those that passed; `at_once` of them run side by side.

    Context  any thread.
    """

    def __init__(self, planned: Iterable[str], known: Mapping[str, float], at_once: int = 1) -> None:
        self.took: dict[str, float] = {}
        self._known = known
        self._at_once = at_once
        self._waiting = dict.fromkeys(planned)
        self._running: dict[str, tuple[str, float]] = {}
        self._guard = threading.Lock()

    def begin(self, what: str, preset: str, now: float) -> None:
        """Notes that a step begins; `preset` is the one that it builds, if any."""
        with self._guard:
            self._waiting.pop(what, None)
            self._running[what] = (preset, now)

    def end(self, what: str, seconds: float | None) -> None:
        """Notes that a step has ended, and its seconds if it passed."""
        with self._guard:
            self._running.pop(what, None)
            if seconds is not None:
                self.took[what] = seconds

    def drop(self, names: Iterable[str]) -> None:
        """Forgets planned steps that are left out."""
        with self._guard:
            for name in names:
                self._waiting.pop(name, None)

    def left_s(self, now: float) -> tuple[float, bool] | None:
        """Returns the seconds that are left, and whether every step is in them; None if nothing is known.

        A build's own pace counts for more than what it took before.
        """
        with self._guard:
            waiting, running = list(self._waiting), dict(self._running)
        found = [self._known.get(name) for name in waiting]
        found += [self._left_of(name, preset, now - began, now) for name, (preset, began) in running.items()]
        known = [each for each in found if each is not None]
        return (sum(known) / self._at_once, len(known) == len(found)) if known else None

    def _left_of(self, name: str, preset: str, ran_s: float, now: float) -> float | None:
        count = COUNTS.of(preset) if preset else None
        by_pace = count.left_s(now) if count else None
        before = self._known.get(name)
        return max(before - ran_s, 0.0) if by_pace is None and before is not None else by_pace

    def words(self, now: float) -> str:
        """Returns the estimate for people; empty if nothing is known."""
        left = self.left_s(now)
        if left is None:
            return ""
        seconds, is_whole = left
        minutes, rest = divmod(round(seconds), 60)
        return f"{'about' if is_whole else 'at least'} {minutes}:{rest:02} left (estimate)"
