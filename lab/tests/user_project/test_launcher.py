# SPDX-License-Identifier: MIT
"""Tests a project's own ./baton: it finds the lab in a folder, in a tag of a repository, or installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Make

LAB = """#!/usr/bin/env python3
import os, sys
print("the lab of {name} got", *sys.argv[1:], "for", os.path.basename(os.environ["BATON_PROJECT"]))
"""


BARE = str(getattr(sys, "_base_executable", sys.executable))
"""A python3 without the lab."""


def tree(folder: Path, name: str) -> Path:
    """Makes a tree of Baton in miniature, whose lab says its name."""
    folder.mkdir(parents=True)
    (folder / "modules.json").write_text("{}")
    (folder / "baton").write_text(LAB.format(name=name))
    return folder


def launch(project: Path, *words: str, **environment: str) -> tuple[int, str]:
    ended = subprocess.run(
        [BARE, str(project / "baton"), *words], capture_output=True, text=True, check=False, timeout=60,
        cwd=project.parent, env={"PATH": os.environ["PATH"], "HOME": str(project.parent), **environment},
    )  # fmt: skip
    return ended.returncode, ended.stdout + ended.stderr


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, timeout=60)


def test_a_folder_beside_the_project(make: Make, tmp_path: Path) -> None:
    tree(tmp_path / "baton_tree", "the folder")
    mine = make("blink", "nano", folder="../baton_tree")
    assert launch(mine.root, "build", "--board", "nano") == (
        0,
        "the lab of the folder got build --board nano for blink\n",
    )


def test_a_folder_that_is_no_tree_is_named(make: Make) -> None:
    mine = make("blink", "nano", folder="../nowhere")
    code, said = launch(mine.root, "build")
    assert code == 1 and "[baton] folder" in said and "nowhere is no tree of Baton" in said


def test_a_tag_is_fetched_once_and_then_needs_no_repository(make: Make, tmp_path: Path) -> None:
    there = tree(tmp_path / "repository", "the tag")
    git(there, "init")
    git(there, "add", ".")
    git(there, "commit", "-m", "one")
    git(there, "tag", "v1")
    mine = make("blink", "nano", git=there.as_uri(), tag="v1")
    code, said = launch(mine.root, "test")
    assert code == 0 and sorted(said.splitlines()) == [
        f"baton: fetching v1 of {there.as_uri()}, once",
        "the lab of the tag got test for blink",
    ]
    there.rename(tmp_path / "gone")
    assert launch(mine.root, "test") == (0, "the lab of the tag got test for blink\n")


def test_a_tag_that_is_not_there_leaves_nothing_behind(make: Make, tmp_path: Path) -> None:
    there = tree(tmp_path / "repository", "the tag")
    git(there, "init")
    mine = make("blink", "nano", git=there.as_uri(), tag="v2")
    code, said = launch(mine.root, "test")
    assert code == 1 and "has no 'v2', or git cannot reach it" in said
    assert list((tmp_path / ".cache" / "baton" / "trees").iterdir()) == []


def test_an_installed_lab_is_found_on_the_path(make: Make, tmp_path: Path) -> None:
    mine = make("blink", "nano", lab="0.1.0")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "baton").write_text(LAB.format(name="the package"))
    (programs / "baton").chmod(0o755)
    assert launch(mine.root, "size", PATH=f"{programs}:/usr/bin:/bin") == (
        0,
        "the lab of the package got size for blink\n",
    )
    (programs / "baton").unlink()
    code, said = launch(mine.root, "size", PATH="/usr/bin:/bin")
    assert code == 1 and "pipx install baton-lab" in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "baton.toml: there is no table [baton]"),
        ("[baton]\nlab = 1\n[project]\nboards = [nano]\n", "baton.toml:4: Unclosed array: boards = [nano]\n"),
        ("[baton]\nfolder = ", "baton.toml:2: Invalid value: folder =\n"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(make: Make, text: str, says: str) -> None:
    mine = make("blink", "nano")
    mine.file.write_text(text)
    code, said = launch(mine.root, "build")
    assert code == 1 and says in said and "baton.toml" in said
