# SPDX-License-Identifier: MIT
"""A trace in a few lines of a terminal: nodes, losses, and the tasks with the longest steps."""

from __future__ import annotations

from collections.abc import Iterator

from baton_lab.trace.model import Node, Trace
from baton_lab.trace.spans import Figures, NodeSpans, Spans

MOST = 8
NAME = 28
UNITS = ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"), (1, "ns"))


def lines(trace: Trace, made: Spans) -> list[str]:
    """Returns the lines, of at most 80 columns."""
    about = "simulated" if trace.simulated else "measured"
    found = [f"{trace.size:,} events of {len(trace.nodes)} node{'s' if len(trace.nodes) != 1 else ''}, {about}"]
    for node, each in zip(trace.nodes, made.nodes, strict=True):
        found += _node(node, each)
    return found


def _node(node: Node, made: NodeSpans) -> Iterator[str]:
    lost = f", {node.lost:,} events lost" if node.lost else ""
    deepest = max((depth for _, depth in made.depth), default=0)
    yield f"{cut(node.name, NAME)}: {duration(node, made.end)}, at most {deepest} ready{lost}"
    ranked = sorted(made.figures.items(), key=lambda item: -item[1].longest)
    tasks = [(who, figures) for who, figures in ranked if figures.steps]
    if tasks:
        yield f"  {'task':{NAME}} {'steps':>9} {'ran':>10} {'longest':>10} {'waits':>9}"
    for who, figures in tasks[:MOST]:
        yield _task(node, who, figures)
    if len(tasks) > MOST:
        yield f"  and {len(tasks) - MOST} more"


def _task(node: Node, who: int, figures: Figures) -> str:
    ran, longest = duration(node, figures.run), duration(node, figures.longest)
    return f"  {cut(node.label(who), NAME):{NAME}} {figures.steps:>9,} {ran:>10} {longest:>10} {figures.waits:>9,}"


def cut(text: str, columns: int) -> str:
    """Returns a name within so many columns."""
    return text if len(text) <= columns else f"{text[: columns - 3]}..."


def duration(node: Node, ticks: int) -> str:
    """Words a duration of the node with three digits."""
    ns = ticks * 1_000_000_000 / node.ticks_per_second
    size, name = next(((size, name) for size, name in UNITS if ns >= size), UNITS[-1])
    shown = ns / size
    return f"{shown:.0f} {name}" if shown >= 100 or size == 1 else f"{shown:.3g} {name}"
