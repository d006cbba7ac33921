# SPDX-License-Identifier: MIT
"""How much of a chip a program takes, by the section headers of its ELF file. Standard library only.

flash     everything that has to be stored: code, constants, tables, and the start values of variables.
ram       the variables: those with a start value, which are copied at start, and those without.
reserved  RAM that the linker script sets aside for stack or heap. It holds no variable, and yet it has to fit.

A section counts by where it lies, not by its name: `.init_array` is marked writable and stays in flash, `.ARM.exidx`
is neither text nor data, and constants that a machine cannot read from flash are copied as variables are.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"\x7fELF"

_NOBITS, _ARRAYS = 8, {14, 15, 16}  # SHT_NOBITS; SHT_INIT_ARRAY, SHT_FINI_ARRAY, SHT_PREINIT_ARRAY
_WRITE, _ALLOC = 1, 2
_PT_LOAD = 1
_AVR = 83
_AVR_NO_MEMORY = 0x810000  # from here on avr-ld places EEPROM, fuses, lock bits and the signature
_RESERVED = (".stack", "._user_heap_stack", ".heap")


class ElfError(ValueError):
    """The file is no program, or broken; the message says how."""


@dataclass(frozen=True)
class Size:
    """Bytes of a program."""

    flash: int
    ram: int
    reserved: int = 0


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    flags: int
    address: int
    size: int


@dataclass(frozen=True)
class _Segment:
    address: int
    load_address: int
    size: int


def is_elf(path: Path) -> bool:
    """Whether the file says that it is an ELF file."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def size_of(path: Path) -> Size:
    """The size of a linked program.

    Errors   ElfError; OSError where the file cannot be read.
    """
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise ElfError(f"{path.name} is no ELF file")
    try:
        return _size(_Reader(data))
    except (struct.error, IndexError, ValueError) as error:
        raise ElfError(f"{path.name} is a broken ELF file: {error}") from error


def _size(elf: _Reader) -> Size:
    segments = list(elf.segments())
    flash = ram = reserved = 0
    for section in elf.sections():
        if not section.flags & _ALLOC or (elf.machine == _AVR and section.address >= _AVR_NO_MEMORY):
            continue
        if section.kind == _NOBITS:
            if section.name.startswith(_RESERVED):
                reserved += section.size
            else:
                ram += section.size
            continue
        flash += section.size
        if _is_copied(section, segments) or (section.flags & _WRITE and section.kind not in _ARRAYS):
            ram += section.size
    return Size(flash, ram, reserved)


def _is_copied(section: _Section, segments: list[_Segment]) -> bool:
    """It lies elsewhere in the file's image than where the program uses it."""
    for segment in segments:
        if segment.address <= section.address and section.address + section.size <= segment.address + segment.size:
            return segment.address != segment.load_address and section.size > 0
    return False


class _Reader:
    """The headers of an ELF file of either width and byte order."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._wide = data[4] == 2
        self._order = ">" if data[5] == 2 else "<"
        self.machine = int(self._take("H", 18)[0])

    def segments(self) -> Iterator[_Segment]:
        """What is loaded."""
        start, step, count = self._table(32 if self._wide else 28, 54 if self._wide else 42)
        for index in range(count):
            at = start + index * step
            if self._take("I", at)[0] != _PT_LOAD:
                continue
            if self._wide:
                address, load_address, _, size = self._take("QQQQ", at + 16)
            else:
                address, load_address, _, size = self._take("IIII", at + 8)
            yield _Segment(address, load_address, size)

    def sections(self) -> Iterator[_Section]:
        """What it is made of, without the first, which is none."""
        start, step, count = self._table(40 if self._wide else 32, 58 if self._wide else 46)
        names = self._take("H", 62 if self._wide else 50)[0]
        raw = [self._take("IIQQQQ" if self._wide else "IIIIII", start + index * step) for index in range(count)]
        if not raw:
            raise ValueError("it has no section headers")
        text = raw[names][4]
        for name, kind, flags, address, _, size in raw[1:]:
            end = self._data.index(b"\0", text + name)
            yield _Section(self._data[text + name : end].decode(), kind, flags, address, size)

    def _table(self, offset_at: int, size_at: int) -> tuple[int, int, int]:
        start = int(self._take("Q" if self._wide else "I", offset_at)[0])
        step, count = self._take("HH", size_at)
        return start, int(step), int(count)

    def _take(self, form: str, at: int) -> tuple[int, ...]:
        return struct.unpack_from(self._order + form, self._data, at)
