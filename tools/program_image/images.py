# SPDX-License-Identifier: MIT
"""The forms in which boot loaders take a program."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping

from elf import Elf

HEX_BYTES = 16
UF2_BYTES = 256
RP2040 = 0xE48BFF56
ESP_MOST_BYTES = 0x8000


class ImageError(ValueError):
    """The program has no such form; the message tells why."""


def parts(program: Elf) -> list[tuple[int, bytes]]:
    """Returns what has to be loaded, by rising addresses."""
    loaded = ((each.load_address, program.content(each)) for each in program.segments if each.file_size)
    return sorted(loaded)


def hex_image(program: Elf) -> bytes:
    """Makes an Intel HEX file.

    Source   Intel Hexadecimal Object File Format Specification, revision A
    """
    lines, above = [], 0
    for address, data in _cut(parts(program), HEX_BYTES):
        if address >> 16 != above:
            above = address >> 16
            lines.append(_hex_line(0, 4, struct.pack(">H", above)))
        lines.append(_hex_line(address & 0xFFFF, 0, data))
    return "".join([*lines, _hex_line(0, 1, b"")]).encode()


def _hex_line(address: int, kind: int, data: bytes) -> str:
    line = struct.pack(">BHB", len(data), address, kind) + data
    return f":{(line + bytes([-sum(line) & 0xFF])).hex().upper()}\n"


def uf2_image(program: Elf) -> bytes:
    """Makes a UF2 file for an RP2040's RAM. The boot ROM starts the lowest address that it has
    loaded, so a block below the program jumps to its entry.

    Source   USB Flashing Format (UF2); RP2040 data sheet, "UF2 Format Details"
    """
    pages: dict[int, bytearray] = {}
    for address, data in _cut(parts(program), UF2_BYTES):
        page = pages.setdefault(address & -UF2_BYTES, bytearray(UF2_BYTES))
        page[address % UF2_BYTES : address % UF2_BYTES + len(data)] = data
    entry = min(pages) - UF2_BYTES
    if entry != 0x20000000:
        raise ImageError(
            f"the program begins at {min(pages):#x}, and has to begin {UF2_BYTES} bytes behind its RAM's begin"
        )
    jump = struct.pack("<HHI", 0x4800, 0x4700, program.entry | 1)  # ldr r0, [pc]; bx r0; the word that is read
    pages[entry] = bytearray(jump.ljust(UF2_BYTES, b"\0"))
    return b"".join(
        struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, address, UF2_BYTES, number, len(pages), RP2040)
        + bytes(pages[address]).ljust(476, b"\0")
        + struct.pack("<I", 0x0AB16F30)
        for number, address in enumerate(sorted(pages))
    )


def esp8266_image(program: Elf) -> bytes:
    """Makes a file for the flash's first sector, whose parts the boot ROM copies to RAM.

    Source   esptool's documentation, "Firmware Image Format" of the ESP8266
    """
    for address, data in parts(program):
        if address >> 20 == 0x401 and len(data) > ESP_MOST_BYTES:
            raise ImageError(f"{len(data)} bytes of code, and the chip's RAM for code has {ESP_MOST_BYTES}")
    return _esp_image(program, b"\2\x40", b"")


def esp32_image(program: Elf) -> bytes:
    """Makes a file for the flash from 0x1000 on, whose parts the boot ROM copies to RAM. Its longer
    header leaves the flash's pins as they are, and names an ESP32 of any revision.

    Source   esptool's documentation, "Firmware Image Format" of the ESP32
    """
    return _esp_image(program, b"\2\x20", b"\xee" + bytes(8) + b"\xff\xff" + bytes(5))


def _esp_image(program: Elf, flash: bytes, more: bytes) -> bytes:
    loaded = parts(program)
    image = bytearray(struct.pack("<BB2sI", 0xE9, len(loaded), flash, program.entry) + more)
    check = 0xEF
    for address, data in loaded:
        padded = data.ljust(-(-len(data) // 4) * 4, b"\0")
        image += struct.pack("<II", address, len(padded)) + padded
        for byte in padded:
            check ^= byte
    return bytes(image.ljust(len(image) | 15, b"\0") + bytes([check]))


def _cut(loaded: list[tuple[int, bytes]], size: int) -> Iterator[tuple[int, bytes]]:
    """Cuts parts where an address is a multiple of `size`."""
    for address, data in loaded:
        done = 0
        while done < len(data):
            count = size - (address + done) % size
            yield address + done, data[done : done + count]
            done += count


FORMS: Mapping[str, Callable[[Elf], bytes]] = {
    "hex": hex_image,
    "uf2": uf2_image,
    "esp8266": esp8266_image,
    "esp32": esp32_image,
}
