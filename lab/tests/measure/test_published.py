# SPDX-License-Identifier: MIT
from pathlib import Path

import pytest

from baton_lab.measure import suites
from baton_lab.measure.published import Published, PublishedError, published


def test_every_mapped_program_is_published_for_the_nano_and_the_pro_micro() -> None:
    for board in ("nano", "promicro"):
        for case in (name for suite in ("auto", "channel", "compat") for name in suites.of(suite).published):
            assert published().cpu(board, case), (board, case)
        for feature in suites.of("memory").published:
            assert published().memory(board, feature), (board, feature)


def test_the_newest_release_comes_first() -> None:
    versions = [(version, row.diff_micros) for version, row in published().cpu("nano", "published_scheduler")]
    assert versions == [("1.5.1", 5.1), ("1.4", 5.5)]


def test_the_channel_program_is_of_the_release_before() -> None:
    [(version, row)] = published().cpu("promicro", "published_channels")
    assert (version, row.micros_per_iter, row.diff_micros) == ("1.5.0", 28.3, 11.8)


def test_a_case_that_repeats_no_published_program_has_no_published_figure() -> None:
    assert published().cpu("nano", "scheduler") == []
    assert published().cpu("host", "published_scheduler") == []


def test_memory_and_sizes_are_found_by_our_names() -> None:
    memory = published().memory("nano", "scheduler_one_coroutine")
    assert memory is not None
    assert (memory[0], memory[1].flash_bytes, memory[1].ram_bytes) == ("1.5.1", 312, 28)
    assert published().size("nano", "coroutine") == ("1.5.1", "Coroutine", 16)
    assert published().size("nano", "endpoint") is None


def test_what_was_measured_here_is_apart_from_what_was_published() -> None:
    row = published().simulated("nano", "DirectSchedulingWithProfiler")
    assert row is not None and (row.micros_per_iter, row.diff_micros) == (5.751, 4.116)
    assert published().simulated("promicro", "EmptyLoop") is None
    assert published().simulated_flash("nano", "Two Coroutines (millis)") == 372
    assert published().simulated_flash("nano", "One Coroutine (millis)") is None
    figures = published().figures("nano", "Channels")
    assert [(each.version, getattr(each.row, "micros_per_iter", 0)) for each in figures] == [("1.5.0", 28.1)]


def test_every_file_names_its_source_and_its_program() -> None:
    for path in Path(__file__).parents[3].joinpath("bench", "published").glob("*.json"):
        assert path.name in path.with_name("README.md").read_text(), path


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "aceroutine-9.9-auto.json").write_text('{"source": "x", "unit": "y", "boards": [{"board": 3}]}')
    with pytest.raises(PublishedError, match=r"aceroutine-9\.9-auto\.json: boards\.0\.board"):
        Published(tmp_path)


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PublishedError, match=r"no aceroutine-<version>"):
        Published(tmp_path)
