# SPDX-License-Identifier: MIT
"""The bytes and levels of a program with their times, and the verdict of a script about them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping

from runner.script import Event

_SHOWN = 60


class Timeline:
    """The bytes that a program has sent, and the levels of its pins, in order of time.

    Units    nanoseconds of the board's time.
    """

    def __init__(self) -> None:
        self._text = bytearray()
        self._times: list[int] = []
        self._levels: dict[str, list[tuple[int, int]]] = {}

    def send(self, at_ns: int, data: bytes) -> None:
        """Adds bytes that were sent at a time."""
        self._text += data
        self._times += [at_ns] * len(data)

    def level(self, at_ns: int, pin: str, level: int) -> None:
        """Adds the level that a pin has from a time on."""
        self._levels.setdefault(pin, []).append((at_ns, level))

    def problems(
        self, events: Iterable[Event], pins: Mapping[str, str], ended_ns: int | None = None
    ) -> list[tuple[int, str]]:
        """Returns the line and the text of each unmet expectation.

        `pins` has the emulator's name of each pin, and `ended_ns` is the time at which the program
        ended, if it did; an event after it is unmet, too.
        """
        found, from_byte = [], 0
        for event in events:
            why = ""
            if ended_ns is not None and event.at_us * 1000 > ended_ns:
                why = f"the program had ended, at {_time(ended_ns)}"
            elif event.kind == "expect_uart":
                why, from_byte = self._uart(event, from_byte)
            elif event.kind == "expect_silence":
                why = self._silence(event)
            elif event.kind == "expect_pin":
                why = self._pin(event, pins[event.name])
            if why:
                found.append((event.line, why))
        return found

    def _window(self, event: Event) -> tuple[int, int]:
        """Returns the range of the bytes that were sent during an expectation."""
        begin = bisect_left(self._times, event.at_us * 1000)
        return begin, bisect_right(self._times, (event.at_us + event.within_us) * 1000)

    def _uart(self, event: Event, from_byte: int) -> tuple[str, int]:
        begin, end = self._window(event)
        begin = max(begin, from_byte)
        at = self._text.find(event.data, begin, end)
        if at >= 0:
            return "", at + len(event.data)
        got = f"the program sent {_shown(self._text[begin:end])}" if end > begin else "the program sent nothing"
        later = self._text.find(event.data, begin)
        if later >= 0:
            got += f"; it came at {_time(self._times[later + len(event.data) - 1])}"
        return f"expected {_shown(event.data)} {_between(event)}; {got}", from_byte

    def _silence(self, event: Event) -> str:
        begin, end = self._window(event)
        return (
            f"expected silence {_between(event)}; the program sent {_shown(self._text[begin:end])}"
            if end > begin
            else ""
        )

    def _pin(self, event: Event, pin: str) -> str:
        begin, end = event.at_us * 1000, (event.at_us + event.within_us) * 1000
        level = 0
        for at, after in self._levels.get(pin, []):
            if at > end:
                break
            if at > begin and level == event.value:  # it was so when the expectation began
                return ""
            level = after
            if at >= begin and level == event.value:
                return ""
        if level == event.value:
            return ""
        return (
            f"expected {event.name} {('low', 'high')[event.value]} {_between(event)}; it was {('low', 'high')[level]}"
        )


def _between(event: Event) -> str:
    return f"from {_time(event.at_us * 1000)} to {_time((event.at_us + event.within_us) * 1000)}"


def _time(nanoseconds: int) -> str:
    return f"{nanoseconds / 1e6:.3f}".rstrip("0").rstrip(".") + " ms"


def _shown(data: bytes | bytearray) -> str:
    text = "".join(
        {10: r"\n", 13: r"\r", 9: r"\t", 34: r"\"", 92: r"\\"}.get(byte)
        or (chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}")
        for byte in data[:_SHOWN]
    )
    return f'"{text}"' + (" ..." if len(data) > _SHOWN else "")
