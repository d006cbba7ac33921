# SPDX-License-Identifier: MIT
"""Tests ./baton monitor: time stamps, failed requirements in words, typed text, and a real pseudo-terminal."""

from __future__ import annotations

import io
import os
import pty
import threading
import time
import tty
from collections.abc import Iterator
from itertools import count

import pytest

from baton_lab.base.project import ROOT
from baton_lab.board import serial_port
from baton_lab.command import explain
from baton_lab.user_project import monitor
from baton_lab.user_project.monitor import Monitor


def monitored(*pieces: bytes, explaining: bool = False) -> list[str]:
    """Returns the lines that the pieces give; the clock counts the lines."""
    ticks: Iterator[int] = count()
    out = io.StringIO()
    words = (lambda id: str(explain.explain(ROOT, id))) if explaining else lambda id: f"says {id}"
    shown = Monitor(words, out, lambda: f"00:00:0{next(ticks)}.000")
    for piece in pieces:
        shown.take(piece)
    shown.flush()
    return out.getvalue().splitlines()


def test_a_line_has_the_time_of_its_first_byte() -> None:
    assert monitored(b"fla", b"sh 1\r\nfl", b"ash 2\n") == ["00:00:00.000  flash 1", "00:00:01.000  flash 2"]


def test_no_line_beyond_the_wanted_ones_is_shown() -> None:
    out = io.StringIO()
    shown = Monitor(str, out, lambda: "now", most=2)
    shown.take(b"one\ntwo\nthree\nfour")
    shown.flush()
    assert out.getvalue() == "now  one\nnow  two\n" and shown.is_done


def test_bytes_that_are_no_text_are_shown() -> None:
    assert monitored(b"\xff\x00a\n") == ["00:00:00.000  \\xff\x00a"]


def test_a_line_without_end_is_shown_in_pieces() -> None:
    lines = monitored(b"x" * 5000, b"y\n")
    assert [len(line) for line in lines] == [5000 + 14, 1 + 14]


def test_a_failed_requirement_is_explained_below_its_line() -> None:
    lines = monitored(b"baton: requirement 101 does not hold; ./baton explain 101\n", explaining=True)
    assert lines[0].endswith("requirement 101 does not hold; ./baton explain 101")
    assert lines[1].strip().startswith("101 delay_too_long")
    assert any("What to do:" in line for line in lines)


def test_an_id_of_another_baton_is_no_failure_of_the_monitor() -> None:
    lines = monitored(b"requirement 65000 does not hold\n", explaining=True)
    assert "no BATON_REQUIRE has the id 65000" in lines[1]


@pytest.fixture
def line() -> Iterator[tuple[int, str]]:
    """A serial line: the board's end, and the name of ours."""
    board, ours = pty.openpty()
    tty.setraw(ours)
    yield board, os.ttyname(ours)
    os.close(board)
    os.close(ours)


def test_a_serial_line_is_shown_and_gets_what_is_typed(line: tuple[int, str]) -> None:
    board, name = line
    typed, keyboard = os.pipe()
    got: list[bytes] = []

    def be_a_board() -> None:
        got.append(os.read(board, 10))
        os.write(board, b"got it\nand more\n")

    out = io.StringIO()
    with serial_port.open_port(name, 115_200) as port:
        os.write(keyboard, b"hello")
        thread = threading.Thread(target=be_a_board, daemon=True)
        thread.start()
        monitor.watch(port, Monitor(str, out, lambda: "now", most=2), limit_s=20, typed=typed)
        thread.join(5)
    assert got == [b"hello"]
    assert out.getvalue() == "now  got it\nnow  and more\n"
    for end in (typed, keyboard):
        os.close(end)


def test_the_limit_ends_it_and_shows_what_has_come(line: tuple[int, str]) -> None:
    board, name = line
    out = io.StringIO()
    with serial_port.open_port(name, 115_200) as port:
        os.write(board, b"no end")
        began = time.monotonic()
        monitor.watch(port, Monitor(str, out, lambda: "now"), limit_s=0.3)
    assert time.monotonic() - began < 10
    assert out.getvalue() == "now  no end\n"
