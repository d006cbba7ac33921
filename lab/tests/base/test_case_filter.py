# SPDX-License-Identifier: MIT
import pytest

from baton_lab.base.case_filter import EVERY_CASE, CaseFilter, named
from baton_lab.base.records import Record


def record(case: str, **params: str) -> Record:
    return Record(suite="auto", case=case, board="nano", unit="cycles", value=1, valid="simulated", params=params)


DIRECT, PROFILED = record("direct", yields="2"), record("direct_profiled", yields="2", clock="16", min="3")
ALL = [DIRECT, PROFILED, record("channel<int>")]


@pytest.mark.parametrize(
    ("patterns", "kept"),
    [
        ((), ["direct", "direct_profiled", "channel<int>"]),
        (("direct",), ["direct"]),
        (("direct*",), ["direct", "direct_profiled"]),
        (("*yields=2",), ["direct", "direct_profiled"]),
        (("direct_profiled clock=16 yields=2",), ["direct_profiled"]),
        (("direct_profiled yields=2 clock=16",), ["direct_profiled"]),
        (("*min=3",), []),
        (("rect",), []),
        (("channel<*", "direct"), ["direct", "channel<int>"]),
    ],
)
def test_a_pattern_is_of_the_whole_name_with_its_params_or_without(patterns: tuple[str, ...], kept: list[str]) -> None:
    chosen, left = CaseFilter(patterns).split(ALL)
    assert [each.case for each in chosen] == kept
    assert left == [each.label for each in ALL if each.case not in kept]


def test_a_figure_of_a_baseline_is_chosen_by_the_same_patterns() -> None:
    assert CaseFilter(("direct",)).has_figure("direct yields=2, cycles")
    assert CaseFilter(("direct yields=2",)).has_figure("direct yields=2, cycles")
    assert not CaseFilter(("cycles", "direct yields=8")).has_figure("direct yields=2, cycles")
    assert EVERY_CASE.has_figure("anything, bytes") and not EVERY_CASE


def test_many_names_are_counted() -> None:
    assert named(["a", "b"]) == "a; b"
    assert named([str(number) for number in range(9)]) == "0; 1; 2; 3; 4; 5 and 3 more"
