# SPDX-License-Identifier: MIT
"""A program's sections count by their addresses, and a program that does not fit is not started."""

from collections.abc import Callable
from pathlib import Path

import elf_files
import pytest
from conftest import FINISHED, script
from elf_files import AARCH64, ALLOC, ARM, ARM_EXIDX, EXECUTE, INIT_ARRAY, NOBITS, WRITE, Part

from baton_lab.base.project import Project
from baton_lab.board import emulator, program_size
from baton_lab.board.board_files import Board
from baton_lab.board.program_size import SizeError

RAM, FLASH = 0x20000000, 0x08000000
CODE = Part(".text", 1000, FLASH, ALLOC | EXECUTE)


def size(path: Path, parts: list[Part], machine: int = ARM, *, wide: bool = False) -> tuple[int, int, int]:
    program = elf_files.write(path / "program.elf", parts, machine, wide=wide)
    found = program_size.sizes([program])[program]
    return found["flash"], found["ram"], found["reserved"]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (Part(".data", 12, RAM, ALLOC | WRITE, loaded_at=FLASH + 1000), (1012, 12, 0)),
        (Part(".bss", 40, RAM, ALLOC | WRITE, NOBITS), (1000, 40, 0)),
        (Part(".noinit", 8, RAM, ALLOC | WRITE, NOBITS), (1000, 8, 0)),
        (Part(".rodata", 30, FLASH + 1000), (1030, 0, 0)),
        (Part(".rodata", 30, RAM, loaded_at=FLASH + 1000), (1030, 30, 0)),
        (Part(".ARM.exidx", 8, FLASH + 1000, ALLOC, ARM_EXIDX), (1008, 0, 0)),
        (Part(".init_array", 4, FLASH + 1000, ALLOC | WRITE, INIT_ARRAY), (1004, 0, 0)),
        (Part(".stack", 512, RAM, ALLOC | WRITE, NOBITS), (1000, 0, 512)),
        (Part(".comment", 99, 0, 0), (1000, 0, 0)),
    ],
)
@pytest.mark.parametrize(("machine", "wide"), [(ARM, False), (AARCH64, True)])
def test_a_section_counts_by_where_it_lies(
    tmp_path: Path, part: Part, expected: tuple[int, int, int], machine: int, wide: bool
) -> None:
    assert size(tmp_path, [CODE, part], machine, wide=wide) == expected


def test_the_eeprom_and_fuses_of_an_avr_are_neither_flash_nor_ram(tmp_path: Path) -> None:
    parts = [
        Part(".text", 200, 0, ALLOC | EXECUTE),
        Part(".data", 6, 0x800100, ALLOC | WRITE, loaded_at=200),
        Part(".eeprom", 32, 0x810000, ALLOC | WRITE),
        Part(".fuse", 3, 0x820000, ALLOC | WRITE),
    ]
    assert size(tmp_path, parts, elf_files.AVR) == (206, 6, 0)


@pytest.mark.parametrize("content", [b"#!/bin/sh\n", b"\x7fELF\x01\x01", b""])
def test_what_is_no_program_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "strange.elf").write_bytes(content)
    with pytest.raises(SizeError, match=r"strange\.elf is (no|a broken) ELF file"):
        program_size.sizes([tmp_path / "strange.elf"])


@pytest.fixture
def small(project: Project, board: Callable[[str], Board]) -> Board:
    path = project.root / "boards" / "nano" / "board.toml"
    path.write_text(path.read_text() + "\n[memory]\nflash_bytes = 1000\nram_bytes = 100\n")
    script(emulator.runner(project), f"touch {project.root}/started; echo ran; echo '{FINISHED}' >&2")
    return board("nano")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (elf_files.program(1001, 100), "big.elf: takes 1001 bytes of flash, and nano has 1000"),
        (elf_files.program(1000, 101), "big.elf: takes 101 bytes of RAM, and nano has 100"),
        (
            [*elf_files.program(1000, 90), Part(".stack", 20, 0x800200, ALLOC | WRITE, NOBITS)],
            "big.elf: takes 110 bytes of RAM, and nano has 100",
        ),
    ],
)
def test_a_program_that_the_board_does_not_hold_is_refused_before_the_emulator_starts(
    project: Project, small: Board, parts: list[Part], said: str
) -> None:
    program = elf_files.write(project.root / "big.elf", parts)
    ending = emulator.execute(project, small, emulator.Request(program))
    assert said in ending.problem
    assert not (project.root / "started").exists()


def test_a_program_that_just_fits_is_started(project: Project, small: Board) -> None:
    program = elf_files.write(project.root / "big.elf", elf_files.program(1000, 100))
    ending = emulator.execute(project, small, emulator.Request(program))
    assert (ending.problem, ending.text) == ("", "ran\n")
