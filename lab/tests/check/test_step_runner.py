# SPDX-License-Identifier: MIT
"""Steps run side by side: their order, their output, and the state after an interruption."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from baton_lab.base import process
from baton_lab.base.project import ROOT, Project
from baton_lab.check import step_runner
from baton_lab.check.steps.step import Result, Step


def at_once(*names: str, wide: tuple[str, ...] = (), **needs: tuple[str, ...]) -> list[Step]:
    return [Step(name, lambda project: Result(passed=1), needs.get(name, ()), wide=name in wide) for name in names]


def started(progress: step_runner.Progress) -> list[str]:
    """Starts the steps that may start, as the pool does."""
    names = []
    for step in progress.ready():
        progress.running.add(step.name)
        names.append(step.name)
    return names


def end(progress: step_runner.Progress, name: str) -> None:
    progress.running.discard(name)
    progress.results[name] = Result(passed=1)


def test_one_wide_step_runs_at_a_time_and_first_with_narrow_ones_beside_it() -> None:
    progress = step_runner.Progress(at_once("a", "b", "w1", "w2", wide=("w1", "w2")), slots=2)
    assert started(progress) == ["w1", "a"]
    end(progress, "a")
    assert started(progress) == ["b"]
    end(progress, "b")
    assert started(progress) == []
    end(progress, "w1")
    assert started(progress) == ["w2"]


def test_a_step_waits_for_what_it_needs_and_for_no_step_that_is_not_there() -> None:
    progress = step_runner.Progress(at_once("a", "b", "c", b=("a",), c=("absent",)), slots=9)
    assert started(progress) == ["a", "c"]
    end(progress, "a")
    assert started(progress) == ["b"]


def test_a_step_follows_one_that_failed_but_does_not_need_it(project: Project) -> None:
    seen: list[str] = []

    def noted(name: str, result: Result) -> Callable[[Project], Result]:
        def action(project: Project) -> Result:
            seen.append(name)
            return result

        return action

    steps = [
        Step("a", noted("a", Result(failed=1))),
        Step("b", noted("b", Result(passed=1)), after=("a",)),
        Step("c", noted("c", Result(passed=1)), needs=("a",)),
    ]
    results = step_runner.run_steps(project, steps, Console(quiet=True))
    assert seen == ["a", "b"] and results[2].result.skipped == 1


def test_a_list_that_could_wait_for_ever_is_refused(project: Project) -> None:
    for steps in (at_once("a", "b", a=("b",)), at_once("a", "a")):
        with pytest.raises(ValueError, match="step 'a'"):
            step_runner.run_steps(project, steps, Console(quiet=True))


def test_steps_that_wait_for_each_other_side_by_side_are_shown_in_their_order(project: Project) -> None:
    met = threading.Event()

    def second(project: Project) -> Result:
        met.set()
        return Result(failed=1, output="x\ny")

    steps = [
        Step("first", lambda project: Result(passed=int(met.wait(10)))),
        Step("second", second),
        Step("third", lambda project: Result(passed=1)),
    ]
    console = Console(width=100)
    with console.capture() as captured:
        step_runner.run_steps(project, steps, console, slots=2)
    lines = captured.get().splitlines()
    steps_shown = lines[: next(at for at, line in enumerate(lines) if line.startswith("where the time went"))]
    assert [line.split()[3] for line in steps_shown if " s  " in line] == ["first:", "second:", "third:"]
    at = next(index for index, line in enumerate(lines) if "second" in line)
    assert lines[at + 1 : at + 3] == ["  | x", "  | y"]


PROGRAM = """
import signal, sys
from pathlib import Path
sys.path.insert(0, "lab")
from rich.console import Console
from baton_lab.base.process import run
from baton_lab.base.project import Project
from baton_lab.check.step_runner import run_steps
from baton_lab.check.steps.step import Result, Step
folder = Path(sys.argv[1])

def sleeping(name):
    body = f"echo $$ > {folder}/{name}; sleep 60 & wait"
    return Step(name, lambda project: (run(["sh", "-c", body], cwd=folder, limit_s=60), Result(passed=1))[1])

def late(project):
    (folder / "late").touch()
    return Result(passed=1)

signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    run_steps(Project(folder), [sleeping("a"), sleeping("b"), Step("c", late)], Console(), slots=2)
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_ctrl_c_ends_every_program_and_starts_no_further_one(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    lab = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pids = [wait_for(tmp_path / name) for name in "ab"]
    lab.send_signal(2)
    assert lab.wait(20) == 130
    assert not [pid for pid in pids if is_there(pid)]


def wait_for(path: Path) -> int:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if path.is_file() and path.read_text().strip():
            return int(path.read_text())
        time.sleep(0.05)
    raise AssertionError(f"{path.name} did not start")


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_after_stop_all_no_program_starts(tmp_path: Path) -> None:
    with process.ending_reset():
        process.stop_all()
        with pytest.raises(process.InterruptedRunError):
            process.run(["true"], cwd=tmp_path, limit_s=5)
    assert process.run(["true"], cwd=tmp_path, limit_s=5).ok
