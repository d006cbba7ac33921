# SPDX-License-Identifier: MIT
"""Runs ./baton gate: measures, compares with baselines and budgets, and updates them on request."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from baton_lab.base.case_filter import EVERY_CASE, CaseFilter
from baton_lab.base.notices import say
from baton_lab.base.process import stop_all
from baton_lab.base.project import Project
from baton_lab.base.records import Record
from baton_lab.base.store import Run
from baton_lab.base.ui import Screen
from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.board.program_size import SizeError
from baton_lab.measure import baselines, board_run, budgets, gate
from baton_lab.measure.baselines import BaselineError, Section
from baton_lab.measure.board_run import BoardResult
from baton_lab.measure.gate import Verdict
from baton_lab.present import history


@dataclass(frozen=True)
class Assessment:
    """The gate's result for some boards. `failures` make it red; `remarks` do not."""

    verdicts: tuple[Verdict, ...]
    failures: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def compared(self) -> int:
        """The number of figures that were compared with a baseline."""
        return sum(verdict.compared for verdict in self.verdicts)

    @property
    def summary(self) -> str:
        """The summary in one line."""
        rose, fell = (sum(len(v.of(kind)) for v in self.verdicts) for kind in ("rose", "fell"))
        without = [f"{v.board} {v.suite}" for v in self.verdicts if v.absent]
        line = f"{self.compared} figures compared with the baselines: {rose} rose, {fell} fell"
        line += f"; no baseline for {len(without)} suites" if without else ""
        left = sum(verdict.left_out for verdict in self.verdicts)
        return f"{line}; {left} figures left out by --case" if left else line


def suites_of(project: Project, board: Board, wanted: Sequence[str] = ()) -> list[str]:
    """Returns the suites that the gate measures on a board.

    Errors   BadInputError: there is no such suite.
    """
    chosen = board_run.select_suites(project.root, wanted)
    return baselines.suites(board.emulator is not None, chosen)


def measure(project: Project, chosen: Sequence[Board], wanted: Sequence[str], screen: Screen) -> list[BoardResult]:
    """Builds and runs the deterministic suites of these boards, several at a time."""
    each = [(board, suites_of(project, board, wanted)) for board in chosen]
    pool = ThreadPoolExecutor(os.cpu_count() or 2)
    try:
        waiting = [pool.submit(board_run.bench_board, project, *work, None, screen) for work in each if work[1]]
        return [future.result() for future in waiting]
    except (KeyboardInterrupt, SystemExit):
        stop_all()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def assess(
    project: Project, results: Sequence[BoardResult], wanted: Sequence[str] = (), cases: CaseFilter = EVERY_CASE
) -> Assessment:
    """Compares results with baselines and budgets. A suite that failed, or is gone, is red.

    Budgets are of the whole suite memory, so they are compared with `cases` too.
    """
    verdicts: list[Verdict] = []
    failures = [str(failure) for result in results for failure in result.failures]
    for result in results:
        for suite in suites_of(project, result.board, wanted):
            if suite in result.runs:
                try:
                    sections = baselines.read(project.root, result.board.name, suite)
                    verdicts.append(gate.judge(*result.runs[suite], sections, cases))
                except BaselineError as error:
                    failures.append(str(error))
        failures += _gone(project, result, wanted)
        if board_run.MEMORY in result.runs:
            failures += filter(None, [budgets.problems(project, result.board)])
    failures += [line for verdict in verdicts for line in verdict.failures()]
    return Assessment(tuple(verdicts), tuple(failures), tuple(line for v in verdicts for line in v.remarks()))


def _gone(project: Project, result: BoardResult, wanted: Sequence[str]) -> list[str]:
    """Finds suites with a baseline that were not measured, and did not fail either."""
    if any(not failure.suite for failure in result.failures):
        return []
    known = {path.stem for path in (project.root / baselines.FOLDER / result.board.name).glob("*.json")}
    failed = {failure.suite for failure in result.failures}
    lost = sorted(name for name in known - failed - set(result.runs) if not wanted or name in wanted)
    folder = baselines.FOLDER / result.board.name
    return [f"{result.board.name} {name}: {folder / name}.json stands, and nothing is measured" for name in lost]


def bless(project: Project, results: Sequence[BoardResult]) -> list[str]:
    """Takes the results as baselines, writes budgets and history; returns the changed files.

    Errors   SizeError, HistoryError; files that were written before stay.
    """
    changed = []
    for result in results:
        board = result.board
        for suite, (run, records) in result.runs.items():
            if _bless_suite(project, board, run, records):
                changed.append(str(baselines.path_of(project.root, board.name, suite).relative_to(project.root)))
        if board_run.MEMORY in result.runs and budgets.bless(project, board):
            changed.append(str(budgets.path_of(project, board).relative_to(project.root)))
    if history.update(project.root):
        changed.append(str(history.PATH))
    return changed


def _bless_suite(project: Project, board: Board, run: Run, records: Sequence[Record]) -> bool:
    try:
        old = baselines.read(project.root, board.name, run.suite).get(run.compiler)
    except BaselineError:
        old = None
    figures = baselines.steady(old.figures if old else {}, baselines.figures(records))
    section = Section(flags=run.flags, figures=figures)
    return bool(figures) and baselines.write(project.root, board.name, run.suite, run.compiler, section)


def carry_out(
    project: Project,
    chosen: Sequence[Board],
    wanted: Sequence[str],
    *,
    blessing: bool,
    cases: CaseFilter = EVERY_CASE,
) -> int:
    """Runs the command; returns 0 if nothing is red, or if all results have been blessed.

    Errors   BadInputError: no figure has one of these cases.
    """
    with Screen(sum(len(suites_of(project, board, wanted)) + 1 for board in chosen)) as screen:
        results = measure(project, chosen, wanted, screen)
    left = board_files.left_out(project.root, chosen)
    if left:
        say(f"left out: {' '.join(left)}")
    if blessing:
        return _bless(project, results)
    found = assess(project, results, wanted, cases)
    if cases and found.verdicts and not any(verdict.compared or verdict.changes for verdict in found.verdicts):
        raise BadInputError(f"no figure has a case that fits --case {cases}")
    stale = history.check(project.root)
    for line in found.remarks:
        print(line)
    for line in (*found.failures, *stale):
        print(line, file=sys.stderr)
    print(found.summary)
    return 1 if found.failures or stale else 0


def _bless(project: Project, results: Sequence[BoardResult]) -> int:
    """Blesses board by board, so that one failure does not prevent the others."""
    problems = [f"not blessed, since it failed: {failure}" for result in results for failure in result.failures]
    changed: list[str] = []
    for result in results:
        try:
            changed += bless(project, [result])
        except (SizeError, history.HistoryError) as error:
            problems.append(f"{result.board.name}: {error}")
    for problem in problems:
        print(f"baton: {problem}", file=sys.stderr)
    for name in dict.fromkeys(changed):
        print(f"wrote {name}")
    print(f"{len(set(changed))} files changed" if changed else "nothing changed")
    return 1 if problems else 0
