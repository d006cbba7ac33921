# SPDX-License-Identifier: MIT
from pathlib import Path

from sample_runs import records, run_of

from baton_lab.base.store import Store
from baton_lab.present import trends
from baton_lab.present.trends import MOST_POINTS, SuiteTrends


def of_values(tmp_path: Path, *values: float, once: float | None = None) -> list[SuiteTrends]:
    with Store(tmp_path / "runs.sqlite") as store:
        for number, value in enumerate(values):
            lines = f"direct value={value} yields=2\nsteady value=7"
            lines += f"\nnew value={once}" if once is not None and number == len(values) - 1 else ""
            made = run_of("nano", "auto", dirty=number == 1)
            store.save(made, records("auto", "nano", lines, "unit=cycles valid=simulated"))
        return trends.of_store(store)[0]


def test_a_figure_has_a_point_for_each_change_and_equal_runs_share_one(tmp_path: Path) -> None:
    [suite] = of_values(tmp_path, 30, 30, 33, 31.5, once=4)
    [moved], [steady] = suite.moved, suite.steady
    assert [(point.value, point.first.id, point.last.id) for point in moved.points] == [
        (30, 1, 2),
        (33, 3, 3),
        (31.5, 4, 4),
    ]
    assert (moved.label, moved.runs, moved.first, moved.last, moved.change) == (
        "direct yields=2",
        4,
        "30.0",
        "31.5",
        "+5.0%",
    )
    assert (steady.label, steady.runs, steady.change) == ("steady", 4, "")
    assert suite.once == 1


def test_a_point_of_the_line_names_its_runs_and_leads_to_the_last_ones_row(tmp_path: Path) -> None:
    [suite] = of_values(tmp_path, 30, 30, 33)
    line = suite.moved[0].line
    assert line.count("<circle") == 2 and "<polyline" in line
    assert '<a href="#run-2"><circle cx="5.0" cy="21.0" r="3">' in line  # the least is the lowest
    said = "<title>30 cycles: 2 runs, 1 to 2, 2025-11-21 to 2025-11-21, commit 61eaaf6c0f with changes</title>"
    assert said in line
    assert '<a href="#run-3"><circle cx="145.0" cy="5.0" r="3"><title>33 cycles: run 3, 2025-11-21' in line


def test_only_the_newest_points_are_drawn_and_all_runs_counted(tmp_path: Path) -> None:
    [suite] = of_values(tmp_path, *range(1, MOST_POINTS + 5))
    [moved] = suite.moved
    assert len(moved.points) == MOST_POINTS and moved.runs == MOST_POINTS + 4
    assert moved.points[0].value == 5


def test_one_run_has_no_trend(tmp_path: Path) -> None:
    [suite] = of_values(tmp_path, 30)
    assert (suite.moved, suite.steady, suite.once) == ((), (), 2)
