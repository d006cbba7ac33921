# SPDX-License-Identifier: MIT
"""Tests ./baton size: features of symbols, budgets, and the width of the page."""

from __future__ import annotations

import pytest
from conftest import Make

from baton_lab.board.program_size import SizeError
from baton_lab.user_project import sizes
from baton_lab.user_project.config import Budget
from baton_lab.user_project.sizes import Symbol

NM = """

Symbols from blink.elf:

Name                  Value           Class        Type         Size             Line  Section

baton::scheduler::run()|00000100|   T  |              FUNC|00000160|     |.text
baton::coroutine<blinker<baton::board::avr_led, x>, baton::timed>::run_(baton::job*)|260|t|FUNC|154| |.text
main                |00000420|   T  |              FUNC|00000042|     |.text
another_main        |00000420|   T  |              FUNC|00000042|     |.text
__udivmodhi4        |00000500|   T  |            NOTYPE|00000040|     |.text
baton_avr_now       |00000540|   T  |              FUNC|00000034|     |.text
void baton::detail::put_digits<baton::board::console>(unsigned)|00000580|   t  |              FUNC|00000020|     |.text
blink               |08388864|   b  |            OBJECT|00000016|     |.bss
baton::on_host::service::numbering<int>::types|08388880|   u  |            OBJECT|00000005|     |.bss
baton::board::detail::state|08388900|   D  |            OBJECT|00000004|     |.data
operator|(one, two) |00000700|   T  |              FUNC|00000006|     |.text
missing             |        |   U  |            NOTYPE|        |     |*UND*
__bss_end           |08388910|   B  |            NOTYPE|        |     |.bss
""".splitlines()


def test_a_symbol_belongs_to_a_feature() -> None:
    found = {each.name.partition("(")[0]: each.feature for each in sizes.read(NM)}
    assert "another_main" not in found and "missing" not in found and "__bss_end" not in found
    assert found["baton::scheduler::run"] == "baton core"
    assert found["main"] == found["blink"] == "your program"
    assert found["baton::coroutine<blinker<baton::board::avr_led, x>, baton::timed>::run_"] == "your program"
    assert found["__udivmodhi4"] == "compiler and C library"
    assert found["void baton::detail::put_digits<baton::board::console>"] == "baton core"
    assert found["operator|"] == "your program"
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
        ("baton::async::loop::run(your::thing)", "baton async"),
        ("vtable for boost::asio::service", "compiler and C library"),
        ("operator new(unsigned long)", "compiler and C library"),
        ("baton_halt", "board and port"),
        ("baton::port_detail::read_clock()", "board and port"),
    ],
)
def test_features_by_name(name: str, feature: str) -> None:
    assert Symbol(1, name, in_flash=True, in_ram=False).feature == feature


def test_a_variable_without_a_start_value_takes_no_flash() -> None:
    found = {each.name: (each.in_flash, each.in_ram) for each in sizes.read(NM)}
    assert found["baton::on_host::service::numbering<int>::types"] == (False, True)
    assert found["baton::board::detail::state"] == (True, True)
    assert found["main"] == (True, False)


def test_the_features_sum_up_to_the_whole_program() -> None:
    whole = {"flash": 600, "ram": 30, "reserved": 0}
    rows = sizes.by_feature(list(sizes.read(NM)), whole)
    assert rows[0] == ("your program", 202, 16)
    assert rows[-1] == (sizes.REST, 600 - 460, 5)
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
