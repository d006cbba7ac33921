# SPDX-License-Identifier: MIT
"""A script that is played to a program: its command, its transcript, and the reasons why it was not passed."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton_lab.base.project import ROOT, Project
from baton_lab.board import device_script, emulator, program_size
from baton_lab.board.board_files import Board, load

NANO = load(ROOT / "boards" / "nano" / "board.toml")
HOST = load(ROOT / "boards" / "host" / "board.toml")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "a.script"
    path.write_text("1ms pin button low\n")
    return path


@pytest.fixture
def no_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_size, "too_large", lambda *_: "")


def program(folder: Path, text: str) -> Path:
    """Returns an executable in place of a program, or of emulators/run."""
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def played(monkeypatch: pytest.MonkeyPatch, board: Board, runner: Path, script: Path) -> device_script.ScriptRun:
    monkeypatch.setattr(emulator, "runner", lambda _: runner)
    return device_script.play(Project(ROOT), board, Path("a.elf"), script, 500)


def test_an_emulator_gets_the_script_and_the_limit(script: Path) -> None:
    words = emulator.command(Project(ROOT), NANO, emulator.Request(Path("a.elf"), 500, script=script))
    assert words[3:] == ["--limit-ms", "500", "--script", str(script), "a.elf"]


def test_a_program_of_this_machine_gets_the_script_alone(script: Path) -> None:
    words = emulator.command(Project(ROOT), HOST, emulator.Request(Path("a"), script=script))
    assert words == ["a", str(script)]


@pytest.mark.usefixtures("no_size")
def test_a_script_is_passed_by_its_exit_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: Path) -> None:
    said = """printf 'ready\\r\\n'; echo '{"state": "script", "exit": 0, "script": "passed"}' >&2"""
    runner = program(tmp_path, said)
    run = played(monkeypatch, NANO, runner, script)
    assert (run.passed, run.transcript, run.problems) == (True, "ready\n", ())


@pytest.mark.usefixtures("no_size")
def test_unmet_lines_are_the_reasons(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: Path) -> None:
    text = f"""echo '{script}:1: expected led high' >&2; echo 'a remark' >&2
        echo '{{"state": "script", "exit": 1, "script": "failed"}}' >&2; exit 1"""
    run = played(monkeypatch, NANO, program(tmp_path, text), script)
    assert not run.passed
    assert run.problems == (f"{script}:1: expected led high",)
    assert device_script.relative(run, tmp_path).problems == ("a.script:1: expected led high",)


@pytest.mark.usefixtures("no_size")
def test_a_refusal_and_a_hang_are_reasons(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: Path) -> None:
    refusal = "emulators/run: a.script:1: stm32vl has no pin button"
    run = played(monkeypatch, NANO, program(tmp_path, f"echo '{refusal}' >&2; exit 2"), script)
    assert run.problems == (refusal,)
    hang = """echo '{"state": "limit", "exit": 124}' >&2; exit 124"""
    run = played(monkeypatch, NANO, program(tmp_path, hang), script)
    assert run.problems == ("a.elf: it hung: it was still running at its time limit",)


def test_a_program_over_fakes_says_which_line_was_not_met(tmp_path: Path, script: Path) -> None:
    fakes = program(tmp_path, 'echo "ready"; echo "$1:1: not met" >&2; exit 1')
    run = device_script.play(Project(ROOT), HOST, fakes, script)
    assert (run.transcript, run.problems) == ("ready\n", (f"{script}:1: not met",))


def test_the_pins_of_a_board_are_in_its_description() -> None:
    assert NANO.pins == {"button": "D2", "led": "B5", "analog": "adc0"}
