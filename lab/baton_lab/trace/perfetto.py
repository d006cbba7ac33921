# SPDX-License-Identifier: MIT
"""The trace in Perfetto's own format, by the classes of its Python package.

A node is a track with a track for each task below it and two counters. A bar is a slice; the name of each kind of
slice stands in the file once. A wake, a message or a call is a flow between two instants, each on its task's track.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from baton_lab.base.files import write_bytes_atomically
from baton_lab.trace.chrome import FLOWS, bar_name
from baton_lab.trace.model import Node, Trace
from baton_lab.trace.spans import Bar, Flow, NodeSpans, Spans, State

SEQUENCE = 1
MESSAGES = "perfetto.protos.perfetto.trace.perfetto_trace_pb2"
BUILDER = "perfetto.trace_builder.proto_builder"


@dataclass
class _Entry:
    """A packet with an event, before it is in its place."""

    at: int
    track: int
    kind: int
    name: str = ""
    bar: Bar | None = None
    flow: int = 0
    ends_flow: bool = False
    value: int = 0
    node: Node | None = None


@dataclass
class _Writer:
    """Packets in the order of their times, and the tracks that they are on."""

    messages: Any
    builder: Any
    names: dict[str, int] = field(default_factory=dict)
    tracks: dict[tuple[int, int], int] = field(default_factory=dict)
    next_track: int = 1

    def track(self, name: str, parent: int = 0, *, counts: bool = False) -> int:
        """Writes the description of a track; returns its id."""
        made, self.next_track = self.next_track, self.next_track + 1
        packet = self.builder.create_packet()
        descriptor = packet.track_descriptor
        descriptor.uuid, descriptor.name = made, name
        if parent:
            descriptor.parent_uuid = parent
        if counts:
            descriptor.counter.SetInParent()
        self.builder.write_packet(packet)
        return made

    def event(self, entry: _Entry) -> None:
        """Writes an event."""
        packet = self.builder.create_packet()
        packet.timestamp, packet.trusted_packet_sequence_id = entry.at, SEQUENCE
        packet.sequence_flags = self.messages.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
        event = packet.track_event
        event.track_uuid, event.type = entry.track, entry.kind
        if entry.name:
            event.name_iid = self.name(entry.name, packet)
        if entry.kind == self.messages.TrackEvent.TYPE_COUNTER:
            event.counter_value = entry.value
        if entry.flow:
            (event.terminating_flow_ids if entry.ends_flow else event.flow_ids).append(entry.flow)
        if entry.bar is not None and entry.node is not None:
            _describe(event, entry.node, entry.bar)
        self.builder.write_packet(packet)

    def name(self, text: str, packet: Any) -> int:
        """Returns the number of a name, which the packet brings where it is new."""
        if text not in self.names:
            self.names[text] = len(self.names) + 1
            interned = packet.interned_data.event_names.add()
            interned.iid, interned.name = self.names[text], text
        return self.names[text]


def write(trace: Trace, made: Spans, path: Path) -> None:
    """Writes the file as a whole or not at all.

    Context  the packages of `setup.trace_packages` are on the path.
    Cost     about a minute for 1,000,000 events.
    """
    write_bytes_atomically(path, to_bytes(trace, made))


def to_bytes(trace: Trace, made: Spans) -> bytes:
    """Returns the bytes of the file."""
    file = BytesIO()
    builder = importlib.import_module(BUILDER).StreamingTraceProtoBuilder(file)
    writer = _Writer(importlib.import_module(MESSAGES), builder)
    first = builder.create_packet()
    first.trusted_packet_sequence_id = SEQUENCE
    first.sequence_flags = writer.messages.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
    builder.write_packet(first)
    entries: list[_Entry] = []
    for index, (node, each) in enumerate(zip(trace.nodes, made.nodes, strict=True)):
        entries += _node(writer, index, node, each)
    entries += _flows(writer, trace, made)
    # The order is stable: a bar of no length begins before it ends.
    for entry in sorted(entries, key=lambda entry: entry.at):
        writer.event(entry)
    return file.getvalue()


def _node(writer: _Writer, index: int, node: Node, made: NodeSpans) -> Iterator[_Entry]:
    kinds = writer.messages.TrackEvent
    top = writer.track(node.name)
    for who in made.figures:
        writer.tracks[index, who] = writer.track(node.label(who), top)
    for bar in made.bars:
        track = writer.tracks[index, bar.who]
        name = bar_name(node, bar)
        yield _Entry(node.ns(bar.begin), track, kinds.TYPE_SLICE_BEGIN, name, bar, node=node)
        yield _Entry(node.ns(bar.end), track, kinds.TYPE_SLICE_END)
    for name, course in (("ready queue", made.depth), ("events lost", made.lost)):
        track = writer.track(name, top, counts=True)
        for at, value in course:
            yield _Entry(node.ns(at), track, kinds.TYPE_COUNTER, value=value)


def _flows(writer: _Writer, trace: Trace, made: Spans) -> Iterator[_Entry]:
    instant = writer.messages.TrackEvent.TYPE_INSTANT
    for number, flow in enumerate(made.flows, 1):
        begin, end = _ends(trace, flow)
        name = FLOWS[flow.kind]
        yield _Entry(begin, writer.tracks[flow.from_node, flow.from_who], instant, name, flow=number)
        yield _Entry(end, writer.tracks[flow.to_node, flow.to_who], instant, name, flow=number, ends_flow=True)


def _ends(trace: Trace, flow: Flow) -> tuple[int, int]:
    return trace.nodes[flow.from_node].ns(flow.from_at), trace.nodes[flow.to_node].ns(flow.to_at)


def _describe(event: Any, node: Node, bar: Bar) -> None:
    """Gives a slice the line of its wait, the waker, and the part that was not seen."""
    event.categories.append(bar.state.name)
    point = node.points.get(bar.point) if bar.state is State.waiting else None
    if point is not None and point.file:
        event.source_location.file_name, event.source_location.line_number = point.file, point.line
        event.source_location.function_name = point.text
    notes = {"woken by": node.label(bar.by) if bar.by else ""}
    notes["not seen"] = "beginning" if bar.cut_begin else "end" if bar.cut_end else ""
    for key, text in notes.items():
        if text:
            note = event.debug_annotations.add()
            note.name, note.string_value = key, text
