# SPDX-License-Identifier: MIT
"""Bars, flows, counters and figures out of events: by hand, against what a simulated scheduler did, and with losses."""

from __future__ import annotations

from itertools import pairwise

import pytest
from trace_programs import INTERRUPT, LOOP, Scheduler

from baton_lab.trace.model import Event, Kind, Node, Trace
from baton_lab.trace.spans import Bar, Figures, Flow, Mark, NodeSpans, Spans, State, spans

A, B, C, CHANNEL = 1, 2, 3, 9


def of(*events: Event, lost: int = 0) -> Spans:
    return spans(Trace([Node("n", 1000, events=list(events), lost=lost)]))


def bars_of(made: NodeSpans, who: int) -> list[Bar]:
    return [bar for bar in made.bars if bar.who == who]


def test_a_wake_by_another_task_is_bars_and_a_flow() -> None:
    made = of(
        Event(0, Kind.run, A), Event(4, Kind.wait, A, CHANNEL, 7), Event(5, Kind.run, B), Event(6, Kind.ready, A, B),
        Event(8, Kind.done, B), Event(9, Kind.run, A), Event(12, Kind.done, A),
    )  # fmt: skip
    (node,) = made.nodes
    assert bars_of(node, A) == [
        Bar(A, 0, 4, State.running),
        Bar(A, 4, 6, State.waiting, CHANNEL, 7, by=B),
        Bar(A, 6, 9, State.ready, by=B),
        Bar(A, 9, 12, State.running, by=B),
    ]
    assert bars_of(node, B) == [Bar(B, 5, 8, State.running)]
    assert made.flows == [Flow(Kind.ready, 0, B, 6, 0, A, 6)]
    assert node.depth == [(6, 1), (9, 0)]
    expected = Figures(
        steps=2, run=7, longest=4, longest_at=0, waits=1, waited=2, longest_wait=2, longest_ready=3, bars=4
    )
    assert node.figures[A] == expected


def test_a_step_ends_by_a_yield_a_hand_over_and_a_cancel() -> None:
    (node,) = of(
        Event(0, Kind.run, A), Event(2, Kind.ready, A), Event(3, Kind.run, A), Event(5, Kind.wait, A, CHANNEL),
        Event(5, Kind.run, B), Event(7, Kind.wait, B), Event(7, Kind.run, A), Event(8, Kind.wait, A),
        Event(9, Kind.done, B), Event(10, Kind.ready, A), Event(11, Kind.done, A),
    ).nodes  # fmt: skip
    assert bars_of(node, A) == [
        Bar(A, 0, 2, State.running), Bar(A, 2, 3, State.ready), Bar(A, 3, 5, State.running),
        Bar(A, 5, 7, State.waiting, CHANNEL), Bar(A, 7, 8, State.running), Bar(A, 8, 10, State.waiting),
        Bar(A, 10, 11, State.ready),
    ]  # fmt: skip
    assert bars_of(node, B) == [Bar(B, 5, 7, State.running), Bar(B, 7, 9, State.waiting)]


def test_idle_lasts_until_the_next_event_and_marks_are_kept() -> None:
    (node,) = of(
        Event(0, Kind.idle, LOOP), Event(1, Kind.sync, 0, 0, 55), Event(4, Kind.irq_enter, A),
        Event(4, Kind.timer_fired, B), Event(5, Kind.irq_exit, A), Event(6, Kind.priority, B, 0, 3),
        Event(7, Kind.state, B, 0, 2), Event(8, Kind.timer_armed, B, 0, 90),
    ).nodes  # fmt: skip
    assert node.bars == [Bar(LOOP, 0, 4, State.idle), Bar(A, 4, 5, State.running)]
    assert node.marks == [
        Mark(B, 4, Kind.timer_fired, 0), Mark(B, 6, Kind.priority, 3), Mark(B, 7, Kind.state, 2),
        Mark(B, 8, Kind.timer_armed, 90),
    ]  # fmt: skip


def test_a_beginning_that_is_not_seen_is_cut_and_counts_in_no_figure() -> None:
    (node,) = of(
        Event(0, Kind.run, C), Event(3, Kind.wait, C), Event(8, Kind.wait, A, CHANNEL), Event(9, Kind.ready, B),
        Event(12, Kind.run, A), Event(14, Kind.sync, 0),
    ).nodes  # fmt: skip
    assert bars_of(node, A) == [
        Bar(A, 3, 8, State.running, cut_begin=True),  # C's step ended at 3, so A's cannot have begun before
        Bar(A, 8, 12, State.waiting, CHANNEL),
        Bar(A, 12, 14, State.running, cut_end=True),
    ]
    assert bars_of(node, B) == [Bar(B, 9, 14, State.ready, cut_end=True)]
    assert (node.figures[A].steps, node.figures[A].longest, node.figures[A].waits) == (0, 0, 1)


