# SPDX-License-Identifier: MIT
"""Bars, flows and counters out of the events of a trace, in one pass.

What is not seen is not invented. Where events are lost, at the beginning or in between, the state of every
task is unknown until an event tells it; a step whose beginning is not seen begins after the last one that is
seen to end, says so (`cut`), and counts in no figure.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from baton_lab.trace.model import Event, Kind, Node, Trace

TIMER = 0
"""The object of a wait for a timer, or of a suspension."""


class State(enum.IntEnum):
    """The state of a task for the time of a bar."""

    running = 0
    ready = 1
    waiting = 2
    idle = 3


class Bar(NamedTuple):
    """A task in one state. Times are ticks of the node; `on` and `point` are those of the wait, `by` woke the task."""

    who: int
    begin: int
    end: int
    state: State
    on: int = 0
    point: int = 0
    by: int = 0
    cut_begin: bool = False
    cut_end: bool = False


class Flow(NamedTuple):
    """A wake (`ready`), a message (`sent`), or a call and its reply (`call`), from one task to another."""

    kind: Kind
    from_node: int
    from_who: int
    from_at: int
    to_node: int
    to_who: int
    to_at: int


class Mark(NamedTuple):
    """An event of a row that is no change of state: a timer, a priority, a service's state."""

    who: int
    at: int
    kind: Kind
    value: int


@dataclass
class Figures:
    """The figures of a task in ticks, of those steps and waits that are seen as a whole."""

    steps: int = 0
    run: int = 0
    longest: int = 0
    longest_at: int = 0
    waits: int = 0
    waited: int = 0
    longest_wait: int = 0
    longest_ready: int = 0
    bars: int = 0

    def count(self, bar: Bar) -> None:
        """Adds a bar."""
        self.bars += 1
        if bar.cut_begin or bar.cut_end:
            return
        length = bar.end - bar.begin
        if bar.state is State.running:
            self.steps += 1
            self.run += length
            if length > self.longest or self.steps == 1:
                self.longest, self.longest_at = length, bar.begin
        elif bar.state is State.waiting:
            self.waits += 1
            self.waited += length
            self.longest_wait = max(self.longest_wait, length)
        elif bar.state is State.ready:
            self.longest_ready = max(self.longest_ready, length)


@dataclass
class NodeSpans:
    """Bars in the order of their ends; flows and marks in that of their times; counters as (time, value)."""

    bars: list[Bar] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    depth: list[tuple[int, int]] = field(default_factory=list)
    lost: list[tuple[int, int]] = field(default_factory=list)
    figures: dict[int, Figures] = field(default_factory=dict)
    end: int = 0


@dataclass
class Spans:
    """The bars of each node of a trace, and the flows of all."""

    nodes: list[NodeSpans]
    flows: list[Flow]


def spans(trace: Trace) -> Spans:
    """Makes bars, flows and counters of a trace.

    Cost     three to four seconds for 1,000,000 events.
    """
    flows: list[Flow] = []
    sent: list[_Pending] = []
    received: list[_Pending] = []
    found = []
    for index, node in enumerate(trace.nodes):
        each = _Pass(index, node, flows)
        found.append(each.carry_out())
        sent += each.open_ends.values()
        received += each.strangers
    _join_nodes(trace, sent, received, flows)
    flows.sort(key=lambda flow: trace.nodes[flow.from_node].ns(flow.from_at))
    return Spans(found, flows)


class _Pending(NamedTuple):
    """One end of a flow."""

    kind: Kind
    node: int
    event: Event


_BEGINNING = {Kind.received: Kind.sent, Kind.reply: Kind.call}


def _join_nodes(trace: Trace, sent: list[_Pending], received: list[_Pending], flows: list[Flow]) -> None:
    """Joins ends in different nodes that have the same id, in the order of the common clock."""
    waiting = {(end.kind, end.event.value): end for end in sent}
    for end in received:
        begin = waiting.get((end.kind, end.event.value))
        if begin is None or begin.node == end.node:
            continue
        if trace.nodes[begin.node].ns(begin.event.at) <= trace.nodes[end.node].ns(end.event.at):
            one, other = begin.event, end.event
            flows.append(Flow(end.kind, begin.node, one.who, one.at, end.node, other.who, other.at))
            del waiting[end.kind, end.event.value]


class _Open:
    """The state that a task is in."""

    __slots__ = ("begin", "by", "cut", "on", "point", "state")

    def __init__(self, state: State, begin: int) -> None:
        self.state, self.begin = state, begin
        self.on = self.point = self.by = 0
        self.cut = False


