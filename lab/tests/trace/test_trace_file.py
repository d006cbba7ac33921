# SPDX-License-Identifier: MIT
"""The file of a trace: what is written is read, and a broken file is refused by a typed error."""

from __future__ import annotations

import json
import random
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from trace_programs import Scheduler, trace_of

from baton_lab.trace import columns, trace_file
from baton_lab.trace.model import Event, Kind, Name, Node, Trace
from baton_lab.trace.trace_file import MAGIC, TraceFileError, from_bytes, load, save, to_bytes


def small() -> Trace:
    """A trace with every kind, and the largest numbers."""
    most = (1 << 64) - 1
    events = [Event(index * 3, kind, most - index, index, most) for index, kind in enumerate(Kind)]
    events.append(Event((1 << 63) - 1, Kind.done, 1))
    names = {most: Name("Größe <b>", "task", "src/a b.cpp", 7), 0: Name("", "object")}
    node = Node("näno", 16_000_000, names, {1: Name("f", "task", "m.cpp", 2)}, events, lost=9, started=-5)
    return Trace([node, Node("empty", 1)], simulated=True, source="by hand")


@pytest.mark.parametrize("seed", range(6))
def test_what_is_written_is_read(seed: int, tmp_path: Path) -> None:
    trace = trace_of(seed, 50 * 7**seed // 7, tasks=3 + seed, nodes=1 + seed % 3)
    path = tmp_path / "deep" / "a.trace"
    save(trace, path)
    assert load(path) == trace
    assert trace_file.is_trace(path)


def test_numbers_of_64_bits_empty_nodes_and_any_text_are_read() -> None:
    assert from_bytes(to_bytes(small())) == small()
    assert from_bytes(to_bytes(Trace())) == Trace()


def test_an_event_takes_less_than_three_bytes() -> None:
    assert len(to_bytes(trace_of(1, 20_000))) < 3 * 20_000


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda node: node.events.insert(0, Event(5, Kind.run, 1)), "order of their times"),
        (lambda node: node.events.append(Event(9, Kind.run, 1 << 64)), "64 bits"),
        (lambda node: node.events.append(Event(9, Kind.run, -1)), "64 bits"),
        (lambda node: setattr(node, "ticks_per_second", 0), "ticks_per_second"),
        (lambda node: setattr(node, "lost", -1), "lost"),
    ],
)
def test_a_trace_that_no_file_can_hold_is_refused(change: Callable[[Node], None], said: str, tmp_path: Path) -> None:
    node = Node("n", 1, events=[Event(0, Kind.run, 1)])
    change(node)
    with pytest.raises(TraceFileError, match=said):
        save(Trace([node]), tmp_path / "a.trace")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_cut_anywhere_is_refused() -> None:
    whole = to_bytes(trace_of(3, 40))
    for size in range(len(whole)):
        with pytest.raises(TraceFileError):
            from_bytes(whole[:size])
    with pytest.raises(TraceFileError, match="1 bytes too many"):
        from_bytes(whole + b"\0")


def test_a_file_with_any_bit_flipped_is_refused() -> None:
    whole = to_bytes(Trace([Scheduler(2, 3).run(30)]))
    for at in range(len(whole)):
        for bit in range(8):
            broken = bytearray(whole)
            broken[at] ^= 1 << bit
            with pytest.raises(TraceFileError):
                from_bytes(bytes(broken))


def sealed(header: Any, rest: bytes) -> bytes:
    """Returns a file with another header, whose sum is right."""
    text = json.dumps(header).encode()
    return MAGIC + len(text).to_bytes(4, "little") + zlib.crc32(text).to_bytes(4, "little") + text + rest


def parts(data: bytes) -> tuple[Any, bytes]:
    """Returns the header of a file, and the rest."""
    begin = len(MAGIC) + 8
    end = begin + int.from_bytes(data[begin - 8 : begin - 4], "little")
    return json.loads(data[begin:end]), data[end:]


STRANGE: list[Any] = [None, True, -1, 0, 3, 1 << 63, 1 << 70, 1.5, "", "x", [], {}, [[]], [1, 2], float("nan")]


def mutated(some: random.Random, value: Any) -> Any:
    """Returns JSON with one value changed, removed or doubled somewhere in it."""
    if isinstance(value, dict) and value and some.random() < 0.85:
        key = some.choice(list(value))
        if some.random() < 0.1:
            return {each: kept for each, kept in value.items() if each != key}
        return {**value, key: mutated(some, value[key])}
    if isinstance(value, list) and value and some.random() < 0.85:
        at = some.randrange(len(value))
        middle = some.choice([[], [value[at], value[at]], [mutated(some, value[at])], [mutated(some, value[at])]])
        return [*value[:at], *middle, *value[at + 1 :]]
    return some.choice(STRANGE)


def test_a_strange_header_with_a_right_sum_is_refused_or_read_as_it_says() -> None:
    header, rest = parts(to_bytes(small()))
    some, refused = random.Random(5), 0
    for _ in range(3000):
        data = sealed(mutated(some, header), rest)
        try:
            found = from_bytes(data)
        except TraceFileError as error:
            refused += 1
            assert len(str(error)) < 400
        else:
            assert from_bytes(to_bytes(found)) == found
    assert refused > 1000


def test_a_column_that_says_to_be_huge_takes_no_memory() -> None:
    header, rest = parts(to_bytes(trace_of(3, 40)))
    header["nodes"][0]["events"] = 1 << 60
    began = time.process_time()
    with pytest.raises(TraceFileError, match="its events are broken"):
        from_bytes(sealed(header, rest))
    assert time.process_time() - began < 5


def test_a_column_with_more_than_it_says_is_refused() -> None:
    width, data = columns.pack(range(1000))
    assert columns.unpack(data, width, 1000).tolist() == list(range(1000))
    for count in (0, 999, 1001):
        with pytest.raises(columns.ColumnError):
            columns.unpack(data, width, count)
    with pytest.raises(columns.ColumnError):
        columns.unpack(data + b"more", width, 1000)


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "no trace"), (b"baton-trace/2\nmore", "baton-trace/2.*is another version"), (b"\x7fELF", "no trace")],
)
def test_other_files_are_refused_by_name(data: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(data)
    with pytest.raises(TraceFileError, match=f"a.trace: .*{said}"):
        load(path)
    assert trace_file.is_trace(path) == data.startswith(b"baton-trace/")
