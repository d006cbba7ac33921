# SPDX-License-Identifier: MIT
from collections.abc import Callable
from pathlib import Path

import pytest

from baton_lab.base.project import ROOT, Project
from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError, Board


def test_the_default_boards_come_first(project: Project) -> None:
    (project.root / "boards" / "atmega").mkdir()
    (project.root / "boards" / "atmega" / "board.toml").touch()
    assert board_files.names(project.root) == ["host", "nano", "promicro", "atmega"]


def test_an_unknown_board_is_refused_with_those_that_exist(project: Project) -> None:
    with pytest.raises(BadInputError, match=r"^there is no board 'uno'; boards: host nano promicro$"):
        board_files.select(project.root, ["nano", "uno"])


def test_a_board_named_twice_is_taken_once(project: Project) -> None:
    assert [board.name for board in board_files.select(project.root, ["nano", "nano"])] == ["nano"]


def test_what_was_not_chosen_is_left_out(project: Project, board: Callable[[str], Board]) -> None:
    assert board_files.left_out(project.root, [board("nano")]) == ["host", "promicro"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("title = 'x'", "name"),
        ("name = 'b'\ntitle = 'x'\npreset = 'b'\nspeed = 3", "speed"),
        ("name = 'b'\ntitle = 'x'\npreset = 'b'\n[emulator]\nkind = 'bochs'\nmcu = 'm'\nhz = 1\nuart = 0", "kind"),
        ("name = ", "Invalid value"),
        ("name = 'c'\ntitle = 'x'\npreset = 'c'", "folder"),
        ("name = 'b'\ntitle = 'x'\n[emulator]\nkind = 'rp2040js'\nlit_at = 1", "lit_at: .* has no led"),
    ],
)
def test_a_broken_file_is_refused_by_file_and_key(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "b" / "board.toml"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(BadInputError, match=rf"board\.toml.*{complaint}"):
        board_files.load(path)


def test_every_board_of_the_tree_can_be_read() -> None:
    assert [board.name for board in board_files.select(ROOT, board_files.names(ROOT))][:3] == [
        "host",
        "nano",
        "promicro",
    ]
