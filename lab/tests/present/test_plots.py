# SPDX-License-Identifier: MIT
import re
from xml.etree import ElementTree

import pytest
from sample_runs import run_of

from baton_lab.base.records import Record
from baton_lab.present import plot_style, plots
from baton_lab.present.plot_style import LeftOut, Plot
from baton_lab.present.rows import Case


def row(board: str, nanoseconds: float) -> Case:
    named = {"suite": "auto", "case": plots.SWITCH_CASE, "board": board}
    return Case(Record.model_validate({**named, "unit": "ns", "valid": "measured", "value": nanoseconds}))


def test_a_switch_of_nanoseconds_lies_within_the_axis() -> None:
    plot = plots.switch([row("host", 9.7), row("slow", 2560.0)], {})
    assert isinstance(plot, Plot)
    assert "0.0097" in plot.svg  # what lies outside has no label
    assert "2.56" in plot.svg


def test_a_small_figure_stands_right_of_its_mark_and_not_over_the_boards_name() -> None:
    plot = plots.switch([row("host", 9.7), row("slow", 2560.0)], {})
    assert isinstance(plot, Plot)
    [small] = re.findall(r"<text [^>]*>0\.0097</text>", plot.svg)
    [large] = re.findall(r"<text [^>]*>2\.56</text>", plot.svg)
    assert "text-anchor: end" in large and "text-anchor: end" not in small


def test_marks_that_lie_close_together_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(plots, "legend", lambda axes, **_: seen.append(axes))
    named: dict[str, object] = {"suite": "auto", "unit": "instructions", "valid": "instructions", "board": "esp32c3"}
    named |= {"case": "direct", "params": {"yields": "2"}}
    rows = [Case(Record.model_validate({**named, "value": value})) for value in (15.0, 15.5)]
    assert isinstance(plots.suite("auto", rows), Plot)
    (axes,) = seen
    left, right = axes.get_xlim()
    assert left == 0 and right > 1.03 * 15.5


@pytest.mark.parametrize("count", [1, 3, 40])
def test_every_mark_is_drawn_names_its_run_and_leads_to_its_row(count: int) -> None:
    rows = [row(f"board{number}", 1000.0 + number) for number in range(count)]
    run = run_of("nano", "auto", id=7)
    with plot_style.made_from([(run, [each.record for each in rows])]):
        plot = plots.switch(rows, {})
    assert isinstance(plot, Plot)
    assert plot.svg.count('<a href="#run-7"><title>nano published_scheduler: 10') == count
    drawn = ElementTree.fromstring(plot.svg)
    ids = {each.attrib["id"] for each in drawn.iter() if "id" in each.attrib}
    used = [value for each in drawn.iter() for key, value in each.attrib.items() if key.endswith("href")]
    assert {value[1:] for value in used} - {"run-7"} <= ids  # a mark that is drawn by its number is there
    assert "target=" not in plot.svg


def test_without_a_known_run_a_mark_has_no_address() -> None:
    plot = plots.switch([row("host", 9.7)], {})
    assert isinstance(plot, Plot)
    assert "#run" not in plot.svg and "<title>" not in plot.svg


def timed(suite: str, case: str, floor: float | None = None) -> Case:
    named = {"suite": suite, "case": case, "board": "host", "unit": "ns", "valid": "measured"}
    return Case(Record.model_validate({**named, "value": 12.0, "base": 2.0, "floor": floor}))


def test_the_hosts_suites_lie_in_two_panels_of_about_the_same_length_and_none_is_cut() -> None:
    suites = [plots.of_suite(name, [timed(name, "one")] * count) for name, count in (("a", 9), ("b", 2), ("c", 6))]
    first, second = plot_style.halves(suites)
    assert [text for text, row in first if row is None] == ["a"]
    assert [text for text, row in second if row is None] == ["b", "c"]
    assert len(first) + len(second) == 9 + 2 + 6 + 3


def test_a_suite_alone_has_one_panel() -> None:
    assert len(plot_style.halves([plots.of_suite("a", [timed("a", "one")])])) == 1
    plot = plots.host([timed("a", "one", floor=7.0)])
    assert isinstance(plot, Plot)
    assert not plot.wide
    assert "floor" in plot.svg


def test_the_hosts_plot_names_each_suite_once() -> None:
    plot = plots.host([timed("auto", "message"), timed("channel", "message"), timed("auto", "empty_loop")])
    assert isinstance(plot, Plot)
    assert plot.wide
    assert [plot.svg.count(f">{text}<") for text in ("auto", "channel", "message", "empty_loop")] == [1, 1, 2, 0]


def test_the_hosts_plot_is_left_out_where_nothing_was_timed() -> None:
    assert isinstance(plots.host([timed("auto", "empty_loop")]), LeftOut)
