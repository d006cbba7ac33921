# SPDX-License-Identifier: MIT
"""A transcript is made of a real board's bytes, complete or not."""

from __future__ import annotations

import time

import pytest
from conftest import LINE
from fake_desk import program

from baton_lab.board.transcript import MOST_BEFORE_BEGINNING, Limits, Transcript, checksum, read

RECORD = LINE.format(board="nano", unit="cycles", valid="measured")


def fed(*pieces: bytes) -> Transcript:
    got = Transcript()
    for piece in pieces:
        got.feed(piece)
    return got


def test_the_sum_is_that_of_the_harness() -> None:
    # bench/harness sums the output of bench_sizes and its like: s = 31 * s + c, in 16 bits.
    assert checksum(b"") == 0 and checksum(b"a") == 97 and checksum(b"ab") == 97 * 31 + 98
    assert checksum(b"\xff" * 50) < 65536


def test_lines_may_come_in_any_pieces() -> None:
    whole = program(RECORD, "# a comment", RECORD)
    for size in (1, 7, 4000):
        got = fed(*(whole[i : i + size] for i in range(0, len(whole), size)))
        assert got.exit_code == 0 and not got.problem
        assert got.lines == [RECORD, "# a comment", RECORD]


def test_what_came_before_the_beginning_is_noise() -> None:
    assert fed(b"\xfe\x00boot loader\n half a rec", program(RECORD)).lines == [RECORD]


def test_a_program_that_was_reset_by_its_reader_starts_over() -> None:
    got = fed(program(RECORD, RECORD)[:60], program(RECORD))
    assert got.lines == [RECORD] and got.exit_code == 0


def test_a_program_that_starts_over_and_over_is_a_failure() -> None:
    got = fed(*[b"\n# begin\n" + RECORD.encode() + b"\n"] * 3)
    assert "over and over" in got.problem


@pytest.mark.parametrize(
    "damage",
    [lambda data: data.replace(b"30.000", b"80.000"), lambda data: data.replace(b"\n" + RECORD.encode(), b"", 1)],
)
def test_a_changed_or_lost_character_is_noticed(damage: object) -> None:
    assert callable(damage)
    got = fed(damage(program(RECORD, RECORD)))
    assert got.exit_code is None and "lost or changed on the way" in got.problem


def test_garbage_between_records_ends_it_and_is_shown() -> None:
    got = fed(b"\n# begin\n", RECORD.encode() + b"\n", b"\x00\xfe\x80zz\n", RECORD.encode())
    assert "garbage instead of a record: '\\x00\\xfe\\x80zz'" in got.problem
    assert got.lines[0] == RECORD and "\\x" not in got.lines[0]
    assert RECORD in got.received()


def test_garbage_without_an_end_is_given_up() -> None:
    got = fed(b"\xfe" * (MOST_BEFORE_BEGINNING + 1))
    assert "no line '# begin'" in got.problem and "another baud rate" in got.problem


def test_a_failed_program_is_told_by_its_exit_code() -> None:
    got = fed(program(RECORD, "# a workload counted wrong", exit_code=1))
    assert got.problem == "it ended with 1" and "counted wrong" in got.received()


class Line:
    """A port that gives its pieces one by one, then nothing, or fails."""

    def __init__(self, *pieces: bytes, then: Exception | None = None) -> None:
        self.pieces, self.then = list(pieces), then

    @property
    def in_waiting(self) -> int:
        return 0

    def read(self, size: int = 1, /) -> bytes:
        if self.pieces:
            return self.pieces.pop(0)
        if self.then:
            raise self.then
        return b""


QUICK = Limits(total_s=5, silence_s=0.05)


def test_a_silent_board_says_what_to_do() -> None:
    said = read(Line(), QUICK).problem
    assert "silent for 0.05 s" in said and "press its reset button" in said


def test_a_board_that_falls_silent_keeps_what_it_sent() -> None:
    got = read(Line(program(RECORD, RECORD)[:-30]), QUICK)
    assert "fell silent" in got.problem and got.received().count(RECORD) >= 1


def test_a_board_that_only_babbles_says_what_it_said() -> None:
    got = read(Line(b"Hello, I am a thermometer\n"), QUICK)
    assert (
        "fell silent" in got.problem and "Hello, I am a thermometer" in got.problem and "another board" in got.problem
    )


def test_a_board_that_is_unplugged_keeps_what_it_sent() -> None:
    got = read(Line(b"\n# begin\n" + RECORD.encode() + b"\n", then=OSError(5, "gone")), QUICK)
    assert "unplugged" in got.problem and got.received() == RECORD


def test_a_board_that_never_ends_is_ended() -> None:
    class Chatter(Line):
        def read(self, size: int = 1, /) -> bytes:
            time.sleep(0.01)
            return b"# still here\n"

    assert read(Chatter(), Limits(total_s=0.05, silence_s=5)).problem.startswith("it did not end within")
