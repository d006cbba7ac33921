# SPDX-License-Identifier: MIT
"""The suite realtime: its table, its histograms, its block and its place in the report."""

from pathlib import Path

import pytest
from sample_runs import records, run_of, sample

from baton_lab.base.records import Record
from baton_lab.base.store import Run, Store
from baton_lab.board.board_facts import BoardFacts
from baton_lab.present import plots, tables
from baton_lab.present.pages import Context, UnknownBlockError, board_grids, make
from baton_lab.present.plot_style import LeftOut, Plot
from baton_lab.present.report import render


def measured() -> list[Record]:
    return sample("host", "realtime")


def one(line: str) -> list[Record]:
    return records("realtime", "host", line, "unit=ns valid=measured")


def test_the_table_has_a_line_for_each_scheduler_and_throttle_latency_first() -> None:
    [grid] = tables.realtime_grids("host", measured())
    headers = ["case", "scheduling", "throttle", "granted", "refused", "events", "min", "p50", "p99", "p99.9", "max"]
    assert [column.header for column in grid.columns] == [*headers, "deadline", "missed"]
    assert grid.rows == (
        ("latency", "normal", "950000", "none", "", "10000", "37.5", "98.3", "114.7", "229.4", "4433.4", "200.0", "25"),
        (*("latency", "fifo", "off", "fifo, pinned", "locked", "10000"),
         *("23.0", "57.3", "98.3", "114.7", "114.7", "200.0", "0")),
        (*("payload", "normal", "950000", "none", "", "10000"),
         *("406.0", "458.8", "458.8", "458.8", "5185.7", "1000.0", "22")),
    )  # fmt: skip
    assert grid.rules == {2}


def test_what_was_not_refused_takes_no_column() -> None:
    [grid] = tables.realtime_grids(
        "host", one("latency value=5 throttle=none scheduling=fifo granted=fifo refused=none")
    )
    assert "refused" not in [column.header for column in grid.columns]
    assert grid.rows[0][:4] == ("latency", "fifo", "none", "fifo")


def test_figures_of_a_run_are_volatile_and_its_circumstances_are_not() -> None:
    [grid] = tables.realtime_grids("host", measured())
    steady = [column.header for column in grid.columns if not column.volatile]
    assert steady == ["case", "scheduling", "throttle", "granted", "refused", "deadline"]


def test_a_histogram_belongs_to_the_outcome_and_not_to_the_identity() -> None:
    first, second = one("latency value=5 throttle=1 hist=7:1"), one("latency value=6 throttle=1 hist=7:2,9:1")
    assert first[0].identity == second[0].identity
    assert plots.histogram(second[0]) == [(7, 2), (9, 1)]
    assert plots.histogram(one("latency value=5")[0]) == []


@pytest.mark.parametrize(
    ("end", "begin"), [(0, 0), (7, 7), (9, 8), (15, 14), (19, 16), (31, 28), (39, 32), (458751, 393216)]
)
def test_a_bin_begins_behind_the_one_before_it(end: int, begin: int) -> None:
    assert plots.begin_of(end) == begin


def test_the_plot_has_a_histogram_for_each_record_and_its_deadline() -> None:
    plot = plots.realtime(measured())
    assert isinstance(plot, Plot)
    for label in (
        "latency, normal, throttle 950000",
        "latency, fifo, throttle off",
        "payload, normal, throttle 950000",
    ):
        assert plot.svg.count(label) == 1
    assert plot.svg.count("stroke-dasharray") == len(measured())  # a broken line each


def test_without_a_histogram_there_is_no_plot() -> None:
    for found in ([], one("latency value=5")):
        left_out = plots.realtime(found)
        assert isinstance(left_out, LeftOut)
        assert "no record of the suite realtime with a histogram" in left_out.reason


def test_the_board_the_block_and_the_report_show_it(tmp_path: Path) -> None:
    run = run_of("host", "realtime")
    expected = ["host: realtime, microseconds"]
    assert [g.title for g in board_grids(BoardFacts(name="host"), {"realtime": (run, measured())})] == expected

    def latest(board: str, suite: str) -> tuple[Run, list[Record]] | None:
        return (run, measured()) if (board, suite) == ("host", "realtime") else None

    block = make("realtime host", Context(latest=latest, facts={}))
    assert [grid.title for grid in block.grids] == expected
    assert block.needs == (("host", "realtime"),)
    assert ("host", "realtime") not in make("host", Context(latest=latest, facts={})).needs
    with pytest.raises(UnknownBlockError, match="realtime BOARD"):
        make("realtime", Context(latest=latest, facts={}))
    with Store(tmp_path / "runs.sqlite") as store:
        store.save(run, measured())
        text = render(store, run.started)
    assert expected[0] in text
    assert 'id="plot-realtime"' in text
