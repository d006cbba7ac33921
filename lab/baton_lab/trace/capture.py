# SPDX-License-Identifier: MIT
"""The trace of a program that runs: the seam between ./baton trace and the decoders of rings and streams."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from baton_lab.base.project import Project
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.trace.model import Trace


@dataclass(frozen=True)
class Subject:
    """A thing to trace: a built program on this machine, or a board with its program."""

    name: str
    program: Path | None = None
    board: Board | None = None


def capture(project: Project, subject: Subject) -> Trace:
    """Runs a program and returns its trace. The project has the builds and emulators.

    Errors   BadInputError: nothing here records the events of programs.
    """
    kind = "board" if subject.board else "program"
    raise BadInputError(
        f"{subject.name}: this Baton does not record the events of a running {kind} yet; ./baton trace FILE shows one "
        "that is stored"
    )
