# SPDX-License-Identifier: MIT
"""Approximate cycles: the timings of the cores, and the run that holds them to an emulator that counts cycles.

A program of the RP2040 runs in QEMU, too. No machine there is an RP2040, but one has memory where the program lies. A
copy of the program finds plain memory where it expects the LED's registers, and not one instruction differs. It prints
nothing there, so the runner reports the intervals alone, in their order.
"""

from __future__ import annotations

import json
import struct
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from baton_lab.base.project import ROOT, Project
from baton_lab.base.records import TIMING, Record
from baton_lab.board import emulator
from baton_lab.board.board_files import Board
from baton_lab.measure import suites

FILE = ROOT / "emulators" / "timings.toml"
CORE = "cortex-m0plus"
"""The core of the programs that run in both emulators."""

SINGLE_CYCLE_IO, SPARE_MEMORY, LENGTH = 0xD0000000, 0x21000000, 0x100
"""The registers of the LED, and memory of the machine; boards/rp2040 uses no other device but by waits that end."""

_VECTORS = 0x20000000
_DESCRIPTION = """name = "{name}"
mhz = {mhz:g}
[emulator]
kind = "qemu"
program = "qemu-system-arm"
machine = "mps2-an385"
arguments = ["-semihosting-config", "enable=on,target=native", "-device", "loader,file={vectors},addr=0,force-raw=on"]
shift = 6
timing = "{core}"
"""


class TimingError(RuntimeError):
    """The comparison of two emulators has no usable result; the message holds the last output."""


class Core(BaseModel):
    """A core of timings.toml, and its figures in cycles."""

    model_config = ConfigDict(frozen=True, extra="allow")

    title: str
    manual: str
    ranges: str

    def figure(self, key: str) -> int:
        """A figure; 0 where the core has none."""
        return int((self.model_extra or {}).get(key, 0))


@cache
def cores() -> dict[str, Core]:
    """The cores by their names."""
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: Core.model_validate(core) for name, core in found.items()}


def is_timed(board: Board, suite: str) -> bool:
    """True where the board's emulator adds approximate cycles to the suite's records."""
    return board.emulator is not None and board.emulator.timing is not None and board.name in suites.of(suite).timed


def held(project: Project, board: Board, suite: str, path: Path, records: Sequence[Record]) -> list[Record]:
    """The approximate cycles of a program whose `records` another emulator counted; none on other boards.

    Errors   TimingError: the program did not run, or measured other intervals.
    """
    if board.emulator is None or board.emulator.timing is not None or board.name not in suites.of(suite).timed:
        return []
    intervals = iter(_intervals(project, board, path))
    try:
        made = [_timed(record, intervals) for record in records]
    except StopIteration:
        raise TimingError(f"{path.name} measures fewer intervals in QEMU") from None
    if next(intervals, None) is not None:
        raise TimingError(f"{path.name} measures more intervals in QEMU")
    return made


def _timed(record: Record, intervals: Iterator[list[int]]) -> Record:
    """The record by the next intervals, one for each of its figures, with reads and writes of the first."""
    _, reads, writes, cycles, *_ = next(intervals)
    found: dict[str, object] = {"value": cycles / record.iterations}
    for key in ("base", "floor"):
        if getattr(record, key) is not None:
            found[key] = next(intervals)[3] / record.iterations
    accesses = {"reads": f"{reads / record.iterations:.3f}", "writes": f"{writes / record.iterations:.3f}"}
    return record.model_copy(update={**found, "params": {**record.params, **accesses, TIMING: CORE}})


def _intervals(project: Project, board: Board, path: Path) -> list[list[int]]:
    with tempfile.TemporaryDirectory(prefix="timing-") as name:
        folder = Path(name)
        program, vectors, described = folder / path.name, folder / "vectors.bin", folder / "board.toml"
        program.write_bytes(without_led(path.read_bytes()))
        vectors.write_bytes(first_vectors(path.read_bytes()))
        described.write_text(
            _DESCRIPTION.format(name=board.name, mhz=board.mhz, vectors=vectors, core=CORE), encoding="utf-8"
        )
        ending = emulator.execute(project, board, emulator.Request(program, description=described, timing=True))
    lines = ending.outcome.errors.strip().splitlines()
    if ending.problem:
        raise TimingError(f"in QEMU {ending.problem}; its last output:\n{ending.last_output()}")
    return json.loads(lines[-1]).get("intervals", [])  # type: ignore[no-any-return]


def without_led(program: bytes) -> bytes:
    """The program with other addresses for the LED's registers. They are words of their own, so no code changes."""
    made = bytearray(program)
    for place in range(0, len(program) - 3, 4):
        word = int.from_bytes(program[place : place + 4], "little")
        if SINGLE_CYCLE_IO <= word < SINGLE_CYCLE_IO + LENGTH:
            made[place : place + 4] = (word - SINGLE_CYCLE_IO + SPARE_MEMORY).to_bytes(4, "little")
    return bytes(made)


def first_vectors(program: bytes) -> bytes:
    """The initial stack pointer and the reset vector, which the machine wants at address 0.

    Source   System V ABI, "Program Header"; ARMv6-M Architecture Reference Manual, "The vector table".
    """
    table, (size, count) = struct.unpack_from("<I", program, 28)[0], struct.unpack_from("<HH", program, 42)
    for place in range(table, table + size * count, size):
        _, offset, address, _, in_file = struct.unpack_from("<5I", program, place)
        if address <= _VECTORS < address + in_file:
            return program[offset + _VECTORS - address :][:8]
    raise TimingError(f"the program has nothing at {_VECTORS:#x}, where its vectors should be")
