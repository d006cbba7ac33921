# SPDX-License-Identifier: MIT
import itertools
import random

import pytest

from baton_lab.measure import rank_test
from baton_lab.measure.rank_test import p_value


def by_hand(first: list[float], second: list[float]) -> float:
    """Each way to deal all values into the two samples, by the sum of mean ranks."""
    both = sorted([*first, *second])
    rank = {value: both.index(value) + (both.count(value) + 1) / 2 for value in both}
    ranks = [rank[value] for value in (*first, *second)]
    middle = len(first) * (len(ranks) + 1) / 2
    off = abs(sum(ranks[: len(first)]) - middle)
    sums = [sum(chosen) for chosen in itertools.combinations(ranks, len(first))]
    return sum(abs(each - middle) >= off for each in sums) / len(sums)


def test_of_few_values_every_way_is_counted() -> None:
    assert p_value([1, 2, 3], [4, 5, 6]) == pytest.approx(2 / 20)
    assert p_value([1, 2, 3, 4], [5, 6, 7, 8]) == pytest.approx(2 / 70)
    chance = random.Random(7)
    for _ in range(60):
        first = [chance.randrange(6) for _ in range(chance.randrange(1, 6))]
        second = [chance.randrange(6) for _ in range(chance.randrange(1, 6))]
        assert p_value(list(first), list(second)) == pytest.approx(by_hand(list(first), list(second)))


def test_samples_that_are_alike_are_no_evidence_and_order_does_not_matter() -> None:
    assert p_value([1, 1, 1], [1, 1]) == 1
    assert p_value([5.0] * 40, [5.0] * 40) == 1
    one, two = [1.0, 4, 2, 8], [5.0, 7, 1, 9, 3]
    assert p_value(one, two) == pytest.approx(p_value(two[::-1], one))
    with pytest.raises(ValueError, match="without values"):
        p_value([], [1])


def test_of_many_values_the_normal_share_is_that_of_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    for shift in (0.0, 0.3, 1.0):
        first = [round(chance.gauss(0, 1), 1) for _ in range(25)]
        second = [round(chance.gauss(shift, 1), 1) for _ in range(25)]
        monkeypatch.setattr(rank_test, "EXACT_UP_TO", 60)
        exact = p_value(first, second)
        monkeypatch.setattr(rank_test, "EXACT_UP_TO", 0)
        assert p_value(first, second) == pytest.approx(exact, abs=0.01)


def test_equal_distributions_are_told_apart_as_seldom_as_the_share_says() -> None:
    chance = random.Random(11)
    shares = [p_value([chance.random() for _ in range(8)], [chance.random() for _ in range(8)]) for _ in range(2000)]
    assert 0.03 < sum(share <= 0.05 for share in shares) / len(shares) < 0.06
