# SPDX-License-Identifier: MIT
"""The suite thread_metric: the published figures, and the tables that stand beside them."""

import json
from pathlib import Path
from typing import Any

import pytest

from baton_lab.base.records import Record, parse_line
from baton_lab.measure import suites
from baton_lab.measure.published import DIRECTORY, PublishedError
from baton_lab.measure.published_thread_metric import CALIBRATION, FILE_NAME, read, scores
from baton_lab.present.rows import Case, cases
from baton_lab.present.thread_metric import SUITE, grids, published_grid


def record(board: str, figure: str) -> Record:
    made = parse_line(f"baton-bench/1 suite={SUITE} case=cooperative board={board} iterations=500 {figure}")
    assert made
    return made


def rows() -> list[Case]:
    """A case of a board that counts and is timed, one of a board that only counts, and one of approximate cycles."""
    counted = [record("microbit", "unit=instructions value=80 reads=20 writes=10 valid=instructions")]
    counted += [record("microbit", "unit=cycles value=160 valid=approximate timing=cortex-m0")]
    made = cases(counted, 16.0)
    made += cases([record("mps2-an500", "unit=instructions value=70 valid=instructions")], 25.0)
    return made + cases([record("rp2040", "unit=cycles value=170 valid=approximate")], 48.0)


def written(folder: Path, **changes: object) -> Path:
    """The published file, with changes to the first system's rows."""
    data: dict[str, Any] = json.loads((DIRECTORY / FILE_NAME).read_text(encoding="utf-8"))
    data["systems"][0]["rows"].update(changes)
    path = folder / FILE_NAME
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_the_published_cases_are_cases_of_the_suite() -> None:
    plot = suites.of(SUITE).plot
    assert plot
    for system in scores().systems:
        assert set(system.rows) - {CALIBRATION} <= set(plot.cases)
        assert system.configuration and system.source


def test_systems_of_different_hardware_are_refused(tmp_path: Path) -> None:
    assert read(written(tmp_path)) == scores()
    with pytest.raises(PublishedError, match=r"calibrations of 9\.08 and 12\.5 are not of one hardware"):
        read(written(tmp_path, calibration=12.5))
    with pytest.raises(PublishedError, match=r"unit"):
        data = json.loads(written(tmp_path).read_text(encoding="utf-8"))
        (tmp_path / FILE_NAME).write_text(json.dumps({**data, "unit": "instructions"}), encoding="utf-8")
        read(tmp_path / FILE_NAME)


def test_each_table_holds_one_unit_and_none_holds_a_ratio() -> None:
    made = grids(rows())
    assert [grid.title for grid in made] == [
        "thread_metric: cycles an operation, gross",
        "thread_metric: instructions an operation, gross",
        "thread_metric: approximate cycles an iteration, gross",
        "Thread-Metric of others: cycles a test cycle on real hardware, as published",
    ]
    assert made[0].rows == (("cooperative", "170.0"),)
    assert made[1].rows == (("cooperative", "80.0", "70.0"),)
    assert made[2].rows == (("cooperative", "160.0", "10.000"),)
    heads = " ".join(column.header for grid in made for column in grid.columns)
    assert "ratio" not in heads
    assert "x floor" not in heads


def test_the_published_table_has_hardware_clock_and_configuration() -> None:
    grid = published_grid()
    assert [column.header for column in grid.columns] == [
        "case", "FreeRTOS 10.3.1\nall protection off", "CMRX 0.1.2\nfull memory isolation"
    ]  # fmt: skip
    assert ("cooperative", "140.81", "1035.92") in grid.rows
    assert ("preemptive", "550.73", "1896.66") in grid.rows
    assert grid.notes[0].startswith("STM32L432KBU6, Cortex-M4, code in flash, 80 MHz; arm-none-eabi-gcc")
    assert any("no ratio with ours is formed" in note for note in grid.notes)


def test_no_published_figure_is_left_out() -> None:
    shown = {str(case): figures for case, *figures in published_grid().rows}
    for column, system in enumerate(scores().systems):
        assert {case: shown[case][column] for case in system.rows} == {
            case: f"{cycles:.2f}" for case, cycles in system.rows.items()
        }


def test_without_a_run_there_is_nothing() -> None:
    assert grids([]) == []
