# SPDX-License-Identifier: MIT
import pytest
from sample_runs import records, sample

from baton_lab.base.records import Record
from baton_lab.measure.published import published
from baton_lab.present.rows import Case, cases, features, idle_rows
from baton_lab.present.tables import size_grids


def row(label: str, rows: list[Case]) -> Case:
    return next(each for each in rows if each.record.label == label)


def test_figures_are_net_of_the_counting_work_and_keep_their_unit() -> None:
    switch = row("scheduler yields=2", cases(sample("nano", "auto"), 16))
    assert (switch.record.unit, switch.record.valid) == ("cycles", "simulated")
    assert (switch.record.value, switch.record.net) == (56.5, 39.5)
    assert switch.record.net_floor == pytest.approx(29.1)
    assert switch.record.over_floor == pytest.approx(39.5 / 29.1)


def test_microseconds_are_cycles_over_the_clock() -> None:
    switch = row("scheduler yields=2", cases(sample("nano", "auto"), 16))
    assert (switch.micros, switch.micros_net) == (56.5 / 16, 39.5 / 16)


def test_without_a_clock_cycles_are_no_time_and_get_no_published_ratio() -> None:
    same = row("published_scheduler", cases(sample("nano", "auto")))
    assert same.micros is None
    assert same.published
    assert same.published_over_ours is None


def test_the_clock_that_a_record_carries_wins() -> None:
    [only] = cases(records("auto", "nano", "direct value=27 mhz=8", "unit=cycles valid=simulated"), 16)
    assert only.micros == 27 / 8
    assert only.record.label == "direct"


def test_only_a_row_that_repeats_a_published_program_has_published_figures() -> None:
    rows = cases(sample("nano", "auto"), 16)
    assert {each.record.case for each in rows if each.published} == {
        "empty_loop", "published_direct", "published_direct_profiled", "published_scheduler",
        "published_scheduler_profiled", "compat_scheduler", "compat_scheduler_one_yield",
    }  # fmt: skip
    same = row("published_scheduler", rows)
    assert same.published_over_ours == pytest.approx(7.0 / (58.125 / 16))


def test_instructions_join_the_nanoseconds_of_their_case_and_never_become_a_time() -> None:
    rows = cases(sample("host", "auto"))
    switch = row("scheduler yields=8", rows)
    assert switch.record.unit == "ns"
    assert switch.counted is not None
    assert (switch.counted.unit, switch.counted.net) == ("instructions", 20.5)
    assert [each.record.label for each in rows].count("scheduler yields=8") == 1
    assert switch.micros == pytest.approx(3.18 / 1000)


def test_instructions_alone_are_a_row_without_microseconds() -> None:
    [only] = cases(records("auto", "mps2", "direct value=27", "unit=instructions valid=instructions"), 25)
    assert only.record.unit == "instructions"
    assert only.micros is None


def test_rows_keep_the_order_of_the_records() -> None:
    labels = [each.record.label for each in cases(sample("nano", "auto"), 16)]
    assert labels[0] == "empty_loop"
    assert labels.index("direct yields=2") < labels.index("scheduler yields=2") < labels.index("run_one yields=2")


def test_the_spread_is_a_lower_bound_where_no_maximum_was_kept() -> None:
    rows = cases(sample("host", "auto"))
    full, bound = row("scheduler yields=2", rows), row("scheduler_profiled yields=2 clock=32", rows)
    assert full.spread == pytest.approx((3.4 - 2.85) / 2.91)
    assert bound.spread == pytest.approx((24.6 - 24.1) / 24.6)
    assert (full.spread_text, bound.spread_text) == ("19%", ">2%")


def test_a_floor_of_nothing_gives_no_ratio() -> None:
    zero = Record(suite="idle", case="delaying", board="nano", unit="cycles", value=100, base=100, floor=100,
                  valid="simulated")  # fmt: skip
    [only] = cases([zero.model_copy(update={"suite": "auto"})])
    assert only.record.over_floor is None


def test_idle_rows_collect_the_points_of_a_kind_in_order() -> None:
    rows = idle_rows(reversed(sample("nano", "idle")))
    awaiting = next(each for each in rows if each.kind == "awaiting")
    assert [n for n, _ in awaiting.points] == list(range(9))
    assert awaiting.points[8][1] == pytest.approx(92)
    assert awaiting.each == pytest.approx(11.5)


def test_memory_joins_flash_and_ram_and_the_published_feature() -> None:
    rows = features(sample("nano", "memory"))
    assert [each.name for each in rows][:2] == ["one_coroutine", "scheduler_one_coroutine"]
    one = next(each for each in rows if each.name == "scheduler_one_coroutine")
    assert (one.flash, one.ram) == (448, 12)
    assert one.published is not None
    assert (one.published[1].flash_bytes, one.published[1].ram_bytes) == (312, 28)
    assert rows[-1].published is None


def test_sizes_stand_beside_the_published_type() -> None:
    assert published().size("promicro", "coroutine") == ("1.5.1", "Coroutine", 16)
    assert published().size("promicro", "endpoint<int,int>") is None
    [grid] = size_grids({"promicro": "promicro"}, sample("promicro", "sizes"))
    beside = {row[0]: row[1:] for row in grid.rows}
    assert beside["coroutine"] == ("5", "Coroutine 16 (1.5.1)") and beside["endpoint<int,int>"] == ("3", "")
