# SPDX-License-Identifier: MIT
"""Tests the wheel of baton-lab: its content, and that a fresh environment uses it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from baton_lab.base import installed
from baton_lab.base.project import ROOT
from baton_lab.check import documents
from baton_lab.setup import wheel


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel.write(ROOT, tmp_path_factory.mktemp("wheel"))


def test_the_same_tree_gives_the_same_bytes(made: Path, tmp_path: Path) -> None:
    assert wheel.write(ROOT, tmp_path).read_bytes() == made.read_bytes()
    assert made.name == f"baton_lab-{wheel.version(ROOT)}-py3-none-any.whl"


def test_the_wheel_has_the_lab_the_tree_and_the_command(made: Path) -> None:
    with zipfile.ZipFile(made) as archive:
        names = set(archive.namelist())
        folder = f"baton_lab-{wheel.version(ROOT)}.dist-info"
        assert {"baton_lab/tree.zip", "baton_lab/user_project/templates/common/baton.j2"} <= names
        assert "baton = baton_lab.command.cli:main" in archive.read(f"{folder}/entry_points.txt").decode()
        recorded = {line.split(",")[0] for line in archive.read(f"{folder}/RECORD").decode().splitlines()}
    assert recorded == names
    assert not any("__pycache__" in name or "/tests/" in name for name in names)


def test_the_tree_is_unpacked_once_with_its_modes(made: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(made) as archive:
        archive.extract("baton_lab/tree.zip", tmp_path)
    packed = tmp_path / "baton_lab" / "tree.zip"
    tree = installed.unpacked(packed, tmp_path / "cache")
    assert os.access(tree / "emulators" / "run", os.X_OK)
    assert not os.access(tree / "modules.json", os.X_OK)
    (tree / "mark").touch()
    assert installed.unpacked(packed, tmp_path / "cache") == tree
    assert (tree / "mark").exists()
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [tree.name]


def test_a_fresh_environment_makes_a_project_with_the_installed_lab(made: Path, tmp_path: Path) -> None:
    """The libraries are this environment's, so that the test needs no network."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True, timeout=120)
    python = tmp_path / "venv" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(made)]
    subprocess.run(install, check=True, timeout=120)
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    (folder,) = (tmp_path / "venv").glob("lib/python3*/site-packages")
    (folder / "libraries.pth").write_text("".join(f"{path}\n" for path in libraries))
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}

    def baton(*words: str, cwd: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        command = [str(tmp_path / "venv" / "bin" / "baton"), *words]
        return subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=120
        )

    assert "there is no baton.toml here or above" in baton("test").stderr
    done = baton("new", "blink", "--board", "nano")
    assert done.returncode == 0, done.stderr
    project = tmp_path / "blink"
    assert f'lab = "{wheel.version(ROOT)}"' in (project / "baton.toml").read_text()
    assert baton("explain", "101").stdout.startswith("101 delay_too_long")
    listed = subprocess.run([python, project / "baton", "boards"], env=environment, capture_output=True, text=True,
                            check=False, timeout=120)  # fmt: skip
    assert listed.returncode == 0, listed.stderr
    assert "nano  Arduino Nano" in listed.stdout


def test_no_page_installs_the_package_of_somebody_else() -> None:
    wrong = re.compile(r"\b(pipx?|uv) (pip )?install (-\S+ )*baton\b(?!-lab)")
    assert wrong.search("pip install baton\n") and not wrong.search("pipx install baton-lab")
    templates = (ROOT / "lab" / "baton_lab" / "user_project" / "templates").rglob("*")
    pages = [*documents.pages(ROOT), *(path for path in templates if path.is_file())]
    assert [path for path in pages if wrong.search(path.read_text(encoding="utf-8"))] == []
