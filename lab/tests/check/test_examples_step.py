# SPDX-License-Identifier: MIT
"""The step of the examples: only timed input has a second try, as busy machines are late."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from baton_lab.board import emulator
from baton_lab.check.steps import examples
from baton_lab.measure import example


class _Described:
    def __init__(self, send: tuple[str, ...]) -> None:
        self.send = send

    def request(self, _program: Path) -> Any:
        return None


def _run(monkeypatch: pytest.MonkeyPatch, folder: Path, send: tuple[str, ...], outputs: list[str]) -> tuple[Any, int]:
    (folder / "expected.txt").write_text("good\n", encoding="utf-8")
    runs: list[str] = []

    def execute(*_: Any) -> Any:
        runs.append(outputs[len(runs)])
        return SimpleNamespace(problem="", text=runs[-1], last_output=lambda: "")

    monkeypatch.setattr(emulator, "execute", execute)
    monkeypatch.setattr(emulator, "command", lambda *_: ["program"])
    monkeypatch.setattr(example, "load", lambda *_: _Described(send))
    monkeypatch.setattr(example, "is_for", lambda *_: True)
    monkeypatch.setattr(example, "program", lambda *_: folder / "program")
    monkeypatch.setattr(examples, "names", lambda *_: [])
    project: Any = SimpleNamespace(root=folder)
    board: Any = SimpleNamespace(name="board")
    return examples._one(project, board, folder, bless=False), len(runs)


def test_what_is_typed_too_late_is_typed_again_and_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    result, runs = _run(monkeypatch, tmp_path, ("50:x",), ["bad\n", "good\n"])
    assert (result.passed, result.failed, runs) == (1, 0, 2)
    assert "in 1 of 2 runs" in result.notes


def test_a_program_that_is_always_wrong_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    result, runs = _run(monkeypatch, tmp_path, ("50:x",), ["bad\n"] * 3)
    assert (result.passed, result.failed, runs) == (0, 1, 3)
    assert "not the expected one" in result.output


def test_an_example_that_nobody_types_to_has_one_try(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    result, runs = _run(monkeypatch, tmp_path, (), ["bad\n", "good\n"])
    assert (result.failed, runs) == (1, 1)
