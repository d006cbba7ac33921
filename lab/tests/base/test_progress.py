# SPDX-License-Identifier: MIT
"""Progress on a terminal counts the steps of a build and estimates the rest; elsewhere there is none of it."""

import io
from collections.abc import Iterator

import pytest
from rich.console import Console

from baton_lab.base.build_counts import COUNTS, BuildCounts
from baton_lab.base.estimate import Estimate
from baton_lab.base.ui import Screen


@pytest.fixture
def building() -> Iterator[None]:
    COUNTS.begin("nano")
    yield
    COUNTS.end("nano")


def test_a_builds_steps_are_counted_and_its_pace_tells_what_is_left() -> None:
    counts = BuildCounts()
    counts.begin("nano")
    counts.read("nano", "-- Configuring done")
    assert counts.of("nano") is None
    counts.read("nano", "[4/40] Building CXX object a.o")
    early = counts.of("nano")
    assert early is not None and (early.done, early.total) == (4, 40) and early.left_s(early.began + 8) is None
    counts.read("nano", "[10/40] Linking CXX executable a")
    count = counts.of("nano")
    assert count is not None and count.left_s(count.began + 20) == pytest.approx(60)
    counts.end("nano")
    assert counts.of("nano") is None


def test_what_is_left_is_the_sum_of_what_the_steps_took_before() -> None:
    estimate = Estimate(["a", "b", "c"], {"a": 10.0, "b": 30.0, "c": 100.0})
    assert estimate.words(0.0) == "about 2:20 left (estimate)"
    estimate.begin("a", "", 0.0)
    assert estimate.words(4.0) == "about 2:16 left (estimate)"
    assert estimate.words(15.0) == "about 2:10 left (estimate)"  # it takes longer than before
    estimate.end("a", 15.0)
    estimate.drop(["c"])
    assert estimate.words(15.0) == "about 0:30 left (estimate)"
    assert estimate.took == {"a": 15.0}


def test_a_step_that_was_never_timed_makes_it_at_least_and_nothing_known_no_estimate() -> None:
    estimate = Estimate(["a", "b"], {"a": 10.0})
    assert estimate.words(0.0) == "at least 0:10 left (estimate)"
    assert Estimate(["a", "b"], {}).words(0.0) == ""
    estimate.begin("b", "", 0.0)
    estimate.end("b", None)
    assert estimate.took == {}


def test_the_pace_of_a_build_counts_for_more_than_what_it_took_before(building: None) -> None:
    COUNTS.read("nano", "[10/20] x")
    count = COUNTS.of("nano")
    assert count is not None
    estimate = Estimate([], {"nano: build": 1.0})
    estimate.begin("nano: build", "nano", count.began)
    assert estimate.words(count.began + 50) == "about 0:50 left (estimate)"


def test_a_terminal_shows_the_count_and_the_estimate_and_a_log_neither(building: None) -> None:
    for is_terminal in (True, False):
        out = io.StringIO()
        console = Console(file=out, force_terminal=is_terminal, width=120)
        planned = ["nano: build", "nano: auto"]
        with (
            Screen(2, console, planned=planned, known={"nano: auto": 75.0}) as screen,
            screen.step("nano: build", "nano"),
        ):
            COUNTS.read("nano", "[3/40] x")
            screen._progress.refresh()
        shown = out.getvalue()
        assert ("nano: build 3 of 40" in shown) == is_terminal
        assert ("at least 1:15 left (estimate)" in shown) == is_terminal
        assert "s  nano: build\n" in shown.replace("\r", "")
