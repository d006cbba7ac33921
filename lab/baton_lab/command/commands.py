# SPDX-License-Identifier: MIT
"""Carries out the commands, each in a few calls; the command line itself is in `cli`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from baton_lab.base.case_filter import CaseFilter
from baton_lab.base.nearest import unknown
from baton_lab.base.notices import say
from baton_lab.base.project import Project
from baton_lab.base.store import Store
from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.board.board_list import Row
from baton_lab.measure import peers as peer_files
from baton_lab.setup import own_packages, packages

PACKAGES = ("arduino", "wheel", "header", "debian", "conan")


def setup(wanted: Sequence[str], *, every: bool) -> None:
    """Runs ./baton setup."""
    project = Project()
    chosen = board_files.select(project.root, board_files.names(project.root) if every else wanted, to_run=False)
    install(project, chosen, () if wanted and not every else packages.TEST_TOOLS)
    say(f"set up for {' '.join(board.name for board in chosen)}")


def install(project: Project, chosen: Sequence[Board], tools: Sequence[str] = ()) -> None:
    """Installs the packages that the boards and tools need.

    Errors   SetupError, with the line to run
    """
    needed = [*packages.board_packages(project.root, [board.name for board in chosen]), *tools]
    packages.ensure(list(dict.fromkeys(needed)), project.build / "lab" / "apt.log")
    for board in chosen:
        own_packages.ensure(project.root, board.setup.python, board.setup.npm)


@dataclass(frozen=True)
class Names:
    """The names in a call of ./baton bench."""

    boards: Sequence[str]
    suites: Sequence[str]
    variants: Sequence[str] = ()
    cases: Sequence[str] = ()


def bench(named: Names, *, peers: bool, format: str, keep: bool) -> int:
    """Runs ./baton bench; returns the exit code."""
    from baton_lab.board import flashing
    from baton_lab.command import bench_command

    project = Project()
    format = output_format(format)
    if named.variants and named.cases:
        raise BadInputError("--case and --variant: the variants run as a whole; give one of them")
    if named.variants:
        return _bench_variants(project, named, peers=peers, format=format, keep=keep)
    rivals = peer_files.all_of(project.root) if peers else []
    if peers and not rivals:
        raise BadInputError("--peers: this tree has no peer.toml in bench/peers")
    asked = bench_command.Wanted(named.boards, named.suites, rivals, CaseFilter(tuple(named.cases)))
    plan = bench_command.plan(project, asked, keep=keep, format=format)
    tools = packages.JSON_LIBRARIES if "service" in plan.suites and any(b.name == "host" for b in plan.boards) else ()
    install(project, [*plan.boards, *(desk.board for desk in plan.desks)], tools)
    for desk in plan.desks:
        flashing.require_tool(project, desk.board)
    return bench_command.carry_out(project, plan)


def bench_http(named: Names, *, peers: bool, format: str, keep: bool) -> int:
    """Runs ./baton bench --http; returns the exit code."""
    from baton_lab.command import http_command
    from baton_lab.measure.interleaved_runs import HOST

    given = [*named.boards, *named.suites, *named.variants, *named.cases]
    http_command.require_alone([*given, *(["--peers"] if peers else [])])
    project = Project()
    format = output_format(format)
    install(project, board_files.select(project.root, [HOST]), packages.HTTP_TOOLS)
    return http_command.carry_out(project, format=format, keep=keep)


def import_file(path: Path, wanted: str, *, format: str, keep: bool) -> int:
    """Runs ./baton import; returns the exit code."""
    from baton_lab.command import import_command

    return import_command.carry_out(Project(), path, import_command.Wanted(wanted, output_format(format), keep))


def output_format(name: str) -> str:
    """Returns the name of a format of standard output.

    Errors   BadInputError
    """
    from baton_lab.command.output import FORMATS

    if name not in FORMATS:
        raise BadInputError(unknown("format", name, FORMATS))
    return name


def _bench_variants(project: Project, named: Names, *, peers: bool, format: str, keep: bool) -> int:
    from baton_lab.command import variants_command
    from baton_lab.measure import variants
    from baton_lab.measure.interleaved_runs import HOST

    variants_command.require_fitting(named.boards, named.suites, peers=peers)
    chosen = variants.select(named.variants)
    install(project, board_files.select(project.root, [HOST]), packages.JSON_LIBRARIES)
    return variants_command.carry_out(project, chosen, keep=keep, format=format)


def test(wanted: Sequence[str], *, no_skips: bool, nightly: bool = False, junit: Path | None = None) -> int:
    """Runs ./baton test; returns the exit code."""
    from baton_lab.command import step_list
    from baton_lab.setup import release_tools, site_packages, trace_packages

    project = Project()
    every = no_skips or nightly
    chosen = board_files.select(project.root, wanted or (board_files.names(project.root) if every else ()))
    install(project, chosen, packages.TEST_TOOLS)
    if every:
        site_packages.ensure(project.root)
        trace_packages.ensure(project.root)
        if any(board.emulator is None for board in chosen):
            release_tools.ensure(project.root)
    return step_list.run_all(project, chosen, no_skips=every, nightly=nightly, junit=junit)


def script(wanted: str, program: Path, file: Path, limit_ms: int) -> int:
    """Runs ./baton script; returns the exit code."""
    from baton_lab.board import device_script, emulator

    project = Project()
    (board,) = board_files.select(project.root, [wanted])
    for path in (program, file):
        if not path.is_file():
            raise BadInputError(f"{path}: there is no such file")
    install(project, [board])
    emulator.prepare(project, board)
    run = device_script.play(project, board, program.absolute(), file.absolute(), limit_ms)
    return device_script.tell(run, project.root)


def boards(*, wide: bool) -> None:
    """Runs ./baton boards. A pipe gets lines of 80 columns, unless they are to be `wide`."""
    from baton_lab.board import board_list, usb

    root, devices = Project().root, usb.attached()
    print_boards(board_list.rows(root, devices), wide=wide)
    for line in board_list.strangers(root, devices):
        print(line)


def print_boards(listed: Sequence[Row], *, wide: bool) -> None:
    """Prints what is known of these boards, within the width of the terminal or in a line each."""
    from baton_lab.board import board_list

    lines = board_list.wide(listed) if wide else board_list.blocks(listed, shutil.get_terminal_size().columns)
    print("\n".join(lines))


def runs(limit: int, project: Project | None = None) -> None:
    """Runs ./baton runs, of Baton's tree or of another project."""
    with Store((project or Project()).store) as store:
        stored = store.runs(limit)
    if not stored:
        say("nothing is stored yet: ./baton bench")
        return
    from baton_lab.command import output
    from baton_lab.present import run_list, terminal

    terminal.print_grids(output.console(), [run_list.grid(stored)])


