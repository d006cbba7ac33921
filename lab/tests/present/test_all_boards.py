# SPDX-License-Identifier: MIT
from pathlib import Path

import pytest
from sample_runs import records, sample

from baton_lab.board import board_facts
from baton_lab.board.board_facts import BoardFacts
from baton_lab.present import tables
from baton_lab.present.grid import Grid
from baton_lab.present.rows import Case, cases, features, idle_rows
from baton_lab.present.tables import COUNTED, cpu_grids, idle_grids, size_grids

BOARDS = ("nano", "rp2040", "mps2-an386", "esp32c3")
STANDS_FOR = {"rp2040": "samd21", "mps2-an386": "teensy32"}


def rows_of(suite: str) -> list[Case]:
    clocks = {"nano": 16, "rp2040": 48, "mps2-an386": 25, "esp32c3": 160}
    return [r for b in BOARDS for r in cases(sample(b, suite), clocks[b], STANDS_FOR.get(b, ""))]


def headers(grid: Grid) -> list[str]:
    return [column.header for column in grid.columns]


@pytest.mark.parametrize("suite", ["auto", "channel"])
def test_a_table_holds_one_unit_and_the_boards_that_count_in_it(suite: str) -> None:
    cycles, instructions = tables.across_grids(suite, rows_of(suite))
    assert headers(cycles) == ["case", "nano\nsimulated", "rp2040\napproximate"]
    assert headers(instructions) == ["case", "mps2-an386", "esp32c3"]
    assert ("cycles" in cycles.title, "instructions" in cycles.title) == (True, False)
    assert ("cycles" in instructions.title, "instructions" in instructions.title) == (False, True)


def test_figures_are_net_of_the_counting_work_but_for_messages() -> None:
    [_, auto] = tables.across_grids("auto", rows_of("auto"))
    assert ("scheduler yields=2", "15.5", "15.5") in auto.rows
    assert ("empty_loop", "5.0", "5.0") in auto.rows
    [_, channel] = tables.across_grids("channel", rows_of("channel"))
    assert ("message channels=1", "96.1", "96.1") in channel.rows
    assert "gross" in channel.title
    assert "net" in auto.title


def test_a_case_that_a_board_lacks_is_a_blank() -> None:
    lines = {row[0]: row for row in tables.across_grids("auto", rows_of("auto"))[0].rows}
    assert lines["run_one yields=2"][1:] == ("42.5", "")


def test_reads_and_writes_stand_apart_from_what_is_counted() -> None:
    [grid] = tables.access_grids("auto", rows_of("auto"))
    assert headers(grid) == ["case", "rp2040", "mps2-an386", "esp32c3"]
    assert ("scheduler yields=2", "6.2 + 3.0", "6.2 + 3.0", "6.2 + 3.0") in grid.rows
    assert tables.access_grids("auto", cases(sample("nano", "auto"))) == []


def test_published_microseconds_stand_beside_instructions_without_a_ratio() -> None:
    [grid] = tables.published_grids("auto", rows_of("auto"))
    assert headers(grid)[3:] == ["1.5.1\nmicros", "1.5.1\ndiff", "1.4\nmicros", "1.4\ndiff"]
    assert ("mps2-an386: published_scheduler", "26.0", "21.0", "0.5", "0.434", "0.533", "0.467") in grid.rows
    assert not any("ratio" in header for header in headers(grid))
    assert any("no ratio with microseconds" in note for note in grid.notes)
    assert grid.notes[-1].endswith("Teensy 3.2, 96 MHz ARM Cortex-M4 (1.4 and 1.5.1)")


def test_a_board_that_counts_instructions_gets_no_ratio_in_its_own_tables_either() -> None:
    rows = cases(sample("mps2-an386", "auto"), 25, "teensy32")
    assert all(row.micros is None and row.published_over_ours is None for row in rows)
    grids = cpu_grids("mps2-an386", "auto", rows)
    assert not any("ratio" in header or header.startswith("micros") for grid in grids for header in headers(grid))
    assert [header for header in headers(grids[0]) if header in ("reads", "writes")] == ["reads", "writes"]


