# SPDX-License-Identifier: MIT
"""Reads a script: the pins, readings and bytes that a program gets from outside, and what it has to do.

docs/device-scripts.md has the format, and devices/include/baton/devices/script.hpp the same reader
in C++. One corpus and one fuzz test hold both to the same result.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

LONGEST_US = 3_600_000_000
MOST_BYTES = 64
LONGEST_NAME = 16
MOST_EVENTS = 512
_MOST_DIGITS = 10
_FULL_SCALE = 100
_UNITS = {"us": 1, "ms": 1000, "s": 1_000_000}
_ESCAPES = {"n": 0x0A, "r": 0x0D, "t": 0x09, "\\": 0x5C, '"': 0x22}
_BLANKS = " \t\r"
_WORD_END = _BLANKS + "#"
_FIRST_PRINTABLE, _DELETE = 0x20, 0x7F


class Event(NamedTuple):
    """A line of a script. `kind` is pin, adc, uart, expect_pin, expect_uart or expect_silence.

    `value` is a level, or a reading in percent of the full scale; `within_us` is the length of an
    expectation.
    """

    line: int
    at_us: int
    kind: str
    name: str = ""
    value: int = 0
    data: bytes = b""
    within_us: int = 0

    @property
    def is_expectation(self) -> bool:
        """True if the line asks for something, and does nothing."""
        return self.kind.startswith("expect")


class ScriptError(Exception):
    """A line that is not understood; `line` and `column` count from 1."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"{line}:{column}: {message}")
        self.line, self.column, self.message = line, column, message


def read(path: Path) -> list[Event]:
    """Reads the script of a file.

    Errors   ScriptError; OSError: the file cannot be read.
    """
    return parse(path.read_bytes().decode("latin-1"))


def parse(text: str) -> list[Event]:
    """Reads a script, whose characters stand for its bytes.

    Errors   ScriptError
    """
    events: list[Event] = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        found = _Line(number, line).event(events[-1].at_us if events else 0)
        if found is None:
            continue
        if len(events) == MOST_EVENTS:
            raise ScriptError(number, 1, f"a script has at most {MOST_EVENTS} events")
        events.append(found)
    return events


