# SPDX-License-Identifier: MIT
"""What the runner needs to know of a program's file: symbols, and where its instructions are."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from qemu_runner.options import UsageError

_ARM = 40  # e_machine
_LOADED, _EXECUTABLE = 1, 1  # p_type PT_LOAD, p_flags PF_X
_MOVABLE = 3  # e_type ET_DYN
_FUNCTION = 2  # st_info's STT_FUNC
_SYMBOLS = 2  # sh_type SHT_SYMTAB
_NOT_THERE = 0  # st_shndx SHN_UNDEF


@dataclass(frozen=True)
class _Layout:
    """Where an ELF of 32 or 64 bits has its fields. (System V ABI, "Object Files")"""

    header: str
    segment: str
    section: str
    symbol: str


_LAYOUTS = {
    1: _Layout("16xHHIIIIIHHHHHH", "IIIIIIII", "IIIIIIIIII", "IIIBBH"),
    2: _Layout("16xHHIQQQIHHHHHH", "IIQQQQQQ", "IIQQQQIIQQ", "IBBHQQ"),
}


class Elf:
    """A program's file.

    Errors   UsageError: it is none.
    """

    def __init__(self, path: Path) -> None:
        self._raw = path.read_bytes()
        self._path = path
        try:
            self._read_header()
        except (struct.error, KeyError, IndexError) as error:
            raise UsageError(f"{path}: not a program (ELF)") from error

    def _read_header(self) -> None:
        if self._raw[:4] != b"\x7fELF":
            raise KeyError("magic")
        self._is_64 = self._raw[4] == 2
        self._layout = _LAYOUTS[self._raw[4]]
        self._order = {1: "<", 2: ">"}[self._raw[5]]
        fields = struct.unpack_from(self._order + self._layout.header, self._raw)
        self._type, self._machine = fields[0], fields[1]
        self._segments_at, self._sections_at = fields[4], fields[5]
        self._segment_count, self._section_count = fields[9], fields[11]
        self._segment_size, self._section_size = fields[8], fields[10]

    @property
    def is_movable(self) -> bool:
        """Whether it may be loaded elsewhere than where it was linked."""
        return bool(self._type == _MOVABLE)

    def code(self) -> list[tuple[int, int]]:
        """Where instructions may be: the address ranges that are loaded and executable."""
        ranges = []
        for fields in self._table(self._segments_at, self._segment_count, self._segment_size, self._layout.segment):
            if self._is_64:
                kind, flags, _, address, _, _, size, _ = fields
            else:
                kind, _, address, _, _, size, flags, _ = fields
            if kind == _LOADED and flags & _EXECUTABLE and size:
                ranges.append((address, address + size))
        return ranges

    def symbols(self, wanted: Iterable[str]) -> dict[str, int]:
        """The addresses of those of the names that the program has; of a Thumb function without the mode bit."""
        names = {name.encode(): name for name in wanted}
        found = {}
        for name, address, info, section in self._symbols():
            if name in names and section != _NOT_THERE:
                is_thumb = self._machine == _ARM and info & 15 == _FUNCTION
                found[names[name]] = address & ~1 if is_thumb else address
        return found

    def _symbols(self) -> Iterator[tuple[bytes, int, int, int]]:
        sections = list(self._table(self._sections_at, self._section_count, self._section_size, self._layout.section))
        for section in sections:
            if section[1] != _SYMBOLS:
                continue
            texts = sections[section[6]][4]
            for fields in self._table(section[4], section[5] // section[9], section[9], self._layout.symbol):
                if self._is_64:
                    name, info, _, index, value, _ = fields
                else:
                    name, value, _, info, _, index = fields
                end = self._raw.index(b"\0", texts + name)
                yield self._raw[texts + name : end], value, info, index

    def _table(self, at: int, count: int, size: int, form: str) -> Iterator[tuple[int, ...]]:
        try:
            for index in range(count):
                yield struct.unpack_from(self._order + form, self._raw, at + index * size)
        except struct.error as error:
            raise UsageError(f"{self._path}: a damaged program (ELF)") from error
