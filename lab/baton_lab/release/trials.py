# SPDX-License-Identifier: MIT
"""Runs the programs with which a package is made and tried; one that fails ends the trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from baton_lab.base.process import Outcome, printable, run

LIMIT_S = 600.0


class TrialError(RuntimeError):
    """A package cannot be made, or cannot be used; the message has the command and its last output."""


def attempt(
    command: Sequence[str], cwd: Path, *, environment: Mapping[str, str] | None = None, limit_s: float = LIMIT_S
) -> Outcome:
    """Runs a program that has to end with 0.

    Errors   TrialError
    """
    try:
        outcome = run(command, cwd=cwd, limit_s=limit_s, environment=environment)
    except FileNotFoundError:
        raise TrialError(f"{command[0]} is not installed") from None
    if not outcome.ok:
        raise TrialError(f"{outcome.tail()}\n{printable(command)} {outcome.how}")
    return outcome


def expect(command: Sequence[str], cwd: Path, output: str) -> None:
    """Runs a program that has to print exactly this.

    Errors   TrialError
    """
    printed = attempt(command, cwd).output
    if printed != output:
        raise TrialError(f"{printable(command)} printed {printed!r}, and not {output!r}")
