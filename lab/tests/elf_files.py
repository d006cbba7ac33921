# SPDX-License-Identifier: MIT
"""Makes ELF files of headers alone, for the tests of sizes."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROGBITS, NOBITS, INIT_ARRAY, ARM_EXIDX = 1, 8, 14, 0x70000001
WRITE, ALLOC, EXECUTE = 1, 2, 4
AVR, ARM, AARCH64 = 83, 40, 183


@dataclass(frozen=True)
class Part:
    """A section; `loaded_at` is its address until the start-up code copies it."""

    name: str
    size: int
    address: int = 0
    flags: int = ALLOC
    kind: int = PROGBITS
    loaded_at: int | None = None


def program(flash: int, ram: int) -> list[Part]:
    """Returns code, and variables without a start value."""
    return [Part(".text", flash, 0, ALLOC | EXECUTE), Part(".bss", ram, 0x800100, ALLOC | WRITE, NOBITS)]


def write(path: Path, parts: Sequence[Part], machine: int = AVR, *, wide: bool = False) -> Path:
    """Writes an ELF file with these sections, each in a segment of its own."""
    names = b"\0" + b"".join(part.name.encode() + b"\0" for part in parts) + b".shstrtab\0"
    header, segment, section = (64, 56, 64) if wide else (52, 32, 40)
    word = "Q" if wide else "I"
    text_at = header + segment * len(parts)
    sections_at = text_at + len(names)
    ident = b"\x7fELF" + bytes([2 if wide else 1, 1, 1]) + bytes(9)
    counts = (header, segment, len(parts), section, len(parts) + 2, len(parts) + 1)
    out = ident + struct.pack(f"<HHI{word}{word}{word}I6H", 2, machine, 1, 0, header, sections_at, 0, *counts)
    for part in parts:
        at = part.address if part.loaded_at is None else part.loaded_at
        stored = 0 if part.kind == NOBITS else part.size
        if wide:
            out += struct.pack("<IIQQQQQQ", 1, part.flags, 0, part.address, at, stored, part.size, 1)
        else:
            out += struct.pack("<8I", 1, 0, part.address, at, stored, part.size, part.flags, 1)
    out += names + bytes(section)
    name_at = 1
    for part in parts:
        out += struct.pack(f"<II{word * 4}", name_at, part.kind, part.flags, part.address, 0, part.size)
        out += bytes(section - struct.calcsize(f"<II{word * 4}"))
        name_at += len(part.name) + 1
    out += struct.pack(f"<II{word * 4}", name_at, 3, 0, 0, text_at, len(names))
    out += bytes(section - struct.calcsize(f"<II{word * 4}"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(out)
    return path
