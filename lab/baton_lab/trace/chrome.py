# SPDX-License-Identifier: MIT
"""The trace as Chrome's JSON, which chrome://tracing, Perfetto's page and speedscope read.

A node is a process, a task a thread of it. A bar is a complete slice, a wake, a message or a call a flow of
two ends, the ready queue and the lost events are counters. Times are microseconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from baton_lab.base.files import write_atomically
from baton_lab.trace.model import Kind, Node, Trace
from baton_lab.trace.spans import TIMER, Bar, Flow, NodeSpans, Spans, State

FLOWS = {Kind.ready: "wakes", Kind.sent: "message", Kind.call: "call"}
JsonObject = dict[str, Any]


def write(trace: Trace, made: Spans, path: Path) -> None:
    """Writes the file as a whole or not at all.

    Cost     about 150 bytes for each bar.
    """
    write_atomically(path, render(trace, made))


def render(trace: Trace, made: Spans) -> str:
    """Returns the text of the file, an event on each line."""
    encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    about = encode({"source": trace.source, "simulated": trace.simulated})
    lines = ",\n".join(map(encode, events(trace, made)))
    return f'{{"displayTimeUnit":"ns","otherData":{about},"traceEvents":[\n{lines}\n]}}\n'


def events(trace: Trace, made: Spans) -> Iterator[JsonObject]:
    """Yields the events: names first, then the bars of each node, then counters and flows."""
    threads = [{who: index for index, who in enumerate(each.figures, 1)} for each in made.nodes]
    for index, (node, each) in enumerate(zip(trace.nodes, made.nodes, strict=True)):
        yield from _names(index, node, threads[index])
        for bar in each.bars:
            yield _slice(index, node, threads[index], bar)
        yield from _counters(index, node, each)
    for number, flow in enumerate(made.flows, 1):
        yield from _flow(number, flow, trace, threads)


def _names(index: int, node: Node, threads: dict[int, int]) -> Iterator[JsonObject]:
    lost = f", {node.lost} events lost" if node.lost else ""
    yield {"ph": "M", "pid": index + 1, "name": "process_name", "args": {"name": f"{node.name}{lost}"}}
    for who, thread in threads.items():
        name = {"name": node.label(who)}
        yield {"ph": "M", "pid": index + 1, "tid": thread, "name": "thread_name", "args": name}


def _slice(index: int, node: Node, threads: dict[int, int], bar: Bar) -> JsonObject:
    begin, end = node.ns(bar.begin), node.ns(bar.end)
    made: JsonObject = {
        "ph": "X", "pid": index + 1, "tid": threads[bar.who], "ts": begin / 1000, "dur": (end - begin) / 1000,
        "cat": bar.state.name, "name": bar_name(node, bar),
    }  # fmt: skip
    arguments = {}
    if bar.state is State.waiting and bar.point in node.points:
        arguments["at"] = node.points[bar.point].place
    if bar.by:
        arguments["woken by"] = node.label(bar.by)
    if bar.cut_begin or bar.cut_end:
        arguments["not seen"] = "beginning" if bar.cut_begin else "end"
    return {**made, "args": arguments} if arguments else made


def bar_name(node: Node, bar: Bar) -> str:
    """Returns the name of a bar's slice: the task of a step, or the thing that is waited for."""
    if bar.state is State.running:
        return node.label(bar.who)
    if bar.state is State.waiting:
        return f"waits for {'a timer' if bar.on == TIMER else node.label(bar.on)}"
    return bar.state.name


def _counters(index: int, node: Node, made: NodeSpans) -> Iterator[JsonObject]:
    for name, course in (("ready queue", made.depth), ("events lost", made.lost)):
        for at, value in course:
            yield {"ph": "C", "pid": index + 1, "ts": node.ns(at) / 1000, "name": name, "args": {"value": value}}


def _flow(number: int, flow: Flow, trace: Trace, threads: list[dict[int, int]]) -> Iterator[JsonObject]:
    name = FLOWS[flow.kind]
    begin, end = trace.nodes[flow.from_node].ns(flow.from_at), trace.nodes[flow.to_node].ns(flow.to_at)
    shared = {"cat": name, "name": name, "id": number}
    yield {**shared, "ph": "s", "pid": flow.from_node + 1, "tid": threads[flow.from_node][flow.from_who],
           "ts": begin / 1000}  # fmt: skip
    yield {**shared, "ph": "f", "bp": "e", "pid": flow.to_node + 1, "tid": threads[flow.to_node][flow.to_who],
           "ts": end / 1000}  # fmt: skip
