# SPDX-License-Identifier: MIT
"""Reads ELF files of either width and byte order, with the standard library alone.

Source   System V ABI, "Object Files"; ELF for the ARM Architecture.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ARM, AVR = 40, 83  # e_machine
WRITABLE, LOADED, CODE = 1, 2, 4  # SHF_WRITE, SHF_ALLOC, SHF_EXECINSTR
NO_BITS = 8  # SHT_NOBITS

_MAGIC = b"\x7fELF"
_MOVABLE = 3  # e_type ET_DYN
_PT_LOAD, _PF_X = 1, 1
_SYMBOLS, _NOT_THERE = 2, 0  # sh_type SHT_SYMTAB, st_shndx SHN_UNDEF
_FUNCTION = 2  # st_info's STT_FUNC


class ElfError(ValueError):
    """The file is no program, or broken; the message tells how."""


class Section(NamedTuple):
    """A section of a program. `kind` is its sh_type, `flags` are WRITABLE, LOADED, CODE."""

    name: str
    kind: int
    flags: int
    address: int
    size: int


class Segment(NamedTuple):
    """A part that is loaded to `load_address` and used at `address`, in `size` bytes."""

    address: int
    load_address: int
    size: int
    offset: int  # in the file, of `file_size` bytes
    file_size: int
    is_code: bool


class _Layout(NamedTuple):
    """The places of the fields in an ELF file of 32 or 64 bits."""

    header: str
    segment: str
    section: str
    symbol: str


_LAYOUTS = {
    1: _Layout("16xHHIIIIIHHHHHH", "IIIIIIII", "IIIIIIIIII", "IIIBBH"),
    2: _Layout("16xHHIQQQIHHHHHH", "IIQQQQQQ", "IIQQQQIIQQ", "IBBHQQ"),
}


class Elf:
    """The file of a program.

    Errors   ElfError: it is no program, or broken; OSError: it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._name, self._data = path.name, path.read_bytes()
        if not self._data.startswith(_MAGIC):
            raise ElfError(f"{self._name} is no ELF file")
        try:
            self._layout = _LAYOUTS[self._data[4]]
            self._order = {1: "<", 2: ">"}[self._data[5]]
            header = struct.unpack_from(self._order + self._layout.header, self._data)
            self.machine, self.entry = int(header[1]), int(header[3])
            self.is_movable = header[0] == _MOVABLE  # it may be loaded at another address than it was linked for
            self.segments = list(self._read_segments(*header[4:5], *header[8:10]))
            self._rows = list(self._table(self._layout.section, *header[5:6], *header[10:12]))
            self.sections = list(self._read_sections(header[12]))
        except (struct.error, KeyError, IndexError, ValueError) as error:
            raise ElfError(f"{self._name} is a broken ELF file: {error}") from error

    def symbols(self, wanted: Iterable[str]) -> dict[str, int]:
        """Returns the addresses of those names that the program has, without Thumb's mode bit."""
        names = {name.encode(): name for name in wanted}
        found = {}
        try:
            for name, address, info, section in self._read_symbols():
                if name in names and section != _NOT_THERE:
                    is_thumb = self.machine == ARM and info & 15 == _FUNCTION
                    found[names[name]] = address & ~1 if is_thumb else address
        except (struct.error, IndexError, ValueError, ZeroDivisionError) as error:
            raise ElfError(f"{self._name} is a broken ELF file: {error}") from error
        return found

    def content(self, segment: Segment) -> bytes:
        """Returns the bytes that are loaded.

        Errors   ElfError: the file is cut short.
        """
        if segment.offset + segment.file_size > len(self._data):
            raise ElfError(f"{self._name} is a broken ELF file: it is cut short")
        return self._data[segment.offset : segment.offset + segment.file_size]

    def _read_segments(self, start: int, step: int, count: int) -> Iterator[Segment]:
        for row in self._table(self._layout.segment, start, step, count):
            if self._layout is _LAYOUTS[2]:
                kind, flags, offset, address, load_address, file_size, size, _ = row
            else:
                kind, offset, address, load_address, file_size, size, flags, _ = row
            if kind == _PT_LOAD:
                yield Segment(address, load_address, size, offset, file_size, bool(flags & _PF_X))

    def _read_sections(self, names: int) -> Iterator[Section]:
        for name, kind, flags, address, _, size, *_ in self._rows[1:]:  # the first is empty
            yield Section(self._text(self._rows[names][4] + name).decode(), kind, flags, address, size)

    def _read_symbols(self) -> Iterator[tuple[bytes, int, int, int]]:
        for _, kind, _, _, start, size, link, _, _, step in self._rows:
            if kind != _SYMBOLS:
                continue
            texts = self._rows[link][4]
            for row in self._table(self._layout.symbol, start, step, size // step):
                if self._layout is _LAYOUTS[2]:
                    name, info, _, index, value, _ = row
                else:
                    name, value, _, info, _, index = row
                yield self._text(texts + name), value, info, index

    def _text(self, at: int) -> bytes:
        return self._data[at : self._data.index(b"\0", at)]

    def _table(self, form: str, start: int, step: int, count: int) -> Iterator[tuple[int, ...]]:
        for index in range(count):
            yield struct.unpack_from(self._order + form, self._data, start + index * step)
