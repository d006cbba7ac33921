# SPDX-License-Identifier: MIT
"""Perfetto's file, read back by the descriptors of its package: tracks, slices, flows, counters and lines."""

from __future__ import annotations

import importlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from trace_programs import trace_of

from baton_lab.base.project import ROOT
from baton_lab.setup import trace_packages
from baton_lab.trace import perfetto
from baton_lab.trace.chrome import bar_name
from baton_lab.trace.model import Event, Kind, Name, Node, Trace
from baton_lab.trace.spans import State, spans

pytestmark = pytest.mark.skipif(
    not trace_packages.is_complete(ROOT), reason="./baton trace FILE --perfetto OUT installs its package"
)


@dataclass
class Read:
    """The content of a file."""

    tracks: dict[int, Any] = field(default_factory=dict)
    slices: list[tuple[str, str, int, int]] = field(default_factory=list)
    flows: dict[int, list[tuple[int, str, int]]] = field(default_factory=lambda: defaultdict(list))
    counters: dict[tuple[int, str], list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    begins: list[Any] = field(default_factory=list)
    last: int = 0


def read(data: bytes) -> Read:
    """Reads a file as its format is documented: names by their numbers, ends to the innermost slice of their track."""
    messages = importlib.import_module(perfetto.MESSAGES)
    packets = messages.Trace.FromString(data).packet
    found, names, open_slices = Read(), dict[int, str](), defaultdict[int, list[tuple[str, int]]](list)
    assert packets[0].sequence_flags == messages.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
    kinds = messages.TrackEvent
    for packet in packets:
        if packet.HasField("track_descriptor"):
            found.tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        for each in packet.interned_data.event_names:
            assert each.iid not in names and each.name not in names.values(), "a name stands in the file once"
            names[each.iid] = each.name
        if not packet.HasField("track_event"):
            continue
        event, at = packet.track_event, packet.timestamp
        assert at >= found.last
        found.last = at
        track = found.tracks[event.track_uuid]
        if event.type == kinds.TYPE_SLICE_BEGIN:
            open_slices[track.uuid].append((names[event.name_iid], at))
            found.begins.append(event)
        elif event.type == kinds.TYPE_SLICE_END:
            name, begin = open_slices[track.uuid].pop()
            found.slices.append((track.name, name, begin, at))
        elif event.type == kinds.TYPE_COUNTER:
            found.counters[track.parent_uuid, track.name].append((at, event.counter_value))
        else:
            ((number, end),) = [(each, 0) for each in event.flow_ids] + [
                (each, 1) for each in event.terminating_flow_ids
            ]
            found.flows[number].append((end, track.name, at))
    assert not any(open_slices.values())
    return found


@pytest.fixture(autouse=True)
def package() -> None:
    trace_packages.use(ROOT)


def test_slices_flows_names_and_counters_are_those_of_the_stream(tmp_path: Path) -> None:
    trace = trace_of(3, 4000, nodes=2)
    trace.nodes[1].started = 70_000
    made = spans(trace)
    perfetto.write(trace, made, tmp_path / "a.pftrace")
    found = read((tmp_path / "a.pftrace").read_bytes())
    tops = {track.uuid: track.name for track in found.tracks.values() if not track.parent_uuid}
    assert list(tops.values()) == ["node0", "node1"]
    expected = [
        (node.label(bar.who), bar_name(node, bar), node.ns(bar.begin), node.ns(bar.end))
        for node, each in zip(trace.nodes, made.nodes, strict=True)
        for bar in each.bars
    ]
    assert sorted(found.slices) == sorted(expected)
    assert len(found.flows) == len(made.flows)
    for number, flow in enumerate(made.flows, 1):
        one, other = trace.nodes[flow.from_node], trace.nodes[flow.to_node]
        assert found.flows[number] == [
            (0, one.label(flow.from_who), one.ns(flow.from_at)), (1, other.label(flow.to_who), other.ns(flow.to_at))
        ]  # fmt: skip
    for index, top in enumerate(tops):
        node, each = trace.nodes[index], made.nodes[index]
        assert found.counters[top, "ready queue"] == [(node.ns(at), depth) for at, depth in each.depth]


def test_a_wait_has_its_line_its_function_and_its_waker() -> None:
    events = [Event(0, Kind.run, 1), Event(2, Kind.wait, 1, 9, 4), Event(7, Kind.ready, 1, 2), Event(8, Kind.run, 1)]
    node = Node("board", 1_000_000, {2: Name("writer", "task")}, {4: Name("read", "task", "src/a.cpp", 12)}, events)
    trace = Trace([node])
    (wait,) = [
        each
        for each in read(perfetto.to_bytes(trace, spans(trace))).begins
        if State.waiting.name in each.categories
    ]  # fmt: skip
    place = wait.source_location
    assert (place.file_name, place.line_number, place.function_name) == ("src/a.cpp", 12, "read")
    assert [(each.name, each.string_value) for each in wait.debug_annotations] == [("woken by", "writer")]