def compare(first: int, second: int, project: Project | None = None) -> None:
    """Runs ./baton compare, of Baton's tree or of another project."""
    from baton_lab.measure import compare as comparing

    with Store((project or Project()).store) as store:
        (run_1, records_1), (run_2, records_2) = store.run(first), store.run(second)
    found = comparing.in_common(run_1, run_2, comparing.compare(records_1, records_2))
    _print(comparing.table(run_1, run_2, found.rows))
    if found.rest:
        print(found.rest)
    for note in comparing.circumstances(run_1, run_2):
        print(f"also different: {note}")


def gate(wanted: Sequence[str], suites: Sequence[str], cases: Sequence[str] = (), *, bless: bool) -> int:
    """Runs ./baton gate; returns the exit code."""
    from baton_lab.check import gate_command

    if bless and cases:
        raise BadInputError("--case and --bless: a baseline is of a whole suite; give one of them")
    project = Project()
    chosen = board_files.select(project.root, wanted)
    install(project, chosen)
    return gate_command.carry_out(project, chosen, suites, blessing=bless, cases=CaseFilter(tuple(cases)))


def report(folder: Path | None) -> None:
    """Runs ./baton report."""
    project = Project()
    with Store(project.store) as store:
        if not store.runs(1):
            raise BadInputError("nothing is stored yet, so there is nothing to report: ./baton bench")
        from baton_lab.present import report as reporting

        path = reporting.write(folder or project.report, store)
    say(f"wrote {path}")


def seeds(names: Sequence[str]) -> None:
    """Runs ./baton seeds: the stored runs, and the committed baselines of boards and suites without one."""
    from baton_lab.command import output
    from baton_lab.measure.seeds import select
    from baton_lab.present import seeds as documents
    from baton_lab.present import terminal

    project, console = Project(), output.console()
    with Store(project.store) as store:
        source, blessed = documents.stored(project.root, store)
        for document in select(names):
            terminal.print_grids(console, documents.page(document, source).grids)
            console.print()
        if not names:
            terminal.print_grids(console, [documents.summary(source)])
    if blessed:
        say(f"without a stored run, so by the committed baselines: {', '.join(blessed)}")


