# SPDX-License-Identifier: MIT
"""A trace: what the jobs of one or more nodes did, event by event.

A decoder makes one out of a ring or a stream; pages and files are made of it. A node is one scheduler:
a board, a kernel, or one loop of a service.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

NS_PER_SECOND = 1_000_000_000


class Kind(enum.Enum):
    """The kind of an event. Its number is the code in a file, and never changes."""

    ready = 1
    """`who` was put in the ready queue; `on` woke it, 0 where nobody knows. After `run` it ends a step."""
    run = 2
    """A step of `who` begins."""
    wait = 3
    """A step ends, and `who` waits on `on`, 0 for a timer or a suspension, at the point `value`."""
    done = 4
    """A step ends, and the body of `who` with it."""
    idle = 5
    """Nothing is ready, until the next event of the node."""
    irq_enter = 6
    irq_exit = 7
    timer_armed = 8
    timer_fired = 9
    sent = 10
    """`who` sent a message into `on`; `value` is the id by which `received` names the same message."""
    received = 11
    call = 12
    """`who` called `on`; `value` is the id by which `reply` names the same call."""
    reply = 13
    priority = 14
    """The priority of `who` is `value`."""
    state = 15
    """The state of the service `who` is `value`."""
    overflow = 16
    """`value` events are lost here."""
    sync = 17
    """A mark for the decoder, which joins the clocks of the nodes by it."""


@dataclass(frozen=True, slots=True)
class Event:
    """A transition. `at` is in ticks since the first event of the node."""

    at: int
    kind: Kind
    who: int
    on: int = 0
    value: int = 0


@dataclass
class Name:
    """A name of an id. The role is task, loop, interrupt, service or object."""

    text: str
    role: str
    file: str = ""
    line: int = 0

    @property
    def place(self) -> str:
        """The line of the source as `file:line`; empty where nobody knows it."""
        return f"{self.file}:{self.line}" if self.file and self.line else self.file


@dataclass
class Node:
    """A scheduler with its events, the oldest first.

    Units    `started` is the time of the first event on the clock of the trace, in nanoseconds; 0 if nobody has joined
             the clocks. `lost` counts events, with those of `overflow`.
    """

    name: str
    ticks_per_second: int
    names: dict[int, Name] = field(default_factory=dict)
    points: dict[int, Name] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    lost: int = 0
    started: int = 0

    def ns(self, ticks: int) -> int:
        """Returns a time of the node on the clock of the trace."""
        return self.started + ticks * NS_PER_SECOND // self.ticks_per_second

    def label(self, id: int) -> str:
        """Returns the name of a task or object, or its number where it has none."""
        found = self.names.get(id)
        return found.text if found else f"0x{id:x}"


@dataclass
class Trace:
    """The events of nodes that ran together. `source` says where they come from, in words for a person."""

    nodes: list[Node] = field(default_factory=list)
    simulated: bool = False
    source: str = ""

    @property
    def size(self) -> int:
        """The number of events."""
        return sum(len(node.events) for node in self.nodes)
