# SPDX-License-Identifier: MIT
"""The report: an HTML file that opens offline, with everything it needs inside; and one with our own targets."""

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
from baton_lab.base.store import IMPORTED, Run, Store
from baton_lab.board import board_facts
from baton_lab.board.board_facts import HOST, BoardFacts, Facts
from baton_lab.measure import suites
from baton_lab.measure.targets import TargetRow, judge, load
from baton_lab.measure.variants import SUITE as VARIED
from baton_lab.present import beside, peer_plots, plots, seeds, stacking, trends
from baton_lab.present.comparison import PICTURES, measured, of_grid
from baton_lab.present.grid import Grid
from baton_lab.present.machine import named
from baton_lab.present.pages import (
    Block,
    Context,
    across_grids,
    board_grids,
    board_lines,
    make,
    rows_of,
    variant_grids,
)
from baton_lab.present.plot_style import LeftOut, Plot, made_from
from baton_lab.present.rows import features, idle_rows
from baton_lab.present.seed_rows import Source
from baton_lab.present.srr import LAYOUT, Lines, published_lines
from baton_lab.present.tables import target_grid

FILE_NAME = "index.html"
TARGETS_NAME = "targets.html"
TEMPLATES = Path(__file__).with_name("templates")
FEW_COMMITS = 3
FEW_TARGETS = 3
Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Section:
    """One board's part of the report."""

    name: str
    title: str
    facts: BoardFacts
    runs: dict[str, tuple[Run, list[Record]]]
    grids: tuple[Grid, ...]
    lines: tuple[Lines, ...] = ()

    @property
    def builds(self) -> list[str]:
        """Compiler and flags of its runs, each once."""
        return _each_once([run.build for run, _ in self.runs.values()])

    def records(self, suite: str) -> list[Record]:
        """The records of a suite; none where it was not run."""
        return self.runs[suite][1] if suite in self.runs else []


def write(out_dir: Path, store: Store) -> Path:
    """Writes the report of the latest run of each suite on each board, and the targets beside it; returns the report.

    Context  a file is replaced as a whole: a reader never sees half of it.
    """
    made, now = _of(store), datetime.now(UTC)
    write_atomically(out_dir / TARGETS_NAME, _targets_page(made, now))
    path = out_dir / FILE_NAME
    write_atomically(path, _page(made, now))
    return path


def render(store: Store, now: datetime, root: Path = project.ROOT) -> str:
    """The report's text."""
    return _page(_of(store, root), now)


def render_targets(store: Store, now: datetime, root: Path = project.ROOT) -> str:
    """The text of the page of targets."""
    return _targets_page(_of(store, root), now)


@dataclass(frozen=True)
class _Content:
    """The figures of both pages."""

    store: Store
    facts: Facts
    sections: tuple[Section, ...]
    judged: tuple[TargetRow, ...]

    @property
    def by_name(self) -> dict[str, Section]:
        """The sections by their boards."""
        return {section.name: section for section in self.sections}

    @property
    def runs(self) -> list[Run]:
        """The runs that the sections are of, the oldest first."""
        return sorted((run for each in self.sections for run, _ in each.runs.values()), key=lambda run: run.id or 0)

    @property
    def source(self) -> Source:
        """The runs for the published documents."""
        return Source(self.store.latest, lambda: self.store.latest_variants(HOST, VARIED), self.facts)


def _of(store: Store, root: Path = project.ROOT) -> _Content:
    facts = board_facts.all_of(root)
    sections = _sections(store, facts)
    by_name = {section.name: section for section in sections}
    judged = judge(load(), lambda board, suite: by_name[board].records(suite) if board in by_name else None)
    return _Content(store, facts, tuple(sections), tuple(judged))


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.filters["stacked"] = stacking.stacked
    made.globals["style"] = Markup(_style())
    return made


def _style() -> str:
    """The style, with the rules that make blocks of a table's rows repeated for each width of a window."""
    text = (TEMPLATES / "report.css").read_text(encoding="utf-8")
    rules = (TEMPLATES / "stacked.css").read_text(encoding="utf-8")
    wide = [
        f"@media (max-width: {step}px) {{\n{rules.replace('.stack', f'.stack-{step}')}}}" for step in stacking.STEPS
    ]
    return "\n".join([text, *wide])


def _page(made: _Content, now: datetime) -> str:
    sections, runs, by_name = made.sections, made.runs, made.by_name
    compared = [(block, measured(grid)) for block in PICTURES for grid in _block(made, block).grids if runs]
    with made_from([found for section in sections for found in section.runs.values()]):
        drawn = _plots(by_name, made.judged)
    moving, newest = trends.of_store(made.store)
    listed = sorted({run.id: run for run in (*newest, *runs)}.values(), key=lambda run: -(run.id or 0))
    across = across_grids(made.facts, {s.name: s.facts for s in sections}, {s.name: s.runs for s in sections})
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            now=now,
            runs=runs,
            days=_each_once([f"{day}" for day in sorted(run.started.date() for run in runs)][:: max(1, len(runs) - 1)]),
            commits=_ends(_each_once([f"{run.commit[:12]}{' with changes' if run.dirty else ''}" for run in runs])),
            compilers=_compilers(runs),
            machines=_each_once([_machine(run) for run in runs if run.machine]),
            comparisons=[bar for block, grid in compared for bar in of_grid(block, grid)],
            compared=[grid for _, grid in compared if grid.rows],
            documents=seeds.summary(made.source),
            plots=[plot for plot in drawn if isinstance(plot, Plot)],
            left_out=[plot for plot in drawn if isinstance(plot, LeftOut)],
            across=across if sections else [],
            sections=sections,
            layout=LAYOUT,
            published_lines=published_lines() if any(section.lines for section in sections) else None,
            trends=[each for each in moving if each.moved or each.steady],
            listed=listed,
            older=len(made.store.runs()) - len(listed),
            most_points=trends.MOST_POINTS,
        )
    )


