# SPDX-License-Identifier: MIT
"""bench/HISTORY.md: the figures of each release beside those of the one before, and why they changed.

A release is a heading `## VERSION`, a part `### Why` that a person writes, and the tables between two markers. The
tables of the version that is being worked on are made from the baselines; those of older ones are never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from baton_lab.base.files import write_atomically
from baton_lab.measure import baselines
from baton_lab.measure.gate import Change
from baton_lab.measure.suites import place
from baton_lab.present.grid import Grid, table
from baton_lab.present.markdown import plain, render, tables

PATH = Path("bench") / "HISTORY.md"
HEAD = """# History

The deterministic figures of each release, what changed in them since the one before, and why. `./baton gate --bless`
writes the tables between the markers of the release that is being worked on, from [baselines](baselines); all other
text is written by hand and stays. How a figure is counted is in [README.md](README.md); those of memory are what a
feature adds to the empty program, and of an example the depth of its stack.
"""
UNSAID = "(to be written: what changed in the figures of each board, and why)"
TOOLS = "Tool chains"
_VERSION = re.compile(r"^project\(baton VERSION (\S+)", re.MULTILINE)
_BEGIN = "<!-- baton:release begin {} -->\n"
_END = "<!-- baton:release end {} -->\n"
_SECTION = re.compile(r"^## (\d\S*)$\n.*?(?=^## \d\S*$|\Z)", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"^\*\*(.+)\*\*$", re.MULTILINE)
_OF_FIGURES = re.compile(r"(\S+), (cycles|instructions|bytes)")

Key = tuple[str, str, str]
"""Board, suite, and the figure's name in the baseline."""


class HistoryError(ValueError):
    """The history cannot be continued; the message names the file and says why."""


@dataclass
class Release:
    """The compiler of each board, and the figures as they are printed in the tables of a release."""

    compilers: dict[str, str] = field(default_factory=dict)
    figures: dict[Key, str] = field(default_factory=dict)


class Difference(NamedTuple):
    """A figure of a board that is not what it was in the release before."""

    board: str
    suite: str
    change: Change


def version(root: Path) -> str:
    """The version that is being worked on, as the build has it.

    Errors   HistoryError
    """
    path = root / "CMakeLists.txt"
    found = _VERSION.search(path.read_text(encoding="utf-8")) if path.is_file() else None
    if found is None:
        raise HistoryError(f"{path}: no line project(baton VERSION ...)")
    return found[1]


def update(root: Path) -> bool:
    """Writes the tables of the version that is being worked on; whether the file changed. Without baselines, nothing.

    Errors   HistoryError, BaselineError
    """
    if not baselines.boards(root):
        return False
    old = _read(root)
    new = _updated(root, old or HEAD)
    if new != old:
        write_atomically(root / PATH, new)
    return new != old


def check(root: Path) -> list[str]:
    """Returns a line for each stale table and missing reason of the version that is being worked on.

    Errors   HistoryError, BaselineError
    """
    if not baselines.boards(root):
        return []
    text, name = _read(root), version(root)
    if _updated(root, text) != text:
        return [f"{PATH}: the tables of {name} are not those of the baselines: ./baton gate --bless"]
    section, before = _section(text, name), _before(text, name)
    why = section[0].partition(_BEGIN.format(name))[0].partition("\n")[2]
    lacking = changed_boards(before, collect(root)) if before else []
    lacking = [board for board in lacking if not re.search(rf"(?<![\w-]){re.escape(board)}(?![\w-])", why)]
    if UNSAID not in why and why.replace("### Why", "").strip() and not lacking:
        return []
    of = f" of {', '.join(lacking)}" if lacking else ""
    return [f"{_where(section)}: say under Why what changed in the figures{of}, and why"]


def collect(root: Path) -> Release:
    """The figures of the baselines; of several compilers the one that was added last.

    Errors   BaselineError
    """
    made = Release()
    for board in baselines.boards(root):
        for path in sorted((root / baselines.FOLDER / board).glob("*.json"), key=lambda path: place(path.stem)):
            for compiler, section in list(baselines.read(root, board, path.stem).items())[-1:]:
                made.compilers[board] = compiler
                for name, value in section.figures.items():
                    made.figures[board, path.stem, name] = _printed(name, value)
    return made


