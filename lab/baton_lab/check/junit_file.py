# SPDX-License-Identifier: MIT
"""Writes the results of ./baton test as JUnit XML, in the form that Jenkins and surefire read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from baton_lab.base.files import write_atomically
from baton_lab.check.steps.step import Case, Result

NO_SKIPS = "it was skipped, and --no-skips makes that a failure"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True)
class Ended:
    """A step by its name, with its result and its seconds."""

    name: str
    result: Result
    seconds: float

    @property
    def cases(self) -> list[Case]:
        """The tests of the step; the step itself where it names none, or failed beside them."""
        result, found = self.result, list(self.result.cases)
        failed_beside = result.failed > sum(case.failed for case in found)
        if not found or failed_beside:
            output = "\n".join(filter(None, (result.output or result.notes, _repeat(result))))
            is_skipped = not result.failed and not result.passed
            own = Case(self.name, "", 0.0 if found else self.seconds, bool(result.failed), is_skipped, output)
            found.append(own)
        return found


def write(path: Path, steps: Sequence[Ended], *, no_skips: bool = False) -> None:
    """Writes the file; it is replaced as a whole.

    Errors   OSError
    """
    write_atomically(path, document(steps, datetime.now(UTC), no_skips=no_skips))


def document(steps: Sequence[Ended], now: datetime, *, no_skips: bool = False) -> str:
    """Returns the document: a testsuite for each step, a testcase for each of its tests.

    A failure has what the test printed; a skip with `no_skips` is a failure.
    """
    root = Element("testsuites", name="./baton test")
    suites = [_suite(root, step, now, no_skips=no_skips) for step in steps]
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    root.set("time", _seconds(sum(step.seconds for step in steps)))
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(root: Element, step: Ended, now: datetime, *, no_skips: bool) -> Element:
    suite = SubElement(root, "testsuite", name=_text(step.name))
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for case in step.cases:
        counts["tests"] += 1
        counts[_add(suite, step.name, case, no_skips=no_skips)] += 1 if case.failed or case.skipped else 0
    for key, count in counts.items():
        suite.set(key, str(count))
    suite.set("time", _seconds(step.seconds))
    suite.set("timestamp", now.strftime("%Y-%m-%dT%H:%M:%S"))
    if step.result.notes:
        SubElement(suite, "system-out").text = _text(step.result.notes)
    return suite


def _add(suite: Element, step: str, case: Case, *, no_skips: bool) -> str:
    """Adds a testcase, and returns the count that it belongs to."""
    group = f"{step}.{case.group}" if case.group else step
    made = SubElement(suite, "testcase", name=_text(case.name), classname=_text(group), time=_seconds(case.seconds))
    first = _text(case.output).strip().partition("\n")[0]
    if case.failed:
        SubElement(made, "failure", message=first or "it failed", type="failure").text = _text(case.output)
    elif case.skipped and no_skips:
        SubElement(made, "failure", message=NO_SKIPS, type="skip").text = _text(case.output)
    elif case.skipped:
        SubElement(made, "skipped", message=first)
    return "skipped" if case.skipped and not no_skips and not case.failed else "failures"


def _repeat(result: Result) -> str:
    return f"to repeat it: {result.repeat}" if result.failed and result.repeat else ""


def _seconds(value: float) -> str:
    return f"{value:.3f}"


def _text(text: str) -> str:
    """Returns the text without colours and characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", _COLOUR.sub("", text))
