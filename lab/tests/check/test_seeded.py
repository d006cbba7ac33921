# SPDX-License-Identifier: MIT
"""The step that tests the gate fails if the gate misses a defect, or reports a false one."""

from collections.abc import Callable

import pytest
from sample_runs import run_of, sample

from baton_lab.base.project import ROOT, Project
from baton_lab.base.records import Record
from baton_lab.board.board_files import Board
from baton_lab.check import gate_command
from baton_lab.check.steps import seeded
from baton_lab.check.steps.figures import Measurements
from baton_lab.check.steps.step import Result
from baton_lab.measure.board_run import BoardResult


def times(factor: float) -> list[Record]:
    return [record.model_copy(update={"value": record.value * factor}) for record in sample("nano", "auto")]


@pytest.fixture
def tried(
    project: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch
) -> Callable[[float, float], Result]:
    """Makes the step with these factors for the times of equal runs and of the slower tree."""
    nano = board("nano")
    result = BoardResult(nano, {"auto": (run_of("nano", "auto"), sample("nano", "auto"))})
    monkeypatch.setattr(gate_command, "measure", lambda *words: [result])

    def action(equal: float, slower: float) -> Result:
        monkeypatch.setattr(seeded, "_measured", lambda *words: times(equal))
        monkeypatch.setattr(seeded, "_of_slower_tree", lambda *words: times(slower))
        return seeded.steps(Measurements([nano]))[0].action(project)

    return action


def test_a_gate_that_sees_the_slowdown_and_nothing_in_equal_runs_passes(
    tried: Callable[[float, float], Result],
) -> None:
    result = tried(1.0, 1.05)
    assert (result.passed, result.failed) == (21, 0)
    assert "scheduler yields=2, cycles: was 56.5, is 59.325" in result.notes


def test_a_gate_that_misses_the_slowdown_fails(tried: Callable[[float, float], Result]) -> None:
    result = tried(1.0, 1.0)
    assert result.failed == 1 and "does not see" in result.output


def test_a_gate_that_is_red_for_equal_runs_fails(tried: Callable[[float, float], Result]) -> None:
    result = tried(1.02, 1.05)
    assert result.failed == 1 and result.output.startswith("of equal runs it says")


def test_the_line_that_is_slowed_down_stands_in_the_scheduler_once() -> None:
    assert (ROOT / seeded.PLACE).read_text().count(seeded.BEFORE) == 1


def test_without_a_board_of_simulated_cycles_there_is_no_step(board: Callable[[str], Board]) -> None:
    assert seeded.steps(Measurements([board("host")])) == []
