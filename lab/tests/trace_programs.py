# SPDX-License-Identifier: MIT
"""A small scheduler in Python, which runs tasks that send, call, sleep and yield, and records a trace of it.

A trace depends on its seed and size alone. The simulation also keeps what it did, apart from the events,
so that a test can hold bars and flows to it.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from dataclasses import dataclass, field

from baton_lab.trace.model import Event, Kind, Name, Node, Trace

LOOP, INTERRUPT = 1, 2
FIRST_TASK, FIRST_OBJECT, FIRST_POINT = 16, 4096, 1
WORDS = ("sensor", "radio", "logger", "motor", "display", "uplink", "watch", "filter", "button", "store")


@dataclass
class Truth:
    """The deeds of the scheduler: steps as (task, begin, end), waits as (task, object, begin, end), joined messages."""

    steps: list[tuple[int, int, int]] = field(default_factory=list)
    waits: list[tuple[int, int, int, int]] = field(default_factory=list)
    messages: list[tuple[int, int, int, int]] = field(default_factory=list)
    wakes: list[tuple[int, int, int]] = field(default_factory=list)


class Scheduler:
    """One node: a ready queue, timers, channels of one slot, and an interrupt that wakes the first task."""

    def __init__(self, seed: int, tasks: int = 8, name: str = "node", ticks_per_second: int = 2_000_000) -> None:
        self.random = random.Random(seed)
        self.tasks = list(range(FIRST_TASK, FIRST_TASK + tasks))
        self.channels = list(range(FIRST_OBJECT, FIRST_OBJECT + max(1, tasks // 2)))
        self.node = Node(name, ticks_per_second, self._names(), self._points())
        self.truth = Truth()
        self.now = 0
        self.ready: deque[int] = deque()
        self.timers: list[tuple[int, int]] = []
        self.queued: dict[int, tuple[int, int, int]] = {}
        self.receivers: dict[int, deque[int]] = {channel: deque() for channel in self.channels}
        self.waiting: dict[int, tuple[int, int]] = {}
        self.messages = 0

    def _names(self) -> dict[int, Name]:
        names = {LOOP: Name("loop", "loop"), INTERRUPT: Name("TIMER1_COMPA", "interrupt")}
        for index, task in enumerate(self.tasks):
            word = WORDS[index % len(WORDS)]
            text = word if index < len(WORDS) else f"{word}_{index // len(WORDS)}"
            names[task] = Name(text, "task", f"src/{word}.cpp", 12 + index % 90)
        for index, channel in enumerate(self.channels):
            names[channel] = Name(f"channel {WORDS[index % len(WORDS)]}_{index}", "object", "src/main.cpp", 9 + index)
        return names

    def _points(self) -> dict[int, Name]:
        return {
            FIRST_POINT + index: Name(self.node_word(index), "task", f"src/{self.node_word(index)}.cpp", 20 + 3 * index)
            for index in range(2 * len(self.tasks))
        }

    def node_word(self, index: int) -> str:
        return WORDS[index // 2 % len(WORDS)]

    def run(self, events: int) -> Node:
        """Runs until there are so many events."""
        for task in self.tasks:
            self._tell(Kind.ready, task)
            self.ready.append(task)
        while len(self.node.events) < events:
            if self.ready:
                self._step(self.ready.popleft())
            else:
                self._sleep()
        del self.node.events[events:]
        return self.node

    def _tell(self, kind: Kind, who: int, on: int = 0, value: int = 0) -> None:
        self.node.events.append(Event(self.now, kind, who, on, value))

    def _step(self, task: int) -> None:
        self._tell(Kind.run, task)
        begin = self.now
        self.now += 1 + int(self.random.expovariate(1 / 40))
        draw = self.random.random()
        if draw < 0.4:
            self._send(task)
            self.now += 3
        if draw < 0.1:
            self._tell(Kind.ready, task)
            self.ready.append(task)
        elif draw < 0.55:
            self._receive(task)
        else:
            self._delay(task)
        self.truth.steps.append((task, begin, self.now))

    def _send(self, task: int) -> None:
        channel = self.random.choice(self.channels)
        if channel in self.queued:
            return
        self.messages += 1
        self._tell(Kind.sent, task, channel, self.messages)
        self.queued[channel] = (task, self.now, self.messages)
        if self.receivers[channel]:
            self._wake(self.receivers[channel].popleft(), task)

    def _receive(self, task: int) -> None:
        channel = self.random.choice(self.channels)
        if channel in self.queued:
            sender, at, message = self.queued.pop(channel)
            self._tell(Kind.received, task, channel, message)
            self.truth.messages.append((sender, at, task, self.now))
            self._tell(Kind.ready, task)
            self.ready.append(task)
        else:
            self._wait(task, channel)
            self.receivers[channel].append(task)
            heapq.heappush(self.timers, (self.now + 4000, task))

    def _delay(self, task: int) -> None:
        length = 50 + int(self.random.expovariate(1 / 900))
        self._tell(Kind.timer_armed, task, 0, self.now + length)
        heapq.heappush(self.timers, (self.now + length, task))
        self._wait(task, 0)

    def _wait(self, task: int, on: int) -> None:
        point = FIRST_POINT + 2 * (task - FIRST_TASK) + (1 if on else 0)
        self._tell(Kind.wait, task, on, point)
        self.waiting[task] = (on, self.now)

    def _wake(self, task: int, by: int) -> None:
        on, since = self.waiting.pop(task)
        self.truth.waits.append((task, on, since, self.now))
        self.truth.wakes.append((by, task, self.now))
        self._tell(Kind.ready, task, by)
        self.ready.append(task)

    def _sleep(self) -> None:
        self._tell(Kind.idle, LOOP)
        at, task = heapq.heappop(self.timers)
        self.now = max(self.now + 1, at)
        self._tell(Kind.irq_enter, INTERRUPT)
        if task in self.waiting:
            for queue in self.receivers.values():
                if task in queue:
                    queue.remove(task)
            self._tell(Kind.timer_fired, task)
            self._wake(task, INTERRUPT)
        self.now += 2
        self._tell(Kind.irq_exit, INTERRUPT)


def trace_of(seed: int, events: int, tasks: int = 8, nodes: int = 1) -> Trace:
    """Returns a trace of nodes that do not speak to each other."""
    made = [Scheduler(seed + index, tasks, f"node{index}").run(events // nodes) for index in range(nodes)]
    return Trace(made, simulated=True, source=f"a simulation with the seed {seed}")
