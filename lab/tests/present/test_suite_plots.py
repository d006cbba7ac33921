# SPDX-License-Identifier: MIT
from baton_lab.present import host_plot, suite_plots
from baton_lab.present.plot_style import LeftOut, Plot
from baton_lab.present.rows import CpuRow, Figure


def row(board: str, nanoseconds: float) -> CpuRow:
    figure = Figure(unit="ns", valid="measured", gross=nanoseconds, net=nanoseconds)
    return CpuRow(board=board, suite="auto", case=suite_plots.SWITCH_CASE, params={}, iterations=1, figure=figure)


def test_a_switch_of_nanoseconds_lies_within_the_axis() -> None:
    plot = suite_plots.switch([row("host", 9.7), row("slow", 2560.0)], {})
    assert isinstance(plot, Plot)
    assert "0.0097" in plot.svg  # what lies outside has no label
    assert "2.56" in plot.svg


def timed(suite: str, case: str, floor: float | None = None) -> CpuRow:
    figure = Figure(unit="ns", valid="measured", gross=12.0, net=10.0, floor=floor)
    return CpuRow(board="host", suite=suite, case=case, params={}, iterations=1, figure=figure)


def test_the_hosts_suites_lie_in_two_panels_of_about_the_same_length_and_none_is_cut() -> None:
    suites = [host_plot.of_suite(name, [timed(name, "one")] * count) for name, count in (("a", 9), ("b", 2), ("c", 6))]
    first, second = host_plot.halves(suites)
    assert [text for text, row in first if row is None] == ["a"]
    assert [text for text, row in second if row is None] == ["b", "c"]
    assert len(first) + len(second) == 9 + 2 + 6 + 3


def test_a_suite_alone_has_one_panel() -> None:
    assert len(host_plot.halves([host_plot.of_suite("a", [timed("a", "one")])])) == 1
    plot = host_plot.nanoseconds([timed("a", "one", floor=7.0)])
    assert isinstance(plot, Plot)
    assert not plot.wide
    assert "floor" in plot.svg


def test_the_hosts_plot_names_each_suite_once() -> None:
    plot = host_plot.nanoseconds([timed("auto", "message"), timed("channel", "message"), timed("auto", "empty_loop")])
    assert isinstance(plot, Plot)
    assert plot.wide
    assert [plot.svg.count(f">{text}<") for text in ("auto", "channel", "message", "empty_loop")] == [1, 1, 2, 0]


def test_the_hosts_plot_is_left_out_where_nothing_was_timed() -> None:
    assert isinstance(host_plot.nanoseconds([timed("auto", "empty_loop")]), LeftOut)
