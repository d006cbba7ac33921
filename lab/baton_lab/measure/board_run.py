# SPDX-License-Identifier: MIT
"""./baton bench: builds each board, runs each suite on it, and collects and stores the records."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from baton_lab.base.case_filter import EVERY_CASE, CaseFilter
from baton_lab.base.nearest import unknown
from baton_lab.base.process import run
from baton_lab.base.project import Project, commit, machine, source_hash
from baton_lab.base.records import Record, RecordError, parse_line
from baton_lab.base.store import Run, Store
from baton_lab.base.ui import Screen
from baton_lab.board import emulator
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.board.program_size import SizeError
from baton_lab.builds.presets import BuildError, build, compiler_version, configure, flags_of, targets_with_flags
from baton_lab.measure import callgrind, memory, sketch_memory, sketch_times, sketches, timing
from baton_lab.measure.suites import in_order

MEMORY = "memory"
EMULATED_LIMIT_MS = 120_000
WALL_SECONDS = 300.0
COMMENT = "#"

OTHER_PROGRAMS = ("_unoptimized", "_private")
"""The ends of the names of a suite's further programs, if it has any: the same source, compiled without optimization,
and with private tasks."""

Measured = tuple[Run, list[Record]]


class SuiteError(RuntimeError):
    """A suite has no usable result on a board; the message holds the last output."""


@dataclass(frozen=True)
class Failure:
    """A failure of a board, in a suite or before any."""

    board: str
    suite: str
    problem: str

    def __str__(self) -> str:
        return f"{self.board} {self.suite}: {self.problem}".replace(" : ", ": ")


@dataclass
class BoardResult:
    """The runs and the failures of a board, and the cases that --case leaves out, suite by suite."""

    board: Board
    runs: dict[str, Measured] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    left_out: dict[str, list[str]] = field(default_factory=dict)


def suites(root: Path) -> list[str]:
    """The suites of the tree: a source, or a folder of them, in bench/suites, and the programs of compat."""
    folder = root / "bench" / "suites"
    found = {path.stem for path in folder.glob("*.cpp")} | {path.name for path in folder.glob("*") if path.is_dir()}
    return in_order(found | ({sketch_times.SUITE} if sketch_times.folder(root).is_dir() else set()))


def select_suites(root: Path, wanted: Sequence[str], peers_have: Iterable[str] = ()) -> list[str]:
    """The suites of these names, of the tree or of its peers; all where none is named.

    Errors   BadInputError: there is no such suite.
    """
    known = suites(root)
    every = [*known, *sorted(set(peers_have).difference(known))]
    for name in wanted:
        if name not in every:
            raise BadInputError(unknown("suite", name, every))
    return list(dict.fromkeys(wanted)) or every


def bench_board(  # noqa: PLR0913 - its callers name the last
    project: Project,
    board: Board,
    chosen: Sequence[str],
    store: Store | None,
    screen: Screen,
    *,
    cases: CaseFilter = EVERY_CASE,
) -> BoardResult:
    """Builds and runs the suites on one board. The result holds the failures; no exception leaves."""
    result = BoardResult(board)
    try:
        with screen.step(f"{board.name}: build", board.preset):
            emulator.prepare(project, board)
            targets = _targets(project, board, chosen)
            if names := [name for of_suite in targets.values() for name in of_suite]:
                build(project, board.preset, names)
    except BuildError as error:
        result.failures.append(Failure(board.name, "", f"does not build\n{error}"))
        return result
    without = [suite for suite in chosen if suite not in targets]
    if without:
        screen.line(f"          {board.name}: left out, no program for this board: {' '.join(without)}")
        screen.estimate.drop(f"{board.name}: {suite}" for suite in without)
    for suite in targets:
        try:
            with screen.step(f"{board.name}: {suite}"):
                records = measure(project, board, suite)
        except SuiteError as error:
            result.failures.append(Failure(board.name, suite, str(error)))
            continue
        chosen_cases(result, describe(project, board, suite), records, cases, store)
    return result


def chosen_cases(
    result: BoardResult, made: Run, records: Sequence[Record], cases: CaseFilter, store: Store | None
) -> None:
    """Keeps the chosen cases of a run. The run says that it is a part if one is left out; without a case it is none."""
    kept, left = cases.split(records)
    if left:
        made = made.model_copy(update={"cases": str(cases)})
        result.left_out[made.suite] = left
    if kept:
        result.runs[made.suite] = keep(made, kept, store)


def keep(made: Run, records: list[Record], store: Store | None) -> Measured:
    """The run with the number that the store gave it, where there is one."""
    number = store.save(made, records) if store else None
    return made.model_copy(update={"id": number}), records


def targets_of(existing: Sequence[str], chosen: Sequence[str]) -> dict[str, list[str]]:
    """The build targets of each suite; a suite that has no program for the board is not among them.

    Errors   BuildError: none of the suites is for this board.
    """
    found = {}
    for suite in chosen:
        own = f"bench_{re.escape(suite)}({'|'.join(OTHER_PROGRAMS)})?"
        pattern = re.compile(r"(memory|example)_\w+" if suite == MEMORY else own)
        names = [name for name in existing if pattern.fullmatch(name)]
        if names:
            found[suite] = names
    if not found:
        raise BuildError(f"the board has no program for {' '.join(chosen)}")
    return found


def _targets(project: Project, board: Board, chosen: Sequence[str]) -> dict[str, list[str]]:
    """As `targets_of`; sketches have no target, because the Arduino core's recipes build them."""
    existing = configure(project, board.preset)
    if sketch_times.SUITE not in chosen or not sketch_times.is_for(project.root, board.name):
        return targets_of(existing, chosen)
    others = [suite for suite in chosen if suite != sketch_times.SUITE]
    found = {**(targets_of(existing, others) if others else {}), sketch_times.SUITE: []}
    return {suite: found[suite] for suite in chosen if suite in found}


