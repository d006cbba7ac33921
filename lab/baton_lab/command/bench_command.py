# SPDX-License-Identifier: MIT
"""Runs ./baton bench from its plan to its exit code: measures, shows, stores and writes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from baton_lab.base.case_filter import EVERY_CASE, CaseFilter, named
from baton_lab.base.notices import say
from baton_lab.base.project import Project
from baton_lab.base.store import Store
from baton_lab.base.ui import Screen
from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.command.output import console, print_for_programs
from baton_lab.measure import below_floor, board_run, interleaved_runs, real_board
from baton_lab.measure.board_run import BoardResult
from baton_lab.measure.interleaved_runs import HOST
from baton_lab.measure.peers import Peer
from baton_lab.measure.real_board import Desk
from baton_lab.setup.packages import DEFAULT_BOARDS


@dataclass(frozen=True)
class Plan:
    """A request to ./baton bench. `keep` stores the runs; `format` is that of standard output."""

    boards: tuple[Board, ...]
    suites: tuple[str, ...]
    keep: bool
    format: str
    is_default: bool
    desks: tuple[Desk, ...] = ()
    peers: tuple[Peer, ...] = ()
    cases: CaseFilter = EVERY_CASE

    @property
    def steps(self) -> list[str]:
        """The steps that the screen shows, but those of peers."""
        names = [board.name for board in self.boards] + [desk.name for desk in self.desks]
        return [f"{name}: {what}" for name in names for what in ("build", *self.suites)]


@dataclass(frozen=True)
class Wanted:
    """The named boards (BOARD@SERIAL is a real one), suites and cases, and peers to run beside."""

    boards: Sequence[str]
    suites: Sequence[str]
    peers: Sequence[Peer] = ()
    cases: CaseFilter = EVERY_CASE


def plan(project: Project, wanted: Wanted, *, keep: bool, format: str) -> Plan:
    """Makes the plan for the names.

    Peers run on the host: if suites but no boards are named beside them, only the host runs.

    Errors   BadInputError: a board or suite that does not exist or is not plugged in, a tree
             without suites, or cases beside peers.
    """
    if wanted.cases and wanted.peers:
        raise BadInputError("--case and --peers: a suite and its peers run as a whole; give one of them")
    boards = wanted.boards or ([HOST] if wanted.peers and wanted.suites else [])
    if wanted.peers and boards and HOST not in boards:
        raise BadInputError(f"--peers: they run on the board {HOST}, which is not among {' '.join(boards)}")
    emulated = [name for name in boards if not real_board.is_real(name)]
    desks = [real_board.find(project.root, name) for name in boards if real_board.is_real(name)]
    chosen = board_files.select(project.root, emulated) if emulated or not desks else []
    selected = board_run.select_suites(
        project.root, wanted.suites, [name for peer in wanted.peers for name in peer.suites]
    )
    if not selected:
        raise BadInputError("this tree has no suites in bench/suites")
    return Plan(
        boards=tuple(chosen),
        suites=tuple(selected),
        keep=keep,
        format=format,
        is_default=not wanted.boards and not wanted.suites and not wanted.cases,
        desks=tuple(desks),
        peers=interleaved_runs.entered(wanted.peers, selected),
        cases=wanted.cases,
    )


def carry_out(project: Project, asked: Plan) -> int:
    """Runs the plan; returns 0 if every board gave every suite, else 1."""
    with ExitStack() as stack:
        store = stack.enter_context(Store(project.store)) if asked.keep else None
        results = _measure(project, asked, store)
        for result in results:
            for failure in result.failures:
                print(f"baton: {failure}", file=sys.stderr)
        show(asked.format, results)
        written = store is None or _write(project, asked, results, store)
    left = board_files.left_out(project.root, asked.boards)
    if left:
        say(f"left out: {' '.join(left)}")
    for result in results:
        for suite, (_, records) in result.runs.items():
            for line in below_floor.unexplained(records):
                say(f"{result.board.name} {suite}: {line}")
    return 0 if _tell_cases(asked, results) and written and not any(result.failures for result in results) else 1


def _tell_cases(asked: Plan, results: Sequence[BoardResult]) -> bool:
    """Names the cases that --case leaves out; returns False if it left no case at all."""
    for result in results:
        for suite, labels in result.left_out.items():
            say(f"{result.board.name} {suite}: left out by --case, {len(labels)} cases: {named(labels)}")
    if asked.cases and not any(result.runs for result in results):
        print(f"baton: no case fits --case {asked.cases}; nothing is stored", file=sys.stderr)
        return False
    return True


def _measure(project: Project, asked: Plan, store: Store | None) -> list[BoardResult]:
    interleaved = interleaved_runs.interleaved(asked.suites, asked.peers)
    steps = (len(asked.boards) + len(asked.desks)) * (len(asked.suites) + 1)
    steps += len(asked.peers) + interleaved_runs.ROUNDS * len(interleaved)
    results: list[BoardResult] = []
    known = store.durations() if store else {}
    with Screen(steps, planned=asked.steps, known=known) as screen:
        for board in asked.boards:
            beside = interleaved if board.name == HOST else []
            others = [suite for suite in asked.suites if suite not in beside]
            result = BoardResult(board)
            if others:
                result = board_run.bench_board(project, board, others, store, screen, cases=asked.cases)
            if beside:
                interleaved_runs.InterleavedRuns(project, result, asked.peers).bench(beside, store, screen)
            results.append(result)
        for desk in asked.desks:
            results.append(real_board.bench_real(project, desk, asked.suites, store, screen, cases=asked.cases))
    if store:
        store.note_durations(screen.estimate.took)
    return results


def show(format: str, results: Sequence[BoardResult]) -> None:
    """Prints the runs on standard output."""
    if print_for_programs(format, [(r.board.mhz, measured) for r in results for measured in r.runs.values()]):
        return
    from baton_lab.present import terminal

    for result in results:
        if result.runs:
            terminal.print_board(console(), result.board, result.runs)


def _write(project: Project, asked: Plan, results: Sequence[BoardResult], store: Store) -> bool:
    """Writes the report, and after a complete run the READMEs; returns False after a failure."""
    from baton_lab.present import readme

    try:
        written = write_report(project, results, store)
        if (
            written
            and asked.is_default
            and board_run.updates_readmes(project.root, results, asked.suites, DEFAULT_BOARDS)
        ):
            for name in readme.update(project.root, store):
                say(f"updated the tables of {name}")
    except (OSError, readme.ReadmeError) as error:
        print(f"baton: the runs are stored, but a README was not written: {error}", file=sys.stderr)
        return False
    return written


def write_report(project: Project, results: Sequence[BoardResult], store: Store) -> bool:
    """Writes the report if there is a run; returns False after a failure."""
    from baton_lab.present import report

    try:
        if any(result.runs for result in results):
            say(f"wrote {report.write(project.report, store)}")
    except OSError as error:
        print(f"baton: the runs are stored, but the report was not written: {error}", file=sys.stderr)
        return False
    return True
