# SPDX-License-Identifier: MIT
"""Carries out the commands in a project of a user's own, each in a few calls."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base import project as places
from baton_lab.base.notices import say
from baton_lab.base.project import Project
from baton_lab.base.store import Store
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.command import commands
from baton_lab.user_project import building, config, place
from baton_lab.user_project.place import UserProject

SERVICE_PACKAGES = ("libboost1.81-dev",)
NOWHERE = "there is no baton.toml here or above; make a project with: baton new NAME"


def found() -> UserProject | None:
    """Returns the project of the current folder, if there is one."""
    return place.here()


def here() -> UserProject | None:
    """Returns the project of the current folder; None in Baton's own tree.

    Errors   BadInputError: there is none, and the lab is installed, so there is no tree of its own.
    """
    mine = place.here()
    if mine is None and places.installed_version():
        raise BadInputError(NOWHERE)
    return mine


def current() -> Project | None:
    """Returns the user's project whose runs are meant; None for Baton's tree."""
    mine = here()
    return None if mine is None else mine.lab


def needed() -> UserProject:
    """Returns the project of the current folder.

    Errors   BadInputError: there is none.
    """
    mine = here()
    if mine is None:
        raise BadInputError(NOWHERE)
    return mine


@dataclass(frozen=True)
class New:
    """A call of ./baton new."""

    path: Path
    boards: Sequence[str] = ()
    service: bool = False
    folder: str = ""
    git: str = ""
    tag: str = ""
    package: str = ""

    def origin(self, tree: Path) -> dict[str, str]:
        """Returns the table [baton] of the new project.

        Errors   BadInputError
        """
        from baton_lab.user_project import create

        if bool(self.git) != bool(self.tag):
            raise BadInputError("--git and --tag go together: a tag does not move, a branch does")
        if self.folder and self.git:
            raise BadInputError("--folder and --git: name one of them")
        if self.git:
            made = {"git": self.git, "tag": self.tag}
        elif self.folder:
            made = {"folder": self.folder}
        else:
            made = create.origin_of(tree, self.path, installed=places.installed_version())
        return {**made, **({"package": self.package} if self.package else {})}


def new(asked: New) -> None:
    """Runs ./baton new."""
    from baton_lab.user_project import create

    tree = places.ROOT
    mine = create.create(tree, create.Wanted(asked.path, asked.boards, asked.service, asked.origin(tree)))
    shown = os.path.relpath(mine.root)
    print(f"made {shown}: {'a service' if asked.service else f'a program for {_names(mine.boards)}'}")
    print(f"next: cd {shown} && ./baton run")


def install(mine: UserProject, boards: Sequence[Board]) -> None:
    """Installs what the host and these boards need.

    Errors   SetupError, with the line to run
    """
    tools = SERVICE_PACKAGES if mine.config.project.kind == "service" else ()
    commands.install(Project(mine.tree), boards, tools)


def setup(mine: UserProject) -> None:
    """Runs ./baton setup in a project."""
    install(mine, mine.boards)
    say(f"set up for {_names(mine.boards)}")


def build(wanted: Sequence[str]) -> None:
    """Runs ./baton build."""
    mine = needed()
    chosen = mine.chosen(tuple(wanted))
    boards = chosen if wanted or config.HOST in mine.config.project.boards else [place.host(mine), *chosen]
    install(mine, boards)
    building.build_all(mine, boards)
    print(f"built {mine.name} for {_names(boards)}")


def run(wanted: Sequence[str], how: object) -> int:
    """Runs ./baton run; returns the exit code."""
    from baton_lab.command import explain
    from baton_lab.user_project import running

    assert isinstance(how, running.Wanted)
    mine = needed()
    board = _one(mine, wanted or [_first(mine)])
    if not board.not_emulated:
        install(mine, [board])
        building.prepare_run(mine, board)
    return running.run(mine, board, how, lambda id: str(explain.explain(places.ROOT, id)))


def test(mine: UserProject, wanted: Sequence[str]) -> int:
    """Runs ./baton test in a project; returns the exit code."""
    from baton_lab.user_project import testing

    chosen = mine.chosen(tuple(wanted))
    install(mine, chosen)
    return testing.test(mine, chosen)


def size(wanted: Sequence[str]) -> int:
    """Runs ./baton size; returns 1 if a program exceeds its budget."""
    from baton_lab.board.program_size import SizeError
    from baton_lab.user_project import sizes

    mine = needed()
    chosen = mine.chosen(tuple(wanted))
    install(mine, chosen)
    beyond = []
    for board in chosen:
        building.build(mine, board, [mine.name])
        try:
            lines, excesses = sizes.page(mine, board)
        except SizeError as error:
            raise OSError(f"{board.name}: {error}") from error
        print("\n".join(lines), end="\n\n")
        beyond += excesses
    for line in beyond:
        print(f"baton: {line}", file=sys.stderr)
    return 1 if beyond else 0


def flash(wanted: str) -> None:
    """Runs ./baton flash: BOARD, BOARD@SERIAL, or nothing for the project's only board."""
    from baton_lab.board import flashing
    from baton_lab.user_project import flash as writing

    mine = needed()
    name, _, serial = wanted.partition("@")
    board = _one(mine, [name] if name else [])
    desk = writing.desk_of(mine, board, serial)
    install(mine, [board])
    flashing.require_tool(Project(mine.tree), board)
    building.build(mine, board, [mine.name])
    writing.write(mine, desk)
    print(f"wrote {mine.name} to {desk.name}")


