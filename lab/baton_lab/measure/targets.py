# SPDX-License-Identifier: MIT
"""The performance targets, judged by the stored records."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from baton_lab.base.records import Record, Unit, Validity
from baton_lab.measure import scaling

FILE = Path(__file__).with_name("targets.toml")
BUILD_KEYS = frozenset({"compiler", "opt"})
"""Params that a target does not choose by."""

UNITS: dict[str, tuple[Unit, ...]] = {
    "cycles": ("cycles",),
    "instructions": ("instructions",),
    "bytes": ("bytes",),
    "x floor": ("ns", "cycles"),
    "exponent": ("ns",),
}

Find = Callable[[str, str], Sequence[Record] | None]
"""The records of the latest run of (board, suite), or None."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Selector(_Model):
    """The choice of a record, and of one of its figures."""

    suite: str
    case: str
    params: dict[str, str] = {}
    use: Literal["net", "gross", "x floor", "exponent"]

    def value(self, records: Iterable[Record], units: Sequence[Unit]) -> tuple[float, Validity] | None:
        """The figure and how it was obtained; None where there is no such record."""
        if self.use == "exponent":
            found = scaling.of_case(records, self.case, self.params, units)
            return None if found.exponent is None else (found.exponent, "measured")
        for record in records:
            chosen = {key: value for key, value in record.chosen.items() if key not in BUILD_KEYS}
            if record.case == self.case and record.unit in units and chosen == self.params:
                value = {"net": record.net, "gross": record.value, "x floor": record.over_floor}[self.use]
                return None if value is None else (value, record.valid)
        return None


class Target(_Model):
    """One target as data."""

    name: str
    headline: str | None = None
    discipline: str | None = None
    board: str
    unit: Literal["cycles", "instructions", "bytes", "x floor", "exponent"]
    figure: Selector
    minus: Selector | None = None
    per: int = Field(default=1, ge=1)
    limit: float
    stretch: float | None = None
    prototype: float | None = None
    peer: float | None = None
    peer_source: str | None = None

    @property
    def suites(self) -> list[str]:
        """The suites whose runs the target is judged by."""
        return list(dict.fromkeys([self.figure.suite, *([self.minus.suite] if self.minus else [])]))


class Targets(_Model):
    """The file of targets."""

    peer_names: dict[str, str]
    target: tuple[Target, ...]

    @model_validator(mode="after")
    def _peers_are_named(self) -> Targets:
        for each in self.target:
            if (each.peer is None) != (each.peer_source is None) or each.peer_source not in {None, *self.peer_names}:
                raise ValueError(f"{each.name}: peer and peer_source go together, peer_source is one of peer_names")
        return self


class TargetRow(_Model):
    """A target beside what the records say."""

    target: Target
    peer_name: str | None
    ours: float | None
    valid: Validity | None

    @property
    def met(self) -> bool | None:
        """None where nothing was measured."""
        return None if self.ours is None else self.ours <= self.target.limit

    @property
    def missed_by(self) -> float | None:
        """The figure less the limit; None where the target is met or nothing was measured."""
        return None if self.ours is None or self.met else self.ours - self.target.limit

    @property
    def verdict(self) -> str:
        """`met`, `missed` or `not measured`."""
        return {None: "not measured", True: "met", False: "missed"}[self.met]


@cache
def load(path: Path = FILE) -> Targets:
    """The targets of the file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    data["target"] = [target for given in data["target"] for target in _on_each_board(given)]
    return Targets.model_validate(data)


def _on_each_board(given: dict[str, object]) -> list[dict[str, object]]:
    """`boards = [...]` is the same target on each of them."""
    boards = given.pop("boards", None)
    return [{**given, "board": board} for board in boards] if isinstance(boards, list) else [given]


def judge(targets: Targets, find: Find, boards: Collection[str] | None = None) -> list[TargetRow]:
    """Judges each target of these boards, or of all, by the latest records."""
    return [_judge(each, targets, find) for each in targets.target if boards is None or each.board in boards]


def _judge(target: Target, targets: Targets, find: Find) -> TargetRow:
    units = UNITS[target.unit]
    whole = target.figure.value(find(target.board, target.figure.suite) or (), units)
    part = None if target.minus is None else target.minus.value(find(target.board, target.minus.suite) or (), units)
    missing = whole is None or (target.minus is not None and part is None)
    ours = None if missing or whole is None else (whole[0] - (part[0] if part else 0.0)) / target.per
    return TargetRow(
        target=target,
        peer_name=None if target.peer_source is None else targets.peer_names[target.peer_source],
        ours=None if ours is None else round(ours, 3),  # a difference of decimals is not exact
        valid=None if missing or whole is None else whole[1],
    )
