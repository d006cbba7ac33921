# SPDX-License-Identifier: MIT
"""The page of approximate cycles: what is shown, what is not, and why."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from sample_runs import sample

from baton_lab.board.board_facts import BoardFacts
from baton_lab.present import timing_page as timing
from baton_lab.present.rows import Case, cases

FACTS = {
    "rp2040": BoardFacts("rp2040", mhz=48, unit="cycles", stands_for="samd21"),
    "microbit": BoardFacts("microbit", mhz=16, unit="instructions", core="cortex-m0"),
    "mps2-an386": BoardFacts("mps2-an386", mhz=25, unit="instructions", stands_for="teensy32", core="cortex-m4"),
    "esp8266": BoardFacts("esp8266", unit="instructions", stands_for="esp8266", no_time="of its flash"),
    "esp32": BoardFacts("esp32", absent="there is no compiler"),
}


def of_microbit() -> list[Case]:
    """The rows of the Cortex-M4 as the Cortex-M0's, for which nothing is published."""
    rows = cases(sample("mps2-an386", "auto"), 16)
    timed = {row.record.label: row.timed for row in rows}
    return [
        replace(row, record=row.record.model_copy(update={"board": "microbit"}), timed=timed[row.record.label])
        for row in rows
    ]


def rows(board: str) -> Sequence[Case]:
    if board == "microbit":
        return of_microbit()
    facts = FACTS[board]
    return cases(sample(board, "auto"), facts.mhz, facts.stands_for) if board in ("rp2040", "mps2-an386") else []


def test_approximate_cycles_join_the_case_that_was_counted() -> None:
    direct = next(row for row in rows("mps2-an386") if row.record.case == "direct")
    assert (direct.record.unit, direct.record.value) == ("instructions", 20)
    assert direct.timed is not None
    assert (direct.timed.unit, direct.timed.value) == ("cycles", 33)
    assert len(rows("mps2-an386")) == len({row.record.label for row in rows("mps2-an386")})


def test_both_emulators_are_compared_case_by_case() -> None:
    [held] = timing.held(rows("rp2040"))
    assert (held.suite, len(held.pairs), held.equal) == ("auto", 3, 2)
    assert held.largest.record.case == "direct"
    assert held.largest.deviation == pytest.approx(0.025)
    assert held.mean == pytest.approx(0.025 / 3)


def test_a_published_empty_loop_is_held_in_cycles_of_its_board() -> None:
    newest, older = timing.empty_loops(FACTS, lambda name: rows(name) if name == "mps2-an386" else [])
    assert (newest.core, newest.version, older.version) == ("Cortex-M4", "1.5.1", "1.4")
    assert newest.published == pytest.approx(0.066 * 96)
    assert newest.resolution == pytest.approx(1000 / 30000 * 96)
    assert (newest.instructions, newest.ours) == (5, 8)
    assert newest.deviation == pytest.approx(8 / (0.066 * 96) - 1)
    assert newest.verdict == "instructions alone"


def test_what_deviates_by_more_than_allowed_is_not_shown() -> None:
    assert [board.name for board, _ in timing.shown(FACTS, rows)] == ["microbit"]


def test_the_limit_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "MOST", 0.27)
    assert [board.name for board, _ in timing.shown(FACTS, rows)] == ["microbit", "mps2-an386"]
    monkeypatch.setattr(timing, "MOST", 0.02)
    assert [board.name for board, _ in timing.shown(FACTS, rows)] == []


def test_without_a_comparison_nothing_is_shown() -> None:
    assert list(timing.shown(FACTS, lambda name: [] if name == "rp2040" else rows(name))) == []


def test_published_figures_without_cycles_of_ours_say_why() -> None:
    found = timing.without_cycles(FACTS, rows)
    assert {each.board for each in found} == {"esp8266", "esp32"}
    assert len([each for each in found if each.board == "esp32"]) == 10
    loop = next(each for each in found if each.board == "esp32" and each.version == "1.4")
    assert (loop.row.functionality, loop.row.micros_per_iter, loop.instructions) == ("EmptyLoop", 0.066, None)


def test_the_instructions_beside_them_are_those_of_the_published_shape() -> None:
    found = timing.without_cycles(
        FACTS, lambda name: cases(sample("mps2-an386", "auto"), 80, "esp8266") if name == "esp8266" else []
    )
    ours = {each.row.functionality: each.instructions for each in found if each.board == "esp8266"}
    assert (ours["EmptyLoop"], ours["DirectScheduling"], ours["Channels"]) == (5, 16, None)


def test_the_page_has_each_table_with_its_reasons() -> None:
    cores, held, loops, cycles, without = timing.grids(FACTS, rows)
    assert [column.header for column in cores.columns] == [
        "instruction", "Cortex-M0", "Cortex-M0+", "Cortex-M3", "Cortex-M4"
    ]  # fmt: skip
    assert ("more for a taken branch", "2", "1", "2", "2") in cores.rows
    assert any("refill 1 to 3" in note for note in cores.notes)
    assert held.rows[0][:5] == ("auto", "3", "2", "0.83%", "2.50%")
    assert [row[-1] for row in loops.rows] == ["instructions alone", "instructions alone", "instructions alone"]
    assert cycles.title == "microbit: approximate cycles at 16 MHz, by the timings of the Cortex-M0"
    assert cycles.rows[1] == ("auto: direct yields=2", "20.0", "33.0", "25.0", "2.062")
    assert "esp32: none, because there is no compiler" in without.notes
    assert "esp8266: none, because of its flash" in without.notes
