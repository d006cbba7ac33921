# SPDX-License-Identifier: MIT
"""The trace as one HTML page that needs no network: rows of tasks, bars of steps, arrows for the wakes.

The bars are columns in the page, compressed; its script reads them. What the script needs is made here, once:
a bar is a gap and a length in ticks, so that most of the columns are zeros and small numbers.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from baton_lab.base.files import write_atomically
from baton_lab.trace.columns import pack
from baton_lab.trace.model import Kind, Node, Trace
from baton_lab.trace.spans import TIMER, Bar, Figures, Mark, NodeSpans, Spans, State

FOLDER = Path(__file__).with_name("page")
SCRIPTS = ("data", "colours", "model", "draw", "over", "minimap", "panel", "search", "page", "input", "start")
CUT_BEGIN, CUT_END = 16, 32
TIMER_TEXT = "a timer"
ROLES = ("loop", "interrupt", "service", "task")
"""The order of the rows of a node."""


@dataclass(frozen=True)
class Column:
    """A column as base64."""

    name: str
    width: int
    count: int
    text: Markup


@dataclass
class _Content:
    """The numbers of all columns, by name, and the rows and things that they point to."""

    columns: dict[str, list[int]] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    row_of: dict[tuple[int, int], int] = field(default_factory=dict)
    whats: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def add(self, name: str, numbers: Iterable[int]) -> None:
        """Appends to a column."""
        self.columns.setdefault(name, []).extend(numbers)


def write(trace: Trace, made: Spans, path: Path, title: str = "") -> None:
    """Writes the page as a whole or not at all.

    Cost     about four seconds for 1,000,000 events.
    """
    write_atomically(path, render(trace, made, title))


def render(trace: Trace, made: Spans, title: str = "") -> str:
    """Returns the text of the page."""
    content = _content(trace, made)
    lost = sum(node.lost for node in trace.nodes)
    environment = Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template("page.html.j2").render(
        title=title or _title(trace), simulated=trace.simulated, lost=lost, events=trace.size,
        described=_safe_json(_described(trace, made, content, lost)), columns=_encoded(content),
        style=Markup(_text("page.css")),
        script=Markup("\n".join(['"use strict";', *(_text(f"{name}.js") for name in SCRIPTS)])),
    )  # fmt: skip


def _title(trace: Trace) -> str:
    return f"Trace of {', '.join(node.name for node in trace.nodes[:3]) or 'nothing'}"


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _safe_json(value: object) -> Markup:
    """Returns JSON that cannot end the element in which it stands."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def _encoded(content: _Content) -> list[Column]:
    found = []
    for name, numbers in content.columns.items():
        width, data = pack(numbers)
        found.append(Column(name, width, len(numbers), Markup(base64.b64encode(data).decode("ascii"))))
    return found


def _described(trace: Trace, made: Spans, content: _Content, lost: int) -> dict[str, object]:
    nodes = [
        {"name": node.name, "tps": node.ticks_per_second, "started": node.started, "end": each.end, "lost": node.lost,
         "overflows": len(each.lost)}
        for node, each in zip(trace.nodes, made.nodes, strict=True)
    ]  # fmt: skip
    whats = [{"object": object, "place": place, "text": text} for object, place, text in content.whats]
    return {"source": trace.source, "events": trace.size, "lost": lost, "nodes": nodes, "rows": content.rows,
            "whats": whats}  # fmt: skip


def _content(trace: Trace, made: Spans) -> _Content:
    content = _Content()
    content.whats["", "", ""] = 0
    names = ("gap", "length", "state", "what", "by", "mark-gap", "mark-kind", "mark-value", "lost-gap", "lost-total")
    for name in (*names, "flow-at", "flow-after", "flow-from", "flow-to", "flow-kind"):
        content.columns[name] = []
    for index, (node, each) in enumerate(zip(trace.nodes, made.nodes, strict=True)):
        _add_rows(content, index, node, each)
    for index, (node, each) in enumerate(zip(trace.nodes, made.nodes, strict=True)):
        _add_bars(content, index, node, each.bars)
        _add_marks(content, index, each.marks)
        content.add("lost-gap", _differences([at for at, _ in each.lost]))
        content.add("lost-total", [total for _, total in each.lost])
    _add_flows(content, trace, made)
    return content


