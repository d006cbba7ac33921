# SPDX-License-Identifier: MIT
"""Reads what compiler and linker say of a person's own program: each mistake once, at a line of that program.

The compilers name the line of a header of Baton for a mistake in the use of it. The line of the program stands further
below, in a chain of instantiations and macros; it is the one to be shown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from baton_lab.builds.advice import advice_on

MOST = 6
"""The mistakes that are shown; the first ones are often the cause of the others."""
WIDTH = 200
_LINE = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? +(?P<says>.*)$")
_KIND = re.compile(r"^(?P<kind>fatal error|error|warning): (?P<text>.*)$")
_NOTE = re.compile(r"^note: +(?P<text>.*)$")
_CHAIN = re.compile(r"^ *required (?:from|by)\b")
_INTRODUCTION = re.compile(r"^(?:In file included from |.*: (?:In |At global scope))")
_LINKER = re.compile(
    r"undefined reference to|multiple definition of|will not fit in region|overflowed by \d+ bytes|"
    r"is not within region|cannot find -l"
)
_OBJECT = re.compile(r"(?:\S+: )?CMakeFiles/[^/ ]+\.dir/(\S+?)\.o(?:bj)?\b")
_LINKED = re.compile(r"^(?:.*?\bld(?:\.\w+)?: )?(?:(?P<file>/[^:]+\.\w+):(?P<line>\d+): )?(?P<says>.*)$")
_SECTION = re.compile(r"^(?:\S+ )?(?:<artificial>:)?\(\.[^)]*\): ")
_QUOTES = {0x2018: "'", 0x2019: "'"}
"""The quotes of g++ outside of the locale C."""
_SWITCH = re.compile(r" \[-f?W?[\w=+-]+\]$")


@dataclass(frozen=True)
class Place:
    """A line of a file of the program, by its path from the program's folder."""

    file: str
    line: int


@dataclass
class Fault:
    """A mistake: an error or a warning, its line in the program if there is one, and the compiler's words."""

    kind: str
    text: str
    place: Place | None = None
    within: str = ""
    notes: list[str] = field(default_factory=list)
    where: str = ""

    def lines(self, own: Path, headers: Sequence[str] = ()) -> list[str]:
        """Words it: the place and the mistake, the line of the program, and what to do where that is known."""
        said = [self.text, *(note for note in self.notes if note.startswith("crosses initialization"))]
        head = f"{self.place.file}:{self.place.line}: " if self.place else f"{self.where}: " if self.where else ""
        shown = [_cut(f"{head}{self.kind}: {'; '.join(said)}")]
        if self.place and (source := _source(own, self.place)):
            shown.append(f"{self.place.line:5} | {source}")
        known = advice_on(" ".join((self.within, *said)), headers)
        return [*shown, *([f"      > {known}"] if known else [])]


def faults(output: str, own: Path, tree: Path) -> list[Fault]:
    """Returns the mistakes that a build tells of: the errors, or else the warnings of the program in `own`.

    `tree` is Baton's, which may lie in the program.

    Shape    the first one of each line: the others mostly follow from it.
    """
    every = list(_read(output.translate(_QUOTES).splitlines(), _Program(own, tree)))
    errors = [fault for fault in every if fault.kind != "warning"]
    chosen = errors or [fault for fault in every if fault.place]
    first: dict[tuple[object, ...], Fault] = {}
    for fault in chosen:
        first.setdefault((fault.place,) if fault.place else (fault.where, fault.text), fault)
    return list(first.values())


def worded(found: Sequence[Fault], own: Path, headers: Sequence[str] = ()) -> list[str]:
    """Returns the lines for people, and how many mistakes are not shown."""
    lines = [line for fault in found[:MOST] for line in fault.lines(own, headers)]
    return [*lines, *([f"and {len(found) - MOST} more"] if len(found) > MOST else [])]


@dataclass(frozen=True)
class _Program:
    """The folder of a program, and Baton's tree."""

    own: Path
    tree: Path

    def place(self, match: re.Match[str]) -> Place | None:
        """Returns the place of a line if it lies in the program, and not in what is built."""
        path = Path(os.path.normpath(match["file"]))
        own = self._relative(path)
        if own is None or own.parts[0] == "build" or path.is_relative_to(self.tree):
            return None
        return Place(own.as_posix(), int(match["line"]))

    def _relative(self, path: Path) -> Path | None:
        """Returns the path from the program's folder.

        A warning out of the compiler's cache names the folder of the first program that had the same source.
        """
        if path.is_relative_to(self.own):
            return path.relative_to(self.own)
        if path.is_relative_to(self.tree) or not path.is_absolute() or path.is_relative_to("/usr"):
            return None
        ends = (Path(*path.parts[first:]) for first in range(1, len(path.parts)))
        return next((end for end in ends if (self.own / end).is_file()), None)


def _read(lines: Sequence[str], program: _Program) -> Iterator[Fault]:
    """Yields the mistakes in their order. What introduces one stands above it, notes of it stand below."""
    chain: list[Place] = []
    within, last, linked = "", None, ""
    for line in lines:
        if found := _OBJECT.match(line):
            linked = "" if line.startswith("FAILED") else found[1]
        if _LINKER.search(line):
            yield _of_linker(line, program, linked)
            continue
        match = _LINE.match(line)
        kind = _KIND.match(match["says"]) if match else None
        if match and kind:
            if last is not None:
                yield last
            place = program.place(match) or next(iter(chain), None)
            where = f"{match['file']}:{match['line']}"
            last = Fault(kind["kind"], _SWITCH.sub("", kind["text"]), place, within, where=where)
            chain = []
        elif match and (note := _NOTE.match(match["says"])):
            _take_note(last, note["text"], program.place(match))
        elif match and _CHAIN.match(match["says"]):
            chain += filter(None, [program.place(match)])
        elif _INTRODUCTION.match(line):
            within, chain = line, [] if line.startswith("In file") else chain
    if last is not None:
        yield last


def _take_note(last: Fault | None, text: str, place: Place | None) -> None:
    """Adds a note to the mistake above it. The use of a macro in the program is nearer than an instantiation."""
    if last is None:
        return
    last.notes.append(text)
    if place and text.startswith("in expansion of macro"):
        last.place = place


def _of_linker(line: str, program: _Program, linked: str) -> Fault:
    """Returns what the linker says, at the line that it names, or of the object that it named last."""
    found = _LINKED.match(line)
    assert found is not None  # it fits any line
    place = program.place(found) if found["file"] else None
    return Fault("error", _SECTION.sub("", found["says"]), place, where="" if place else linked)


def _source(own: Path, place: Place) -> str:
    try:
        text = (own / place.file).read_text(encoding="utf-8", errors="replace").splitlines()
        return text[place.line - 1].rstrip()
    except (OSError, IndexError):
        return ""


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[:WIDTH]} ..."
