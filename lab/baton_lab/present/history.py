# SPDX-License-Identifier: MIT
"""bench/HISTORY.md: the figures of each release beside those of the one before, and why they changed.

A release is a heading `## VERSION`, a part `### Why` that a person writes, and the tables between two markers. The
tables of the version that is being worked on are made from the baselines; those of older ones are never touched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base.files import write_atomically
from baton_lab.measure import baselines
from baton_lab.present import releases

PATH = Path("bench") / "HISTORY.md"
HEAD = """# History

The deterministic figures of each release, what changed in them since the one before, and why. `./baton gate --bless`
writes the tables between the markers of the release that is being worked on, from [baselines](baselines); all other
text is written by hand and stays. How a figure is counted is in [README.md](README.md); those of memory are what a
feature adds to the empty program, and of an example the depth of its stack.
"""
UNSAID = "(to be written: what changed in the figures of each board, and why)"
_VERSION = re.compile(r"^project\(baton VERSION (\S+)", re.MULTILINE)
_BEGIN = "<!-- baton:release begin {} -->"
_END = "<!-- baton:release end {} -->"
_SECTION = re.compile(r"^## (\d\S*)$")


class HistoryError(ValueError):
    """The history cannot be continued; the message names the file and says why."""


@dataclass(frozen=True)
class Section:
    """A release's lines: `begin` and `end` are the indices of its heading and of what follows it."""

    version: str
    begin: int
    end: int


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
    path = root / PATH
    old = path.read_text(encoding="utf-8") if path.is_file() else ""
    new = _updated(root, (old or HEAD).splitlines())
    if new != old:
        write_atomically(path, new)
    return new != old


def check(root: Path) -> list[str]:
    """What is stale or unsaid in the section of the version that is being worked on, a line each.

    Errors   HistoryError, BaselineError
    """
    if not baselines.boards(root):
        return []
    path = root / PATH
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if _updated(root, text.splitlines()) != text:
        return [f"{PATH}: the tables of {version(root)} are not those of the baselines: ./baton gate --bless"]
    return _unsaid(root, text.splitlines())


def _updated(root: Path, lines: list[str]) -> str:
    name = version(root)
    sections = _sections(lines)
    if name not in [section.version for section in sections]:
        at = sections[0].begin if sections else len(lines)
        gap = [] if at and not lines[at - 1].strip() else [""]
        fresh = [f"## {name}", "", "### Why", "", UNSAID, "", _BEGIN.format(name), _END.format(name), ""]
        lines = [*lines[:at], *gap, *fresh, *lines[at:]]
        sections = _sections(lines)
    begin, end = _markers(lines, next(section for section in sections if section.version == name))
    before = _before(lines, sections, name)
    made = [*lines[: begin + 1], *releases.tables(before, releases.collect(root)), *lines[end:]]
    return "\n".join(made).rstrip("\n") + "\n"


def _unsaid(root: Path, lines: list[str]) -> list[str]:
    """The boards whose figures changed and of which the part Why says nothing; without a release before, any word."""
    name = version(root)
    sections = _sections(lines)
    section = next(section for section in sections if section.version == name)
    begin, _ = _markers(lines, section)
    why = " ".join(lines[section.begin + 1 : begin])
    before = _before(lines, sections, name)
    lacking = releases.changed_boards(before, releases.collect(root)) if before else []
    lacking = [board for board in lacking if not re.search(rf"(?<![\w-]){re.escape(board)}(?![\w-])", why)]
    if UNSAID in why or not why.replace("### Why", "").strip() or lacking:
        of = f" of {', '.join(lacking)}" if lacking else ""
        return [f"{PATH}:{section.begin + 1}: say under Why what changed in the figures{of}, and why"]
    return []


def _before(lines: list[str], sections: list[Section], name: str) -> releases.Release | None:
    """The release whose section comes next, since the newest stands first."""
    names = [section.version for section in sections]
    older = sections[names.index(name) + 1 :]
    if not older:
        return None
    begin, end = _markers(lines, older[0])
    return releases.parse(lines[begin + 1 : end])


def _sections(lines: list[str]) -> list[Section]:
    starts = [(index, found[1]) for index, line in enumerate(lines) if (found := _SECTION.match(line))]
    ends = [index for index, _ in starts[1:]] + [len(lines)]
    return [Section(name, begin, end) for (begin, name), end in zip(starts, ends, strict=False)]


def _markers(lines: list[str], section: Section) -> tuple[int, int]:
    inside = lines[section.begin : section.end]
    begin, end = _BEGIN.format(section.version), _END.format(section.version)
    if inside.count(begin) != 1 or inside.count(end) != 1 or inside.index(begin) > inside.index(end):
        where = f"{PATH}:{section.begin + 1}"
        raise HistoryError(f"{where}: {section.version} needs one line {begin} and after it one line {end}")
    return section.begin + inside.index(begin), section.begin + inside.index(end)
