# SPDX-License-Identifier: MIT
"""The comparison of a run's deterministic figures with their baseline; it reads no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from baton_lab.base.case_filter import EVERY_CASE, CaseFilter
from baton_lab.base.records import Record
from baton_lab.base.store import Run
from baton_lab.measure import below_floor
from baton_lab.measure.baselines import Sections, figures, unit_of
from baton_lab.measure.compare import DETERMINISTIC

TOLERANCE = {"cycles": 0.01, "instructions": 0.01, "bytes": 0.01}
"""The share by which a figure may rise over its baseline. These figures are the same on every run, so this is no room
for noise: it lets pass what a change elsewhere moves by a fraction of a cycle. A byte more is a rise for all that
takes less than a hundred. As a baseline stays until it is blessed, small rises cannot add up unseen."""

BLESS = "./baton gate --board {board} --suite {suite} --bless"


@dataclass(frozen=True)
class Change:
    """A figure of a run beside that of the baseline; None where a side lacks it."""

    name: str
    old: float | None
    new: float | None

    @property
    def share(self) -> float:
        """The rise over the old figure; infinite from nothing."""
        assert self.old is not None and self.new is not None
        if self.old == self.new:
            return 0.0
        return (self.new - self.old) / abs(self.old) if self.old else float("inf") * (self.new - self.old)

    @property
    def kind(self) -> str:
        """One of rose, fell, gone and new; empty where the figure is within the tolerance."""
        if self.old is None or self.new is None:
            return "new" if self.old is None else "gone"
        allowed = TOLERANCE[unit_of(self.name)]
        return "rose" if self.share > allowed else "fell" if self.share < -allowed else ""

    def __str__(self) -> str:
        if self.old is None or self.new is None:
            what = "no longer measured, was" if self.new is None else "not in the baseline, is"
            return f"{self.name}: {what} {_figure(self.new if self.old is None else self.old)}"
        allowed = f"; {TOLERANCE[unit_of(self.name)]:.0%} is allowed" if self.kind == "rose" else ""
        share = f"{self.share:+.1%}" if abs(self.share) != float("inf") else f"{self.new - self.old:+g}"
        return f"{self.name}: was {_figure(self.old)}, is {_figure(self.new)} ({share}{allowed})"


@dataclass(frozen=True)
class Verdict:
    """The verdict of the gate on one suite on one board. `absent` says why there is nothing to compare with.

    `below` has a line for each count that is below its floor without a sentence; `left_out` counts the figures
    of run and baseline that --case leaves out.
    """

    board: str
    suite: str
    compared: int = 0
    changes: tuple[Change, ...] = field(default=())
    absent: str = ""
    below: tuple[str, ...] = ()
    left_out: int = 0

    def of(self, kind: str) -> list[Change]:
        """The changes of a kind."""
        return [change for change in self.changes if change.kind == kind]

    @property
    def is_red(self) -> bool:
        """True where a figure rose, a figure of the baseline is missing, or a floor bounds nothing."""
        return bool(self.of("rose") or self.of("gone") or self.below)

    def failures(self) -> list[str]:
        """The lines for the figures that make it red, and the command that accepts them."""
        lines = [f"{self.board} {self.suite}: {change}" for change in (*self.of("rose"), *self.of("gone"))]
        if lines:
            lines.append(f"  to accept it: {BLESS.format(board=self.board, suite=self.suite)}")
        return [*lines, *(f"{self.board} {self.suite}: {line}" for line in self.below)]

    def remarks(self) -> list[str]:
        """The lines that are shown and not red: an improvement, a new case, no baseline."""
        lines = [f"{self.board} {self.suite}: {change}" for change in (*self.of("fell"), *self.of("new"))]
        return [*lines, f"{self.board} {self.suite}: {self.absent}"] if self.absent else lines


def judge(run: Run, records: Sequence[Record], sections: Sections, cases: CaseFilter = EVERY_CASE) -> Verdict:
    """Compares the deterministic figures of the chosen cases of a run with the section of its compiler."""
    every = figures(records)
    fresh = {name: value for name, value in every.items() if cases.has_figure(name)}
    below = tuple(below_floor.unexplained(r for r in records if r.unit in DETERMINISTIC and cases.has(r)))
    section = sections.get(run.compiler)
    if section is None:
        known = f"; there is one for {', '.join(sections)}" if sections else ""
        return Verdict(run.board, run.suite, absent=f"no baseline for {run.compiler}{known}", below=below)
    old = {name: value for name, value in section.figures.items() if cases.has_figure(name)}
    left = len(section.figures.keys() | every.keys()) - len(old.keys() | fresh.keys())
    compared = len(old.keys() & fresh.keys())
    return Verdict(run.board, run.suite, compared, _changes(old, fresh), below=below, left_out=left)


def _changes(old: Mapping[str, float], new: Mapping[str, float]) -> tuple[Change, ...]:
    names = dict.fromkeys([*old, *new])
    changes = [Change(name, old.get(name), new.get(name)) for name in names]
    return tuple(change for change in changes if change.kind)


def _figure(value: float | None) -> str:
    return "nothing" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")
