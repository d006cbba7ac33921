# SPDX-License-Identifier: MIT
"""The suite srr: the published figures, the modelled table, and the lines in the published layout."""

import json
from pathlib import Path
from typing import Any

import pytest
from sample_runs import fill, run_of, sample

from baton_lab.board.board_facts import BoardFacts
from baton_lab.measure.published import DIRECTORY, PublishedError
from baton_lab.measure.published_srr import FILE_NAME, PublishedRounds, checked, read, rounds, with_caches_error
from baton_lab.present import report
from baton_lab.present.pages import board_grids, board_lines
from baton_lab.present.rows import Case, cases
from baton_lab.present.srr import lines, modelled, modelled_grid, published_grid, published_lines

ARM926 = "versatilepb"


def rows(board: str) -> list[Case]:
    return cases(sample(board, "srr"))


def written(folder: Path, **changes: object) -> Path:
    """The published file, with changes to its first row."""
    data: dict[str, Any] = json.loads((DIRECTORY / FILE_NAME).read_text(encoding="utf-8"))
    data["rows"][0].update(changes)
    path = folder / FILE_NAME
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_the_published_figures_are_printed_sixteen_times_too_large() -> None:
    assert rounds().micros(optimized=True, caches=True, first="receiver", message_bytes=4) == 14.25
    assert rounds().micros(optimized=True, caches=True, first="sender", message_bytes=256) == 20
    assert rounds().micros(optimized=True, caches=True, first="sender", message_bytes=32) is None
    assert len(rounds().rows) == 24
    assert all(row.published_figure % 4 == 0 for row in rounds().rows)
    assert rounds().iterations == 4096 * 4


def test_a_figure_that_is_not_what_was_printed_over_sixteen_is_refused(tmp_path: Path) -> None:
    assert read(written(tmp_path)) == rounds()
    with pytest.raises(PublishedError, match=r"656.0 is not 10500 / 16"):
        read(written(tmp_path, micros_per_srr=656.0))
    with pytest.raises(PublishedError, match=r"first_to_block"):
        read(written(tmp_path, first_to_block="nobody"))


def test_the_published_table_shows_both_and_says_why() -> None:
    grid = published_grid()
    assert ("yes", "receiver", "4", "3316", "207.25", "228", "14.25") in grid.rows
    assert len(grid.rows) == 12
    assert any("4096 * 4, that had no parentheses" in note for note in grid.notes)


def test_the_model_is_its_formula() -> None:
    first = modelled(rows(ARM926))[0]
    assert first.without_caches == pytest.approx((300 + 150 + 50) * 30.2 / 200)
    assert first.warm == pytest.approx((500 * 2.14 + (0.004 + 0.5) * 8 * 30.2) / 200)
    assert first.cold == pytest.approx((500 * 2.14 + ((30 + 20) * 8 + 10) * 30.2) / 200)


def test_the_formula_is_held_to_each_published_round_trip_that_was_counted() -> None:
    found = {(row.counted.optimized, row.counted.message_bytes): row for row in checked(rounds())}
    assert len(found) == len(rounds().counted.rows) == 4
    assert found[True, 4].modelled == pytest.approx(1339 * 2.14 / 200)
    assert found[True, 4].error == pytest.approx(1339 * 2.14 / 200 / 14.25 - 1)
    assert found[True, 256].error == pytest.approx(-0.0375, abs=0.0005)
    assert found[False, 4].published == 44.75


def test_the_error_has_the_difference_of_both_tables_of_timings() -> None:
    assert with_caches_error(rounds()) == pytest.approx(1.0375 * 1.023 - 1, abs=0.0005)
    off = json.loads(rounds().model_dump_json())
    off["counted"]["rows"][0]["core_cycles"] *= 2
    assert with_caches_error(PublishedRounds.model_validate(off)) > 0.9


def test_what_is_modelled_stands_apart_with_formula_clock_and_error() -> None:
    caches, grid, check = modelled_grid(rows(ARM926))
    assert grid.title.endswith(", modelled")
    assert grid.rows[0][:4] == (
        "send_receive_reply bytes=4 first=receiver optimized=yes", "300.0 + 150.0 + 50.0", "500.0", "75.50"
    )  # fmt: skip
    assert not any(row[0].startswith("task_switch") for row in grid.rows)
    notes = " ".join(grid.notes)
    for words in ("modelled: a formula", "30.2 cycles x (instructions + reads + writes), at 200 MHz, which is assumed",
                  "within about 5%", "2.14 x core cycles + 30.2 x 8 x lines", "within 6.1%", "a bound"):  # fmt: skip
        assert words in notes
    assert caches.rows[0] == (grid.rows[0][0], "0.0", "0.0", "0.0", "0.5", "0.0", "0.0", "30", "20", "10")
    assert ("yes", "4", "767", "1339", "14.33", "14.25", "0.5%") in check.rows
    assert modelled_grid(rows("mps2-an386")) == []
    grids = board_grids(BoardFacts(ARM926), {"srr": (run_of(ARM926, "srr"), sample(ARM926, "srr"))})
    assert [each.title.partition(":")[0] for each in grids] == [ARM926, "srr", "srr", "srr"]


def test_without_core_cycles_nothing_is_modelled() -> None:
    assert modelled(cases([record for record in sample(ARM926, "srr") if not record.is_timed])) == []


def test_lines_are_in_the_published_layout() -> None:
    counted, replied, model, model_replied, published = lines(rows(ARM926))
    assert counted.title == "versatilepb: send_receive_reply, instructions"
    assert counted.lines == ("noopt - R 4 1300.0", "opt - R 4 300.0", "opt - S 64 400.0")
    assert replied.lines == ("opt - R 4 200.0",)
    assert model.title.endswith("microseconds, modelled")
    assert model.lines[:2] == ("noopt nocache R 4 317.10", "opt nocache R 4 75.50")
    assert model_replied.lines[0] == "opt nocache R 4 52.85"
    assert published == published_lines()
    assert "opt cache R 4 14.25" in published.lines
    assert published.lines[0] == "noopt nocache R 4 656.25"
    assert len(published.lines) == 24


def test_times_are_printed_in_microseconds_as_published() -> None:
    [measured, _] = lines(rows("host"))
    assert measured.title == "host: send_receive_reply, microseconds, measured"
    assert measured.lines == ("opt - R 64 0.026",)


def test_without_the_suite_there_are_no_lines() -> None:
    assert lines(cases(sample(ARM926, "auto"))) == []
    assert board_lines(BoardFacts(ARM926), {"auto": (run_of(ARM926, "auto"), sample(ARM926, "auto"))}) == []


def test_the_report_has_the_lines_the_published_table_and_the_modelled_one(tmp_path: Path) -> None:
    with fill(tmp_path / "runs.sqlite", boards=("nano",)) as store:
        assert "noopt nocache R 4" not in report.write(tmp_path, store).read_text(encoding="utf-8")
        store.save(run_of(ARM926, "srr"), sample(ARM926, "srr"))
        text = report.write(tmp_path, store).read_text(encoding="utf-8")
    for words in ("opt - R 4 300.0", "opt nocache R 4 75.50", "opt cache R 4 14.25"):
        assert words in text
    assert text.count("noopt nocache R 4 656.25") == 1
    assert "microseconds of an ARM920T, modelled" in text
    assert 'id="plot-srr"' in text
    assert "the published kernel, microseconds a round trip on real hardware" in text
