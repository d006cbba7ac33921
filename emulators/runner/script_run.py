# SPDX-License-Identifier: MIT
"""Turns a script into what one board's emulator is given, and gives the verdict of the run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from runner.script import Event, ScriptError, read
from runner.timeline import Timeline

BITS_OF_A_BYTE = 10
"""With the start bit and the stop bit."""

REAL_TIME_SLACK_US = 1_000_000
"""The time by which an expectation ends later on a board whose time is this machine's."""

SUPPLY_MV = {"simavr": 5000, "rp2040js": 3300}
"""The full scale of each emulator's ADC."""

REGISTER = re.compile(r"(0x[0-9a-f]{1,8}):([0-9]|[12][0-9]|3[01])")
"""A pin that QEMU shows: the address of a register, and its bit."""


class ScriptRefusedError(Exception):
    """The board cannot play the script; the message has the file, the line, the board and the reason."""


class Send(NamedTuple):
    """Bytes for the console's receiver, from a time of the board on."""

    at_us: int
    data: bytes


class Input(NamedTuple):
    """A pin's level from outside, or its millivolts, from a time of the board on."""

    at_us: int
    pin: str
    value: int


class Script(NamedTuple):
    """A script, and the board's names of its pins."""

    path: Path
    events: tuple[Event, ...]
    pins: Mapping[str, str]
    sends: tuple[Send, ...]
    inputs: tuple[Input, ...]
    watches: tuple[str, ...]
    until_us: int

    def problems(self, timeline: Timeline, ended_ns: int | None) -> list[str]:
        """Returns the unmet lines, each as `file:line: text`."""
        return [f"{self.path}:{line}: {text}" for line, text in timeline.problems(self.events, self.pins, ended_ns)]


class Place(NamedTuple):
    """The board that plays a script."""

    board: str
    kind: str
    pins: Mapping[str, str]
    no_script: str
    baud: int
    is_real_time: bool = False


def load(path: Path, place: Place) -> Script:
    """Reads a script for a board.

    Errors   ScriptRefusedError
    """
    try:
        events = read(path)
    except ScriptError as error:
        raise ScriptRefusedError(f"{path}:{error}") from error
    except OSError as error:
        raise ScriptRefusedError(f"--script {path}: {error.strerror}") from error
    if place.no_script:
        raise ScriptRefusedError(f"--script: {place.board} plays none: {place.no_script}")
    if not events:
        raise ScriptRefusedError(f"{path}: has no event")
    if place.is_real_time:
        events = [_with_slack(each) for each in events]
    for event in events:
        why = _refusal(event, place)
        if why:
            raise ScriptRefusedError(f"{path}:{event.line}: {why}")
    sends = _sends(events, place.baud)
    inputs = tuple(_input(each, place) for each in events if each.kind in {"pin", "adc"})
    watches = dict.fromkeys(place.pins[each.name] for each in events if each.kind == "expect_pin")
    last = sends[-1].at_us + _length_us(sends[-1].data, place.baud) if sends else 0
    until = max(last, *(each.at_us + each.within_us for each in events), 1)
    return Script(path, tuple(events), dict(place.pins), sends, inputs, tuple(watches), until)


def _with_slack(event: Event) -> Event:
    wants_bytes = event.kind == "expect_uart"
    return event._replace(within_us=event.within_us + REAL_TIME_SLACK_US) if wants_bytes else event


def _refusal(event: Event, place: Place) -> str:
    """Returns the reason why a board cannot do what a line says."""
    if not event.name:
        return ""
    pin = place.pins.get(event.name)
    if pin is None:
        known = f"has {' '.join(sorted(place.pins))}" if place.pins else "has no pins that its emulator reaches"
        return f"{place.board} has no pin {event.name} in [pins] of its board.toml; it {known}"
    if (event.kind == "adc") != pin.startswith("adc"):
        what = "a channel of the ADC" if pin.startswith("adc") else "no channel of the ADC"
        return f"{event.name} of {place.board} is {what}"
    if place.kind == "qemu" and (event.kind == "expect_pin") != bool(REGISTER.fullmatch(pin)):
        only = "only be driven: QEMU tells nobody its level" if event.kind == "expect_pin" else "only be looked at"
        return f"{event.name} of {place.board} can {only}"
    return ""


def _input(event: Event, place: Place) -> Input:
    value = event.value * SUPPLY_MV[place.kind] // 100 if event.kind == "adc" else event.value
    return Input(event.at_us, place.pins[event.name], value)


def _length_us(data: bytes, baud: int) -> int:
    return -(-len(data) * BITS_OF_A_BYTE * 1_000_000 // baud)


def _sends(events: Iterable[Event], baud: int) -> tuple[Send, ...]:
    """Returns the bytes for the receiver: a line that comes while the one before is still being sent waits for it."""
    found: list[Send] = []
    free_us = 0
    for event in events:
        if event.kind == "uart":
            at_us = max(event.at_us, free_us)
            free_us = at_us + _length_us(event.data, baud)
            found.append(Send(at_us, event.data))
    return tuple(found)
