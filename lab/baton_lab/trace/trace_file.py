# SPDX-License-Identifier: MIT
"""The file of a trace: `save` and `load`. docs/trace.md describes the format.

    baton-trace/1 and a line feed
    4 bytes   the length of the header, little-endian
    4 bytes   its CRC-32
    header    JSON: nodes, names, wait points, and the size, width and CRC-32 of each column
    columns   of each node: ticks since the event before, kind, who, on, value; see columns.py

A reader either gives the trace that was written, or raises TraceFileError.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from baton_lab.base.files import write_bytes_atomically
from baton_lab.trace import columns
from baton_lab.trace.model import Event, Kind, Name, Node, Trace

MAGIC = b"baton-trace/1\n"
FAMILY = b"baton-trace/"
ENDING = ".trace"
COLUMNS = 5
LIMIT = 1 << 63

Count = Annotated[int, Field(ge=0, lt=LIMIT)]
Id = Annotated[int, Field(ge=0, lt=1 << 64)]
Named = tuple[Id, str, str, str, Count]
_KINDS = {kind.value: kind for kind in Kind}


class TraceFileError(ValueError):
    """A file that is no trace, is of another version, or is broken; a trace that no file can hold."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Column(_Strict):
    bytes: Count
    width: columns.Width
    crc: Count


class _Node(_Strict):
    name: str
    ticks_per_second: Annotated[int, Field(gt=0, lt=LIMIT)]
    names: list[Named]
    points: list[Named]
    events: Count
    lost: Count
    started: Annotated[int, Field(gt=-LIMIT, lt=LIMIT)]
    columns: Annotated[list[_Column], Field(min_length=COLUMNS, max_length=COLUMNS)]


class _Header(_Strict):
    source: str
    simulated: bool
    nodes: list[_Node]


def save(trace: Trace, path: Path) -> None:
    """Writes a trace as a whole or not at all.

    Errors   TraceFileError: the events of a node are not in the order of their times, or a number has too many bits.
    """
    write_bytes_atomically(path, to_bytes(trace))


def load(path: Path) -> Trace:
    """Reads a trace.

    Cost     about two seconds for 1,000,000 events.
    Errors   TraceFileError, which names the file; OSError
    """
    try:
        return from_bytes(path.read_bytes())
    except TraceFileError as error:
        raise TraceFileError(f"{path}: {error}") from error


def is_trace(path: Path) -> bool:
    """Tells whether a file begins as a trace of any version does."""
    with path.open("rb") as file:
        return file.read(len(FAMILY)) == FAMILY


def to_bytes(trace: Trace) -> bytes:
    """Returns the bytes of a trace's file.

    Errors   TraceFileError
    """
    made = [_written(node) for node in trace.nodes]
    try:
        described = _Header(source=trace.source, simulated=trace.simulated, nodes=[node for node, _ in made])
    except ValidationError as error:
        raise TraceFileError(_first(error)) from error
    header = described.model_dump_json().encode()
    size, crc = len(header).to_bytes(4, "little"), zlib.crc32(header).to_bytes(4, "little")
    return b"".join([MAGIC, size, crc, header, *(data for _, each in made for data in each)])


def _written(node: Node) -> tuple[_Node, list[bytes]]:
    events = node.events
    times = [event.at for event in events]
    try:
        packed = [
            columns.pack([later - earlier for earlier, later in pairwise([0, *times])]),
            columns.pack([event.kind._value_ for event in events]),
            columns.pack([event.who for event in events]),
            columns.pack([event.on for event in events]),
            columns.pack([event.value for event in events]),
        ]
        described = _Node(
            name=node.name, ticks_per_second=node.ticks_per_second, names=_rows(node.names), points=_rows(node.points),
            events=len(events), lost=node.lost, started=node.started,
            columns=[_Column(bytes=len(data), width=width, crc=zlib.crc32(data)) for width, data in packed],
        )  # fmt: skip
    except columns.ColumnError as error:
        raise TraceFileError(f"{node.name}: {error}; events stand in the order of their times") from error
    except ValidationError as error:
        raise TraceFileError(f"{node.name}: {_first(error)}") from error
    return described, [data for _, data in packed]


def _rows(names: dict[int, Name]) -> list[Named]:
    return [(id, name.text, name.role, name.file, name.line) for id, name in sorted(names.items())]


def from_bytes(data: bytes) -> Trace:
    """Reads a trace's file.

    Errors   TraceFileError
    """
    header, at = _header(data)
    nodes = []
    for described in header.nodes:
        nodes.append(_node(described, data, at))
        at += sum(column.bytes for column in described.columns)
    if at != len(data):
        raise TraceFileError(f"{len(data) - at} bytes too many at the end")
    return Trace(nodes, header.simulated, header.source)


def _header(data: bytes) -> tuple[_Header, int]:
    """Returns the header, and where the columns begin."""
    if not data.startswith(MAGIC):
        if data.startswith(FAMILY):
            version = data[: len(MAGIC) + 8].split(b"\n")[0].decode("ascii", "replace")
            raise TraceFileError(f"{version!r} is another version; this lab reads {MAGIC.decode().strip()}")
        raise TraceFileError("no trace: it does not begin with baton-trace/1")
    begin = len(MAGIC) + 8
    size = int.from_bytes(data[begin - 8 : begin - 4], "little")
    text = data[begin : begin + size]
    if len(data) < begin or len(text) != size or zlib.crc32(text) != int.from_bytes(data[begin - 4 : begin], "little"):
        raise TraceFileError("the header is broken or cut")
    try:
        return _Header.model_validate_json(text), begin + size
    except ValidationError as error:
        raise TraceFileError(f"the header is broken: {_first(error)}") from error


def _node(described: _Node, data: bytes, at: int) -> Node:
    steps, kinds, who, on, value = (_column(described, each, data, begin) for each, begin in _places(described, at))
    times = list(accumulate(steps))
    if times and times[-1] >= LIMIT:
        raise TraceFileError(f"{described.name}: a time has more than 63 bits")
    if strange := set(kinds) - set(_KINDS):
        raise TraceFileError(f"{described.name}: there is no event of kind {min(strange)}")
    return Node(
        described.name, described.ticks_per_second, _names(described.names), _names(described.points),
        list(map(Event, times, map(_KINDS.__getitem__, kinds), who, on, value)), described.lost, described.started,
    )  # fmt: skip


def _places(described: _Node, at: int) -> Iterator[tuple[_Column, int]]:
    for each in described.columns:
        yield each, at
        at += each.bytes


def _column(described: _Node, column: _Column, data: bytes, begin: int) -> list[int]:
    packed = data[begin : begin + column.bytes]
    if len(packed) != column.bytes:
        raise TraceFileError(f"{described.name}: cut in its events")
    if zlib.crc32(packed) != column.crc:
        raise TraceFileError(f"{described.name}: its events are broken")
    try:
        return columns.unpack(packed, column.width, described.events).tolist()
    except columns.ColumnError as error:
        raise TraceFileError(f"{described.name}: its events are broken: {error}") from error


def _names(rows: list[Named]) -> dict[int, Name]:
    return {id: Name(text, role, file, line) for id, text, role, file, line in rows}


def _first(error: ValidationError) -> str:
    """Words the first complaint of pydantic."""
    found = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, found['loc'])) or 'JSON'}: {found['msg']}"