def package(kind: str, folder: Path | None) -> None:
    """Runs ./baton package."""
    from baton_lab.arduino import library_package
    from baton_lab.release import single_header
    from baton_lab.setup import wheel

    project = Project()
    if kind not in PACKAGES:
        raise BadInputError(unknown("package", kind, PACKAGES))
    output = folder or project.build / "package"
    if kind == "arduino":
        for write in (library_package.write, library_package.write_compat):
            made = write(project.root, output)
            say(f"wrote {made.folder} and {made.zip}")
        return
    makers = {"wheel": wheel.write, "header": single_header.write}
    written = [makers[kind](project.root, output)] if kind in makers else _built_package(project, kind, output)
    say(f"wrote {' '.join(map(str, written))}")


def _built_package(project: Project, kind: str, output: Path) -> list[Path]:
    """Makes the package of a builder of others, with all libraries; returns the files."""
    from baton_lab.release import debian
    from baton_lab.release.conan import Conan
    from baton_lab.setup import release_tools

    install(project, board_files.select(project.root, ["host"]), packages.TEST_TOOLS)
    release_tools.ensure(project.root)
    place = project.build / "release" / f"package-{kind}"
    if kind == "conan":
        conan = Conan(project, place)
        conan.create()
        return [conan.save(output)]
    output.mkdir(parents=True, exist_ok=True)
    made = debian.build(project, place, headers_alone=False)
    debian.check(place)
    return [Path(shutil.copy(path, output)) for path in made]


def licences() -> None:
    """Runs ./baton licences."""
    from baton_lab.release import licences as page
    from baton_lab.setup import release_tools, site_packages, trace_packages

    root = Project().root
    for each in (release_tools, site_packages, trace_packages):
        each.ensure(root)
    say(f"wrote {page.write(root)}")


def docs(folder: Path | None, *, serve: bool, opens: bool) -> int:
    """Runs ./baton docs; returns the exit code."""
    from baton_lab.docs import doxygen, places, site
    from baton_lab.setup import site_packages

    project = Project()
    packages.ensure(doxygen.PACKAGES, project.build / "lab" / "apt.log")
    site_packages.ensure(project.root)
    if serve:
        return site.serve(project)
    outcome = site.build(project, folder)
    if not outcome.ok:
        say(f"{outcome.tail()}\nthe site {outcome.how}")
        return 1
    site.show(folder or places.Places(project.root).site, opens=opens)
    return 0


def pin() -> None:
    """./baton pin"""
    from baton_lab.setup import pins

    changed = pins.write(Project().root)
    say(f"wrote {' '.join(map(str, changed))}" if changed else "every hash is as it was")


def explain(id: int) -> None:
    """Runs ./baton explain."""
    from baton_lab.command import explain as explaining

    print(explaining.explain(Project().root, id))


def migrate(sketch: Path) -> int:
    """Runs ./baton migrate; returns the exit code."""
    from baton_lab.arduino import migrate as migrating

    found = migrating.migrate(Project().root, sketch)
    print("\n".join(map(str, found)) if found else f"{sketch}: no construct differs; the sketch stays as it is")
    return 1 if found else 0


def frames(wanted: Sequence[str], *, writing: bool) -> int:
    """Runs ./baton frames; returns the exit code."""
    from baton_lab.measure import frames as framing

    project = Project()
    chosen = board_files.select(project.root, wanted)
    install(project, chosen)
    return framing.carry_out(project, chosen, writing=writing)


def examples(wanted: Sequence[str], *, bless: bool) -> int:
    """Runs ./baton examples; returns the exit code."""
    from baton_lab.command import step_list

    project = Project()
    chosen = board_files.select(project.root, wanted)
    install(project, chosen)
    return step_list.run_examples(project, chosen, bless=bless)


def _print(table: Table) -> None:
    """Prints a table on standard output; a pipe gets it whole, not cut to 80 columns."""
    console = Console()
    if not console.is_terminal:
        console = Console(file=sys.stdout, width=240)
    console.print(table)
