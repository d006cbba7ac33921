# SPDX-License-Identifier: MIT
"""The step that measures the figures in the READMEs again."""

from collections.abc import Callable

import pytest
from conftest import FINISHED, LINE, script

from baton_lab.base.project import Project
from baton_lab.base.store import Store
from baton_lab.board import emulator
from baton_lab.board.board_files import Board, names
from baton_lab.check.steps.figures import Measurements, readme_step
from baton_lab.check.steps.step import Result
from baton_lab.measure import board_run
from baton_lab.present import readme


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Records the arguments of the comparison with the READMEs, and sets its answer."""
    seen: dict[str, object] = {"answer": []}

    def check(root: object, store: Store, chosen: object = None) -> object:
        seen.update(chosen=chosen, runs=[(run.board, run.suite) for run in store.runs()])
        return seen["answer"]

    monkeypatch.setattr(readme, "check", check)
    monkeypatch.setattr(board_run, "configure", lambda *words: ["bench_auto"])
    monkeypatch.setattr(board_run, "build", lambda *words: None)
    monkeypatch.setattr(emulator, "build", lambda *words: None)
    return seen


def simulate(project: Project, body: str) -> None:
    script(emulator.runner(project), body)


def works(project: Project) -> None:
    simulate(project, f"echo '{LINE.format(board='nano', unit='cycles', valid='simulated')}'; echo '{FINISHED}' >&2")


def figures(project: Project, *boards: Board) -> Result:
    return readme_step(Measurements(boards)).action(project)


def test_fresh_figures_pass_and_leave_no_run_behind(
    project: Project, board: Callable[[str], Board], compared: dict[str, object]
) -> None:
    works(project)
    assert figures(project, board("host"), board("nano")) == Result(passed=1)
    assert compared["runs"] == [("nano", "auto")]
    assert compared["chosen"] == ["nano"]
    assert not project.store.exists()


def test_a_stale_figure_turns_it_red(
    project: Project, board: Callable[[str], Board], compared: dict[str, object]
) -> None:
    works(project)
    compared["answer"] = ["README.md:12: 40 is 41", "README.md:13: 50 is 51"]
    result = figures(project, board("nano"))
    assert (result.failed, result.repeat) == (2, "./baton bench")
    assert "README.md:13: 50 is 51" in result.output


def test_a_board_that_does_not_answer_turns_it_red(
    project: Project, board: Callable[[str], Board], compared: dict[str, object]
) -> None:
    simulate(project, "echo alive; exit 1")
    result = figures(project, board("nano"))
    assert result.failed == 1 and "alive" in result.output


def test_with_every_board_everything_is_compared(
    project: Project, board: Callable[[str], Board], compared: dict[str, object]
) -> None:
    works(project)
    every = [board(name) for name in names(project.root)]
    figures(project, *every)
    assert compared["chosen"] is None
    figures(project, *every[:-1])
    assert compared["chosen"] is not None
