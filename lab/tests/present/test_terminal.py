# SPDX-License-Identifier: MIT
import io
from pathlib import Path

import pytest
from rich.console import Console
from sample_runs import records, run_of, sample

from baton_lab.board.board_files import Board
from baton_lab.present.grid import Column, Grid
from baton_lab.present.rows import cases
from baton_lab.present.tables import cpu_grids
from baton_lab.present.terminal import fit, print_board, print_grid, print_grids

NANO = Board(name="nano", title="Arduino Nano", preset="nano", mhz=16)
HOST = Board(name="host", title="This machine", preset="host")


def printed(board: Board, suites: list[str], width: int = 100) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width)
    print_board(console, board, {s: (run_of(board.name, s, id=7), sample(board.name, s)) for s in suites})
    return out.getvalue()


def test_the_box_and_the_first_columns_are_the_ones_that_users_know() -> None:
    lines = printed(NANO, ["auto"]).splitlines()
    top = next(i for i, line in enumerate(lines) if line.startswith("+--"))
    assert lines[top + 1].split("|")[1:5] == [
        " Functionality                        ", " iters ", " micros/iter ", "   diff "
    ]  # fmt: skip
    assert lines[top + 2].startswith("|--------------------------------------+-------+-------------+--------+")
    assert lines[top + 2].endswith("|")
    assert "| scheduler yields=2                   | 10000 |       3.531 |  2.469 |   39.5 |" in "\n".join(lines)


def test_published_figures_stand_in_microseconds_beside_ours_with_the_ratio() -> None:
    text = printed(NANO, ["auto", "channel"])
    [auto] = [line for line in text.splitlines() if line.startswith("| published_scheduler ")]
    assert auto.partition("| 10000")[2] == " |       3.633 | 2.570 |   41.1 |    7.0 |   5.1 |   1.9 |"
    assert "| published_channels | 10000 |      13.000 | 6.125 | 208.0 |   98.0 |   28.1 |  11.7 |   2.2 |" in text
    assert "nano: auto, simulated cycles at 16 MHz, beside AceRoutine on real hardware" in text


def test_a_wide_terminal_shows_the_release_before_too() -> None:
    assert " 1.4 |" not in printed(NANO, ["auto"], width=100)
    assert " 1.4 |" in printed(NANO, ["auto"], width=140)


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_no_line_is_wider_than_the_terminal_and_no_figure_is_cut(width: int) -> None:
    text = printed(HOST, ["auto", "channel", "sizes"], width) + printed(NANO, ["sizes", "memory", "idle"], width)
    if width >= 80:
        assert max(len(line) for line in text.splitlines()) <= width
    assert "…" not in text
    assert " 24.36 " in text


def test_object_sizes_are_printed_the_known_way() -> None:
    lines = printed(NANO, ["sizes"]).splitlines()
    assert "sizeof(coroutine): 5" in lines[1]
    assert "Coroutine of AceRoutine 1.5.1: 16" in lines[1]


def test_the_host_has_nanoseconds_with_median_minimum_and_spread_and_counted_instructions() -> None:
    text = printed(HOST, ["auto"])
    assert "micros" not in text
    line = next(line for line in text.splitlines() if line.startswith("| scheduler yields=2"))
    assert [cell.strip() for cell in line.split("|")[-9:-1]] == [
        "10000" if "| iters" in text else "scheduler yields=2", "2.91", "2.67", "2.85", "19%", "1.75", "1.53", "19.0"
    ]  # fmt: skip
    assert "a count and not a time" in text


def test_each_note_is_said_once_and_the_build_is_named() -> None:
    text = printed(NANO, ["auto", "channel"])
    assert text.count("no hardware was measured") == 1
    assert "auto run 7, channel run 7: avr-g++ (GCC) 5.4.0 -Os -flto" in " ".join(text.split())


def test_how_a_figure_was_obtained_is_in_every_title() -> None:
    made = records("auto", "nano", "direct value=30", "unit=cycles valid=approximate")
    assert "approximate cycles" in cpu_grids("nano", "auto", cases(made, 16))[0].title


def test_markup_in_a_case_is_printed_and_not_obeyed() -> None:
    out = io.StringIO()
    made = records("auto", "nano", "[bold]x[/bold] value=30", "unit=cycles valid=simulated")
    print_grid(Console(file=out, width=100), cpu_grids("nano", "auto", cases(made, 16))[0])
    assert "[bold]x[/bold]" in out.getvalue()


def test_the_most_optional_columns_go_first_and_together() -> None:
    columns = (Column("a", "text"), Column("b", optional=1), Column("c", optional=2), Column("d", optional=2))
    grid = Grid("t", columns, (("aaaa", "bbbb", "cccc", "dddd"),))
    assert [c.header for c in fit(grid, 100).columns] == ["a", "b", "c", "d"]
    assert [c.header for c in fit(grid, 28).columns] == ["a", "b"]
    assert [c.header for c in fit(grid, 10).columns] == ["a"]


def test_columns_for_which_there_is_no_room_are_named_with_the_width_that_shows_them() -> None:
    columns = (Column("a", "text"), Column("b", optional=1), Column("so\nmany", optional=2))
    grid = Grid("t", columns, (("aaaa", "bbbb", "cccc"),))
    out = io.StringIO()
    print_grids(Console(file=out, width=17), [grid, grid])
    assert " ".join(out.getvalue().split()).count("left out at 17 columns, shown at 22: so many") == 1
    out = io.StringIO()
    print_grids(Console(file=out, width=22), [grid])
    assert "left out" not in out.getvalue()


def test_nothing_stored_prints_no_table(tmp_path: Path) -> None:
    assert "+--" not in printed(NANO, [])