class _Pass:
    """One pass over the events of a node."""

    def __init__(self, index: int, node: Node, flows: list[Flow]) -> None:
        self.index, self.node, self.flows = index, node, flows
        self.made = NodeSpans()
        self.open: dict[int, _Open] = {}
        self.idle: int | None = None
        self.depth = 0
        self.total = 0
        self.seen_from = 0  # nothing is known of what was before
        self.open_ends: dict[tuple[Kind, int, int], _Pending] = {}
        self.strangers: list[_Pending] = []
        self.handlers: dict[Kind, Callable[[Event], None]] = {
            Kind.ready: self._ready, Kind.run: self._run, Kind.wait: self._wait, Kind.done: self._done,
            Kind.idle: self._idle, Kind.irq_enter: self._run, Kind.irq_exit: self._done, Kind.timer_armed: self._mark,
            Kind.timer_fired: self._mark, Kind.priority: self._mark, Kind.state: self._mark,
            Kind.sent: self._begins, Kind.call: self._begins, Kind.received: self._ends, Kind.reply: self._ends,
            Kind.overflow: self._overflow, Kind.sync: self._nothing,
        }  # fmt: skip

    def carry_out(self) -> NodeSpans:
        """Visits each event once, and ends what is open then."""
        handlers, sync = self.handlers, Kind.sync
        for event in self.node.events:
            if self.idle is not None and event.kind is not sync:
                self._close(self.idle, event.at)
                self.idle = None
            handlers[event.kind](event)
        self.made.end = self.node.events[-1].at if self.node.events else 0
        self._cut(self.made.end)
        if self.node.lost > self.total:  # those that no event of the ring tells of are from before it
            before = self.node.lost - self.total
            self.made.lost = [(0, before), *((at, before + count) for at, count in self.made.lost)]
        return self.made

    def _close(self, who: int, at: int, *, cut: bool = False) -> None:
        was = self.open.pop(who)
        if was.state is State.ready:
            self.depth -= 1
            self._count_ready(at)
        bar = Bar(who, was.begin, at, was.state, was.on, was.point, was.by, was.cut, cut)
        self.made.bars.append(bar)
        self._figures(who).count(bar)

    def _figures(self, who: int) -> Figures:
        found = self.made.figures.get(who)
        if found is None:
            found = self.made.figures[who] = Figures()
        return found

    def _count_ready(self, at: int) -> None:
        course = self.made.depth
        if course and course[-1][0] == at:
            course[-1] = (at, self.depth)
        else:
            course.append((at, self.depth))

    def _cut(self, at: int) -> None:
        for who in list(self.open):
            self._close(who, at, cut=True)

    def _end_step(self, event: Event) -> None:
        """Ends the step of a task, which may have begun before anything was seen."""
        was = self.open.get(event.who)
        if was is not None and was.state is not State.running:
            self._close(event.who, max(was.begin, self.seen_from), cut=True)
            was = None
        if was is None:
            began = self.open[event.who] = _Open(State.running, self.seen_from)
            began.cut = True
        self._close(event.who, event.at)
        self.seen_from = event.at

    def _ready(self, event: Event) -> None:
        was = self.open.get(event.who)
        if was is not None and was.state is State.ready:
            return
        if was is not None and was.state is State.running:
            self._close(event.who, event.at)
            self.seen_from = event.at
        elif was is not None:
            was.by = event.on
            self._close(event.who, event.at)
        begins = self.open[event.who] = _Open(State.ready, event.at)
        begins.by = event.on
        self.depth += 1
        self._count_ready(event.at)
        if event.on and event.on != event.who:
            self._figures(event.on)
            self.flows.append(Flow(Kind.ready, self.index, event.on, event.at, self.index, event.who, event.at))

    def _run(self, event: Event) -> None:
        was = self.open.get(event.who)
        by = 0
        if was is not None:
            by = was.by
            self._close(event.who, event.at, cut=was.state is State.running)
        begins = self.open[event.who] = _Open(State.running, event.at)
        begins.by = by

    def _wait(self, event: Event) -> None:
        was = self.open.get(event.who)
        if was is not None and was.state is State.waiting:
            self._close(event.who, event.at)
        else:
            self._end_step(event)
        begins = self.open[event.who] = _Open(State.waiting, event.at)
        begins.on, begins.point = event.on, event.value

    def _done(self, event: Event) -> None:
        was = self.open.get(event.who)
        if was is not None and was.state is not State.running and event.kind is Kind.done:
            self._close(event.who, event.at)  # destroyed or cancelled without a step of its own
        else:
            self._end_step(event)

    def _idle(self, event: Event) -> None:
        if event.who in self.open:
            self._close(event.who, event.at, cut=True)
        self.open[event.who] = _Open(State.idle, event.at)
        self.idle = event.who

    def _mark(self, event: Event) -> None:
        self._figures(event.who)
        self.made.marks.append(Mark(event.who, event.at, event.kind, event.value))

    def _begins(self, event: Event) -> None:
        self._figures(event.who)
        self.open_ends[event.kind, event.on, event.value] = _Pending(event.kind, self.index, event)

    def _ends(self, event: Event) -> None:
        self._figures(event.who)
        kind = _BEGINNING[event.kind]
        begin = self.open_ends.pop((kind, event.on, event.value), None)
        if begin is None:
            self.strangers.append(_Pending(kind, self.index, event))
            return
        one = begin.event
        self.flows.append(Flow(kind, self.index, one.who, one.at, self.index, event.who, event.at))

    def _overflow(self, event: Event) -> None:
        self.total += event.value
        self.made.lost.append((event.at, self.total))
        self._cut(event.at)
        self.open_ends.clear()  # an id may have been given again
        self.seen_from = event.at
        self.idle = None

    def _nothing(self, event: Event) -> None:
        """Leaves marks of the clock to the decoder."""
