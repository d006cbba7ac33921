# SPDX-License-Identifier: MIT
"""Tests ./baton new: the files of a project, and the mistakes that it refuses."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import Make

from baton_lab.base.project import ROOT
from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError
from baton_lab.user_project import create, generated, place

EVERY_BOARD = [*board_files.names(ROOT), *(board.name for board in board_files.on_desks(ROOT))]


def test_a_device_has_a_program_a_test_a_bench_and_a_launcher(make: Make) -> None:
    mine = make("blink", "nano")
    for name in ("src/main.cpp", "src/blinker.hpp", "test/blinker_test.cpp", "bench/pattern.cpp", "CMakeLists.txt",
                 "CMakePresets.json", "cmake/project.cmake", ".gitignore", ".github/workflows/test.yml"):  # fmt: skip
        assert (mine.root / name).is_file(), name
    assert os.access(mine.root / "baton", os.X_OK)
    assert [board.name for board in mine.boards] == ["nano"]
    assert mine.config.budget["nano"].flash == 8192


def test_nothing_of_the_templates_is_left_to_be_filled_in(make: Make) -> None:
    for mine in (make("blink", "nano", "microbit"), make("pages", service=True)):
        for path in (each for each in mine.root.rglob("*") if each.is_file()):
            text = path.read_text(encoding="utf-8")
            assert "{%" not in text and "}}" not in text.replace("}}\n", ""), path


def test_the_sources_of_a_project_are_formatted(make: Make) -> None:
    for mine in (make("blink", "nano"), make("pages", service=True)):
        sources = [str(path) for path in mine.root.rglob("*.[ch]pp")]
        tool = ROOT / ".venv" / "bin" / "clang-format"
        style = f"--style=file:{ROOT / '.clang-format'}"
        ended = subprocess.run(
            [tool, style, "--dry-run", "--Werror", *sources], capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("name", EVERY_BOARD)
def test_each_board_has_a_preset_with_the_toolchain_of_the_tree(make: Make, name: str) -> None:
    read = json.loads(generated.presets(make("some", name)))
    preset = next(each for each in read["configurePresets"] if each["name"] == name)
    assert preset["cacheVariables"]["BATON_BOARD"] == name
    if name == "host":
        assert "toolchainFile" not in preset
        return
    toolchain = preset["toolchainFile"].replace(generated.TREE, str(ROOT))
    assert Path(toolchain).is_file()
    board = board_files.load(ROOT / "boards" / name / "board.toml")
    assert ("CMAKE_CROSSCOMPILING_EMULATOR" in preset["cacheVariables"]) == (board.emulator is not None)


def test_the_ci_file_runs_the_commands_that_the_project_has(make: Make) -> None:
    for mine, is_gated in (
        (make("blink", "nano"), True),
        (make("here", "host"), False),
        (make("pages", service=True), False),
    ):
        text = (mine.root / ".github/workflows/test.yml").read_text()
        runs = [line.split("./baton ")[1] for line in text.splitlines() if "./baton " in line]
        assert runs == ["setup", "build", "test", "size", *(["gate"] if is_gated else [])]
        assert ("./baton gate" in (mine.root / "README.md").read_text()) == is_gated


def test_a_service_is_for_linux_and_has_no_budget(make: Make) -> None:
    mine = make("pages", service=True)
    assert [board.name for board in mine.boards] == ["host"]
    assert mine.config.budget == {}
    assert "http://localhost:%d/" in (mine.root / "src/main.cpp").read_text()
    assert "pages: all services have ended" in (mine.root / "src/main.cpp").read_text()


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ({"folder": "../baton"}, "set(APP_TREE ${CMAKE_SOURCE_DIR}/../baton)"),
        (
            {"git": "https://example.org/baton", "tag": "v0.1.0"},
            "GIT_REPOSITORY https://example.org/baton GIT_TAG v0.1.0",
        ),
        ({"lab": "0.1.0"}, "run ./baton build"),
        ({"lab": "0.1.0", "package": "0.1"}, "find_package(baton 0.1 REQUIRED)"),
    ],
)
def test_cmake_finds_baton_as_the_file_says(make: Make, origin: dict[str, str], expected: str) -> None:
    mine = make("blink", "nano", **origin)
    assert expected in (mine.root / "cmake/project.cmake").read_text()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("Blink",), "is no name for a project"),
        (("1st",), "is no name for a project"),
        (("blink", "arduino"), "there is no board 'arduino'; boards: host nano"),
    ],
)
def test_a_mistake_makes_nothing(make: Make, tmp_path: Path, asked: tuple[str, ...], says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        make(*asked)
    assert list(tmp_path.iterdir()) == []


def test_a_service_has_no_board(make: Make, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="--board does not go with it"):
        make("blink", "nano", service=True)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_exists_is_left_alone(make: Make, tmp_path: Path) -> None:
    (tmp_path / "blink").mkdir()
    with pytest.raises(BadInputError, match="exists already"):
        make("blink", "nano")
    assert list((tmp_path / "blink").iterdir()) == []


def test_a_tree_beside_the_project_is_named_by_a_relative_path(tmp_path: Path) -> None:
    assert create.origin_of(tmp_path / "baton", tmp_path / "blink", installed="") == {"folder": "../baton"}
    far = tmp_path / "a" / "b" / "blink"
    assert create.origin_of(tmp_path / "baton", far, installed="") == {"folder": str(tmp_path / "baton")}
    assert create.origin_of(tmp_path, far, installed="0.1.0") == {"lab": "0.1.0"}


def test_a_changed_file_is_carried_over_and_the_link_leads_to_the_tree(make: Make) -> None:
    mine = make("blink", "nano")
    assert generated.refresh(mine) == [generated.LINK]
    assert (mine.root / generated.LINK).resolve() == ROOT
    assert generated.refresh(mine) == []
    text = mine.file.read_text().replace('boards = ["nano"]', 'boards = ["nano", "promicro"]')
    mine.file.write_text(text.replace("src/*.cpp", "source/*.cpp"))
    (mine.root / "src").rename(mine.root / "source")
    again = place.load(mine.root)
    assert generated.refresh(again) == [generated.PRESETS, generated.SETTINGS]
    assert "source/*.cpp" in (mine.root / generated.SETTINGS).read_text()
    assert '"name": "promicro"' in (mine.root / generated.PRESETS).read_text()


def test_a_program_without_a_source_is_named_by_its_pattern(make: Make) -> None:
    mine = make("blink", "nano")
    (mine.root / "src" / "main.cpp").unlink()
    with pytest.raises(BadInputError, match=r"baton.toml:11: \[program\] sources: no file fits src/\*\.cpp"):
        generated.refresh(mine)
