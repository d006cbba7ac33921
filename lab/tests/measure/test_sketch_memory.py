# SPDX-License-Identifier: MIT
from pathlib import Path

from baton_lab.measure import suites
from baton_lab.measure.sketch_memory import BASELINE, WITHOUT_THE_LIBRARY, larger

ROOT = Path(__file__).resolve().parents[3]


def test_a_feature_that_is_larger_than_published_is_named_with_both_figures() -> None:
    assert larger("nano", {"compat_one_coroutine": {"flash": 188, "ram": 26}}) == []
    assert larger("nano", {"compat_one_coroutine": {"flash": 189, "ram": 26}}) == [
        "nano: compat_one_coroutine takes 189 bytes of flash; published are 188"
    ]
    assert larger("promicro", {"compat_blink": {"flash": 600, "ram": 27}}) == [
        "promicro: compat_blink takes 27 bytes of ram; published are 26"
    ]


def test_a_feature_without_a_published_figure_is_no_success() -> None:
    assert larger("nano", {"compat_new": {"flash": 1, "ram": 1}}) != []


def test_only_what_includes_the_library_is_held_to_the_published_size() -> None:
    assert larger("nano", {"compat_one_delay_function": {"flash": 999, "ram": 999}}) == []
    folder = ROOT / "compat" / "aceroutine" / "memory"
    assert {path.stem for path in folder.glob("*.ino") if "AceRoutine.h" not in path.read_text()} == set(
        WITHOUT_THE_LIBRARY
    )


def test_every_sketch_has_a_published_feature_and_the_other_way_round() -> None:
    sketches = {path.stem for path in (ROOT / "compat" / "aceroutine" / "memory").glob("*.ino")}
    mapped = {name.removeprefix("compat_") for name in suites.of("memory").published if name.startswith("compat_")}
    assert sketches == mapped | {BASELINE}
