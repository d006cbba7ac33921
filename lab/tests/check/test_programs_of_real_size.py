# SPDX-License-Identifier: MIT
"""The programs of real size in tests/arduino are as their authors wrote them, and never change together with core."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from baton_lab.base import descriptions
from baton_lab.board.board_files import Part

ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path("tests") / "arduino"
MEASURED = ("core/", "ports/arduino/", f"{FOLDER.as_posix()}/budgets.toml")


class Programs(Part):
    """A programs.toml."""

    sha256: dict[str, str]


def digest(folder: Path) -> str:
    """Returns the digest of a sketch's source, names included."""
    found = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in (".ino", ".h", ".cpp")):
        found.update(f"{path.name}\n{path.read_text(encoding='utf-8')}".encode())
    return found.hexdigest()


def recorded() -> dict[str, str]:
    return descriptions.read(ROOT / FOLDER / "programs.toml", Programs).sha256


def together(changes: dict[str, list[str]], programs: list[str]) -> list[str]:
    """Returns the commits that change a program and what it measures; `changes` has the files that each modifies."""
    own = tuple(f"{(FOLDER / name).as_posix()}/" for name in programs)
    return [
        commit
        for commit, files in changes.items()
        if any(file.startswith(own) for file in files) and any(file.startswith(MEASURED) for file in files)
    ]


def history(root: Path, programs: list[str]) -> dict[str, list[str]]:
    """Returns the files that each commit modifies which modifies a program; nothing for a tree without git."""
    words = ["git", "log", "--no-merges", "--format=commit %H", "--name-only", "--diff-filter=M", "--full-diff", "--"]
    folders = [(FOLDER / name).as_posix() for name in programs]
    ended = subprocess.run([*words, *folders], cwd=root, capture_output=True, text=True, check=False)
    found: dict[str, list[str]] = {}
    for line in ended.stdout.splitlines():
        if line.startswith("commit "):
            found[line.removeprefix("commit ")] = files = []
        elif line:
            files.append(line)
    return found


def test_each_program_is_the_recorded_one() -> None:
    programs = recorded()
    assert len(programs) >= 3
    for name, expected in programs.items():
        assert digest(ROOT / FOLDER / name) == expected, f"{name}: tests/arduino/README.md says when it may change"


def test_a_changed_or_renamed_file_is_another_program(tmp_path: Path) -> None:
    digests = set()
    for name, text in (("a.ino", "x"), ("a.ino", "y"), ("b.ino", "y")):
        folder = tmp_path / f"{name}-{text}"
        folder.mkdir()
        (folder / name).write_text(text)
        (folder / "expected.txt").write_text(text)
        digests.add(digest(folder))
    assert len(digests) == 3


@pytest.mark.parametrize(
    ("files", "is_wrong"),
    [
        (["tests/arduino/p/p.ino", "CHANGELOG.md"], False),
        (["tests/arduino/p/p.ino", "core/include/baton/core/job.hpp"], True),
        (["tests/arduino/p/p.ino", "tests/arduino/budgets.toml"], True),
        (["tests/arduino/other/other.ino", "core/include/baton/core/job.hpp"], False),
    ],
)
def test_a_program_with_core_in_one_commit_is_named(files: list[str], is_wrong: bool) -> None:
    assert together({"1": files}, ["p"]) == (["1"] if is_wrong else [])


def test_the_history_has_what_a_commit_modifies_and_not_what_it_adds(tmp_path: Path) -> None:
    program, core = tmp_path / FOLDER / "p" / "p.ino", tmp_path / "core" / "a.hpp"
    for path in (program, core):
        path.parent.mkdir(parents=True)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]

    def commit() -> None:
        for words in (["add", "."], ["commit", "-q", "-m", "x"]):
            subprocess.run([*git, *words], cwd=tmp_path, check=True)

    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
    for text in ("one", "two"):
        program.write_text(text)
        core.write_text(text)
        commit()
    changes = history(tmp_path, ["p"])
    assert list(changes.values()) == [["core/a.hpp", "tests/arduino/p/p.ino"]]
    assert together(changes, ["p"]) == list(changes)


def test_no_commit_changes_a_program_and_core() -> None:
    programs = list(recorded())
    assert together(history(ROOT, programs), programs) == []
