# SPDX-License-Identifier: MIT
"""Tests ./baton size: features of symbols, budgets, and the width of the page."""

from __future__ import annotations

import pytest
from conftest import Make

from baton_lab.board.program_size import SizeError
from baton_lab.user_project import sizes
from baton_lab.user_project.config import Budget
from baton_lab.user_project.sizes import Symbol

NM = """00000100 00000160 T baton::scheduler::run()
00000200 00000154 t baton::coroutine<blinker<baton::board::avr_led, x>, baton::timed>::run_(baton::job*, unsigned char)
00000300 00000042 T main
00000400 00000040 T __udivmodhi4
00000500 00000034 T baton_avr_now
00000600 00000020 t void baton::async::loop::run(your::thing)
00800100 00000016 B blink
00800110 00000004 D baton::board::detail::state
00000000 U missing
""".splitlines()


def test_a_symbol_belongs_to_a_feature() -> None:
    found = {each.name.partition("(")[0]: each.feature for each in sizes.read(NM)}
    assert found["baton::scheduler::run"] == "baton core"
    assert found["main"] == found["blink"] == "your program"
    assert found["baton::coroutine<blinker<baton::board::avr_led, x>, baton::timed>::run_"] == "your program"
    assert found["__udivmodhi4"] == "compiler and C library"
    assert found["void baton::async::loop::run"] == "baton async"
    assert found["baton::board::detail::state"] == "board and port"


@pytest.mark.parametrize(
    ("name", "feature"),
    [
        ("baton::on_host::service::application::run()", "baton service"),
        ("baton::on_host::components::beast_http_server::start()", "baton components"),
        ("std::vector<int>::push_back(int&&)", "compiler and C library"),
        ("memcpy", "compiler and C library"),
        ("memory_of_mine", "your program"),
        ("pages::home()", "your program"),
        ("baton_halt", "board and port"),
        ("baton::port_detail::read_clock()", "board and port"),
    ],
)
def test_features_by_name(name: str, feature: str) -> None:
    assert Symbol(1, name, in_flash=True, in_ram=False).feature == feature


def test_the_features_sum_up_to_the_whole_program() -> None:
    whole = {"flash": 600, "ram": 30, "reserved": 0}
    rows = sizes.by_feature(list(sizes.read(NM)), whole)
    assert rows[0] == ("your program", 196, 16)
    assert rows[-1] == (sizes.REST, 600 - 454, 10)
    assert (sum(row[1] for row in rows), sum(row[2] for row in rows)) == (600, 30)


def test_an_excess_says_by_how_much() -> None:
    whole = {"flash": 600, "ram": 30, "reserved": 0}
    assert sizes.excesses(whole, Budget(flash=600, ram=30)) == []
    assert sizes.excesses(whole, Budget(flash=599)) == ["600 bytes of flash, and the budget is 599: 1 too many"]
    assert sizes.excesses(whole, Budget(flash=1, ram=20))[1] == "30 bytes of ram, and the budget is 20: 10 too many"
    assert sizes.excesses(whole, None) == []


def test_a_row_has_80_columns_and_a_long_name_keeps_both_ends() -> None:
    row = sizes._row("baton::" + "x" * 200 + "::last()", 1, 23)
    assert len(row) == 80
    assert row.startswith("baton::xxx") and "...x" in row and "::last()" in row


def test_a_program_that_is_not_there_is_an_error_not_a_zero(make: Make) -> None:
    mine = make("blink", "nano")
    with pytest.raises(SizeError):
        sizes.page(mine, mine.boards[0])
