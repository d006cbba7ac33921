# SPDX-License-Identifier: MIT
"""Tests ./baton run: the console and the LED as a person sees them, the limits, and the signals."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Make

from baton_lab.base.project import ROOT, Project
from baton_lab.board import board_files, emulator
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.user_project import running
from baton_lab.user_project.running import Shown, Wanted


def board(name: str) -> Board:
    return board_files.load(ROOT / "boards" / name / "board.toml")


def test_a_lit_led_is_shown_by_the_level_of_its_board() -> None:
    for name, level, word in (("nano", 1, "on "), ("nano", 0, "off"), ("promicro", 0, "on "), ("rp2040", 1, "on ")):
        out = io.BytesIO()
        Shown(board(name), out).errors(b"pin B5=%d at 250.5 ms\n" % level)
        assert out.getvalue() == f"LED {word}     0.251 s\n".encode()


def test_pieces_of_lines_are_put_together_and_messages_pass(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.BytesIO()
    shown = Shown(board("nano"), out)
    for piece in (b"pin B5=1 at", b" 1000.000 ms\nemulators/run: limit: the end\n", b"simavr: bad opcode\n"):
        shown.errors(piece)
    shown.console(b"hello\n")
    assert out.getvalue() == b"LED on      1.000 s\nhello\n"
    assert capsys.readouterr().err == "simavr: bad opcode\n"


def test_an_option_that_the_runner_refuses_is_told_without_the_runner_s_own_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = Shown(board("nano"), io.BytesIO())
    shown.errors(
        b"emulators/run: argument --input: is to be MS:PIN=VALUE\nusage: emulators/run [-h]\n          x.elf\n"
    )
    assert shown.verdict(2) == 2
    assert capsys.readouterr().err == "--input: is to be MS:PIN=VALUE\nbaton: the program was not run\n"


@pytest.mark.parametrize(
    ("facts", "code", "returned", "says"),
    [
        (b'{"state": "finished", "exit": 0}', 0, 0, ""),
        (b'{"state": "limit", "exit": 124}', 124, 0, "--limit 0 lifts it"),
        (b'{"state": "finished", "exit": 3}', 3, 3, "the program ended with 3"),
        (b'{"state": "finished", "exit": 70}', 70, 70, "a requirement does not hold"),
        (b'{"state": "crashed", "exit": 125}', 125, 125, "the program crashed"),
    ],
)
def test_the_end_is_told(capsys: pytest.CaptureFixture[str], facts: bytes, code: int, returned: int, says: str) -> None:
    shown = Shown(board("nano"), io.BytesIO())
    shown.errors(facts + b"\n")
    assert shown.verdict(code) == returned
    said = capsys.readouterr().err
    assert says in said and bool(said) == bool(says)


def test_a_failed_requirement_is_explained_by_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    shown = Shown(board("microbit"), io.BytesIO(), explain=lambda id: f"{id} in words")
    for piece in (b"baton: require", b"ment 101 does not hold; ./baton explain 101\n"):
        shown.console(piece)
    shown.errors(b'{"state": "finished", "exit": 70}\n')
    assert shown.verdict(70) == 70
    assert "a requirement does not hold: 101 in words" in capsys.readouterr().err


def test_a_run_is_in_real_time_for_a_minute_unless_it_is_asked_otherwise() -> None:
    usual = running.request(Path("p.elf"), board("nano"), Wanted())
    assert (usual.limit_ms, usual.pace, usual.watches) == (60_000, True, ("B5",))
    fast = running.request(Path("p.elf"), board("microbit"), Wanted(limit_s=2.5, fast=True))
    assert (fast.limit_ms, fast.pace, fast.watches) == (2500, False, ())
    assert running.request(Path("p.elf"), board("nano"), Wanted(limit_s=0)).limit_ms == 4_000_000_000


def test_the_limit_is_real_time_in_an_emulator_whose_own_leaves_sleep_out() -> None:
    qemu = running.request(Path("p.elf"), board("microbit"), Wanted(limit_s=2.5))
    assert qemu.ends_after_s == 3
    simavr = running.request(Path("p.elf"), board("nano"), Wanted(limit_s=2.5))
    assert (simavr.limit_ms, simavr.ends_after_s) == (2500, 63)
    words = emulator.command(Project(ROOT), board("microbit"), qemu)
    assert words[words.index("--wall-s") + 1] == "3" and "--pace" in words


def test_a_board_that_nothing_here_runs_is_refused_with_the_remedy(make: Make) -> None:
    mine = make("blink", "bluepill")
    with pytest.raises(BadInputError, match=r"QEMU has no STM32F103.*; write it to a board: ./baton flash"):
        running.run(mine, mine.boards[0], Wanted())


HOSTED = """
import os, signal, sys, time
def leave(number, frame):
    os.write(1, b"ended in order\\n")  # print may be at work already
    sys.exit(5)
signal.signal(signal.SIGTERM, leave)
signal.signal(signal.SIGINT, leave)
print("began", *sys.argv[1:], flush=True)
time.sleep(30)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_reaches_a_program_of_this_machine_which_ends_in_order(tmp_path: Path, number: signal.Signals) -> None:
    program = tmp_path / "hosted"
    program.write_text(f"#!{sys.executable}\n{HOSTED}")
    program.chmod(0o755)
    body = f"""
import sys
from pathlib import Path
from baton_lab.user_project import running
sys.exit(running._here(Path({str(program)!r}), Path({str(tmp_path)!r}), running.Wanted(words=("8080",))))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "lab")}
    process = subprocess.Popen([sys.executable, "-c", body], stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    assert process.stdout.readline() == "began 8080\n"
    process.send_signal(number)
    assert process.stdout.read() == "ended in order\n"
    assert process.wait(20) == 5


def test_the_limit_ends_a_program_of_this_machine_in_order(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "hosted"
    program.write_text(f"#!{sys.executable}\n{HOSTED}")
    program.chmod(0o755)
    began = time.monotonic()
    assert running._here(program, tmp_path, Wanted(limit_s=2.0)) == 5
    assert time.monotonic() - began < 25
    assert "ended in order" in capfd.readouterr().out


def test_options_of_an_emulator_are_refused_on_this_machine(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="for a board in its emulator"):
        running._here(tmp_path / "none", tmp_path, Wanted(send=("1:a",)))
