# SPDX-License-Identifier: MIT
"""./baton frames: the size of each coroutine's frame on each board, and the check of docs/frames.md against it.

Builds write the sizes into build/<preset>/frames.txt, by tools/frame_sizes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from baton_lab.base.notices import say
from baton_lab.base.project import Project
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.builds import presets

DOCUMENT = Path("docs/frames.md")
KEPT = "async_boards_everything"
"""The program whose coroutines stand in the document."""
BEGIN, END = "<!-- frames: ./baton frames --write -->", "<!-- /frames -->"
_PROGRAM = re.compile(r"^(\w+): frame and pooled bytes of \d+ coroutines$")
_FRAME = re.compile(r"^ +(\d+) +(\d+)  (.*)$")

Sizes = dict[str, tuple[int, int]]
"""Bytes of the frame and of the pool, by coroutine."""


def read(text: str) -> dict[str, Sizes]:
    """Reads a frames.txt; returns the sizes by program."""
    programs: dict[str, Sizes] = {}
    for line in text.splitlines():
        if heading := _PROGRAM.match(line):
            programs[heading[1]] = {}
        elif row := _FRAME.match(line):
            list(programs.values())[-1][row[3]] = (int(row[1]), int(row[2]))
    return programs


def measure(project: Project, board: Board) -> str:
    """Builds and returns the board's frames.txt; empty without C++20 or where nothing with coroutines is built.

    Errors   BuildError
    """
    preset = board.presets[0]
    presets.configure(project, preset)
    if "\nbuild frames:" not in (project.preset(preset) / "build.ninja").read_text(encoding="utf-8"):
        return ""
    presets.build(project, preset, ["frames"])
    return (project.preset(preset) / "frames.txt").read_text(encoding="utf-8")


def told(project: Project, board: Board) -> Sizes:
    """Measures the frames of the program in the document; none where the board's compiler has no C++20.

    Errors   BuildError
    """
    return read(measure(project, board)).get(KEPT, {})


def table(by_board: Mapping[str, Sizes]) -> str:
    """Returns a table in Markdown: a row per coroutine, a column per board."""
    coroutines = list(dict.fromkeys(_plain(name) for sizes in by_board.values() for name in sizes))
    lines = ["| coroutine | " + " | ".join(by_board) + " |", "| --- |" + " --: |" * len(by_board)]
    for coroutine in coroutines:
        cells = [_cell(sizes, coroutine) for sizes in by_board.values()]
        lines.append(f"| `{coroutine}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _plain(name: str) -> str:
    """Drops the parameters of a name: their types differ from board to board."""
    return name.partition("(")[0]


def _cell(sizes: Sizes, coroutine: str) -> str:
    for name, (frame, pooled) in sizes.items():
        if _plain(name) == coroutine:
            return f"{frame} ({pooled})"
    return "-"


def cells(markdown: str) -> dict[tuple[str, str], str]:
    """Returns the cells of such a table, by coroutine and board."""
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in markdown.splitlines() if "|" in line]
    if len(rows) < 2:
        return {}
    return {(row[0], board): cell for row in rows[2:] for board, cell in zip(rows[0][1:], row[1:], strict=False)}


def kept(root: Path) -> str:
    """Returns the table in the document.

    Errors   BadInputError: the markers are not there.
    """
    text = (root / DOCUMENT).read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        raise BadInputError(f"{DOCUMENT}: there is no line {BEGIN!r} with {END!r} below it")
    return text.partition(BEGIN)[2].partition(END)[0].strip()


def differences(kept_table: str, made: str) -> list[str]:
    """The places where the document differs from the measurement, for the boards that were measured."""
    old, new = cells(kept_table), cells(made)
    measured = {board for _, board in new}
    gone = [key for key in old if key[1] in measured and key not in new and old[key] != "-"]
    changed = [key for key, cell in new.items() if old.get(key, "-") != cell]
    return [
        f"{DOCUMENT}: {board}: {coroutine} is {old.get((coroutine, board), '-')}, "
        f"and was measured as {new.get((coroutine, board), '-')}: ./baton frames --write"
        for coroutine, board in [*changed, *gone]
    ]


def write(root: Path, made: str) -> None:
    """Puts the table into the document."""
    old = kept(root)
    text = (root / DOCUMENT).read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    (root / DOCUMENT).write_text(f"{before}{BEGIN}\n{made}\n{END}{after}", encoding="utf-8")
    if old != made:
        say(f"wrote {DOCUMENT}")


def carry_out(project: Project, chosen: Sequence[Board], *, writing: bool) -> int:
    """Carries out ./baton frames; returns 1 where the document is stale."""
    by_board: dict[str, Sizes] = {}
    for board in chosen:
        text = measure(project, board)
        print(f"== {board.name}\n{text or 'no coroutines of C++20 here'}")
        sizes = read(text).get(KEPT)
        if sizes:
            by_board[board.name] = sizes
    if not by_board:
        return 0
    made = table(by_board)
    if writing:
        write(project.root, made)
        return 0
    stale = differences(kept(project.root), made)
    for line in stale:
        print(line)
    return 1 if stale else 0
