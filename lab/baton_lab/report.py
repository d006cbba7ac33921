# SPDX-License-Identifier: MIT
"""The report: one HTML file that opens offline, with everything it needs inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from baton_lab import boards, plots, project
from baton_lab.files import write_atomically
from baton_lab.grid import Grid
from baton_lab.grids import COUNTED, size_grid
from baton_lab.plotting import LeftOut, Plot
from baton_lab.records import Record
from baton_lab.rows import cpu_rows, idle_rows, memory_rows, size_rows
from baton_lab.store import Run, Store
from baton_lab.tables import board_grids
from baton_lab.targets import TargetRow, figure_text, judge, load, target_grid

FILE_NAME = "index.html"
TEMPLATES = Path(__file__).with_name("templates")
SUITES = ("sizes", "memory", "auto", "channel", "idle")
"""In the order of a board's section; a suite of another name comes after them."""

Thing = TypeVar("Thing")
Runs = dict[str, tuple[Run, list[Record]]]


@dataclass(frozen=True)
class Section:
    """One board's part of the report."""

    name: str
    title: str
    mhz: float | None
    runs: Runs
    grids: tuple[Grid, ...]


@dataclass(frozen=True)
class Headline:
    """A figure at the top."""

    name: str
    figure: str
    unit: str
    detail: str
    verdict: str


def write(out_dir: Path, store: Store) -> Path:
    """Writes the report of the latest run of each suite on each board; returns the file.

    Context  the file is replaced as a whole: a reader never sees half of it.
    """
    path = out_dir / FILE_NAME
    write_atomically(path, render(store, datetime.now(UTC)))
    return path


def render(store: Store, now: datetime, root: Path = project.ROOT) -> str:
    """The report's text."""
    sections = _sections(store, root)
    judged = judge(load(), lambda board, suite: _latest(sections, board, suite))
    drawn = _plots(sections, judged)
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    runs = sorted((run for section in sections for run, _ in section.runs.values()), key=lambda run: run.id or 0)
    return environment.get_template("report.html.j2").render(
        style=Markup((TEMPLATES / "report.css").read_text(encoding="utf-8")),
        now=now,
        runs=runs,
        days=_each_once([f"{day}" for day in sorted(run.started.date() for run in runs)][:: max(1, len(runs) - 1)]),
        commits=_each_once([f"{run.commit[:12]}{' with changes' if run.dirty else ''}" for run in runs]),
        compilers=_each_once([f"{run.compiler} {run.flags}".strip() for run in runs]),
        machines=_each_once([", ".join(_machine(run)) for run in runs if run.machine]),
        headlines=_headlines(judged, sections),
        verdicts={word: sum(row.verdict == word for row in judged) for word in ("met", "missed", "not measured")},
        targets=[target_grid(f"Targets: {board}", [r for r in judged if r.target.board == board])
                 for board in _each_once([row.target.board for row in judged])],
        plots=[Plot(p.name, p.title, p.caption, Markup(p.svg), p.wide) for p in drawn if isinstance(p, Plot)],
        left_out=[p for p in drawn if isinstance(p, LeftOut)],
        sections=sections,
    )  # fmt: skip


def _sections(store: Store, root: Path) -> list[Section]:
    """The boards with runs, in the lab's order of boards."""
    stored = _each_once([(run.board, run.suite) for run in store.runs()])
    known = boards.names(root)
    names = sorted({board for board, _ in stored}, key=lambda b: (known.index(b) if b in known else len(known), b))
    sections = []
    for name in names:
        suites = {suite for board, suite in stored if board == name}
        ordered = [s for s in SUITES if s in suites] + sorted(suites.difference(SUITES))
        runs = {suite: found for suite in ordered if (found := store.latest(name, suite))}
        board = boards.load(root / "boards" / name / "board.toml") if name in known else None
        mhz = board.mhz if board else None
        sizes = size_rows(runs["sizes"][1]) if "sizes" in runs else []
        grids = [size_grid([name], sizes)] if sizes else []
        grids += board_grids(name, mhz, runs)
        sections.append(Section(name, board.title if board else name, mhz, runs, tuple(grids)))
    return sections


def _latest(sections: Sequence[Section], board: str, suite: str) -> list[Record] | None:
    found = next((s.runs[suite] for s in sections if s.name == board and suite in s.runs), None)
    return None if found is None else found[1]


def _plots(sections: Sequence[Section], judged: Sequence[TargetRow]) -> list[Plot | LeftOut]:
    records = [record for s in sections for _, of_suite in s.runs.values() for record in of_suite]
    cpu = [row for s in sections for _, of_suite in s.runs.values() for row in cpu_rows(of_suite, s.mhz)]
    memory = [row for row in memory_rows(records) if row.board != "host"]
    return [
        plots.switch(cpu),
        plots.idle(idle_rows(records), judged),
        plots.message(cpu, judged),
        plots.host(cpu),
        plots.memory(sorted(memory, key=lambda row: row.board)),
    ]


def _headlines(judged: Sequence[TargetRow], sections: Sequence[Section]) -> list[Headline]:
    clocks = {section.name: section.mhz for section in sections}
    made = []
    for row in judged:
        if row.target.headline is None or row.ours is None:
            continue
        mhz = clocks.get(row.target.board)
        time = (
            f"{row.ours / mhz:.2f} microseconds at {mhz:g} MHz, "
            if mhz and row.target.unit == "cycles" and row.ours
            else ""
        )
        limit = f"target at most {row.target.limit:g}"
        detail = f"{row.target.board}, {time}{row.valid}; {limit}"
        unit = COUNTED.get(row.target.unit, row.target.unit)
        made.append(Headline(row.target.headline, figure_text(row, row.ours), unit, detail, row.verdict))
    return made


def _machine(run: Run) -> list[str]:
    """A machine's lasting facts, without what differs from run to run."""
    return [f"{key} {value}" for key, value in run.machine.items() if key != "load"]


def _each_once(things: Sequence[Thing]) -> list[Thing]:
    return list(dict.fromkeys(things))
