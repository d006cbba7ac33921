# SPDX-License-Identifier: MIT
"""Tests bench, gate and report of a project: suites, history, baselines, budgets."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import Make

from baton_lab.base.records import Record, parse_line
from baton_lab.base.store import Run, Store
from baton_lab.board.board_files import BadInputError
from baton_lab.measure.board_run import BoardResult, Failure
from baton_lab.user_project import benching, gating, reporting
from baton_lab.user_project.place import UserProject


def record(value: float, case: str = "next") -> Record:
    line = (
        f"baton-bench/1 suite=pattern case={case} board=nano unit=cycles iterations=800 value={value:.3f} base=10.000"
    )
    found = parse_line(f"{line} floor=21.000 valid=simulated")
    assert found is not None
    return found


def run() -> Run:
    return Run(started=datetime.now(UTC), board="nano", suite="pattern", commit="c" * 40, dirty=False,
               compiler="avr-g++ 5.4.0", flags="-Os")  # fmt: skip


def result(mine: UserProject, *records: Record) -> BoardResult:
    return BoardResult(mine.boards[0], {"pattern": (run(), list(records))})


def test_each_file_of_the_bench_is_a_suite(make: Make) -> None:
    mine = make("blink", "nano")
    assert benching.suites(mine) == ["pattern"]
    with pytest.raises(BadInputError, match="there is no suite 'patern'; suites: pattern"):
        benching.suites(mine, ["patern"])
    (mine.root / "bench" / "memory.cpp").write_text("")
    with pytest.raises(BadInputError, match="memory is a suite of Baton's own"):
        benching.suites(mine)


def test_a_project_without_a_bench_says_where_it_looked(make: Make) -> None:
    mine = make("blink", "nano")
    (mine.root / "bench" / "pattern.cpp").unlink()
    with pytest.raises(BadInputError, match=r"\[bench\] sources: no file fits bench/\*.cpp"):
        benching.suites(mine)


def test_a_figure_stands_beside_its_floor_and_its_earlier_figures(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        for value in (50.0, 44.0):
            store.save(run(), [record(value)])
        number = store.save(run(), [record(40.5)])
        past = benching.history(store, "nano", "pattern", run().model_copy(update={"id": number}))
    lines = benching.lines([record(40.5)], past)
    assert lines[1].split() == ["next", "cycles", "40.5", "10.0", "30.5", "21.0", "-8.0%"]
    assert lines[2].strip() == "net is 2.77 times the net floor of 11.0"
    assert lines[3].strip() == "before: 44.0 50.0 (the newest first)"
    assert max(map(len, lines)) <= 80


def test_a_first_figure_and_a_same_one_say_so() -> None:
    assert benching.lines([record(40.5)], benching.History())[1].endswith("first")
    past = benching.History()
    past.add([record(40.5)])
    assert benching.lines([record(40.5)], past)[1].endswith("same")


def test_the_gate_is_red_when_a_count_rises_and_green_when_it_is_blessed(make: Make) -> None:
    mine = make("blink", "nano")
    (mine.file).write_text(mine.file.read_text().partition("[budget")[0])
    assert gating.bless(mine, [result(mine, record(40.0))]) == ["bench/baselines/nano/pattern.json"]
    without_budget = UserProject(mine.root, mine.config.model_copy(update={"budget": {}}), mine.boards, mine.tree)
    same = gating.judge(without_budget, [result(mine, record(40.0))])
    assert (same.compared, same.failures) == (1, [])
    risen = gating.judge(without_budget, [result(mine, record(41.0))])
    assert risen.failures[0] == "nano pattern: next, cycles: was 40, is 41 (+2.5%; 1% is allowed)"
    assert gating.bless(mine, [result(mine, record(41.0))]) == ["bench/baselines/nano/pattern.json"]
    assert gating.judge(without_budget, [result(mine, record(41.0))]).failures == []
    gone = gating.judge(without_budget, [result(mine, record(41.0, case="other"))])
    assert any("no longer measured" in line for line in gone.failures)


def test_a_suite_that_failed_makes_the_gate_red(make: Make) -> None:
    mine = make("blink", "nano")
    failed = BoardResult(mine.boards[0], failures=[Failure("nano", "pattern", "it hung")])
    bare = UserProject(mine.root, mine.config.model_copy(update={"budget": {}}), mine.boards, mine.tree)
    assert gating.judge(bare, [failed]).failures == ["nano pattern: it hung"]


def test_the_gate_needs_a_board_whose_counts_are_exact(make: Make) -> None:
    with pytest.raises(BadInputError, match="the project has no such board"):
        gating.emulated(make("pages", service=True).boards)


def test_the_report_is_one_file_with_the_course_of_each_case(make: Make, tmp_path: Path) -> None:
    mine = make("blink", "nano")
    with Store(tmp_path / "runs.sqlite") as store:
        for value in (50.0, 44.0, 40.5):
            store.save(run(), [record(value)])
        text = reporting.write(mine, tmp_path / "report", store).read_text()
    assert "3 runs, from 50.0 to 40.5" in text
    assert 'points="0.0,2.0 80.0,19.7 160.0,30.0"' in text
    assert "http" not in text.replace("http-equiv", "") and "<script" not in text
