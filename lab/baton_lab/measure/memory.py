# SPDX-License-Identifier: MIT
"""The memory suite: the bytes of each feature beyond the empty program, and the stack of each example."""

from __future__ import annotations

from pathlib import Path

from baton_lab.arduino.core_build import SketchError
from baton_lab.base.project import Project
from baton_lab.base.records import Record, Validity
from baton_lab.board import emulator, program_size
from baton_lab.board.board_files import Board, names
from baton_lab.board.program_size import SizeError
from baton_lab.measure import example, sketch_memory

EMPTY = "empty"
KINDS = ("flash", "ram")
STACK = "stack"
_ELF = b"\x7fELF"


def records(project: Project, board: Board) -> list[Record]:
    """Returns the flash and the RAM of each feature, then the stack of each example, in alphabetical order.

    Errors   SizeError: no programs, no empty one, one that is no program, or an example that does not run.
    """
    return [*_features(project, board), *_sketches(project, board), *_stacks(project, board)]


def _features(project: Project, board: Board) -> list[Record]:
    folder = project.preset(board.preset) / "bench" / "memory"
    programs = [path for path in sorted(folder.glob("*")) if _is_program(path)]
    sizes = {path.stem: size for path, size in program_size.sizes(programs).items()} if programs else {}
    if EMPTY not in sizes:
        raise SizeError(f"build/{board.preset}/bench/memory holds no program named {EMPTY}")
    empty = sizes.pop(EMPTY)
    return [_record(board, name, kind, size[kind] - empty[kind]) for name, size in sizes.items() for kind in KINDS]


def _sketches(project: Project, board: Board) -> list[Record]:
    try:
        sizes = sketch_memory.sizes(project, board.name)
    except SketchError as error:
        raise SizeError(str(error)) from error
    return [_record(board, name, kind, size[kind]) for name, size in sizes.items() for kind in KINDS]


def _stacks(project: Project, board: Board) -> list[Record]:
    """Returns the most bytes that the stack held while an example ran, interrupts included.

    Only chips are measured: under Linux the stack is not the program's own, and signals arrive at any time. Examples
    with a kernel are left out: they have several stacks, and list them themselves.
    """
    if board.emulator is None or board.memory is None:
        return []
    made = []
    for folder in example.folders(project.root):
        try:
            described = example.load(folder, names(project.root))
        except example.ExampleError as error:
            raise SizeError(str(error)) from error
        if described.kernel or not example.is_for(project, board, folder, described):
            continue
        request = described.request(example.program(project, board, folder), stack=True)
        ending = emulator.execute(project, board, request)
        if ending.problem:
            raise SizeError(f"{folder.name}: {ending.problem}; its last output:\n{ending.last_output()}")
        if ending.stack_bytes is not None:
            made.append(_record(board, folder.name, STACK, ending.stack_bytes))
    return made


def _is_program(path: Path) -> bool:
    if not path.is_file() or path.suffix not in {"", ".elf"}:
        return False
    with path.open("rb") as file:
        return file.read(len(_ELF)) == _ELF


def _record(board: Board, case: str, kind: str, value: int) -> Record:
    """Returns a record. A size is measured; a stack has the validity of the emulator that ran the example."""
    valid: Validity = "measured"
    if kind == STACK:
        valid = "approximate" if board.figures and board.figures.valid == "approximate" else "simulated"
    return Record(
        suite="memory", case=case, board=board.name, unit="bytes", value=value, valid=valid, params={"kind": kind}
    )
