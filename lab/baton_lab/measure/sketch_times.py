# SPDX-License-Identifier: MIT
"""The suite compat: AceRoutine's benchmark programs on compat/aceroutine, as sketches in the board's simulator.

A program prints what AceRoutine's own one prints: `NAME MICROS ITERATIONS` for each row, by the board's `micros()`,
so interrupts of the Arduino core are in the figures, as they are in the published ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from baton_lab.arduino.core_build import SketchError
from baton_lab.base.project import Project
from baton_lab.base.records import Record
from baton_lab.board import emulator
from baton_lab.board.board_files import Board
from baton_lab.measure import published as library
from baton_lab.measure import sketches

SUITE = "compat"
LIMIT_MS = 60_000
WALL_SECONDS = 300.0
SIZES = (
    "Coroutine", "CoroutineScheduler", "Channel<int>", "LogBinProfiler", "LogBinTableRenderer", "LogBinJsonRenderer",
)  # fmt: skip
TIMES: Mapping[str, Sequence[str]] = {
    "AutoBenchmark": (
        "EmptyLoop", "DirectScheduling", "DirectSchedulingWithProfiler", "CoroutineScheduling",
        "CoroutineSchedulingWithProfiler",
    ),
    "ChannelBenchmark": ("Baseline", "Channels"),
}  # fmt: skip
"""The rows of each program, in their order; the first one is the base of the others."""
_SIZE = re.compile(r"sizeof\((.+)\): (\d+)")
_TIME = re.compile(r"(\w+) (\d+\.\d{3}) (\d+)(?: \d+ \d+)?")


class SketchRunError(RuntimeError):
    """A program did not build or run, or printed something else than its rows; the message holds the last output."""


def folder(root: Path) -> Path:
    """The folder of the programs."""
    return root / "compat" / "aceroutine" / "benchmarks"


def is_for(root: Path, board: str) -> bool:
    """True where the Arduino core has the board, and the tree has the programs."""
    return board in sketches.BOARDS and folder(root).is_dir()


def records(project: Project, board: Board) -> list[Record]:
    """The rows of every program of compat/aceroutine/benchmarks on a simulated board.

    Errors   SketchRunError
    """
    sources = [folder(project.root) / name / f"{name}.ino" for name in TIMES]
    try:
        programs = sketches.build(project, board.name, "sketch_times", sources)
    except SketchError as error:
        raise SketchRunError(str(error)) from error
    return [record for name, program in programs.items() for record in _run(project, board, name, program)]


def _run(project: Project, board: Board, name: str, program: Path) -> list[Record]:
    lines = len(TIMES[name]) + 2 + (len(SIZES) + 1 if name == "AutoBenchmark" else 0)
    ending = emulator.execute(project, board, emulator.Request(program, LIMIT_MS, lines, wall_s=WALL_SECONDS))
    try:
        if ending.problem:
            raise SketchRunError(ending.problem)
        return read(board, name, ending.text.splitlines())
    except SketchRunError as error:
        raise SketchRunError(f"{name}: {error}; its last output:\n{ending.last_output()}") from error


def read(board: Board, name: str, lines: Iterable[str]) -> list[Record]:
    """The records of a program's output.

    Units    cycles of an iteration, by the board's clock; bytes of a type.
    Errors   SketchRunError: another line, or the rows are not the program's.
    """
    sizes: dict[str, int] = {}
    times: dict[str, tuple[float, int]] = {}
    for line in filter(None, (line.strip() for line in lines)):
        if size := _SIZE.fullmatch(line):
            sizes[size[1]] = int(size[2])
        elif time := _TIME.fullmatch(line):
            times[time[1]] = (float(time[2]), int(time[3]))
        elif line not in ("SIZEOF", "BENCHMARKS", "END"):
            raise SketchRunError(f"garbage instead of a row: {line[:80]!r}")
    if tuple(times) != tuple(TIMES[name]) or tuple(sizes) not in ((), SIZES):
        raise SketchRunError(f"rows {' '.join([*sizes, *times])} instead of {' '.join(TIMES[name])}")
    assert board.mhz is not None and board.figures is not None
    base = times[TIMES[name][0]][0]
    return [
        *(
            Record(suite=SUITE, case=f"sizeof({each})", board=board.name, unit="bytes", value=size, valid="measured")
            for each, size in sizes.items()
        ),
        *(
            Record(
                suite=SUITE, case=each, board=board.name, unit="cycles", iterations=iterations,
                value=round(micros * board.mhz, 3), base=round(base * board.mhz, 3), valid=board.figures.valid,
            )
            for each, (micros, iterations) in times.items()
        ),
    ]  # fmt: skip


RESOLUTION_US = 0.0015


def slower(board: Board, found: Iterable[Record]) -> list[str]:
    """The rows that take longer than in AceRoutine's own program in the same simulator, or add more to their base.

    Shape    a line each; nothing for a board on which AceRoutine's programs were not run.
    """
    lines = []
    for record in found:
        theirs = library.published().simulated(board.name, record.case)
        if theirs is None or record.unit != "cycles" or board.mhz is None:
            continue
        ours = record.value / board.mhz
        more = record.net / board.mhz
        if ours > theirs.micros_per_iter + RESOLUTION_US or more > theirs.diff_micros + RESOLUTION_US:
            took = f"takes {ours:.3f} us, {more:.3f} more than its base"
            known = f"{theirs.micros_per_iter:.3f}, {theirs.diff_micros:.3f} more"
            lines.append(f"{board.name}: {record.case} {took}; AceRoutine {known}")
    return lines
