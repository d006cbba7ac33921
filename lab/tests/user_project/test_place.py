# SPDX-License-Identifier: MIT
"""Tests which project a command means, and that a mistake in baton.toml is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Make

from baton_lab.base.project import ROOT
from baton_lab.board.board_files import BadInputError
from baton_lab.user_project import place
from baton_lab.user_project.place import TOLD


def test_the_nearest_project_upward_is_meant(make: Make) -> None:
    mine = make("blink", "nano")
    found = place.here(mine.root / "src")
    assert found is not None and found.root == mine.root
    assert found.program(found.boards[0]) == mine.root / "build" / "nano" / "blink.elf"


def test_baton_s_own_tree_is_no_project_and_ends_the_search(make: Make) -> None:
    assert place.here(ROOT / "core" / "tests") is None
    mine = make("blink", "nano")
    tree = mine.root / "third_party" / "baton"
    (tree / "lab" / "baton_lab").mkdir(parents=True)
    (tree / "modules.json").write_text("{}")
    assert place.here(tree / "lab") is None
    assert place.here(mine.root / "third_party") is not None


def test_the_launcher_s_project_is_meant_in_every_folder(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = make("blink", "nano")
    monkeypatch.chdir(tmp_path)
    assert place.here() is None
    monkeypatch.setenv(TOLD, str(mine.root))
    found = place.here()
    assert found is not None and found.name == "blink"


def test_a_board_that_the_project_lacks_is_refused_with_the_list(make: Make) -> None:
    mine = make("blink", "nano")
    assert [board.name for board in mine.chosen(["host"])] == ["host"]
    with pytest.raises(BadInputError, match=r"has no board 'microbit'; it has nano host. Add it to \[project\] boards"):
        mine.chosen(["microbit"])
    with pytest.raises(BadInputError, match=r"has no board 'nan0'; it has nano host. Did you mean 'nano'\?"):
        mine.chosen(["nan0"])


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            'boards = ["nano"]',
            'boards = ["nanno"]',
            r"baton.toml:4: \[project\] boards: there is no board 'nanno'; did you mean 'nano'\?",
        ),
        ('boards = ["nano"]', "boards = []", "boards is empty; name one"),
        (
            "[budget.nano]",
            "[budget.nan]",
            r"baton.toml:2\d: \[budget\] nan: there is no board 'nan'; did you mean 'nano'",
        ),
        ("flash = 8192", "flahs = 8192", r"flahs: there is no such key; did you mean flash\?"),
        ("flash = 8192", "flash = -1", r"\[budget.nano\] flash: .*greater than or equal to 0"),
        ("folder =", 'lab = "1"\nfolder =', "name one of folder, git and lab; folder and lab is given"),
        ("folder =", "git =", "git and tag go together"),
        ('kind = "device"', 'kind = "robot"', r"\[project\] kind: it should be 'device' or 'service'"),
        ('kind = "device"', 'kind = "service"', "a service runs on Linux"),
        ('name = "blink"', 'name = "Blink!"', r"\[project\] name: string should match pattern"),
        ("[program]", "[program", "baton.toml:10:"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_key(make: Make, old: str, new: str, says: str) -> None:
    mine = make("blink", "nano")
    text = mine.file.read_text()
    assert old in text
    mine.file.write_text(text.replace(old, new, 1))
    with pytest.raises(BadInputError, match=says):
        place.load(mine.root)
