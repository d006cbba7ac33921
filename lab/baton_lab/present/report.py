# SPDX-License-Identifier: MIT
"""The report: one HTML file that opens offline, with everything it needs inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from baton_lab.base import project
from baton_lab.base.files import write_atomically
from baton_lab.base.records import Record
from baton_lab.base.store import Run, Store
from baton_lab.board import board_facts
from baton_lab.board.board_facts import HOST, BoardFacts, Facts
from baton_lab.measure import suites
from baton_lab.measure.targets import TargetRow, judge, load
from baton_lab.measure.variants import SUITE as VARIED
from baton_lab.present import beside, plots
from baton_lab.present.grid import Grid, described
from baton_lab.present.pages import across_grids, board_grids, board_lines, rows_of
from baton_lab.present.plot_style import LeftOut, Plot
from baton_lab.present.rows import Case, features, idle_rows
from baton_lab.present.srr import LAYOUT, Lines, published_lines
from baton_lab.present.tables import figure_text, target_grid

FILE_NAME = "index.html"
TEMPLATES = Path(__file__).with_name("templates")
FEW_COMMITS = 3
FEW_TARGETS = 3
Thing = TypeVar("Thing")
Runs = dict[str, tuple[Run, list[Record]]]


@dataclass(frozen=True)
class Section:
    """One board's part of the report."""

    name: str
    title: str
    facts: BoardFacts
    runs: Runs
    grids: tuple[Grid, ...]
    lines: tuple[Lines, ...] = ()

    @property
    def builds(self) -> list[str]:
        """Compiler and flags of its runs, each once."""
        return _each_once([f"{run.compiler} {run.flags}".strip() for run, _ in self.runs.values()])


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
    facts = board_facts.all_of(root)
    sections = _sections(store, facts)
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
        commits=_ends(_each_once([f"{run.commit[:12]}{' with changes' if run.dirty else ''}" for run in runs])),
        compilers=_compilers(runs),
        machines=_each_once([", ".join(_machine(run)) for run in runs if run.machine]),
        headlines=_headlines(judged, sections),
        verdicts={word: sum(row.verdict == word for row in judged) for word in ("met", "missed", "not measured")},
        targets=[target_grid(title, rows) for title, rows in _grouped(judged)],
        plots=[p for p in drawn if isinstance(p, Plot)],
        left_out=[p for p in drawn if isinstance(p, LeftOut)],
        across=_across(sections, facts),
        sections=sections,
        layout=LAYOUT,
        published_lines=published_lines() if any(section.lines for section in sections) else None,
    )  # fmt: skip


def _sections(store: Store, facts: Facts) -> list[Section]:
    """The boards with runs, in the order of the tables."""
    stored = _each_once([(run.board, run.suite) for run in store.runs()])
    sections = []
    for name in board_facts.ordered(dict.fromkeys(board for board, _ in stored)):
        shown = suites.as_shown(suite for board, suite in stored if board == name)
        runs = {suite: found for suite in shown if (found := store.latest(name, suite))}
        board = replace(board_facts.of(facts, name), name=name)
        grids = board_grids(board, runs)
        for suite, (_, of_suite) in runs.items():
            grids += beside.each_peer_grids(name, suite, of_suite)
        grids += beside.variant_grids(name, store.latest_variants(name, VARIED))
        sections.append(Section(name, board.title or name, board, runs, tuple(grids), _lines(board, runs)))
    return sections


def _lines(board: BoardFacts, runs: Runs) -> tuple[Lines, ...]:
    """The board's own lines in the published layout; the published ones stand once, beside all boards."""
    return tuple(each for each in board_lines(board, runs) if each != published_lines())


def _across(sections: Sequence[Section], facts: Facts) -> list[Grid]:
    runs = {section.name: section.runs for section in sections}
    return across_grids(facts, {section.name: section.facts for section in sections}, runs) if sections else []


def _cpu_rows(sections: Sequence[Section]) -> list[Case]:
    return [row for s in sections for _, of_suite in s.runs.values() for row in rows_of(s.facts, of_suite)]


def _grouped(judged: Sequence[TargetRow]) -> list[tuple[str, list[TargetRow]]]:
    """A table for each board with many targets, one for the others."""
    boards = _each_once([row.target.board for row in judged])
    groups = [(f"Targets: {board}", [row for row in judged if row.target.board == board]) for board in boards]
    large = [(title, rows) for title, rows in groups if len(rows) > FEW_TARGETS or rows[0].target.board == HOST]
    small = [row for group in groups if group not in large for row in group[1]]
    return large + ([("Targets: the other boards", small)] if small else [])


def _latest(sections: Sequence[Section], board: str, suite: str) -> list[Record] | None:
    found = next((s.runs[suite] for s in sections if s.name == board and suite in s.runs), None)
    return None if found is None else found[1]


def _plots(sections: Sequence[Section], judged: Sequence[TargetRow]) -> list[Plot | LeftOut]:
    """A plot a suite at the least; the ones across all boards take no board's figures for another's."""
    records = [record for s in sections for _, of_suite in s.runs.values() for record in of_suite]
    cpu = _cpu_rows(sections)
    stands_for = {s.name: s.facts.stands_for or s.name for s in sections}
    return [
        plots.switch(cpu, stands_for),
        plots.message(cpu, judged),
        *(plots.suite(suite.name, cpu) for suite in suites.known() if suite.plot),
        plots.idle(idle_rows(records), judged),
        plots.sizes(records),
        plots.host(cpu),
        plots.growth(_latest(sections, HOST, "service") or ()),
        plots.realtime(_latest(sections, HOST, "realtime") or ()),
        plots.memory(features(record for record in records if record.board != HOST)),
    ]


def _headlines(judged: Sequence[TargetRow], sections: Sequence[Section]) -> list[Headline]:
    clocks = {section.name: section.facts.mhz for section in sections}
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
        unit = described().counted.get(row.target.unit, row.target.unit)
        made.append(Headline(row.target.headline, figure_text(row, row.ours), unit, detail, row.verdict))
    return made


def _ends(things: Sequence[str]) -> list[str]:
    """The first and the last of many."""
    if len(things) <= FEW_COMMITS:
        return list(things)
    return [things[0], f"{len(things) - 2} more", things[-1]]


def _compilers(runs: Sequence[Run]) -> list[str]:
    """Each compiler once, with the boards that it compiled for."""
    found: dict[str, list[str]] = {}
    for run in runs:
        found.setdefault(run.compiler, []).append(run.board)
    return [f"{compiler} for {', '.join(board_facts.ordered(set(names)))}" for compiler, names in found.items()]


def _machine(run: Run) -> list[str]:
    """A machine's lasting facts, without what differs from run to run."""
    return [f"{key} {value}" for key, value in run.machine.items() if key != "load"]


def _each_once(things: Sequence[Thing]) -> list[Thing]:
    return list(dict.fromkeys(things))
