# SPDX-License-Identifier: MIT
"""Steps that run every example of examples/ on a board and compare what it prints with what is expected."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from baton_lab import emulator
from baton_lab.boards import Board, names
from baton_lab.process import printable
from baton_lab.project import Project
from baton_lab.steps.step import Result, Step

SPARE_WALL_S = 60.0


class Example(BaseModel):
    """An example.toml: its boards, its time limit, what is typed to it, and after how many lines it has shown all."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    boards: tuple[str, ...] = Field(min_length=1)
    limit_ms: int = Field(default=10_000, gt=0)
    lines: int | None = Field(default=None, gt=0)
    send: tuple[str, ...] = ()
    memory: bool = False


class ExampleError(RuntimeError):
    """An example's description cannot be used; the message names the file and the key."""


def load(folder: Path, known: Sequence[str]) -> Example:
    """The description of an example for some of the known boards.

    Errors   ExampleError
    """
    path = folder / "example.toml"
    try:
        example = Example.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ExampleError(f"{path}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise ExampleError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    strange = [name for name in example.boards if name not in known]
    if strange:
        raise ExampleError(f"{path}: boards: there is no {' '.join(strange)}; boards: {' '.join(known)}")
    return example


def step(board: Board, *, bless: bool = False) -> Step:
    """Every example of a board; each counts as one."""

    def action(project: Project) -> Result:
        folders = sorted(path for path in (project.root / "examples").glob("*") if (path / "main.cpp").is_file())
        if not folders:
            return Result(failed=1, output="examples/ holds no example")
        return sum((_one(project, board, folder, bless=bless) for folder in folders), Result())

    return Step(f"examples {board.name}", action, needs=(f"build {board.preset}",))


def _one(project: Project, board: Board, folder: Path, *, bless: bool) -> Result:
    try:
        example = load(folder, names(project.root))
    except ExampleError as error:
        return Result(failed=1, output=str(error))
    if board.name not in example.boards:
        return Result()
    program = project.preset(board.preset) / "examples" / f"{folder.name}{board.program_suffix}"
    wall_s = example.limit_ms / 1000 + SPARE_WALL_S
    request = emulator.Request(program, example.limit_ms, example.lines, example.send, wall_s)
    ending = emulator.execute(project, board, request)
    problem = ending.problem and f"{ending.problem}; its last output:\n{ending.last_output()}"
    if not problem:
        problem = compare(expected_file(folder, board.name), ending.text.replace("\r", ""), bless=bless)
    if not problem:
        return Result(passed=1)
    repeat = printable(emulator.command(project, board, request))
    return Result(failed=1, output=f"{folder.name} on {board.name}: {problem}", repeat=repeat)


def expected_file(folder: Path, board: str) -> Path:
    """One file for every board, unless a board has its own."""
    own = folder / f"expected-{board}.txt"
    return own if own.is_file() else folder / "expected.txt"


def compare(expected: Path, printed: str, *, bless: bool = False) -> str:
    """What is wrong with the output, or nothing. Silence is wrong, whatever is expected; `bless` rewrites the file."""
    if not printed.strip():
        return "it printed nothing"
    if bless:
        expected.write_text(printed, encoding="utf-8")
        return ""
    if not expected.is_file():
        return f"{expected.name} is missing; see that the output is right, then: ./baton examples --bless"
    wanted = expected.read_text(encoding="utf-8")
    if printed == wanted:
        return ""
    difference = difflib.unified_diff(wanted.splitlines(), printed.splitlines(), expected.name, "printed", lineterm="")
    return "\n".join(["its output is not the expected one", *difference])
