# SPDX-License-Identifier: MIT
"""Defines a step of ./baton test and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.etree import ElementTree

from baton_lab.base.locks import alone
from baton_lab.base.process import Outcome, printable, run
from baton_lab.base.project import Project


@dataclass(frozen=True)
class Case:
    """A test of a step by its name, for a file of results; it passed unless `failed` or `skipped`.

    `group` is the class of a test of pytest; `output` is what it printed, or why it failed.
    """

    name: str
    group: str = ""
    seconds: float = 0.0
    failed: bool = False
    skipped: bool = False
    output: str = ""


@dataclass(frozen=True)
class Result:
    """A step's counts. A failed step shows `output` and `repeat`; each shows its `notes`.

    `cases` are its tests as far as they have names.
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    output: str = ""
    repeat: str = ""
    notes: str = ""
    cases: tuple[Case, ...] = field(default=(), compare=False)

    def __add__(self, other: Result) -> Result:
        """Adds both, as one step."""
        return Result(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            "\n".join(filter(None, (self.output, other.output))),
            self.repeat if self.failed else other.repeat,
            "\n".join(filter(None, (self.notes, other.notes))),
            self.cases + other.cases,
        )


@dataclass(frozen=True)
class Step:
    """A part of ./baton test.

    needs  steps that must have passed before this one makes sense
    after  steps that must have ended in any way
    wide   it keeps every processor busy by itself, so that only narrow steps run beside it
    preset the one that it builds, so that a terminal shows the steps of the build

    Context  the action runs in a thread, beside others: it prints nothing and changes no state of
             the process
    """

    name: str
    action: Callable[[Project], Result]
    needs: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    wide: bool = False
    preset: str = ""


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
    found = tuple(map(_case, cases))
    failed = sum(case.failed for case in found)
    skips = [case.name for case in found if case.skipped]
    if failed == 0 and not outcome.ok:
        failed = 1
    passed = max(len(cases) - failed - len(skips), 0)
    notes = f"skipped: {' '.join(skips)}" if skips else ""
    output = whole.output if failed else ""
    return Result(passed, failed, len(skips), output, repeat_of(outcome) if failed else "", notes, found)


def _case(element: ElementTree.Element) -> Case:
    """Reads a testcase of ctest, whose output stands apart from the failure, or of pytest, which has both in one."""
    marks = [mark for tag in ("failure", "error", "skipped") if (mark := element.find(tag)) is not None]
    texts = [text for mark in marks for text in (mark.get("message"), mark.text)]
    texts += [mark.text for tag in ("system-out", "system-err") if (mark := element.find(tag)) is not None]
    is_failed = element.find("failure") is not None or element.find("error") is not None
    name, group = element.get("name", "?"), element.get("classname", "")
    return Case(
        name,
        "" if group == name else group,
        _seconds(element.get("time", "")),
        is_failed,
        element.find("skipped") is not None,
        "\n".join(dict.fromkeys(text.strip() for text in texts if text and text.strip())) if marks else "",
    )


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


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
