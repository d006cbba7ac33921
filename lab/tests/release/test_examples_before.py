# SPDX-License-Identifier: MIT
"""Tests the examples of the release before: which commit they are of, and that a name which is taken away is found."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from baton_lab.base.descriptions import DescriptionError
from baton_lab.base.project import ROOT
from baton_lab.release import examples_before
from baton_lab.release.examples_before import Compiled, Plan
from baton_lab.release.trials import TrialError

COMMIT = "0" * 40
NAME = "BATON_DELAY_MS"
CHANGES = "## [Unreleased]\n\n- `letter` is gone, use\n  `message`.\n"


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository at version 0.3.0 with three commits and a tag on each."""
    git(tmp_path, "init", "-q")
    (tmp_path / "CMakeLists.txt").write_text("project(baton VERSION 0.3.0 LANGUAGES CXX)\n")
    git(tmp_path, "add", ".")
    for tag in ("v0.1.0", "v0.2.0", "v0.3.0"):
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", tag)
        git(tmp_path, "tag", tag)
    git(tmp_path, "tag", "v0.2.9-rc1")
    return tmp_path


def test_the_base_is_the_newest_release_below_the_version_of_the_tree(repository: Path) -> None:
    wanted = Plan(base=COMMIT)
    assert examples_before.base(repository, wanted) == git(repository, "rev-parse", "v0.2.0")
    git(repository, "tag", "-d", "v0.2.0")
    assert examples_before.base(repository, wanted) == git(repository, "rev-parse", "v0.1.0")


def test_without_a_release_the_base_is_the_commit_of_the_description(repository: Path) -> None:
    first = git(repository, "rev-parse", "v0.1.0")
    git(repository, "tag", "-d", "v0.1.0", "v0.2.0")
    assert examples_before.base(repository, Plan(base=first)) == first
    with pytest.raises(TrialError, match="git fetch --unshallow"):
        examples_before.base(repository, Plan(base=COMMIT))


def test_the_description_of_the_tree_names_a_commit_with_examples() -> None:
    examples_before.plan(ROOT)


@pytest.mark.parametrize("text", ['base = "main"\n', "[given_up]\n", f'base = "{COMMIT}"\nexcept = 1\n'])
def test_a_description_with_a_mistake_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / examples_before.FILE).parent.mkdir()
    (tmp_path / examples_before.FILE).write_text(text)
    with pytest.raises(DescriptionError):
        examples_before.plan(tmp_path)


@pytest.mark.parametrize(
    ("broken", "given_up", "says"),
    [
        ((), {}, ""),
        (("one",), {}, "one of the release before does not compile"),
        (("one",), {"one": "`letter` is gone, use `message`."}, ""),
        (("one",), {"one": "`letter` is another."}, "does not have the sentence of one"),
        (("one",), {"one": " "}, "does not have the sentence of one"),
        ((), {"one": "`letter` is gone"}, "one compiles, so it is not given up"),
        ((), {"two": "`letter` is gone"}, "no example two"),
    ],
)
def test_an_example_is_given_up_by_name_and_with_a_sentence(
    broken: tuple[str, ...], given_up: dict[str, str], says: str
) -> None:
    found = [
        Compiled(frozenset({"one", "three"}), frozenset(), ""),
        Compiled(frozenset({"one"}), frozenset(broken), ""),
    ]
    problems = examples_before.problems(Plan(base=COMMIT, given_up=given_up), found, CHANGES)
    assert len(problems) == bool(says) and says in "".join(problems)


def test_a_name_of_core_that_is_taken_away_stops_the_examples_that_use_it(tmp_path: Path) -> None:
    examples_before.lay_out(ROOT, "HEAD", tmp_path / "tree")
    for path in (tmp_path / "tree" / "core").rglob("*.hpp"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(rf"\b{NAME}\b", "BATON_GONE", text), encoding="utf-8")
    found = examples_before.compile_examples(tmp_path / "tree", "nano")
    users = {name for name in found.every if uses(name)}
    assert users and users <= found.broken < found.every and NAME in found.output  # others use it by way of a header


def uses(example: str) -> bool:
    """Tells whether an example of the last commit has the name."""
    return NAME in git(ROOT, "show", f"HEAD:examples/{example}/main.cpp")
