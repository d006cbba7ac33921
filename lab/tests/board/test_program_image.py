# SPDX-License-Identifier: MIT
"""Images hold what a program loads, at its addresses; each is read back by its own rules."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import elf_files
import pytest
from elf_files import ALLOC, ARM, EXECUTE, NOBITS, WRITE, Part

from baton_lab.board import flashing
from baton_lab.board.flashing import FlashError

RAM = 0x20000000


def made(folder: Path, form: str, *parts: Part) -> tuple[bytes, bytes]:
    """Returns the image of a program with these parts, and the bytes that each part begins with."""
    program = elf_files.write(folder / "bench_auto.elf", parts, ARM)
    return flashing.image(program, form).read_bytes(), program.read_bytes()


def code(address: int, size: int) -> Part:
    return Part(".text", size, address, ALLOC | EXECUTE)


def data(address: int, size: int, loaded_at: int) -> Part:
    return Part(".data", size, address, ALLOC | WRITE, loaded_at=loaded_at)


def zeros(address: int) -> Part:
    return Part(".bss", 4000, address, ALLOC | WRITE, NOBITS)


def test_an_elf_file_is_its_own_image(tmp_path: Path) -> None:
    assert flashing.image(tmp_path / "x.elf", "elf") == tmp_path / "x.elf"


def test_intel_hex_holds_every_byte_where_it_is_loaded(tmp_path: Path) -> None:
    image, file = made(tmp_path, "hex", code(0xFFF8, 100), data(0x1FFF8000, 9, 0x2000A), zeros(0x1FFF9000))
    loaded, above, lines = {}, 0, image.decode().splitlines()
    assert lines[-1] == ":00000001FF"
    for line in lines[:-1]:
        row = bytes.fromhex(line.removeprefix(":"))
        assert len(row) == row[0] + 5 and sum(row) % 256 == 0
        if row[3] == 4:
            above = int.from_bytes(row[4:6], "big") << 16
        else:
            assert row[3] == 0
            loaded.update({above + int.from_bytes(row[1:3], "big") + i: byte for i, byte in enumerate(row[4:-1])})
    expected = {0xFFF8 + i: file[i] for i in range(100)} | {0x2000A + i: file[i] for i in range(9)}
    assert loaded == expected


def test_uf2_holds_whole_pages_of_ram_behind_a_jump_to_the_entry(tmp_path: Path) -> None:
    image, file = made(
        tmp_path, "uf2", code(RAM + 0x100, 200), data(RAM + 0x2A000, 30, RAM + 0x1C8), zeros(RAM + 0x2B000)
    )
    assert len(image) == 2 * 512
    loaded = b""
    for number in range(2):
        block = image[512 * number : 512 * number + 512]
        head = struct.unpack("<8I", block[:32])
        assert head == (0x0A324655, 0x9E5D5157, 0x2000, RAM + 256 * number, 256, number, 2, 0xE48BFF56)
        assert struct.unpack("<I", block[508:]) == (0x0AB16F30,)
        loaded += block[32:288]
    assert struct.unpack("<HHI", loaded[:8]) == (0x4800, 0x4700, 1)  # the file's entry is 0, and Thumb's
    assert loaded[256:] == file[:200] + file[:30] + bytes(26)


def test_a_program_that_leaves_no_room_for_the_jump_has_no_uf2(tmp_path: Path) -> None:
    with pytest.raises(FlashError, match="has to begin 256 bytes behind its RAM's begin"):
        made(tmp_path, "uf2", code(RAM, 200))


@pytest.mark.parametrize(
    ("form", "header"),
    [
        ("esp8266", [0xE9, 2, 2, 0x40, 0, 0, 0, 0]),
        ("esp32", [0xE9, 2, 2, 0x20, 0, 0, 0, 0, 0xEE, *[0] * 8, 0xFF, 0xFF, *[0] * 5]),
    ],
)
def test_an_image_of_an_esp_has_its_parts_and_their_sum(tmp_path: Path, form: str, header: list[int]) -> None:
    image, file = made(tmp_path, form, code(0x40100000, 101), data(0x3FFE8000, 8, 0x3FFE8000), zeros(0x3FFE9000))
    assert image[: len(header)] == bytes(header) and len(image) % 16 == 0
    at, check = len(header), 0xEF
    for address, content in ((0x3FFE8000, file[:8]), (0x40100000, file[:101] + bytes(3))):
        assert struct.unpack("<II", image[at : at + 8]) == (address, len(content))
        assert image[at + 8 : at + 8 + len(content)] == content
        at += 8 + len(content)
        for byte in content:
            check ^= byte
    assert image[-1] == check and not any(image[at:-1])


def test_code_that_the_esp8266_does_not_hold_is_refused(tmp_path: Path) -> None:
    program = elf_files.write(tmp_path / "x.elf", [code(0x40100000, 0x8001)], ARM)
    program.write_bytes(program.read_bytes().ljust(0x9000, b"x"))
    with pytest.raises(FlashError, match="32769 bytes of code, and the chip's RAM for code has 32768"):
        flashing.image(program, "esp8266")


def test_what_is_no_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.elf").write_text("nothing")
    with pytest.raises(FlashError, match=r"x\.elf is no ELF file"):
        flashing.image(tmp_path / "x.elf", "hex")
    command = [sys.executable, str(flashing.IMAGES), "exe", "a", "b"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 1 and "usage: program-image hex|uf2|esp8266" in answer.stderr
