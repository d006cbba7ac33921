# SPDX-License-Identifier: MIT
"""Tests that the version stands once for all, and that each place where it differs is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from baton_lab.base.project import ROOT
from baton_lab.release import versions
from baton_lab.setup import wheel

FILES = (
    "CMakeLists.txt",
    "LICENSE",
    "lab/requirements.txt",
    *map(str, (versions.HEADER, versions.DEBIAN, versions.CHANGES)),
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / versions.NOTES, tmp_path / versions.NOTES)
    return tmp_path


def test_each_file_of_the_tree_names_the_same_version() -> None:
    assert versions.problems(ROOT) == []


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (versions.HEADER, "BATON_VERSION_MINOR {minor}", "BATON_VERSION_MINOR 999"),
        (versions.HEADER, "BATON_VERSION_PATCH {patch}\n", ""),
        (versions.HEADER, 'BATON_VERSION_TEXT "{version}"', 'BATON_VERSION_TEXT "9.9.9"'),
        (versions.DEBIAN, "baton ({version}-", "baton (9.9.9-"),
    ],
)
def test_a_file_with_another_version_is_named(tree: Path, file: Path, old: str, new: str) -> None:
    version = wheel.version(tree)
    _, minor, patch = version.split(".")
    text = (tree / file).read_text()
    old = old.format(version=version, minor=minor, patch=patch)
    assert old in text
    (tree / file).write_text(text.replace(old, new))
    (problem,) = versions.problems(tree)
    assert problem.startswith(str(file)) and problem.endswith(f"CMakeLists.txt {version}")


def test_a_new_version_of_cmake_alone_is_found_in_each_other_file(tree: Path) -> None:
    lists = (tree / "CMakeLists.txt").read_text()
    (tree / "CMakeLists.txt").write_text(lists.replace(f"VERSION {wheel.version(tree)}", "VERSION 9.9.9"))
    assert len(versions.problems(tree)) == 5  # what is made from CMakeLists.txt follows


def test_the_notes_are_those_of_the_greatest_number(tree: Path) -> None:
    for name in ("0.9.0", "0.10.0"):
        (tree / versions.NOTES / f"{name}.md").touch()
    assert versions.newest_notes(tree) == "0.10.0"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("## [Unreleased]\n\nTo become 0.2.0.\n\n- one\n\n## [0.1.0] - 2026-12-01\n", "0.2.0"),
        ("## [Unreleased]\n\n## [0.1.0] - 2026-12-01\n\n- one\n", "0.1.0"),
        ("## [0.1.0] - 2026-12-01\n\n- one\n", "0.1.0"),
        ("## [Unreleased]\n\n- one\n\n## [0.1.0] - 2026-12-01\n", ""),
        ("## [0.1.0]\n\n- one\n", ""),
        ("", ""),
    ],
)
def test_a_changelog_is_at_what_it_becomes_or_else_at_its_newest_release(text: str, version: str) -> None:
    assert versions.of_changes(text) == version
