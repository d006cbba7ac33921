# SPDX-License-Identifier: MIT
"""The figures of one release: collected from the baselines, as tables of the history, and back from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from baton_lab.measure import baselines
from baton_lab.measure.gate import Change
from baton_lab.measure.suites import place
from baton_lab.present.grid import Grid, table
from baton_lab.present.markdown import cells, render

TOOLS = "Tool chains"
_TITLE = re.compile(r"^\*\*(\S+), (cycles|instructions|bytes)\*\*$")
_ESCAPED = re.compile(r"\\(.)")

Key = tuple[str, str, str]
"""Board, suite, and the figure's name in the baseline."""


@dataclass
class Release:
    """What the tables of a release hold: the compiler of each board, and the figures as they are printed there."""

    compilers: dict[str, str] = field(default_factory=dict)
    figures: dict[Key, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Difference:
    """A figure of a board that is not what it was in the release before."""

    board: str
    suite: str
    change: Change

    @property
    def share(self) -> str:
        """How much it rose or fell, or that it came or went."""
        return f"{self.change.share:+.1%}" if self.change.kind in ("rose", "fell") else self.change.kind


def collect(root: Path) -> Release:
    """What stands in the baselines; of several compilers the one that was added last.

    Errors   BaselineError
    """
    made = Release()
    for board in baselines.boards(root):
        for path in sorted((root / baselines.FOLDER / board).glob("*.json"), key=lambda path: place(path.stem)):
            sections = baselines.read(root, board, path.stem)
            compiler = next(reversed(sections), "")
            if not compiler:
                continue
            made.compilers[board] = compiler
            for name, value in sections[compiler].figures.items():
                made.figures[board, path.stem, name] = _printed(name, value)
    return made


def differences(before: Release, now: Release) -> list[Difference]:
    """The figures that rose, fell, came or went, on boards that both releases have."""
    known = {board for board, _, _ in before.figures} & {board for board, _, _ in now.figures}
    found = []
    for key in dict.fromkeys([*now.figures, *before.figures]):
        board, suite, name = key
        if board in known:
            change = Change(name, _value(before.figures.get(key)), _value(now.figures.get(key)))
            found += [Difference(board, suite, change)] if change.kind else []
    return found


def changed_boards(before: Release, now: Release) -> list[str]:
    """The boards of which somebody has to say why: figures or tool chain changed, or the board is new or gone."""
    boards = {difference.board for difference in differences(before, now)}
    boards |= {
        board
        for board in {*before.compilers, *now.compilers}
        if before.compilers.get(board) != now.compilers.get(board)
    }
    return sorted(boards)


def tables(before: Release | None, now: Release) -> list[str]:
    """The Markdown of a release; without one before it, there are no changes to show."""
    grids = [table("tools", list(now.compilers.items()), before=before)]
    if before is not None:
        grids.append(_changes(differences(before, now)))
    grids += _figures(now)
    lines: list[str] = []
    for grid in grids:
        lines += ["", *render(grid)]
    return [*lines, ""]


def parse(lines: Iterable[str]) -> Release:
    """The release of these tables."""
    made = Release()
    table, header = "", [""]
    for line in lines:
        if line.startswith("**"):
            table, header = line.strip(), []
        elif line.startswith("|"):
            row = [_ESCAPED.sub(r"\1", cell) for cell in cells(line)]
            if not header:
                header = row
            elif not set("".join(row)) <= set("-:"):
                _read(made, table, header, row)
    return made


def _read(made: Release, table: str, header: Sequence[str], row: Sequence[str]) -> None:
    title = _TITLE.match(table)
    if table == f"**{TOOLS}**":
        made.compilers[row[0]] = row[1]
    elif title:
        for board, text in zip(header[1:], row[1:], strict=False):
            if text:
                made.figures[board, title[1], f"{row[0]}, {title[2]}"] = text


def _changes(found: Sequence[Difference]) -> Grid:
    return table("changes", found, printed=lambda change, value: _printed(change.name, value))


def _figures(now: Release) -> Iterator[Grid]:
    """A table a suite and unit, a column a board: cycles stand with cycles and instructions with instructions."""
    kinds = dict.fromkeys((suite, baselines.unit_of(name)) for _, suite, name in now.figures)
    for suite, unit in sorted(kinds, key=lambda kind: (place(kind[0]), kind[1])):
        keys = [key for key in now.figures if key[1] == suite and baselines.unit_of(key[2]) == unit]
        boards = list(dict.fromkeys(board for board, _, _ in keys))
        names = list(dict.fromkeys(name for _, _, name in keys))
        yield table("release", names, suite=suite, unit=unit, boards=boards, figures=now.figures)


def _printed(name: str, value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.0f}" if baselines.unit_of(name) == "bytes" else f"{value:.1f}"


def _value(text: str | None) -> float | None:
    return None if text is None else float(text)