def test_a_board_that_stands_for_another_has_all_that_was_published_of_that_one() -> None:
    known = cpu_grids("rp2040", "auto", cases(sample("rp2040", "auto"), 48, "samd21"))[-1]
    assert [header for header in headers(known) if header.startswith("1.")] == ["1.4\nmicros", "1.4\ndiff"]
    assert "approximate cycles at 48 MHz" in known.title
    assert known.notes[-1] == "rp2040 stands for the published board: SAMD21 M0 Mini, 48 MHz ARM Cortex-M0+ (1.4)"
    assert any("approximate cycles leave out" in note for note in known.notes)


def test_idle_costs_have_a_table_for_each_unit_and_equal_kinds_share_a_row() -> None:
    rows = idle_rows(record for board in BOARDS for record in sample(board, "idle"))
    cycles, instructions = idle_grids(rows)
    assert {row[0] for row in cycles.rows} == {"nano", "rp2040"}
    assert {row[0] for row in instructions.rows} == {"mps2-an386", "esp32c3"}
    assert ("mps2-an386", "delaying, awaiting", "0.0", "0.0", "0.0", "0.0") in instructions.rows
    assert all(COUNTED["cycles"] not in header for header in headers(instructions))


def test_boards_of_equal_sizes_share_a_column_and_the_host_keeps_its_own() -> None:
    boards = (*BOARDS, "promicro", "host")
    published = {board: STANDS_FOR.get(board, board) for board in boards}
    [grid] = size_grids(published, [record for board in boards for record in sample(board, "sizes")])
    assert headers(grid)[:4] == ["type", "nano, promicro", "rp2040 and 2 more", "host"]
    assert grid.columns[3].volatile
    assert grid.notes == ("rp2040 and 2 more: rp2040, mps2-an386, esp32c3",)
    assert grid.rows[0] == ("coroutine", "5", "12", "5", "Coroutine 16 (1.5.1), 20 (1.4), 28 (1.5.1)")


def test_memory_has_a_table_of_each_kind_and_stacks_are_of_examples() -> None:
    stacks = records("memory", "nano", "01_blink value=55 kind=stack", "unit=bytes valid=simulated")
    made = [*sample("nano", "memory"), *sample("rp2040", "memory"), *stacks]
    assert "01_blink" not in {row.name for row in features(made)}
    flash, ram, stack = tables.memory_grids(features(made), made)
    assert headers(flash) == headers(ram) == ["feature", "nano", "rp2040"]
    assert (headers(stack), stack.rows) == (["example", "nano"], (("01_blink", "55"),))


def test_the_boards_are_listed_with_the_one_of_which_no_figure_is() -> None:
    facts = {
        "nano": BoardFacts("nano", "Arduino Nano", 16, "cycles", "simulated", "nano"),
        "esp32": BoardFacts("esp32", "ESP32", unit="cycles", absent="no emulator", is_on_desk=True),
        "host": BoardFacts("host", "This machine"),
    }
    grid = tables.board_grid(facts)
    assert [row[0] for row in grid.rows] == ["nano", "esp32"]
    assert grid.rows[1][2] == "none: no emulator"
    assert grid.rows[0][3] == "Arduino Nano, 16MHz ATmega328P"


def test_the_boards_of_this_tree_are_all_known_and_none_is_hidden() -> None:
    root = Path(__file__).parents[3]
    facts = board_facts.all_of(root)
    assert {path.parent.name for path in root.glob("boards/*/board.toml")} == set(facts)
    assert all(each.unit or each.absent for name, each in facts.items() if name != "host")
    assert [name for name, each in facts.items() if each.absent] == ["esp32"]
    assert "esp32" not in board_facts.counted(facts)
    assert list(facts)[-1] == "host"


def test_a_real_board_is_known_by_its_kind_and_stands_behind_it() -> None:
    facts = {"nano": BoardFacts("nano", "Arduino Nano", 16)}
    assert board_facts.of(facts, "nano@A1").mhz == 16
    assert board_facts.ordered(["host", "zeta", "nano@A1", "promicro", "nano"]) == [
        "nano", "nano@A1", "promicro", "zeta", "host"
    ]  # fmt: skip
