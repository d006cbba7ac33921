# SPDX-License-Identifier: MIT
"""The table of times at the end of ./baton test."""

import subprocess

from rich.console import Console

from baton_lab.base.project import Project
from baton_lab.check import step_runner, time_table
from baton_lab.check.steps.step import Result, Step


def test_the_longest_steps_come_first_and_the_others_together() -> None:
    steps = {f"step {number}": float(number) for number in range(time_table.LONGEST + 3)}
    head, *rows = time_table.lines(steps, 50.0, 81.25)
    assert head == "where the time went: 50.0 s passed, 81.2 s of processors"
    assert rows[0] == "   14.0 s   28%  step 14"
    assert rows[-1] == "    3.0 s    6%  3 shorter steps together"
    assert len(rows) == time_table.LONGEST + 1


def test_each_line_fits_into_80_columns() -> None:
    made = time_table.lines({"a name " * 20: 123456.7}, 1e6, 1e9)
    assert max(map(len, made)) <= 80 and len(made) == 2


def test_no_step_has_no_table() -> None:
    assert time_table.lines({}, 1.0, 1.0) == []


def test_a_run_ends_with_it_and_counts_what_its_programs_took(project: Project) -> None:
    def works(project: Project) -> Result:
        subprocess.run(["python3", "-c", "import time\nwhile time.process_time() < 0.5: pass"], check=True)
        return Result(passed=1)

    console = Console(width=120)
    with console.capture() as captured:
        step_runner.run_steps(project, [Step("works", works), Step("rests", lambda project: Result(passed=1))], console)
    head, first, second = captured.get().splitlines()[-3:]
    assert float(head.split()[-4]) >= 0.5
    assert (first.split()[-1], second.split()[-1]) == ("works", "rests")
