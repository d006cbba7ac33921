# SPDX-License-Identifier: MIT
"""Computes the memory of a chip that a program takes, from the section headers of its ELF file.

flash     all that has to be stored: code, constants, tables, and the start values of variables.
ram       the variables: those with a start value, which are copied at start, and those without.
reserved  RAM that the linker script sets aside for stack or heap; no variable, but it has to fit.

A section counts by its address, not by its name: `.init_array` is marked writable and stays in
flash, `.ARM.exidx` is neither text nor data, and constants that a machine cannot read from flash
are copied as variables are. Only the standard library is used.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from elf import AVR, LOADED, NO_BITS, WRITABLE, Elf, ElfError, Section, Segment

_ARRAYS = {14, 15, 16}  # SHT_INIT_ARRAY, SHT_FINI_ARRAY, SHT_PREINIT_ARRAY
_AVR_NO_MEMORY = 0x810000  # from here on avr-ld places EEPROM, fuses, lock bits and the signature
_RESERVED = (".stack", "._user_heap_stack", ".heap")


class Size(NamedTuple):
    """Bytes of a program."""

    flash: int
    ram: int
    reserved: int = 0


def size_of(path: Path) -> Size:
    """Returns the size of a linked program.

    Errors   ElfError; OSError: the file cannot be read.
    """
    program = Elf(path)
    if not program.sections:
        raise ElfError(f"{path.name} is a broken ELF file: it has no section headers")
    return size_of_elf(program)


def size_of_elf(program: Elf) -> Size:
    """Returns the size of a linked program that was read already."""
    flash = ram = reserved = 0
    for section in program.sections:
        if not section.flags & LOADED or (program.machine == AVR and section.address >= _AVR_NO_MEMORY):
            continue
        if section.kind == NO_BITS:
            if section.name.startswith(_RESERVED):
                reserved += section.size
            else:
                ram += section.size
            continue
        flash += section.size
        if _is_copied(section, program.segments) or (section.flags & WRITABLE and section.kind not in _ARRAYS):
            ram += section.size
    return Size(flash, ram, reserved)


def _is_copied(section: Section, segments: list[Segment]) -> bool:
    """Tells whether a section lies elsewhere in the file's image than where the program uses it."""
    for segment in segments:
        if segment.address <= section.address and section.address + section.size <= segment.address + segment.size:
            return segment.address != segment.load_address and section.size > 0
    return False
