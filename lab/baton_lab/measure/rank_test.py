# SPDX-License-Identifier: MIT
"""The rank test of Mann and Whitney: it tells a difference of two samples from chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

EXACT_UP_TO = 24
"""Values, of both samples together, up to which every way to deal the ranks is counted."""


def p_value(first: Sequence[float], second: Sequence[float]) -> float:
    """The share of ways to deal the ranks that put the samples at least as far apart, to either side.

    Shape    equal values share their mean rank. Of many values the share is that of the normal distribution, corrected
             for equal values and for the ranks' being whole.
    Errors   ValueError: a sample is empty.
    """
    if not first or not second:
        raise ValueError("a sample without values")
    ranks = _doubled_ranks([*first, *second])
    size, all_of = len(first), len(ranks)
    off = abs(sum(ranks[:size]) - size * (all_of + 1))  # of the doubled ranks' sum from its mean
    return _exact(ranks, size, off) if all_of <= EXACT_UP_TO else _normal(ranks, size, off)


def _doubled_ranks(values: Sequence[float]) -> list[int]:
    """Twice the rank of each value, which is whole with equal values too."""
    counts = Counter(values)
    ranks, below = {}, 0
    for value in sorted(counts):
        ranks[value] = 2 * below + counts[value] + 1
        below += counts[value]
    return [ranks[value] for value in values]


def _exact(ranks: Sequence[int], size: int, off: int) -> float:
    """Counts the subsets of `size` ranks by their sum: ways[k] has those of k ranks."""
    ways: list[Counter[int]] = [Counter({0: 1}), *(Counter() for _ in range(size))]
    for rank in ranks:
        for taken in range(size, 0, -1):
            for total, count in ways[taken - 1].items():
                ways[taken][total + rank] += count
    middle = size * (len(ranks) + 1)
    far = sum(count for total, count in ways[size].items() if abs(total - middle) >= off)
    return far / math.comb(len(ranks), size)


def _normal(ranks: Sequence[int], size: int, off: int) -> float:
    all_of = len(ranks)
    spread = sum((rank - (all_of + 1)) ** 2 for rank in ranks) / (all_of - 1)
    variance = spread * size * (all_of - size) / all_of
    return math.erfc(max(off - 1, 0) / math.sqrt(2 * variance)) if variance else 1.0
