# SPDX-License-Identifier: MIT
"""Runs ./baton bench --http from its words to its exit code: the HTTP server, its floor and nginx in turns."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from baton_lab.base.notices import say
from baton_lab.base.process import run
from baton_lab.base.project import Project
from baton_lab.base.records import Record
from baton_lab.base.store import Store
from baton_lab.base.ui import Screen
from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.builds.presets import build, configure
from baton_lab.command import bench_command
from baton_lab.measure import board_run, http_instructions, http_turns
from baton_lab.measure.board_run import BoardResult
from baton_lab.measure.http_loads import LOADS, TurnError
from baton_lab.measure.http_turns import FLOOR, NGINX, SERVER, SUITE, TURNS, WORKERS
from baton_lab.measure.interleaved_runs import HOST
from baton_lab.setup import apt

PROGRAMS = {SERVER: "bench_http", FLOOR: "bench_http_floor", WORKERS: "bench_http"}
NGINX_PACKAGE = "nginx-light"
TO_FLOOR, TO_ONE, SHARE = 0.95, 0.9, 0.4
"""The targets: the server beside its floor, two workers beside one, and the part of the work of each."""


def require_alone(named: Sequence[str]) -> None:
    """Refuses other words beside --http.

    Errors   BadInputError: the command names boards, suites, variants or peers beside it.
    """
    if named:
        raise BadInputError(f"--http: it is a run of its own, on the board {HOST}, without {' '.join(named)}")


def carry_out(project: Project, *, keep: bool, format: str) -> int:
    """Builds, measures, stores and shows; returns 1 if a program did not do its work, else 0."""
    board = board_files.select(project.root, [HOST])[0]
    try:
        records = _measure(project, board)
    except TurnError as error:
        print(f"baton: {error}", file=sys.stderr)
        return 1
    made = board_run.describe(project, board, SUITE)
    result = BoardResult(board)
    if keep:
        with Store(project.store) as store:
            result.runs[SUITE] = board_run.keep(made, records, store)
    else:
        result.runs[SUITE] = (made, records)
    bench_command.show(format, [result])
    for line in verdicts(records):
        say(line)
    return 0


def _measure(project: Project, board: Board) -> list[Record]:
    nginx = shutil.which(NGINX, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
    with Screen(2 + len(LOADS)) as screen:
        if nginx is None:
            screen.line(f"          left out, {NGINX}: not installed: {apt.line([NGINX_PACKAGE])}")
        with screen.step(f"{board.name}: build {SUITE}"):
            configure(project, board.preset)
            build(project, board.preset, sorted(set(PROGRAMS.values())))
        folder = project.preset(board.preset) / "bench"
        programs = {name: folder / program for name, program in PROGRAMS.items()}
        everything = {**programs, **({NGINX: Path(nginx)} if nginx else {})}
        version = _version(project, nginx) if nginx else ""
        records = []
        for load in LOADS:
            with screen.step(f"{board.name}: {SUITE}, {TURNS} turns of each by {load.name}"):
                turns = http_turns.measure(everything, load=load)
            records += http_turns.records(turns, version, load)
        with screen.step(f"{board.name}: {SUITE}, instructions"):
            records.append(http_instructions.record(programs[SERVER], programs[FLOOR]))
    return records


def _version(project: Project, nginx: str) -> str:
    return run([nginx, "-v"], cwd=project.root, limit_s=10).output.strip().rpartition("/")[2] or "unknown"


def verdicts(records: Sequence[Record]) -> list[str]:
    """The targets beside what was measured on this machine, a line each."""
    lines = []
    for record in records:
        if record.params.get("peer") or record.unit != "ns":
            continue
        by = f", by {record.params['load']}" if "load" in record.params else ""
        if record.params["workers"] == "1":
            lines.append(_line(f"the server to its floor{by}", record, "to_floor", TO_FLOOR))
        else:
            lines.append(_line(f"two workers to one{by}", record, "to_one", TO_ONE))
            share = float(record.params["share"])
            how = "met" if share >= SHARE else "missed"
            lines.append(
                f"the work of the lesser worker{by}: {share:.2f}, least {record.params['share_min']}, of {SHARE}: {how}"
            )
    return lines


def _line(what: str, record: Record, key: str, target: float) -> str:
    middle, least, most = (record.params[f"{key}{end}"] for end in ("", "_min", "_max"))
    how = "met" if float(middle) >= target else "missed"
    return f"{what}, requests per second of processor time: {middle} ({least} to {most}), of {target}: {how}"