def _add_rows(content: _Content, index: int, node: Node, made: NodeSpans) -> None:
    """Gives each task of a node a row: loops and interrupts first, then the others as they came."""

    def rank(who: int) -> int:
        role = node.names[who].role if who in node.names else "task"
        return ROLES.index(role) if role in ROLES else len(ROLES)

    marks: dict[int, int] = {}
    for mark in made.marks:
        marks[mark.who] = marks.get(mark.who, 0) + 1
    for who in sorted(made.figures, key=rank):
        name, figures = node.names.get(who), made.figures[who]
        content.row_of[index, who] = len(content.rows)
        content.rows.append(
            {"node": index, "name": node.label(who), "role": name.role if name else "task",
             "place": name.place if name else "", "bars": figures.bars, "marks": marks.get(who, 0),
             "figures": _figures(figures)}
        )  # fmt: skip


def _figures(figures: Figures) -> dict[str, int]:
    return {key: value for key, value in asdict(figures).items() if key != "bars"}


def _add_bars(content: _Content, index: int, node: Node, bars: Sequence[Bar]) -> None:
    """Appends the bars of a node, row by row."""
    by_row: dict[int, list[Bar]] = {}
    for bar in bars:
        by_row.setdefault(content.row_of[index, bar.who], []).append(bar)
    for row in sorted(by_row):
        found = by_row[row]
        ends = [0, *(bar.end for bar in found)]
        content.add("gap", (bar.begin - end for bar, end in zip(found, ends, strict=False)))
        content.add("length", (bar.end - bar.begin for bar in found))
        content.add("state", (bar.state + CUT_BEGIN * bar.cut_begin + CUT_END * bar.cut_end for bar in found))
        content.add("what", _whats(content, node, found))
        content.add("by", (content.row_of.get((index, bar.by), -1) + 1 if bar.by else 0 for bar in found))


def _whats(content: _Content, node: Node, bars: Sequence[Bar]) -> list[int]:
    """Returns for each bar the number of the thing and the line that it waits for; 0 for one that does not wait."""
    known: dict[tuple[int, int], int] = {}
    found = []
    for bar in bars:
        if bar.state is not State.waiting:
            found.append(0)
            continue
        key = (bar.on, bar.point)
        if key not in known:
            point = node.points.get(bar.point)
            text = TIMER_TEXT if bar.on == TIMER else node.label(bar.on)
            what = (text, point.place if point else "", point.text if point else "")
            known[key] = content.whats.setdefault(what, len(content.whats))
        found.append(known[key])
    return found


def _add_marks(content: _Content, index: int, marks: Sequence[Mark]) -> None:
    by_row: dict[int, list[Mark]] = {}
    for mark in marks:
        by_row.setdefault(content.row_of[index, mark.who], []).append(mark)
    for row in sorted(by_row):
        found = by_row[row]
        content.add("mark-gap", _differences([mark.at for mark in found]))
        content.add("mark-kind", (mark.kind.value for mark in found))
        content.add("mark-value", (mark.value for mark in found))


def _add_flows(content: _Content, trace: Trace, made: Spans) -> None:
    """Appends messages and calls; a wake stands in its bar."""
    flows = [flow for flow in made.flows if flow.kind is not Kind.ready]
    begins = [trace.nodes[flow.from_node].ns(flow.from_at) for flow in flows]
    ends = [trace.nodes[flow.to_node].ns(flow.to_at) for flow in flows]
    first = min((node.started for node in trace.nodes), default=0)
    content.add("flow-at", _differences([begin - first for begin in begins]))
    content.add("flow-after", (end - begin for begin, end in zip(begins, ends, strict=True)))
    content.add("flow-from", (content.row_of[flow.from_node, flow.from_who] for flow in flows))
    content.add("flow-to", (content.row_of[flow.to_node, flow.to_who] for flow in flows))
    content.add("flow-kind", (flow.kind.value for flow in flows))


def _differences(numbers: Sequence[int]) -> list[int]:
    return [later - earlier for earlier, later in zip([0, *numbers], numbers, strict=False)]
