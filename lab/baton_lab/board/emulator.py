# SPDX-License-Identifier: MIT
"""Runs a board's program: on this machine, or in its emulator."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from baton_lab.base.process import Outcome, run
from baton_lab.base.project import Project
from baton_lab.board import host_program, program_size
from baton_lab.board.board_files import Board
from baton_lab.builds.presets import EMULATORS, build

BUILT = {"simavr": "simavr-runner", "qemu": "baton-count"}
WALL_SECONDS = 120.0
DEFAULT_LIMIT_MS = 60_000


@dataclass(frozen=True)
class Request:
    """A program and its limits: `limit_ms` of the board's time, `lines` of output."""

    program: Path
    limit_ms: int = DEFAULT_LIMIT_MS
    lines: int | None = None
    send: tuple[str, ...] = ()
    wall_s: float = WALL_SECONDS
    _: KW_ONLY
    timing: bool = False  # besides instructions approximate cycles, of a board that has a timing
    stack: bool = False  # measure the depth of the stack, which slows some emulators down
    inputs: tuple[str, ...] = ()  # what pins get from outside
    watches: tuple[str, ...] = ()  # pins whose changes are told
    pace: bool = False  # in real time, not as fast as it can
    ends_after_s: int | None = None  # the runner's own limit of real time, in place of its default
    script: Path | None = None  # of edges and bytes; a program of this machine takes it as its argument
    description: Path | None = None  # replaces the board's board.toml, for a chip that no board here has


@dataclass(frozen=True)
class Ending:
    """The result of a run. `problem` is empty if the program ended well."""

    text: str
    problem: str
    outcome: Outcome
    stack_bytes: int | None = None

    def last_output(self) -> str:
        """The output to show after a failure."""
        return self.outcome.tail() or "(it printed nothing)"


def runner(project: Project) -> Path:
    """Returns the program that runs the programs of every board with an emulator."""
    return project.tree / "emulators" / "run"


def prepare(project: Project, board: Board) -> None:
    """Builds the part of the board's emulator that is compiled, in a build of its own.

    Errors   BuildError
    """
    target = BUILT.get(board.emulator.kind) if board.emulator else None
    if target:
        build(Project(project.tree), EMULATORS, [target])


def command(project: Project, board: Board, request: Request) -> list[str]:
    """Returns the command that runs the program."""
    if board.emulator is None:
        return [str(request.program), *([str(request.script)] if request.script else [])]
    described = request.description or program_size.description(project, board)
    words = [str(runner(project)), "--board", str(described), "--limit-ms", str(request.limit_ms)]
    for name, values in _with_values(request).items():
        words += [word for value in values if value is not None for word in (name, str(value))]
    flags = {"--pace": request.pace, "--timing": request.timing, "--stack": request.stack}
    words += [name for name, is_given in flags.items() if is_given]
    return [*words, str(request.program)]


def _with_values(request: Request) -> dict[str, Sequence[object]]:
    return {
        "--lines": (request.lines,),
        "--send": request.send,
        "--input": request.inputs,
        "--watch": request.watches,
        "--wall-s": (request.ends_after_s,),
        "--script": (request.script,),
    }


def execute(project: Project, board: Board, request: Request) -> Ending:
    """Runs the program to its end or limit. A program that misbehaves raises nothing here."""
    words = command(project, board, request)
    refused = program_size.too_large(project, board, request.program) if board.emulator else ""
    if refused:
        return Ending("", f"was not started, it is too large: {refused}", Outcome(tuple(words), 2, "", refused, 0.0))
    try:
        outcome = _run(project, board, request, words)
    except OSError as error:
        outcome = Outcome(tuple(words), 127, "", str(error), 0.0)
        return Ending("", f"could not be started: {error}; ./baton setup {board.name}", outcome)
    text = outcome.output.replace("\r\n", "\n")
    if board.emulator is None:
        return Ending(text, "" if outcome.ok else outcome.how, outcome)
    facts = _facts(outcome.errors)
    return Ending(text, _problem(outcome, facts), outcome, _whole(facts.get("stack_bytes")))


def _run(project: Project, board: Board, request: Request, words: list[str]) -> Outcome:
    if board.emulator is None and (request.lines is not None or request.send):
        return host_program.run(
            request.program, cwd=project.root, wall_s=request.wall_s, lines=request.lines, send=request.send
        )
    return run(words, cwd=project.root, limit_s=request.wall_s, apart=True)


def _facts(errors: str) -> dict[str, object]:
    """Returns the runner's last line, a JSON object; empty if the runner printed none."""
    lines = errors.strip().splitlines()
    try:
        facts = json.loads(lines[-1]) if lines else {}
    except json.JSONDecodeError:
        return {}
    return facts if isinstance(facts, dict) else {}


def _problem(outcome: Outcome, facts: dict[str, object]) -> str:
    state = facts.get("state")
    if outcome.timed_out or state is None:
        return f"the emulator {outcome.how}" if not outcome.ok else "the emulator reported no end"
    if state == "limit":
        return "it hung: it was still running at its time limit"
    if state == "crashed":
        return "it crashed"
    return "" if outcome.ok else f"it ended with {outcome.code}"


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None