def differences(before: Release, now: Release) -> list[Difference]:
    """The figures that rose, fell, came or went, on boards that both releases have."""
    known = {board for board, _, _ in before.figures} & {board for board, _, _ in now.figures}
    found = []
    for key in dict.fromkeys([*now.figures, *before.figures]):
        old, new = (float(of.figures[key]) if key in of.figures else None for of in (before, now))
        found.append(Difference(key[0], key[1], Change(key[2], old, new)))
    return [each for each in found if each.board in known and each.change.kind]


def changed_boards(before: Release, now: Release) -> list[str]:
    """The boards of which somebody has to say why: figures or tool chain changed, or the board is new or gone."""
    every = {*before.compilers, *now.compilers}
    retooled = {board for board in every if before.compilers.get(board) != now.compilers.get(board)}
    return sorted(retooled | {difference.board for difference in differences(before, now)})


def markdown(before: Release | None, now: Release) -> str:
    """The tables of a release; without one before it, there are no changes to show."""
    grids = [table("tools", list(now.compilers.items()), before=before)]
    if before is not None:
        grids.append(table("changes", differences(before, now), printed=_printed))
    return "".join("\n" + "\n".join(render(grid)) + "\n" for grid in [*grids, *_figures(now)]) + "\n"


def parse(text: str) -> Release:
    """The release of these tables."""
    made, parts = Release(), _TABLE.split(text)
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        [found] = tables(enumerate(body.split("\n")))
        header, *rows = [list(map(plain, cells)) for _, cells in found]
        if title == TOOLS:
            made.compilers.update({row[0]: row[1] for row in rows})
        elif of := _OF_FIGURES.fullmatch(title):
            for row in rows:
                of_row = zip(header[1:], row[1:], strict=True)
                made.figures |= {(board, of[1], f"{row[0]}, {of[2]}"): figure for board, figure in of_row if figure}
    return made


def _figures(now: Release) -> Iterator[Grid]:
    """A table a suite and unit, a column a board: cycles stand with cycles and instructions with instructions."""
    kinds = dict.fromkeys((suite, baselines.unit_of(name)) for _, suite, name in now.figures)
    for suite, unit in sorted(kinds, key=lambda kind: (place(kind[0]), kind[1])):
        keys = [key for key in now.figures if (key[1], baselines.unit_of(key[2])) == (suite, unit)]
        boards, _, names = (list(dict.fromkeys(part)) for part in zip(*keys, strict=True))
        yield table("release", names, suite=suite, unit=unit, boards=boards, figures=now.figures)


def _printed(name: str, value: float | None) -> str:
    return "" if value is None else f"{value:.0f}" if baselines.unit_of(name) == "bytes" else f"{value:.1f}"


def _updated(root: Path, text: str) -> str:
    name = version(root)
    sections = {found[1]: found for found in _SECTION.finditer(text)}
    if name not in sections:
        at = min((found.start() for found in sections.values()), default=len(text))
        fresh = f"## {name}\n\n### Why\n\n{UNSAID}\n\n{_BEGIN.format(name)}{_END.format(name)}\n"
        text = f"{text[:at].rstrip()}\n\n{fresh}{text[at:]}"
    begin, end = _tables(text, _section(text, name))
    return (text[:begin] + markdown(_before(text, name), collect(root)) + text[end:]).rstrip("\n") + "\n"


def _before(text: str, name: str) -> Release | None:
    """The release whose section comes next, since the newest stands first."""
    older = _SECTION.search(text, _section(text, name).end())
    if older is None:
        return None
    begin, end = _tables(text, older)
    return parse(text[begin:end])


def _section(text: str, name: str) -> re.Match[str]:
    return next(found for found in _SECTION.finditer(text) if found[1] == name)


def _tables(text: str, section: re.Match[str]) -> tuple[int, int]:
    """The place in the text between a section's markers."""
    begin, end = _BEGIN.format(section[1]), _END.format(section[1])
    lines = section[0].splitlines(keepends=True)
    if lines.count(begin) != 1 or lines.count(end) != 1 or lines.index(begin) > lines.index(end):
        needs = f"needs one line {begin.strip()} and after it one line {end.strip()}"
        raise HistoryError(f"{_where(section)}: {section[1]} {needs}")
    return section.start() + section[0].index(begin) + len(begin), section.start() + section[0].index(end)


def _where(section: re.Match[str]) -> str:
    return f"{PATH}:{section.string.count(chr(10), 0, section.start()) + 1}"


def _read(root: Path) -> str:
    return (root / PATH).read_text(encoding="utf-8") if (root / PATH).is_file() else ""
