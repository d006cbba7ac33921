# SPDX-License-Identifier: MIT
"""Tests ./baton run --script: a script of edges and bytes that is played to a project's program."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import Make

from baton_lab.board import emulator, program_size
from baton_lab.board.board_files import BadInputError
from baton_lab.command import project_commands
from baton_lab.user_project import running
from baton_lab.user_project.place import TOLD, UserProject, host
from baton_lab.user_project.running import Wanted

BLINK = """0ms   expect uart "flash 1" within 50ms
+0us  expect pin led high within 50ms
300ms expect pin led low within 1ms
+0us  expect uart "flash 2" within 250ms
"""


def fake_runner(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    """Puts a program in the place of emulators/run."""
    path = folder / "run"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    monkeypatch.setattr(emulator, "runner", lambda _: path)
    monkeypatch.setattr(program_size, "too_large", lambda *_: "")


def scripted(mine: UserProject, text: str, **more: object) -> Wanted:
    path = mine.root / "test" / "a.script"
    path.write_text(text)
    return Wanted(script=path, **more)  # type: ignore[arg-type]


def test_the_script_and_the_limit_go_to_the_emulator(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    mine = make("blink", "nano")
    said = """echo "$@"; echo '{"state": "script", "exit": 0, "script": "passed"}' >&2"""
    fake_runner(monkeypatch, tmp_path, said)
    assert running.run(mine, mine.boards[0], scripted(mine, "1ms pin button low", limit_s=300.0)) == 0
    shown = capfd.readouterr()
    script = mine.root / "test" / "a.script"
    assert f"--limit-ms 300000 --wall-s 360 --script {script} {mine.program(mine.boards[0])}\n" in shown.out
    assert "the script was passed" in shown.err


def test_an_unmet_line_is_named_from_the_project_s_folder_on(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    mine = make("blink", "nano")
    wanted = scripted(mine, "1ms expect pin led high within 1ms")
    said = f"""echo '{wanted.script}:1: it was low' >&2; echo '{{"state": "script", "exit": 1}}' >&2; exit 1"""
    fake_runner(monkeypatch, tmp_path, said)
    assert running.run(mine, mine.boards[0], wanted) == 1
    assert capfd.readouterr().err.splitlines()[0] == "test/a.script:1: it was low"


def test_what_does_not_go_with_a_script_is_refused(make: Make) -> None:
    mine = make("blink", "nano")
    with pytest.raises(BadInputError, match="is for a board in its emulator"):
        running.run(mine, host(mine), scripted(mine, "1ms pin button low"))
    with pytest.raises(BadInputError, match="not together with --send"):
        running.run(mine, mine.boards[0], scripted(mine, "1ms pin button low", send=("1:a",)))
    with pytest.raises(BadInputError, match=r"none\.script: there is no such file"):
        running.run(mine, mine.boards[0], Wanted(script=mine.root / "none.script"))


@pytest.mark.skipif(shutil.which("avr-g++") is None, reason="./baton setup nano")
def test_a_script_is_played_to_a_new_project_on_a_simulated_nano(
    make: Make, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    mine = make("blink", "nano")
    monkeypatch.setenv(TOLD, str(mine.root))
    assert project_commands.run([], scripted(mine, BLINK)) == 0
    assert "flash 1\nflash 2\n" in capfd.readouterr().out
    assert project_commands.run([], scripted(mine, BLINK + "600ms expect pin led low within 1ms\n")) == 1
    assert "test/a.script:5: expected led low from 600 ms to 601 ms; it was high" in capfd.readouterr().err
