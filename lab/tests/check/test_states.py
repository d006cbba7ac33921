# SPDX-License-Identifier: MIT
"""The nightly search of states: its counts are shown, and silence or a failure is none."""

from collections.abc import Callable

import pytest
from conftest import script

from baton_lab.base.project import Project
from baton_lab.board.board_files import Board
from baton_lab.check.steps import states
from baton_lab.check.steps.step import Result

COUNT = "three tasks: not complete, 12 states, 70 steps"


@pytest.mark.parametrize(
    ("body", "passed", "notes"),
    [(f"echo '{COUNT}'", 1, COUNT), (f"echo '{COUNT}'; exit 1", 0, COUNT), ("echo good", 0, "")],
)
def test_the_counts_are_shown_and_a_failure_or_silence_is_a_failure(
    body: str, passed: int, notes: str, project: Project, board: Callable[[str], Board]
) -> None:
    script(project.preset("host") / "tests" / states.PROGRAM, body)
    result = states.step(board("host")).action(project)
    assert (result.passed, result.failed, result.notes) == (passed, 1 - passed, notes)


def test_a_program_that_is_missing_is_a_failure(project: Project, board: Callable[[str], Board]) -> None:
    assert states.step(board("host")).action(project) == Result(
        failed=1, output=f"{states.PROGRAM} is not built", repeat="cmake --build --preset host"
    )
