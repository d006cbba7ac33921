# SPDX-License-Identifier: MIT
"""Carries out ./baton trace: reads or captures a trace, and writes the files that are asked for."""

from __future__ import annotations

import os
import webbrowser
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base import project as places
from baton_lab.base.nearest import unknown
from baton_lab.base.notices import say
from baton_lab.base.project import Project
from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.trace import capture, trace_file
from baton_lab.trace.capture import Subject
from baton_lab.trace.model import Trace
from baton_lab.trace.spans import Spans, spans
from baton_lab.user_project.place import UserProject

ELF = b"\x7fELF"


@dataclass(frozen=True)
class Wanted:
    """A call of ./baton trace."""

    what: str = ""
    html: Path | None = None
    chrome: Path | None = None
    perfetto: Path | None = None
    save: Path | None = None
    opens: bool = False
    frames: bool = False


def carry_out(mine: UserProject | None, wanted: Wanted) -> None:
    """Writes the files of a trace, and prints what it is in a few lines.

    `mine` is the project of the current folder; None in Baton's tree and where there is none.
    """
    from baton_lab.trace import summary

    trace, name = _found(mine, wanted.what)
    made = spans(trace)
    print("\n".join(summary.lines(trace, made)))
    if wanted.save:
        _save(trace, wanted.save)
    _write(trace, made, wanted)
    if page := _page(mine, wanted, name):
        from baton_lab.trace import html_page

        html_page.write(trace, made, page, f"Trace of {name}")
        say(f"wrote {page}")
        _show(page, wanted)


def _found(mine: UserProject | None, what: str) -> tuple[Trace, str]:
    """Returns the trace that is meant, and a name for its files.

    Errors   BadInputError
    """
    path = Path(what)
    if what and path.is_file():
        return _of_file(mine, path)
    board = _board(mine, what)
    return capture.capture(_project(mine), Subject(board.name, board=board)), board.name


def _of_file(mine: UserProject | None, path: Path) -> tuple[Trace, str]:
    try:
        if trace_file.is_trace(path):
            return trace_file.load(path), path.stem
    except trace_file.TraceFileError as error:
        raise BadInputError(str(error)) from error
    with path.open("rb") as file:
        if file.read(len(ELF)) != ELF:
            raise BadInputError(f"{path}: neither a trace, which begins with baton-trace/1, nor a program (ELF)")
    return capture.capture(_project(mine), Subject(str(path), program=path)), path.stem


def _board(mine: UserProject | None, what: str) -> Board:
    """Returns the board of this name, in a project by default its first.

    Errors   BadInputError
    """
    root = places.ROOT
    known = [board.name for board in mine.boards] if mine else board_files.names(root)
    if not what and mine:
        return mine.boards[0]
    if not what:
        raise BadInputError("name a stored trace, a built program or a board")
    if what not in known:
        raise BadInputError(f"{what}: there is no such file, and {unknown('board', what, known)}")
    return mine.chosen([what])[0] if mine else board_files.select(root, [what], to_run=False)[0]


def _project(mine: UserProject | None) -> Project:
    return mine.lab if mine else Project()


def _page(mine: UserProject | None, wanted: Wanted, name: str) -> Path | None:
    """Returns the place of the page; without another file it is written by default."""
    if wanted.html:
        return wanted.html
    if (wanted.chrome or wanted.perfetto or wanted.save) and not (wanted.opens or wanted.frames):
        return None
    if mine is None and places.installed_version():
        return Path(f"{name}.html")
    return _project(mine).build / "trace" / f"{name}.html"


def _write(trace: Trace, made: Spans, wanted: Wanted) -> None:
    """Writes the files for other people's programs."""
    if wanted.chrome:
        from baton_lab.trace import chrome

        chrome.write(trace, made, wanted.chrome)
        say(f"wrote {wanted.chrome}")
    if wanted.perfetto:
        from baton_lab.setup import trace_packages
        from baton_lab.trace import perfetto

        trace_packages.ensure(places.ROOT)
        trace_packages.use(places.ROOT)
        perfetto.write(trace, made, wanted.perfetto)
        say(f"wrote {wanted.perfetto}")


def _save(trace: Trace, path: Path) -> None:
    try:
        trace_file.save(trace, path)
    except trace_file.TraceFileError as error:
        raise BadInputError(str(error)) from error
    say(f"wrote {path}")


def _show(html: Path, wanted: Wanted) -> None:
    """Measures the frames of the page, and opens it, if that is asked for."""
    if wanted.frames:
        from baton_lab.trace import frame_times

        print("\n".join(frame_times.measure(html).lines()))
    if wanted.opens and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(html.resolve().as_uri())
    elif wanted.opens:
        say(f"there is no screen here; open it elsewhere: {html.resolve().as_uri()}")