def test_an_overflow_ends_what_is_known_and_is_counted() -> None:
    (node,) = of(
        Event(0, Kind.run, A), Event(2, Kind.ready, B), Event(3, Kind.sent, A, CHANNEL, 1),
        Event(5, Kind.overflow, 0, 0, 40), Event(6, Kind.received, B, CHANNEL, 1), Event(7, Kind.wait, B),
        Event(9, Kind.overflow, 0, 0, 2), lost=50,
    ).nodes  # fmt: skip
    assert node.bars == [
        Bar(A, 0, 5, State.running, cut_end=True), Bar(B, 2, 5, State.ready, cut_end=True),
        Bar(B, 5, 7, State.running, cut_begin=True), Bar(B, 7, 9, State.waiting, cut_end=True),
    ]  # fmt: skip
    assert node.lost == [(0, 8), (5, 48), (9, 50)]
    assert node.depth == [(2, 1), (5, 0)]


def test_a_message_whose_end_was_lost_joins_nothing() -> None:
    made = of(
        Event(0, Kind.sent, A, CHANNEL, 1), Event(5, Kind.overflow, 0, 0, 40), Event(6, Kind.received, B, CHANNEL, 1)
    )
    assert made.flows == []


def test_messages_and_calls_are_joined_by_object_and_id() -> None:
    made = of(
        Event(0, Kind.sent, A, CHANNEL, 1), Event(1, Kind.call, A, 8, 1), Event(2, Kind.sent, B, 7, 1),
        Event(3, Kind.received, C, 7, 1), Event(4, Kind.reply, B, 8, 1), Event(5, Kind.received, B, CHANNEL, 1),
        Event(6, Kind.received, B, CHANNEL, 1),
    )  # fmt: skip
    assert made.flows == [
        Flow(Kind.sent, 0, A, 0, 0, B, 5), Flow(Kind.call, 0, A, 1, 0, B, 4), Flow(Kind.sent, 0, B, 2, 0, C, 3)
    ]  # fmt: skip


def test_nodes_are_joined_by_id_on_the_common_clock() -> None:
    one = Node("one", 1000, events=[Event(0, Kind.sent, A, 5, 77), Event(9, Kind.sent, A, 5, 78)], started=0)
    other = Node("other", 2000, events=[Event(0, Kind.received, B, 6, 77), Event(1, Kind.received, B, 6, 78)],
                 started=4_000_000)  # fmt: skip
    assert spans(Trace([one, other])).flows == [Flow(Kind.sent, 0, A, 0, 1, B, 0)]  # 78 came before it was sent


@pytest.mark.parametrize("seed", range(8))
def test_bars_and_flows_are_what_the_scheduler_did(seed: int) -> None:
    scheduler = Scheduler(seed, tasks=2 + 3 * seed)
    node, truth = scheduler.run(1500), scheduler.truth
    made = spans(Trace([node]))
    (found,) = made.nodes
    end = node.events[-1].at
    tasks = set(scheduler.tasks)
    whole = [bar for bar in found.bars if bar.who in tasks and not bar.cut_end]
    assert not any(bar.cut_begin for bar in found.bars)
    steps = sorted((bar.who, bar.begin, bar.end) for bar in whole if bar.state is State.running and bar.end < end)
    assert steps == sorted(step for step in truth.steps if step[2] < end)
    waits = sorted(
        (bar.who, bar.on, bar.begin, bar.end) for bar in whole if bar.state is State.waiting and bar.end < end
    )
    assert waits == sorted(wait for wait in truth.waits if wait[3] < end)
    wakes = sorted((flow.from_who, flow.to_who, flow.to_at) for flow in made.flows if flow.kind is Kind.ready)
    assert [wake for wake in wakes if wake[2] < end] == sorted(wake for wake in truth.wakes if wake[2] < end)
    messages = sorted(
        (flow.from_who, flow.from_at, flow.to_who, flow.to_at) for flow in made.flows if flow.kind is Kind.sent
    )
    assert [each for each in messages if each[3] < end] == sorted(each for each in truth.messages if each[3] < end)
    assert INTERRUPT in found.figures and LOOP in found.figures


def overlaps(bars: list[Bar]) -> list[tuple[Bar, Bar]]:
    return [(one, other) for one, other in pairwise(bars) if other.begin < one.end]


@pytest.mark.parametrize("seed", range(8))
def test_a_ring_that_lost_its_beginning_shows_the_rest_as_it_was(seed: int) -> None:
    node = Scheduler(seed, tasks=6).run(1200)
    (whole,) = spans(Trace([node])).nodes
    for kept in (3, 40, 400, 1100):
        late = node.events[-kept:]
        (found,) = spans(Trace([Node("n", node.ticks_per_second, events=late, lost=1200 - kept)])).nodes
        assert found.lost == [(0, 1200 - kept)]
        known = {bar._replace(by=0) for bar in found.bars if not bar.cut_begin}
        assert known <= {bar._replace(by=0) for bar in whole.bars}
        assert {bar._replace(by=0) for bar in whole.bars if bar.begin > late[0].at} <= known
        by_row: dict[int, list[Bar]] = {}
        for bar in found.bars:
            by_row.setdefault(bar.who, []).append(bar)
        assert [overlaps(bars) for bars in by_row.values()] == [[] for _ in by_row]
