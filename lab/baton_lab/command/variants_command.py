# SPDX-License-Identifier: MIT
"""Runs ./baton bench --variant from its plan to its exit code: variants in turns, and the
matrix.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from baton_lab.base.notices import say
from baton_lab.base.project import Project
from baton_lab.base.records import Record
from baton_lab.base.store import Store
from baton_lab.base.ui import Screen
from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.builds.presets import BuildError
from baton_lab.command.output import console, print_for_programs
from baton_lab.measure import board_run, interleaved_runs, variants
from baton_lab.measure.board_run import Failure, Measured, SuiteError
from baton_lab.measure.interleaved_runs import HOST
from baton_lab.measure.variants import SUITE, VARIANT, Variant

ROUNDS = 5
BLOCKS = ("variants", "seeds ichor")
"""The blocks of files with figures of variants."""


@dataclass
class Session:
    """The results of the variants, each the records of its rounds, and the failures."""

    runs: list[Measured] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def require_fitting(named: Sequence[str], suites: Sequence[str], *, peers: bool) -> None:
    """Refuses other suites, boards or peers beside variants, which are of one suite on one board.

    Errors   BadInputError: the command names something else beside them.
    """
    if peers:
        raise BadInputError("--variant and --peers: each takes turns with what it is compared with; give one of them")
    if set(named) - {HOST}:
        raise BadInputError(f"--variant: they run on the board {HOST} alone, not on {' '.join(named)}")
    if set(suites) - {SUITE}:
        raise BadInputError(f"--variant: only the suite {SUITE} is built as variants, not {' '.join(suites)}")


def carry_out(project: Project, chosen: Sequence[Variant], *, keep: bool, format: str) -> int:
    """Builds, measures, stores and shows the variants; those without their tools are left out.

    Shape    0 if one was measured and none failed, else 1.
    """
    variants.install(project, chosen)
    found = measure(project, chosen)
    for failure in found.failures:
        print(f"baton: {failure}", file=sys.stderr)
    if not found.runs and not found.failures:
        print(
            "baton: nothing was measured: each variant was left out, for want of what is named above", file=sys.stderr
        )
        return 1
    if keep and found.runs:
        with Store(project.store) as store:
            found.runs = [board_run.keep(run, of_run, store) for run, of_run in found.runs]
            _show(found.runs, format)
            written = _write(project, store)
    else:
        _show(found.runs, format)
        written = True
    return 0 if written and not found.failures else 1


def measure(project: Project, chosen: Sequence[Variant]) -> Session:
    """Runs every variant once per round, so that disturbances of the machine hit all of them."""
    board = board_files.load(project.root / "boards" / HOST / "board.toml")
    found = Session()
    with Screen(len(chosen) * (ROUNDS + 1)) as screen:
        ready = _built(project, board, chosen, found, screen)
        screen.line(f"          left out, {variants.CONTAINERS}")
        done: dict[Variant, list[Record]] = {variant: [] for variant in ready}
        for number in range(1, ROUNDS + 1):
            for variant in [each for each in ready if each in done]:
                try:
                    with screen.step(f"variant {variant.name}, round {number} of {ROUNDS}"):
                        done[variant] += _round(project, board, variant)
                except SuiteError as error:
                    found.failures.append(Failure(HOST, SUITE, f"variant {variant.name}: {error}"))
                    del done[variant]
    runs = {variant: board_run.describe(project, _board_of(board, variant), SUITE) for variant in done}
    began = min((run.started for run in runs.values()), default=None)
    found.runs = [
        (run.model_copy(update={"started": began}), interleaved_runs.merge(done[variant]))
        for variant, run in runs.items()
    ]
    return found


def _built(project: Project, board: Board, chosen: Sequence[Variant], found: Session, screen: Screen) -> list[Variant]:
    """Returns the variants that are built. A variant without its compiler or library is left out by
    name.
    """
    ready = []
    for variant in chosen:
        if lacking := variants.lacking(variant):
            screen.line(f"          left out, variant {variant.name}: {lacking}")
            continue
        try:
            with screen.step(f"variant {variant.name}: build"):
                variants.build(project, variant)
        except BuildError as error:
            found.failures.append(Failure(board.name, SUITE, f"variant {variant.name} does not build\n{error}"))
            continue
        ready.append(variant)
    return ready


def _round(project: Project, board: Board, variant: Variant) -> list[Record]:
    """Returns the records of one run of a variant's program, marked with its name.

    Errors   SuiteError
    """
    records = board_run.measure(project, _board_of(board, variant), SUITE, counting=False)
    return [record.model_copy(update={"params": {**record.params, VARIANT: variant.name}}) for record in records]


def _board_of(board: Board, variant: Variant) -> Board:
    """Returns the host, with the build folder of a variant."""
    return board.model_copy(update={"preset": variant.preset})


def _show(runs: Sequence[Measured], format: str) -> None:
    if print_for_programs(format, [(None, measured) for measured in runs]):
        return
    from baton_lab.present import pages, terminal

    terminal.print_grids(console(), pages.variant_grids(runs))


def _write(project: Project, store: Store) -> bool:
    """Writes the report, and after a session of all variants their files; returns False after a failure."""
    from baton_lab.present import readme, report

    try:
        say(f"wrote {report.write(project.report, store)}")
        if readme.matrix(store):
            for name in readme.update(project.root, store, blocks=BLOCKS):
                say(f"updated the tables of {name}")
        else:
            say("the tables of the files are as they were: they have a session of all variants")
    except (OSError, readme.ReadmeError) as error:
        print(f"baton: the runs are stored, but the report or a file was not written: {error}", file=sys.stderr)
        return False
    return True
