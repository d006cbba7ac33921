# SPDX-License-Identifier: MIT
"""The growth of a cost with n: the exponent of a power of n."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import linear_regression

from baton_lab.base.records import Record, Unit

FEWEST = 5
"""Sizes that an exponent is fitted to."""

KEY = "n"


@dataclass(frozen=True)
class Scaling:
    """Sizes, and the cost of one thing of so many: ours, and the floor's."""

    sizes: tuple[int, ...]
    each: tuple[float, ...]
    floors: tuple[float | None, ...]

    @property
    def whole(self) -> tuple[float, ...]:
        """The cost of all n."""
        return tuple(n * value for n, value in zip(self.sizes, self.each, strict=True))

    @property
    def exponent(self) -> float | None:
        """1 where all n take n times what one takes; None where there are too few sizes."""
        return exponent(self.sizes, self.whole) if len(self.sizes) >= FEWEST else None


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The slope of the line through the logarithms, by least squares: values are about a constant * size ** slope."""
    return linear_regression(list(map(math.log, sizes)), list(map(math.log, values))).slope


def of_case(records: Iterable[Record], case: str, params: dict[str, str], units: Sequence[Unit]) -> Scaling:
    """The records of a case with these params and any n, ordered by n."""
    points = {}
    for record in records:
        chosen = record.chosen
        n = chosen.pop(KEY, "")
        if record.case == case and record.unit in units and chosen == params and n.isdigit() and int(n) > 0:
            points[int(n)] = record
    found = sorted(points.items())
    return Scaling(tuple(n for n, _ in found), tuple(r.value for _, r in found), tuple(r.floor for _, r in found))
