# SPDX-License-Identifier: MIT
"""How what n things take grows with n: the exponent of a power of n."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from baton_lab.base.records import Record, Unit
from baton_lab.present.rows import parameters

FEWEST = 5
"""Sizes that an exponent is fitted to."""

KEY = "n"


@dataclass(frozen=True)
class Scaling:
    """Sizes, and what one thing of so many takes: ours, and the floor's."""

    sizes: tuple[int, ...]
    each: tuple[float, ...]
    floors: tuple[float | None, ...]

    @property
    def whole(self) -> tuple[float, ...]:
        """What all n take."""
        return tuple(n * value for n, value in zip(self.sizes, self.each, strict=True))

    @property
    def exponent(self) -> float | None:
        """1 where all n take n times what one takes; None where there are too few sizes."""
        return exponent(self.sizes, self.whole) if len(self.sizes) >= FEWEST else None


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The slope of the line through the logarithms, by least squares: values are about a constant * size ** slope."""
    x, y = [math.log(size) for size in sizes], [math.log(value) for value in values]
    middle, height = sum(x) / len(x), sum(y) / len(y)
    across = sum((a - middle) ** 2 for a in x)
    return sum((a - middle) * (b - height) for a, b in zip(x, y, strict=True)) / across


def of_case(records: Iterable[Record], case: str, params: dict[str, str], units: Sequence[Unit]) -> Scaling:
    """The records of a case with these params, whatever their n, ordered by it."""
    points = {}
    for record in records:
        chosen = parameters(record)
        n = chosen.pop(KEY, "")
        if record.case == case and record.unit in units and chosen == params and n.isdigit() and int(n) > 0:
            points[int(n)] = record
    ordered = sorted(points.items())
    return Scaling(tuple(n for n, _ in ordered), tuple(r.value for _, r in ordered), tuple(r.floor for _, r in ordered))
