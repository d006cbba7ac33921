# SPDX-License-Identifier: MIT
"""Columns of unsigned numbers as compressed bytes: the least width that holds them, plane by plane, then zlib.

The first plane has the low byte of each number, the next one the bytes above, and so on: like bytes stand
together, which halves what zlib makes of them.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Sequence
from typing import Literal

Width = Literal[1, 2, 4, 8]
CODES: dict[Width, str] = {1: "B", 2: "H", 4: "I", 8: "Q"}
LEVEL = 6


class ColumnError(ValueError):
    """Bytes that are no column, or a number that no column holds."""


def pack(numbers: Sequence[int]) -> tuple[Width, bytes]:
    """Returns the width of a column in bytes, and its compressed planes.

    Errors   ColumnError: a number is negative or has more than 64 bits.
    """
    most, least = max(numbers, default=0), min(numbers, default=0)
    if least < 0 or most >= 1 << 64:
        raise ColumnError(f"{least if least < 0 else most} is no unsigned number of 64 bits")
    width = next(width for width in CODES if most < 1 << (8 * width))
    column = array(CODES[width], numbers)
    if sys.byteorder == "big":
        column.byteswap()
    raw = column.tobytes()
    return width, zlib.compress(b"".join(raw[plane::width] for plane in range(width)), LEVEL)


def unpack(data: bytes, width: Width, count: int) -> array[int]:
    """Returns the numbers of a column.

    Errors   ColumnError: the data are broken, or hold more or fewer numbers.
    """
    planes = _inflated(data, width * count)
    raw = bytearray(width * count)
    for plane in range(width):
        raw[plane::width] = planes[plane * count : (plane + 1) * count]
    column = array(CODES[width], bytes(raw))
    if sys.byteorder == "big":
        column.byteswap()
    return column


def _inflated(data: bytes, size: int) -> bytes:
    """Inflates at most one byte more than `size`, so that a small file cannot take all memory."""
    inflater = zlib.decompressobj()
    try:
        raw = inflater.decompress(data, size + 1)
    except zlib.error as error:
        raise ColumnError(str(error)) from error
    if len(raw) != size or not inflater.eof or inflater.unused_data:
        raise ColumnError(f"{len(raw)} bytes where {size} have to be")
    return raw
