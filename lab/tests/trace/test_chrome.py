# SPDX-License-Identifier: MIT
"""Chrome's JSON: what it says is what bars, flows and counters say."""

from __future__ import annotations

import json
from pathlib import Path

from trace_programs import trace_of

from baton_lab.trace import chrome
from baton_lab.trace.model import Event, Kind, Name, Node, Trace
from baton_lab.trace.spans import spans


def test_a_wait_has_its_line_and_its_waker() -> None:
    names = {1: Name("reader", "task"), 9: Name("input", "object")}
    events = [Event(0, Kind.run, 1), Event(2, Kind.wait, 1, 9, 4), Event(7, Kind.ready, 1, 2), Event(8, Kind.run, 1)]
    node = Node("board", 1_000_000, names, {4: Name("read", "task", "src/a.cpp", 12)}, events)
    read = json.loads(chrome.render(Trace([node], simulated=True, source="by hand"), spans(Trace([node]))))
    assert read["otherData"] == {"source": "by hand", "simulated": True}
    slices = [each for each in read["traceEvents"] if each["ph"] == "X"]
    assert slices[0] == {
        "ph": "X", "pid": 1, "tid": 1, "ts": 0.0, "dur": 2.0, "cat": "running", "name": "reader"
    }  # fmt: skip
    assert slices[1] == {
        "ph": "X", "pid": 1, "tid": 1, "ts": 2.0, "dur": 5.0, "cat": "waiting", "name": "waits for input",
        "args": {"at": "src/a.cpp:12", "woken by": "0x2"},
    }  # fmt: skip


def test_every_bar_flow_name_and_counter_is_in_the_file(tmp_path: Path) -> None:
    trace = trace_of(2, 3000, nodes=2)
    trace.nodes[0].events.insert(900, Event(trace.nodes[0].events[899].at, Kind.overflow, 0, 0, 5))
    made = spans(trace)
    chrome.write(trace, made, tmp_path / "a.json")
    events = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["traceEvents"]
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert [e["args"]["name"] for e in events if e["name"] == "process_name"] == ["node0", "node1"]
    found = sorted(
        (e["pid"], threads[e["pid"], e["tid"]], e["ts"], e["dur"], e["cat"]) for e in events if e["ph"] == "X"
    )
    expected = sorted(
        (index + 1, node.label(bar.who), node.ns(bar.begin) / 1000, (node.ns(bar.end) - node.ns(bar.begin)) / 1000,
         bar.state.name)
        for index, (node, each) in enumerate(zip(trace.nodes, made.nodes, strict=True))
        for bar in each.bars
    )  # fmt: skip
    assert found == expected
    ends = {"s": {}, "f": {}}  # type: dict[str, dict[int, tuple[str, float]]]
    for each in events:
        if each["ph"] in ends:
            ends[each["ph"]][each["id"]] = (threads[each["pid"], each["tid"]], each["ts"])
    flows = [(ends["s"][number], ends["f"][number]) for number in sorted(ends["s"])]
    assert flows == [
        ((trace.nodes[flow.from_node].label(flow.from_who), trace.nodes[flow.from_node].ns(flow.from_at) / 1000),
         (trace.nodes[flow.to_node].label(flow.to_who), trace.nodes[flow.to_node].ns(flow.to_at) / 1000))
        for flow in made.flows
    ]  # fmt: skip
    lost = [(e["ts"], e["args"]["value"]) for e in events if e["ph"] == "C" and e["name"] == "events lost"]
    assert lost == [(trace.nodes[0].ns(at) / 1000, total) for at, total in made.nodes[0].lost]
    depth = [e["args"]["value"] for e in events if e["ph"] == "C" and e["name"] == "ready queue" and e["pid"] == 2]
    assert depth == [value for _, value in made.nodes[1].depth]
