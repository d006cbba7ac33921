# SPDX-License-Identifier: MIT
import re

import pytest

from baton_lab.present.comparison import Bar, bar_room, bars, measured, picture
from baton_lab.present.grid import Column, Grid
from baton_lab.present.stacking import STEPS, stacked

HEADER = ["discipline", "board", "unit", "ours", "others", "ours / others", "others are"]


def test_a_row_of_a_table_is_a_comparison_where_both_sides_have_figures() -> None:
    rows = [
        ["a switch", "Nano", "cycles", "33.0", "105.0", "0.31", "them"],
        ["an idle \\[task\\]", "Nano", "cycles", "0.0", "53.0", "0.00", "them"],
        ["a call", "PB", "instructions", "not measured", "767.0", "", "them"],
        ["alone", "PB", "bytes", "5", "", "", ""],
    ]
    found = bars("disciplines", HEADER, rows)
    assert [(bar.name, bar.ratio) for bar in found] == [("a switch", "0.31 x"), ("an idle [task]", "0.00 x")]
    assert found[0].share("ours") == pytest.approx(33 / 105) and found[0].share("others") == 1


def test_the_longer_bar_is_the_whole_whosever_it_is() -> None:
    bar = Bar("flash", "Nano", "bytes", "1,498", "312", "them")
    assert bar.share("ours") == 1 and bar.share("others") == pytest.approx(312 / 1498) and bar.ratio == "4.80 x"


def test_the_text_behind_the_longest_bar_ends_before_the_ratio() -> None:
    long = [Bar("call", "PB", "instructions", "246.0", "767.0", "the published kernel, counted in QEMU")]
    short = [Bar("call", "PB", "instructions", "246.0", "767.0", "them")]
    assert bar_room(short) > bar_room(long) > 200
    ends = [float(each) for each in re.findall(r'class="theirs" x="8" y="\d+" width="([0-9.]+)"', picture("t", long))]
    assert ends == [bar_room(long)] and 8 + ends[0] + 6 + 7 * len(long[0].theirs) <= 700  # the ratio begins at 700


def test_services_are_compared_by_instructions() -> None:
    header = ["discipline", "ours\nns", "ours\ninstr", "Ichor\nns", "Ichor\ninstr", "ours / Ichor\ninstr"]
    [bar] = bars("disciplines host", header, [["an event", "19.2", "109.9", "139", "2,236", "0.05"]])
    assert (bar.ratio, bar.unit, bar.whose) == ("0.05 x", "instructions", "Ichor")


def test_rows_without_ours_are_named_below_the_table() -> None:
    grid = Grid("t", (Column("what", "text"), Column("ours\nns")), (("a", "3"), ("b", "not measured"), ("c", "none")))
    assert measured(grid).rows == (("a", "3"),)
    assert measured(grid).notes == ("not measured: b; c",)


def test_a_table_becomes_blocks_in_every_window_that_is_too_narrow_for_it() -> None:
    def width(columns: int, cell: str) -> int:
        grid = Grid("t", tuple(Column("n") for _ in range(columns)), ((cell,) * columns,))
        return int(stacked(grid).removeprefix("stack-"))

    found = [width(count, "1234.5") for count in (2, 6, 10, 14, 40)]
    assert found == sorted(found) and set(found) <= set(STEPS) and found[0] == STEPS[0] and found[-1] == STEPS[-1]
    words = Grid("t", (Column("a", "text"), Column("b", "text")), (("long words " * 40,) * 2,))
    assert stacked(words) == "stack-560"  # text is broken between words
