# SPDX-License-Identifier: MIT
"""Runs steps side by side, as far as the processors go, and shows them in the order of their list.

A step starts when those that it needs or follows have ended. A wide step keeps every processor busy
by itself, so there is one at a time, with narrow ones beside it: an emulator, a checker, a test
that waits. Only the thread that called `run_steps` prints, so that outputs do not mix.
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from rich.console import Console
from rich.markup import escape

from baton_lab.base.estimate import Estimate
from baton_lab.base.process import last_lines, stop_all
from baton_lab.base.project import Project
from baton_lab.base.ui import with_count
from baton_lab.check import time_table
from baton_lab.check.junit_file import Ended
from baton_lab.check.steps.step import Result, Step

TICK_S = 0.5
"""The period in which the waiting thread wakes, so that Ctrl-C is noticed."""


@dataclass
class Progress:
    """The waiting, running and ended steps of a list, without threads."""

    steps: Sequence[Step]
    slots: int
    running: set[str] = field(default_factory=set)
    results: dict[str, Result] = field(default_factory=dict)

    def ready(self) -> Iterator[Step]:
        """Yields the steps that may start, wide ones first; start each before the next."""
        for step in sorted(self.steps, key=lambda step: not step.wide):
            if len(self.running) >= self.slots:
                return
            if step.name not in self.running and step.name not in self.results and self._may_start(step):
                yield step

    def _may_start(self, step: Step) -> bool:
        names = {other.name for other in self.steps}
        before = [name for name in (*step.needs, *step.after) if name in names]
        if any(name not in self.results for name in before):
            return False
        return not (step.wide and any(other.wide for other in self.steps if other.name in self.running))

    def lacking(self, step: Step) -> list[str]:
        """Returns the steps that it needs and that did not pass."""
        return [name for name in step.needs if name in self.results and not _is_good(self.results[name])]


def run_steps(
    project: Project,
    steps: Sequence[Step],
    console: Console,
    *,
    slots: int = 0,
    known: Mapping[str, float] | None = None,
) -> list[Ended]:
    """Runs the steps, and shows at the end which took how long.

    A step whose needs failed is skipped; the others go on. The results are in the order of the
    list. `known` has the seconds that steps took before, for an estimate on a terminal.

    Errors   ValueError: a step waits for one that comes later in the list.
    Context  an interrupt of the caller ends every program of the steps.
    """
    _check_order(steps)
    progress = Progress(steps, slots or max(2, os.cpu_count() or 2))
    estimate = Estimate([step.name for step in steps], known or {}, progress.slots)
    printer = _Printer(project, steps, console)
    began, used = time.monotonic(), time_table.processor_seconds()
    with ThreadPoolExecutor(progress.slots) as pool, _ending_all(), console.status("") as status:
        tasks: dict[Future[tuple[Result, float]], Step] = {}
        while len(progress.results) < len(steps):
            for step in progress.ready():
                progress.running.add(step.name)
                estimate.begin(step.name, step.preset, time.monotonic())
                tasks[pool.submit(_timed, project, step, progress.lacking(step))] = step
            status.update(escape(said(progress, estimate, time.monotonic())))
            ended, _ = wait(tasks, TICK_S, FIRST_COMPLETED)
            for task in ended:
                step = tasks.pop(task)
                result, seconds = task.result()
                progress.running.discard(step.name)
                progress.results[step.name] = result
                estimate.end(step.name, seconds)
                printer.ended(step, result, seconds)
    printer.table(time.monotonic() - began, time_table.processor_seconds() - used)
    return [Ended(step.name, *printer.of(step)) for step in steps]


def _check_order(steps: Sequence[Step]) -> None:
    """Refuses a list in which a step waits for a later one, and with that every cycle."""
    names = [step.name for step in steps]
    for at, step in enumerate(steps):
        late = [name for name in (*step.needs, *step.after) if name in names[at:]]
        if late or step.name in names[:at]:
            raise ValueError(f"step {step.name!r} waits for {late or 'a step of its own name'}")


@contextmanager
def _ending_all() -> Iterator[None]:
    """Ends the programs of the steps if the block ends early, since the pool waits for them."""
    try:
        yield
    except BaseException:
        stop_all()
        raise


def said(progress: Progress, estimate: Estimate, now: float) -> str:
    """Returns the line that a terminal shows: the running steps, those of a build counted, and what is left."""
    names = [with_count(step.name, step.preset) for step in progress.steps if step.name in progress.running]
    line = f"{len(progress.results)} of {len(progress.steps)}; running: {', '.join(names)}"
    return "; ".join(filter(None, (line, estimate.words(now))))


def _timed(project: Project, step: Step, lacking: Sequence[str]) -> tuple[Result, float]:
    began = time.monotonic()
    return _run(project, step, lacking), time.monotonic() - began


def _run(project: Project, step: Step, lacking: Sequence[str]) -> Result:
    if lacking:
        return Result(skipped=1, notes=f"not run, because of: {', '.join(lacking)}")
    try:
        result = step.action(project)
    except Exception as error:  # a step that raises is a failed step; the others still run
        trace = "".join(traceback.format_exception(error))
        return Result(failed=1, output=last_lines(trace), repeat="./baton test")
    if not (result.passed or result.failed or result.skipped):
        return Result(failed=1, output="it checked nothing", repeat=result.repeat)
    return result


def _is_good(result: Result) -> bool:
    return result.failed == 0 and result.passed > 0


class _Printer:
    """Shows the ended steps, each as soon as all before it in the list are shown."""

    def __init__(self, project: Project, steps: Sequence[Step], console: Console) -> None:
        self._project = project
        self._waiting = list(steps)
        self._console = console
        self._ended: dict[str, tuple[Result, float]] = {}

    def ended(self, step: Step, result: Result, seconds: float) -> None:
        self._ended[step.name] = (_without_root(result, self._project), seconds)
        while self._waiting and self._waiting[0].name in self._ended:
            first = self._waiting.pop(0)
            self._print(_lines(first, *self._ended[first.name]))

    def of(self, step: Step) -> tuple[Result, float]:
        """Returns the result and the seconds of an ended step."""
        return self._ended[step.name]

    def table(self, wall_s: float, processor_s: float) -> None:
        self._print(
            time_table.lines({name: seconds for name, (_, seconds) in self._ended.items()}, wall_s, processor_s)
        )

    def _print(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)


def _without_root(result: Result, project: Project) -> Result:
    """Writes paths as a person at the top of the tree does."""
    top = f"{project.root}/"
    cases = tuple(replace(case, output=case.output.replace(top, "")) for case in result.cases)
    return replace(result, output=result.output.replace(top, ""), repeat=result.repeat.replace(top, ""), cases=cases)


def _lines(step: Step, result: Result, seconds: float) -> list[str]:
    word = "FAILED" if result.failed else "ok" if result.passed else "skipped"
    counts = [f"{result.passed} passed"] if result.passed else []
    counts += [f"{result.failed} failed"] if result.failed else []
    counts += [f"{result.skipped} skipped"] if result.skipped else []
    lines = [f"{seconds:7.1f} s  {word:<7} {step.name}: {', '.join(counts)}"]
    lines += [f"            {line}" for line in result.notes.splitlines()]
    if result.failed:
        lines += [f"  | {line}" for line in last_lines(result.output, 60).splitlines()]
        lines += [f"  to repeat it: {result.repeat}"] if result.repeat else []
    return lines
