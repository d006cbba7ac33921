# SPDX-License-Identifier: MIT
from datetime import UTC, datetime

import pytest
from rich.console import Console

from baton_lab.base.records import Record
from baton_lab.base.store import Run
from baton_lab.measure import compare


def record(value: float, unit: str = "cycles", case: str = "direct", **params: str) -> Record:
    valid = {"ns": "measured", "cycles": "simulated", "instructions": "instructions", "bytes": "measured"}[unit]
    values = {"suite": "auto", "case": case, "board": "nano", "unit": unit, "value": value, "valid": valid}
    return Record.model_validate({**values, "params": params})


def verdict(first: Record, second: Record) -> str:
    (row,) = compare.compare([first], [second])
    return row.verdict


def test_counts_are_compared_exactly() -> None:
    assert verdict(record(40), record(40)) == "equal"
    assert verdict(record(40), record(42)) == "+2.000 (+5.0%)"
    assert verdict(record(0), record(3)) == "+3.000"


def test_of_times_with_all_their_repeats_the_ranks_decide() -> None:
    low = [10 + 0.01 * i for i in range(25)]
    one, same = (
        record(10.12, "ns", min="10", max="99").model_copy(update={"samples": tuple(s)}) for s in (low, low[::-1])
    )
    assert verdict(one, same) == "no difference (equal), p = 1.00"
    slower = record(10.42, "ns", min="10.3", max="99").model_copy(update={"samples": tuple(each + 0.3 for each in low)})
    assert verdict(one, slower) == "+0.300 (+3.0%); they differ, p = 1e-09"
    once = record(10.42, "ns", min="10.3", max="99").model_copy(update={"samples": (10.42,)})
    assert verdict(one, once).startswith("no difference (+0.300 (+3.0%)), p = 0.")
    assert verdict(one, record(11, "ns", min="10.9", max="99")).startswith("within the spread")


def test_times_whose_ranges_touch_do_not_differ() -> None:
    one, other = record(10, "ns", min="9", max="12"), record(11, "ns", min="10", max="13")
    assert verdict(one, other).startswith("within the spread")


def test_times_beyond_the_spread_of_both_differ() -> None:
    one, other = record(10, "ns", min="9", max="12"), record(20, "ns", min="19", max="22")
    assert verdict(one, other) == "+10.000 (+100.0%); beyond the spread of both"


def test_times_without_a_spread_prove_nothing() -> None:
    assert "nothing can be concluded" in verdict(record(10, "ns"), record(20, "ns"))


def test_units_are_never_mixed() -> None:
    rows = compare.compare([record(10, "ns")], [record(30, "instructions")])
    assert [row.verdict for row in rows] == ["only in the first", "only in the second"]


def test_a_chips_cycles_are_compared_with_its_simulators() -> None:
    measured = record(41).model_copy(update={"valid": "measured"})
    assert verdict(record(40), measured) == "+1.000 (+2.5%), simulated and measured"
    approximate = record(41).model_copy(update={"valid": "approximate"})
    assert verdict(record(40), approximate) == "not comparable: simulated and approximate"


def test_a_model_is_not_compared_with_a_measurement() -> None:
    modelled = record(40).model_copy(update={"valid": "modelled"})
    assert verdict(record(40), modelled) == "not comparable: simulated and modelled"


@pytest.fixture
def run() -> Run:
    started = datetime(2026, 1, 2, tzinfo=UTC)
    values = {"commit": "abcdef0123456", "compiler": "g++ 12", "flags": "-O2"}
    return Run.model_validate(
        {"id": 1, "started": started, "board": "nano", "suite": "auto", "dirty": True, "machine": {"cpu": "a"}} | values
    )


def test_the_table_shows_both_figures(run: Run) -> None:
    console = Console(width=200, record=True, file=None, quiet=False)
    rows = compare.compare([record(40, case="direct", yields="2")], [record(42, case="direct", yields="2")])
    with console.capture() as captured:
        console.print(compare.table(run, run.model_copy(update={"id": 2}), rows))
    assert "nano auto direct yields=2" in captured.get() and "+2.000 (+5.0%)" in captured.get()


def test_runs_without_a_figure_in_common_are_refused_and_each_is_named(run: Run) -> None:
    other = run.model_copy(update={"id": 2, "suite": "channel", "cases": "call*"})
    rows = compare.compare([record(40)], [record(50, case="call")])
    said = "run 1 is the suite auto on nano; run 2 is the suite channel on nano, its cases call[*] alone"
    with pytest.raises(compare.UnlikeRunsError, match=said):
        compare.in_common(run, other, rows)


def test_the_figures_of_one_run_alone_take_one_line(run: Run) -> None:
    first = [record(40), *(record(1, case=f"old{number}") for number in range(8))]
    found = compare.in_common(run, run, compare.compare(first, [record(41), record(2, case="new", yields="2")]))
    assert [row.verdict for row in found.rows] == ["+1.000 (+2.5%)"]
    assert found.rest == (
        "not compared: 8 only in the first (old0, cycles; old1, cycles; old2, cycles; old3, cycles; old4, cycles;"
        " old5, cycles and 2 more); 1 only in the second (new yields=2, cycles)"
    )
    assert compare.in_common(run, run, compare.compare(first, first)).rest == ""


def test_other_circumstances_are_named(run: Run) -> None:
    other = run.model_copy(update={"compiler": "g++ 13", "machine": {"cpu": "b"}})
    assert compare.circumstances(run, other) == ["compiler: g++ 12 / g++ 13", "machine cpu: a / b"]