class _Line:
    """A line and the place in it up to which it has been read."""

    def __init__(self, number: int, text: str) -> None:
        self._number, self._text, self._at = number, text, 0

    def event(self, before_us: int) -> Event | None:
        """Returns the line's event; nothing for an empty line or a comment."""
        self._skip()
        if self._is_over():
            return None
        begin = self._at
        at_us = self._time(before_us)
        if at_us < before_us:
            raise self._error(begin, "earlier than the event before")
        self._skip()
        event = self._action(at_us)
        self._skip()
        if not self._is_over():
            raise self._error(self._at, "the event is complete here")
        return event

    def _action(self, at_us: int) -> Event:
        begin, word = self._at, self._word()
        if word == "pin":
            return Event(self._number, at_us, "pin", self._name(), self._level())
        if word == "adc":
            return Event(self._number, at_us, "adc", self._name(), self._percent())
        if word == "uart":
            return Event(self._number, at_us, "uart", data=self._bytes())
        if word == "expect":
            return self._expectation(at_us)
        raise self._error(begin, "expected pin, adc, uart or expect")

    def _expectation(self, at_us: int) -> Event:
        self._skip()
        begin, word = self._at, self._word()
        event = Event(self._number, at_us, f"expect_{word}")
        if word == "pin":
            event = event._replace(name=self._name(), value=self._level())
        elif word == "uart":
            event = event._replace(data=self._bytes())
        elif word != "silence":
            raise self._error(begin, "expected pin, uart or silence")
        preposition = "for" if word == "silence" else "within"
        self._skip()
        begin = self._at
        if self._word() != preposition:
            raise self._error(begin, f"expected {preposition}")
        self._skip()
        begin = self._at
        within_us = self._duration()
        if at_us + within_us > LONGEST_US:
            raise self._error(begin, "a script lasts at most 3600 s")
        return event._replace(within_us=within_us)

    # ---- words ----

    def _time(self, before_us: int) -> int:
        begin = self._at
        is_relative = self._text[self._at] == "+"
        self._at += is_relative
        at_us = self._duration() + (before_us if is_relative else 0)
        if at_us > LONGEST_US:
            raise self._error(begin, "a script lasts at most 3600 s")
        return at_us

    def _duration(self) -> int:
        begin, word = self._at, self._word()
        found = re.fullmatch(r"([0-9]+)(us|ms|s)", word)
        if found is None or len(found[1]) > _MOST_DIGITS:
            raise self._error(begin, "expected a time, such as 250us, 20ms or 3s")
        length = int(found[1]) * _UNITS[found[2]]
        if length > LONGEST_US:
            raise self._error(begin, "a script lasts at most 3600 s")
        return length

    def _name(self) -> str:
        self._skip()
        begin, word = self._at, self._word()
        if not re.fullmatch(r"[a-z][a-z0-9_]*", word) or len(word) > LONGEST_NAME:
            raise self._error(begin, "expected a name: a small letter, then small letters, digits and _, at most 16")
        return word

    def _level(self) -> int:
        self._skip()
        begin, word = self._at, self._word()
        if word not in {"low", "high"}:
            raise self._error(begin, "expected low or high")
        return int(word == "high")

    def _percent(self) -> int:
        self._skip()
        begin, word = self._at, self._word()
        found = re.fullmatch(r"([0-9]{1,3})%", word)
        if found is None or int(found[1]) > _FULL_SCALE:
            raise self._error(begin, "expected a part of the full scale, 0% to 100%")
        return int(found[1])

    def _bytes(self) -> bytes:
        self._skip()
        data, begin = bytearray(), self._at
        while not self._is_over() and self._take_bytes(data):
            if len(data) > MOST_BYTES:
                raise self._error(begin, "a line has at most 64 bytes")
            self._skip()
        if not data:
            raise self._error(begin, 'expected bytes: "text", or two hexadecimal digits for each')
        return bytes(data)

    def _take_bytes(self, data: bytearray) -> bool:
        if self._text[self._at] == '"':
            data += self._string()
            return True
        begin, word = self._at, self._word()
        if re.fullmatch(r"[0-9a-fA-F]{2}", word):
            data.append(int(word, 16))
            return True
        self._at = begin
        return False

    def _string(self) -> bytes:
        begin, data = self._at, bytearray()
        self._at += 1
        while self._at < len(self._text) and self._text[self._at] != '"':
            byte = ord(self._text[self._at])
            if byte == ord("\\"):
                byte = self._escape()
            elif byte < _FIRST_PRINTABLE or byte == _DELETE:
                raise self._error(self._at, "a control character in a text: write it as an escape")
            else:
                self._at += 1
            data.append(byte)
        if self._at >= len(self._text):
            raise self._error(begin, 'a text without its closing "')
        self._at += 1
        return bytes(data)

    def _escape(self) -> int:
        rest = self._text[self._at + 1 : self._at + 4]
        if re.match(r"x[0-9a-fA-F]{2}", rest):
            self._at += 4
            return int(rest[1:], 16)
        if rest[:1] not in _ESCAPES or not rest:
            raise self._error(self._at, r"unknown escape: there are \n \r \t \\ \" \xHH")
        self._at += 2
        return _ESCAPES[rest[0]]

    def _word(self) -> str:
        begin = self._at
        while self._at < len(self._text) and self._text[self._at] not in _WORD_END:
            self._at += 1
        return self._text[begin : self._at]

    def _skip(self) -> None:
        while self._at < len(self._text) and self._text[self._at] in _BLANKS:
            self._at += 1

    def _is_over(self) -> bool:
        return self._at >= len(self._text) or self._text[self._at] == "#"

    def _error(self, at: int, message: str) -> ScriptError:
        return ScriptError(self._number, at + 1, message)