def _block(made: _Content, name: str) -> Block:
    return make(name, Context(made.store.latest, made.facts, lambda: made.store.latest_variants(HOST, VARIED)))


def _targets_page(made: _Content, now: datetime) -> str:
    judged = made.judged
    return (
        _environment()
        .get_template("targets.html.j2")
        .render(
            now=now,
            verdicts={word: sum(row.verdict == word for row in judged) for word in ("met", "missed", "not measured")},
            measured=[
                target_grid(title, rows) for title, rows in _grouped([row for row in judged if row.met is not None])
            ],
            absent=target_grid("Targets without a record", [row for row in judged if row.met is None]),
        )
    )


def _sections(store: Store, facts: Facts) -> list[Section]:
    """The boards with runs, in the order of the tables."""
    stored = _each_once([(run.board, run.suite) for run in store.runs()])
    sections = []
    for name in board_facts.ordered(dict.fromkeys(board for board, _ in stored)):
        shown = suites.as_shown(suite for board, suite in stored if board == name)
        runs = {suite: found for suite in shown if (found := store.latest(name, suite))}
        board = replace(board_facts.of(facts, name), name=name)
        grids = board_grids(board, runs)
        for suite, (run, of_suite) in runs.items():
            grids += named(beside.each_peer_grids(name, suite, of_suite), run)
        grids += variant_grids(store.latest_variants(name, VARIED))
        # The published lines stand once, beside all boards.
        lines = tuple(each for each in board_lines(board, runs) if each != published_lines())
        files = _each_once([file for run, _ in runs.values() if (file := run.machine.get(IMPORTED))])
        title = ", ".join([board.title or name, *(f"{IMPORTED} {file}" for file in files)])
        sections.append(Section(name, title, board, runs, tuple(grids), lines))
    return sections


def _grouped(judged: Sequence[TargetRow]) -> list[tuple[str, list[TargetRow]]]:
    """A table for each board with many targets, one for the others."""
    boards = _each_once([row.target.board for row in judged])
    groups = [(f"Targets: {board}", [row for row in judged if row.target.board == board]) for board in boards]
    large = [(title, rows) for title, rows in groups if len(rows) > FEW_TARGETS or rows[0].target.board == HOST]
    small = [row for group in groups if group not in large for row in group[1]]
    return large + ([("Targets: the other boards", small)] if small else [])


def _plots(sections: dict[str, Section], judged: Sequence[TargetRow]) -> list[Plot | LeftOut]:
    """A plot a suite at the least; the ones across all boards take no board's figures for another's."""
    found = [(section, of_suite) for section in sections.values() for _, of_suite in section.runs.values()]
    records = [record for _, of_suite in found for record in of_suite]
    cpu = [row for section, of_suite in found for row in rows_of(section.facts, of_suite)]
    stands_for = {name: section.facts.stands_for or name for name, section in sections.items()}
    of_host = [(suite, of_suite) for suite, (_, of_suite) in sections[HOST].runs.items()] if HOST in sections else []
    host = {suite: sections[HOST].records(suite) if HOST in sections else [] for suite in ("service", "realtime")}
    return [
        plots.switch(cpu, stands_for),
        plots.message(cpu, judged),
        *(plots.suite(suite.name, cpu) for suite in suites.known() if suite.plot),
        plots.idle(idle_rows(records), judged),
        plots.sizes(records),
        plots.host(cpu),
        *peer_plots.peers(of_host),
        plots.growth(host["service"]),
        plots.realtime(host["realtime"]),
        plots.memory(features(record for record in records if record.board != HOST)),
    ]


def _ends(things: Sequence[str]) -> list[str]:
    """The first and the last of many."""
    few = len(things) <= FEW_COMMITS
    return list(things) if few else [things[0], f"{len(things) - 2} more", things[-1]]


def _compilers(runs: Sequence[Run]) -> list[str]:
    """Each compiler once, with the boards that it compiled for."""
    found: dict[str, list[str]] = {}
    for run in runs:
        found.setdefault(run.compiler, []).append(run.board)
    return [f"{compiler} for {', '.join(board_facts.ordered(set(names)))}" for compiler, names in found.items()]


def _machine(run: Run) -> str:
    """A machine's lasting facts, without what differs from run to run."""
    return ", ".join(f"{key} {value}" for key, value in run.machine.items() if key != "load")


def _each_once(things: Sequence[Thing]) -> list[Thing]:
    return list(dict.fromkeys(things))
