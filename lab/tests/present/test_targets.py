# SPDX-License-Identifier: MIT
from collections.abc import Sequence

import pytest
from sample_runs import records, sample

from baton_lab.base.records import Record
from baton_lab.measure.targets import Target, TargetRow, Targets, judge, load
from baton_lab.present.tables import target_grid


def found(board: str, suite: str) -> Sequence[Record] | None:
    return None if (board, suite) in {("host", "idle"), ("host", "memory")} else sample(board, suite)


def row(name: str) -> TargetRow:
    return next(each for each in judge(load(), found) if each.target.name.startswith(name))


def one(limit: float, value: str) -> TargetRow:
    figure = {"suite": "auto", "case": "direct", "use": "gross"}
    target = Target.model_validate({"name": "t", "board": "nano", "unit": "cycles", "figure": figure, "limit": limit})
    made = records("auto", "nano", f"direct value={value}", "unit=cycles valid=simulated")
    [judged] = judge(Targets(peer_names={}, target=(target,)), lambda board, suite: made)
    return judged


def test_every_target_of_the_nano_is_judged_by_the_cases_of_the_contract() -> None:
    assert all(each.met is not None for board in ("nano", "host") for each in judge(load(), found, [board]))


def test_a_target_of_several_boards_is_one_of_each_in_its_own_unit() -> None:
    found_rows = [each for each in judge(load(), found) if each.target.board in ("mps2-an386", "esp32c3")]
    rows = [each for each in found_rows if each.target.figure.suite not in ("bounds", "srr")]
    assert [(row.target.unit, row.target.limit, row.ours) for row in rows] == [
        ("instructions", 30, 15.5), ("instructions", 30, 15.5),
        ("instructions", 120, 96.125), ("instructions", 120, 96.125),
        ("bytes", 12, 12), ("bytes", 12, 12), ("bytes", 6144, None),
    ]  # fmt: skip
    grid = target_grid("t", rows)
    assert [row[0] for row in grid.rows][:1] == ["mps2-an386: switch through run(), 2 yield points"]
    assert "stretch" not in [column.header for column in grid.columns]


def test_a_round_trip_is_judged_gross_and_its_stretch_is_only_shown() -> None:
    rows = [
        each
        for each in judge(load(), found, ["versatilepb"])
        if each.target.figure.params.get("first") == "receiver" and "memory" not in each.target.figure.params
    ]
    assert [(row.ours, row.target.limit, row.target.stretch, row.met) for row in rows] == [
        (300, 300, 250, True), (None, 460, 420, None), (200, 220, 180, True)
    ]  # fmt: skip
    grid = target_grid("t", rows)
    place = [column.header for column in grid.columns].index("stretch")
    assert [row[place] for row in grid.rows] == ["<= 250", "<= 420", "<= 180"]


def test_cycles_do_not_meet_a_target_of_instructions() -> None:
    made = records("auto", "microbit", "scheduler value=20 yields=2", "unit=cycles valid=simulated")
    rows = judge(load(), lambda board, suite: made, ["microbit"])
    assert {row.verdict for row in rows} == {"not measured"}


def test_a_net_figure_a_difference_and_a_share_are_formed() -> None:
    assert row("switch through run(), 2").ours == 39.5
    assert row("profiler attached, 16-bit").ours == 78.5
    assert row("an idle coroutine").ours == 11.5
    assert row("flash of each further").ours == 74
    assert row("rendezvous message, one").ours == 298


def test_the_limit_itself_is_met_and_more_is_missed_by_how_much() -> None:
    assert (one(40, "40").verdict, one(40, "40.5").verdict) == ("met", "missed")
    grid = target_grid("t", [one(40, "44")])
    assert grid.rows[0][-2:] == ("missed", "4.0 (10%)")


def test_a_miss_by_a_hair_does_not_read_as_met() -> None:
    assert "40.004" in target_grid("t", [one(40, "40.004")]).rows[0]


def test_a_target_without_a_record_is_not_measured() -> None:
    rows = judge(load(), lambda board, suite: None, ["nano"])
    assert {each.verdict for each in rows} == {"not measured"}
    assert {each.ours for each in rows} == {None}


def test_half_of_a_difference_is_not_measured_either() -> None:
    [cut] = [
        each for each in judge(load(), lambda b, s: [r for r in sample(b, s) if r.case != "scheduler"], ["nano"])
        if each.target.name.startswith("profiler attached, 16-bit")
    ]  # fmt: skip
    assert cut.verdict == "not measured"


def test_instructions_never_stand_in_for_cycles() -> None:
    counted = records("auto", "nano", "scheduler value=30 yields=2", "unit=instructions valid=instructions")
    [first, *_] = judge(load(), lambda board, suite: counted, ["nano"])
    assert first.ours is None


def test_a_peer_without_a_source_is_refused() -> None:
    bad = load().target[0].model_copy(update={"peer_source": None})
    with pytest.raises(ValueError, match="peer and peer_source go together"):
        Targets(peer_names={}, target=(bad,))
