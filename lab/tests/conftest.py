# SPDX-License-Identifier: MIT
"""A tree in miniature, whose programs and emulator are scripts that can fail on purpose."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from baton_lab.base.modules import TABLE
from baton_lab.base.project import ROOT, Project
from baton_lab.board.board_files import Board, load
from baton_lab.user_project import create
from baton_lab.user_project.place import TOLD, UserProject

BOARD = """
name = "{name}"
title = "A board"
preset = "{name}"
{more}
[setup]
packages = ["{name}-package"]
"""
EMULATOR = '[emulator]\nkind = "simavr"\nmcu = "atmega328p"\nhz = 16000000\nuart = 0\n'

LINE = (
    "baton-bench/1 suite=auto case=direct board={board} unit={unit} iterations=100 "
    "value=30.000 base=10.000 floor=25.000 valid={valid} yields=2"
)
FINISHED = '{"state":"finished","exit":0,"cycles":5,"stack_bytes":40,"min_sp":2000}'


def script(path: Path, body: str) -> Path:
    """Makes a program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for name, more in (("host", ""), ("nano", EMULATOR), ("promicro", EMULATOR)):
        folder = tmp_path / "boards" / name
        folder.mkdir(parents=True)
        (folder / "board.toml").write_text(BOARD.format(name=name, more=more))
    suites = tmp_path / "bench" / "suites"
    suites.mkdir(parents=True)
    (suites / "auto.cpp").write_text("int main() {}\n")
    (suites / "channel.cpp").write_text("int main() {}\n")
    shutil.copy(ROOT / TABLE, tmp_path)
    return Project(tmp_path)


@pytest.fixture
def board(project: Project) -> Callable[[str], Board]:
    return lambda name: load(project.root / "boards" / name / "board.toml")


Make = Callable[..., UserProject]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Returns a function that makes a project of a user's own: its name, its boards, or a service."""
    monkeypatch.delenv(TOLD, raising=False)

    def of(name: str = "blink", *boards: str, service: bool = False, **origin: str) -> UserProject:
        wanted = create.Wanted(tmp_path / name, boards, service, origin or {"folder": str(ROOT)})
        return create.create(ROOT, wanted)

    return of
