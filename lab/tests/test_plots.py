# SPDX-License-Identifier: MIT
from baton_lab import plots
from baton_lab.plotting import Plot
from baton_lab.rows import CpuRow, Figure


def row(board: str, nanoseconds: float) -> CpuRow:
    figure = Figure(unit="ns", valid="measured", gross=nanoseconds, net=nanoseconds)
    return CpuRow(board=board, suite="auto", case=plots.SWITCH_CASE, params={}, iterations=1, figure=figure)


def test_a_switch_of_nanoseconds_lies_within_the_axis() -> None:
    plot = plots.switch([row("host", 9.7), row("slow", 2560.0)], {})
    assert isinstance(plot, Plot)
    assert "0.0097" in plot.svg  # what lies outside has no label
    assert "2.56" in plot.svg