def describe(project: Project, board: Board, suite: str) -> Run:
    """The circumstances of a run that has just been made."""
    name, dirty = commit(project.root)
    folder = project.preset(board.preset)
    return Run(
        started=datetime.now(UTC),
        board=board.name,
        suite=suite,
        commit=name,
        dirty=dirty,
        compiler=compiler_version(folder),
        flags=flags(folder, board.name, suite),
        machine=machine(),
        source_hash=source_hash(project.root, suite),
    )


def flags(build_folder: Path, board: str, suite: str) -> str:
    """The flags of every program of a suite, as `presets.flags_of` words them; empty where none is built there."""
    if suite == sketch_times.SUITE:
        return sketches.flags(board)
    known = targets_with_flags(build_folder)
    try:
        programs = {name: known[name] for name in targets_of(list(known), [suite])[suite]}
    except BuildError:
        return ""
    if suite == MEMORY and (of_sketches := sketches.flags(board)):
        programs[f"{sketch_memory.PREFIX}*"] = of_sketches
    return flags_of(programs)


def measure(project: Project, board: Board, suite: str, *, counting: bool = True) -> list[Record]:
    """The records of a suite whose programs are built; `counting` the host's instructions takes a second run.

    Errors   SuiteError
    """
    try:
        if suite == MEMORY:
            return memory.records(project, board)
        if suite == sketch_times.SUITE:
            return sketch_times.records(project, board)
        records = []
        for path in programs(project, board, suite):
            own = run_suite(project, board, suite, path)
            records += own
            if path == program(project, board, suite):  # the addresses of the others are not words of their own
                records += timing.held(project, board, suite, path, own)
            if counting and board.emulator is None and any(record.unit == "ns" for record in records):
                records += count_instructions(project, board, suite, path)
    except (SizeError, callgrind.CallgrindError, sketch_times.SketchRunError, timing.TimingError) as error:
        raise SuiteError(str(error)) from error
    return records


def program(project: Project, board: Board, suite: str) -> Path:
    """The built program of a suite, which real boards run."""
    return project.preset(board.preset) / "bench" / f"bench_{suite}{board.program_suffix}"


def programs(project: Project, board: Board, suite: str) -> list[Path]:
    """The built programs of a suite: its own, then its further ones, if there are any."""
    own = program(project, board, suite)
    others = [own.with_name(f"bench_{suite}{end}{board.program_suffix}") for end in OTHER_PROGRAMS]
    return [own, *(other for other in others if other.is_file())]


def run_suite(project: Project, board: Board, suite: str, path: Path) -> list[Record]:
    """Runs a program of a suite and reads its records.

    Errors   SuiteError: it hung, crashed, or printed something else than records.
    """
    request = emulator.Request(path, EMULATED_LIMIT_MS, wall_s=WALL_SECONDS, timing=timing.is_timed(board, suite))
    ending = emulator.execute(project, board, request)
    if ending.problem:
        raise SuiteError(f"{ending.problem}; its last output:\n{ending.last_output()}")
    try:
        return read(ending.text.splitlines(), board.name, suite)
    except RecordError as error:
        raise SuiteError(f"{error}; its last output:\n{ending.last_output()}") from error


def read(lines: Iterable[str], board: str, suite: str) -> list[Record]:
    """The records of a bench program's output.

    Errors   RecordError: a line is neither a record of this board and suite nor a comment, or there is no record.
    """
    records: list[Record] = []
    for line in lines:
        if not line.strip() or line.startswith(COMMENT):
            continue
        record = parse_line(line)
        if record is None:
            raise RecordError(f"garbage instead of a record: {line[:80]!r}")
        if (record.board, record.suite) != (board, suite):
            raise RecordError(f"a record of board {record.board}, suite {record.suite}, from {board}'s {suite}")
        records.append(record)
    if not records:
        raise RecordError("it printed no record")
    return records


def count_instructions(project: Project, board: Board, suite: str, path: Path) -> list[Record]:
    """The instruction rows of a program of a host suite.

    Errors   SuiteError, CallgrindError
    """
    scratch = project.build / "lab"
    scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="callgrind-", dir=scratch) as folder:
        words = callgrind.command(path, Path(folder))
        try:
            outcome = run(
                words, cwd=project.root, limit_s=WALL_SECONDS, environment={"BATON_CALLGRIND": "1"}, apart=True
            )
        except FileNotFoundError as error:
            raise SuiteError("valgrind is not installed: run ./baton setup") from error
        if not outcome.ok:
            raise SuiteError(f"under callgrind it {outcome.how}; its last output:\n{outcome.tail()}")
        lines = callgrind.fill(outcome.output.splitlines(), callgrind.read_intervals(Path(folder)))
    try:
        return [record for record in read(lines, board.name, suite) if record.unit == "instructions"]
    except RecordError as error:
        raise SuiteError(f"under callgrind: {error}; its last output:\n{outcome.tail()}") from error


def updates_readmes(root: Path, results: Sequence[BoardResult], chosen: Sequence[str], defaults: Sequence[str]) -> bool:
    """True where the figures are complete enough for the READMEs: every default board, every suite, no failure."""
    complete = {result.board.name for result in results if not result.failures and result.runs}
    return set(defaults) <= complete and list(chosen) == suites(root)
