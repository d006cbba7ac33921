# SPDX-License-Identifier: MIT
"""The memory suite: what a feature adds to the empty program, by the linker's own sizes."""

from __future__ import annotations

import subprocess
from pathlib import Path

from baton_lab.boards import Board
from baton_lab.build import size_tool
from baton_lab.project import Project
from baton_lab.records import Record

EMPTY = "empty"
LIMIT_S = 60.0
_ELF = b"\x7fELF"


class SizeError(RuntimeError):
    """There are no sizes to compare; the message says why."""


def records(project: Project, board: Board) -> list[Record]:
    """One record a feature and kind, the features in alphabetical order.

    Errors   SizeError: no programs, no empty one, or `size` does not understand them.
    """
    build_folder = project.preset(board.preset)
    programs = {path.stem: path for path in sorted((build_folder / "bench" / "memory").glob("*")) if _is_program(path)}
    if EMPTY not in programs:
        raise SizeError(f"build/{board.preset}/bench/memory holds no program named {EMPTY}")
    tool = size_tool(build_folder)
    empty = sizes(tool, programs.pop(EMPTY))
    made = []
    for name, path in programs.items():
        for kind, value in sizes(tool, path).items():
            made.append(_record(board.name, name, kind, value - empty[kind]))
    return made


def sizes(tool: str, program: Path) -> dict[str, int]:
    """Flash holds code and the start values of variables; RAM the variables, stack not included."""
    try:
        answer = subprocess.run([tool, str(program)], capture_output=True, text=True, check=False, timeout=LIMIT_S)
    except FileNotFoundError as error:
        raise SizeError(f"{tool} is not installed: run ./baton setup") from error
    lines = answer.stdout.splitlines()
    if answer.returncode != 0 or len(lines) != 2:
        raise SizeError(f"{tool} {program.name}: {(answer.stderr or answer.stdout).strip()}")
    text, data, bss = (int(word) for word in lines[1].split()[:3])
    return {"flash": text + data, "ram": data + bss}


def _is_program(path: Path) -> bool:
    if not path.is_file() or path.suffix not in {"", ".elf"}:
        return False
    with path.open("rb") as file:
        return file.read(len(_ELF)) == _ELF


def _record(board: str, feature: str, kind: str, value: int) -> Record:
    return Record(
        suite="memory", case=feature, board=board, unit="bytes", value=value, valid="measured", params={"kind": kind}
    )