@dataclass(frozen=True)
class Listen:
    """A call of ./baton monitor."""

    board: str = ""
    port: str = ""
    baud: int = 0
    limit_s: float = 0.0
    lines: int = 0


def monitor(asked: Listen) -> None:
    """Runs ./baton monitor."""
    from baton_lab.board import serial_port
    from baton_lab.command import explain
    from baton_lab.user_project import monitor as listening

    name, baud = _line(asked)
    with serial_port.open_port(name, asked.baud or baud) as port:
        listening.begin(name, asked.baud or baud)
        shown = listening.Monitor(lambda id: str(explain.explain(places.ROOT, id)), most=asked.lines)
        typed = sys.stdin.fileno() if sys.stdin.isatty() else None
        try:
            listening.watch(port, shown, limit_s=asked.limit_s, typed=typed)
        except KeyboardInterrupt:
            shown.flush()
        except OSError as error:
            raise OSError(f"{name} is gone: plug the board in again ({error})") from error


def _line(asked: Listen) -> tuple[str, int]:
    """Returns the port that is meant, and its rate."""
    from baton_lab.measure import real_board

    default = 115_200
    if asked.port:
        return asked.port, default
    mine = needed()
    name, _, serial = asked.board.partition("@")
    board = _one(mine, [name] if name else [])
    desk = real_board.find(mine.tree, f"{board.name}@{serial}", among=mine.boards)
    assert desk.board.flash is not None
    return (desk.adapter or desk.device).port, desk.board.flash.baud


def bench(mine: UserProject, named: commands.Names, *, format: str, keep: bool) -> int:
    """Runs ./baton bench in a project; returns the exit code."""
    from baton_lab.command import output
    from baton_lab.user_project import benching

    format = commands.output_format(format)
    chosen = mine.chosen(tuple(named.boards))
    runnable = [board for board in chosen if not board.not_emulated]
    install(mine, runnable)
    with ExitStack() as stack:
        store = stack.enter_context(Store(mine.lab.store)) if keep else None
        results = benching.bench(mine, runnable, named.suites, store)
        runs = [(result.board.mhz, measured) for result in results for measured in result.runs.values()]
        if not output.print_for_programs(format, runs):
            for _, (run, records) in runs:
                past = benching.history(store, run.board, run.suite, run) if store else benching.History()
                print(f"{run.board} {run.suite}: {run.compiler}")
                print("\n".join(benching.lines(records, past)), end="\n\n")
    failures = [failure for result in results for failure in result.failures]
    for failure in failures:
        print(f"baton: {failure}", file=sys.stderr)
    return 1 if failures or not runs else 0


def gate(mine: UserProject, wanted: Sequence[str], suites: Sequence[str], *, bless: bool) -> int:
    """Runs ./baton gate in a project; returns the exit code."""
    from baton_lab.user_project import gating

    chosen = gating.emulated(mine.chosen(tuple(wanted)))
    install(mine, chosen)
    results = gating.measure(mine, chosen, suites)
    if bless:
        for name in (changed := gating.bless(mine, results)):
            print(f"wrote {name}")
        print(f"{len(changed)} files changed" if changed else "nothing changed")
        return 1 if any(result.failures for result in results) else 0
    judged = gating.judge(mine, results)
    print("\n".join([*judged.remarks, f"{judged.compared} figures compared with the baselines"]))
    for line in judged.failures:
        print(line, file=sys.stderr)
    return 1 if judged.failures else 0


def report(mine: UserProject, folder: Path | None) -> None:
    """Runs ./baton report in a project."""
    from baton_lab.user_project import reporting

    with Store(mine.lab.store) as store:
        if not store.runs(1):
            raise BadInputError("nothing is stored yet, so there is nothing to report: ./baton bench")
        say(f"wrote {reporting.write(mine, folder or mine.lab.report, store)}")


def boards(mine: UserProject, *, wide: bool) -> None:
    """Runs ./baton boards in a project."""
    from baton_lab.board import board_list, usb

    names = {board.name for board in mine.boards}
    listed = board_list.rows(mine.tree, usb.attached())
    commands.print_boards([row for row in listed if row.name in names], wide=wide)


def refuse_in_project(options: dict[str, bool]) -> None:
    """Refuses the options that only Baton's own tree has.

    Errors   BadInputError
    """
    if given := [name for name, is_given in options.items() if is_given]:
        raise BadInputError(f"{' '.join(given)}: only in Baton's own tree, and this is a project of your own")


def _one(mine: UserProject, wanted: Sequence[str]) -> Board:
    """Returns the board of this name, or the only one of the project.

    Errors   BadInputError
    """
    chosen = mine.chosen(tuple(wanted))
    if len(chosen) != 1:
        raise BadInputError(f"{mine.name} has {len(chosen)} boards: name one by --board: {_names(chosen)}")
    return chosen[0]


def _first(mine: UserProject) -> str:
    """Returns the first board of the project that something here runs, or simply the first."""
    return next((board.name for board in mine.boards if not board.not_emulated), mine.boards[0].name)


def _names(boards: Sequence[Board]) -> str:
    return " ".join(board.name for board in boards)
