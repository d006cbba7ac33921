# SPDX-License-Identifier: MIT
"""./baton test --nightly runs the static analyser, and reports when it last passed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from rich.console import Console

from baton_lab.base.process import Outcome
from baton_lab.base.project import Project
from baton_lab.board.board_files import load
from baton_lab.check import check_cache, nightly
from baton_lab.check.steps import tidy
from baton_lab.check.steps.step import Result, Step
from baton_lab.command import step_list


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(check_cache.VARIABLE, str(tmp_path / "cache"))


def run(project: Project, monkeypatch: pytest.MonkeyPatch, result: Result, *, at_night: bool) -> str:
    boards = [load(project.root / "boards" / name / "board.toml") for name in ("host", "nano", "promicro")]
    shown = Console(width=200, record=True, quiet=False)
    asked: list[bool] = []

    def plan(boards: object, *, every: bool = True, nightly: bool = False) -> list[Step]:
        asked.append(nightly)
        return [Step("one", lambda project: result)]

    monkeypatch.setattr(step_list, "plan", plan)
    monkeypatch.setattr(step_list, "_console", lambda: shown)
    step_list.run_all(project, boards, no_skips=True, nightly=at_night)
    assert asked == [at_night]
    return shown.export_text()


def test_a_nightly_run_that_passed_is_remembered_and_others_say_so(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = run(project, monkeypatch, Result(passed=1), at_night=False)
    assert f"left out: {step_list.AT_NIGHT}; --nightly runs them, not passed here so far" in text
    failed = run(project, monkeypatch, Result(failed=1), at_night=True)
    assert "left out: clang-tidy" not in failed and "the nightly run: not passed here so far" in failed
    assert nightly.last_passed(project) == "not passed here so far"
    run(project, monkeypatch, Result(passed=1), at_night=True)
    assert "--nightly runs them, last passed 20" in run(project, monkeypatch, Result(passed=1), at_night=False)
    assert "the nightly run: last passed 20" in run(project, monkeypatch, Result(passed=1), at_night=True)


def test_the_commit_is_named_and_that_the_tree_had_changes(project: Project) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *words], cwd=project.root, check=True)
    commit = nightly._git(project, "rev-parse", "--short", "HEAD")
    nightly.note_passed(project)
    assert nightly.last_passed(project).endswith(f" at {commit}")
    next(path for path in project.root.rglob("board.toml")).write_text("changed")
    nightly.note_passed(project)
    assert nightly.last_passed(project).endswith(f" at {commit} with changes")


def test_the_analyser_is_left_out_of_the_command_and_of_the_key(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[list[str]] = []

    def run(command: list[str], **_: object) -> Outcome:
        said.append(command)
        return Outcome(tuple(command), 0, "", "", 0.0)

    monkeypatch.setattr(tidy, "run", run)
    unit = tidy.Unit(project.root / "a.cpp", "key", {})
    for checks in ((), (tidy.WITHOUT_ANALYSER,)):
        assert tidy._check(project, unit, checks).passed
    assert [tidy.WITHOUT_ANALYSER in command for command in said] == [False, True]
