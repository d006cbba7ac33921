# SPDX-License-Identifier: MIT
"""Defines a step of ./baton test and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

from baton_lab.base.locks import alone
from baton_lab.base.process import Outcome, printable, run
from baton_lab.base.project import Project


@dataclass(frozen=True)
class Result:
    """A step's counts. A failed step shows `output` and `repeat`; each shows its `notes`."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    output: str = ""
    repeat: str = ""
    notes: str = ""

    def __add__(self, other: Result) -> Result:
        """Adds both, as one step."""
        return Result(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            "\n".join(filter(None, (self.output, other.output))),
            self.repeat if self.failed else other.repeat,
            "\n".join(filter(None, (self.notes, other.notes))),
        )


@dataclass(frozen=True)
class Step:
    """A part of ./baton test.

    needs  steps that must have passed before this one makes sense
    after  steps that must have ended in any way
    wide   it keeps every processor busy by itself, so that only narrow steps run beside it

    Context  the action runs in a thread, beside others: it prints nothing and changes no state of
             the process
    """

    name: str
    action: Callable[[Project], Result]
    needs: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    wide: bool = False


def of_outcome(outcome: Outcome, cwd: Path | None = None) -> Result:
    """Returns the result of a program that passes or fails as a whole."""
    if outcome.ok:
        return Result(passed=1)
    return Result(failed=1, output=f"{outcome.tail()}\nit {outcome.how}", repeat=printable(outcome.command, cwd))


def run_tool(project: Project, command: Sequence[str], limit_s: float) -> Result:
    """Runs a checker in the tree; a checker that is not installed fails."""
    try:
        return of_outcome(run(command, cwd=project.root, limit_s=limit_s))
    except FileNotFoundError:
        return Result(failed=1, output=f"{command[0]} is not installed", repeat="./baton setup")


def of_junit(path: Path, outcome: Outcome) -> Result:
    """Counts a JUnit file of ctest or pytest; without a test in it, the run failed."""
    whole = of_outcome(outcome)
    try:
        cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError):
        cases = []
    if not cases:
        return replace(whole, passed=0, failed=1, output=whole.output or "it ran no test", repeat=repeat_of(outcome))
    failed = sum(1 for case in cases if case.find("failure") is not None or case.find("error") is not None)
    skips = [case.get("name", "?") for case in cases if case.find("skipped") is not None]
    if failed == 0 and not outcome.ok:
        failed = 1
    passed = max(len(cases) - failed - len(skips), 0)
    notes = f"skipped: {' '.join(skips)}" if skips else ""
    output = whole.output if failed else ""
    return Result(passed, failed, len(skips), output, repeat_of(outcome) if failed else "", notes)


def run_tests(
    project: Project, command: Sequence[str], junit: Path, limit_s: float, told: Mapping[str, str] | None = None
) -> Result:
    """Runs a command that writes this JUnit file, and counts it; `told` is added to its
    environment.

    Context  exclusive with that file: another ./baton waits.
    """
    name = str(junit.relative_to(project.build)).replace("/", "-")
    with alone(project.lock(name), f"running {command[0]}"):
        junit.unlink(missing_ok=True)
        return of_junit(junit, run(command, cwd=project.root, limit_s=limit_s, environment=told))


def repeat_of(outcome: Outcome) -> str:
    """Returns the command to repeat, from the top of the tree."""
    return printable(outcome.command)
