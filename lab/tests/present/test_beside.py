# SPDX-License-Identifier: MIT
from datetime import UTC, datetime
from pathlib import Path

from sample_runs import run_of

from baton_lab.base.records import Record, parse_line
from baton_lab.base.store import Store
from baton_lab.board.board_facts import BoardFacts
from baton_lab.present import beside, peer_plots
from baton_lab.present.pages import board_grids
from baton_lab.present.plot_style import LeftOut, Plot
from baton_lab.present.report import render
from baton_lab.present.rows import cases

LINES = """
case=switch unit=ns value=4 base=1 floor=2 min=3 max=9
case=call unit=ns value=40 base=1 floor=20 min=39 max=41 bytes=64
case=idle_task unit=bytes value=64
case=switch unit=ns value=20 min=10 max=30 rounds=5 peer=embassy peer_version=0.10.0
case=switch unit=ns value=90 min=60 max=300 rounds=5 peer=go peer_version=1.26
case=call unit=ns value=200 min=150 max=250 peer=go peer_version=1.26 bytes=64
case=timer unit=ns value=900 min=900 max=900 peer=go peer_version=1.26 by=processor_time
case=idle_task unit=bytes value=2650 peer=go peer_version=1.26 by=HeapAlloc+StackInuse
"""


def records() -> list[Record]:
    start = "baton-bench/1 suite=async board=host iterations=10 valid=measured "
    found = [parse_line(start + line) for line in LINES.strip().splitlines()]
    return [each for each in found if each]


def test_a_case_stands_beside_the_best_peer_and_each_of_them() -> None:
    times, bytes_ = beside.peer_grids("host", "async", records())
    assert [column.header for column in times.columns] == [
        "Functionality", "baton", "floor", "best peer", "x best", "by least", "embassy", "go"
    ]  # fmt: skip
    assert times.rows == (
        ("switch", "4.0", "2.0", "embassy", "0.20", "0.30", "20.0", "90.0"),
        ("call bytes=64", "40.0", "20.0", "go", "0.20", "0.26", "", "200.0"),
        ("timer", "", "", "go", "", "", "", "900.0"),
    )
    assert bytes_.rows == (("idle_task", "64", "go", "0.02", "2650"),)
    assert "peers: embassy 0.10.0, go 1.26; a blank is a case that it has not" in times.notes
    assert "timer by processor_time: go" in times.notes
    assert "idle_task by HeapAlloc+StackInuse: go" in bytes_.notes


def test_without_our_own_program_only_the_peers_are_there() -> None:
    theirs = [each for each in records() if "peer" in each.params]
    times, _ = beside.peer_grids("host", "async", theirs)
    assert [column.header for column in times.columns] == ["Functionality", "best peer", "embassy", "go"]
    assert beside.peer_grids("host", "async", [each for each in records() if "peer" not in each.params]) == []


def test_peers_are_in_no_other_table_and_in_no_plot() -> None:
    rows = cases(records())
    assert [(row.record.case, row.record.value) for row in rows] == [("switch", 4), ("call", 40)]
    grids = board_grids(BoardFacts(name="host"), {"async": (run_of("host", "async"), records())})
    assert [grid.title for grid in grids] == [
        "host: async, measured nanoseconds",
        "host: async, beside its peers, measured nanoseconds",
        "host: async, beside its peers, measured bytes",
    ]


def test_the_report_has_the_least_and_the_most_of_each(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        store.save(run_of("host", "async"), records())
        text = render(store, datetime(2026, 1, 2, tzinfo=UTC))
    assert "host: async, beside its peers, measured nanoseconds" in text
    (grid,) = beside.each_peer_grids("host", "async", records())
    assert grid.title in text
    assert ("switch", "go 1.26", "90.0", "60.0", "300.0", "5") in grid.rows


def test_a_bare_queue_says_so_in_its_rows_and_in_the_plot() -> None:
    start = "baton-bench/1 suite=async board=host iterations=10 valid=measured case=switch unit=ns value=3 min=2 max=5 "
    bare = parse_line(start + "peer=moodycamel peer_version=1.0 scope=bare_queue")
    assert bare
    both = [*records(), bare]
    times, _ = beside.peer_grids("host", "async", both)
    assert times.rows[0][3] == "moodycamel (bare queue)"
    assert any("a bare queue is a queue alone" in note for note in times.notes)
    (each,) = beside.each_peer_grids("host", "async", both)
    assert "moodycamel (bare queue) 1.0" in [row[1] for row in each.rows]
    (plot,) = peer_plots.peers([("async", both)])
    assert isinstance(plot, Plot) and "moodycamel (bare queue)" in plot.svg and "bare queue is" in plot.caption
    for words in ("switch", "Baton", "embassy", "go", "call bytes=64"):
        assert words in plot.svg
    assert [type(left) for left in peer_plots.peers([("async", records()[:3])])] == [LeftOut]
