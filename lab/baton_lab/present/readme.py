# SPDX-License-Identifier: MIT
"""The tables inside the README and bench/results: filled between markers, and checked against the latest runs.

A block begins with `<!-- baton:begin NAME -->` and ends with `<!-- baton:end NAME -->`, each on a line of its own. In
it, a comment for each run that it was made from names the run, its date and the hash of the workload's source.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base import project
from baton_lab.base.files import write_atomically
from baton_lab.base.store import Run, Store
from baton_lab.board import board_facts
from baton_lab.board.board_facts import HOST
from baton_lab.measure import suites
from baton_lab.present.freshness import differences
from baton_lab.present.markdown import escape, render
from baton_lab.present.pages import Block, Context, Need, UnknownBlockError, make

FEW_BOARDS = 3
"""So many boards have their compiler's flags below a table."""

_MARKER = re.compile(r"^<!-- baton:(begin|end) (.*?) -->$")
_NEARLY = re.compile(r"baton:\s*(begin|end)")
_FROM = re.compile(r"^<!-- baton:from (\S+) (\S+) run (\S+) of (\S+) source (\S*) -->$")
_BUILT = "Made from "


class ReadmeError(ValueError):
    """Markers that do not fit together; the message has a line for each, with file and line."""


@dataclass(frozen=True)
class Place:
    """Where a block stands: the indices of its markers' lines."""

    name: str
    begin: int
    end: int


@dataclass(frozen=True)
class Source:
    """A run that a block was made from, by the comment in the block."""

    need: Need
    run: str
    date: str
    source_hash: str


def update(root: Path, store: Store, *, everything: bool = False) -> list[str]:
    """Rewrites the stale blocks, and returns the files that changed.

    Shape    a block stays as it is while it is not stale, or when the store lacks a run that it was made from;
             `everything` rewrites the ones that are not stale too. A file that does not exist is left to `check`.
    Errors   ReadmeError; then nothing was written.
    """
    files = {name: (root / name).read_text(encoding="utf-8").splitlines() for name in _present(root)}
    problems = [problem for name, lines in files.items() for problem in _problems(name, lines)]
    if problems:
        raise ReadmeError("\n".join(problems))
    changed = []
    for name, lines in files.items():
        made = _updated(root, store, lines, everything)
        if made != lines:
            write_atomically(root / name, "\n".join(made) + "\n")
            changed.append(name)
    return changed


def check(root: Path, store: Store, chosen: Collection[str] | None = None) -> list[str]:
    """What is stale or wrong in the READMEs, a line each; nothing where all is well.

    Shape    with `chosen` boards, a block that needs another board's figures is not compared; without, a block
             whose runs the store lacks is reported, since it cannot be checked.
    """
    found = [f"{name}:1: no such file" for name in suites.pages() if name not in _present(root)]
    for name in _present(root):
        lines = (root / name).read_text(encoding="utf-8").splitlines()
        problems = _problems(name, lines)
        found += problems
        for place in [] if problems else _places(lines):
            sources = _sources(lines[place.begin : place.end])
            if chosen is not None and any(s.need[0] not in {*chosen, HOST} for s in sources):
                continue
            stale = _stale(root, store, lines, place)
            found += [f"{name}:{number + 1}: {place.name}: {what}" for number, what in stale]
    return found


def _present(root: Path) -> list[str]:
    return [name for name in suites.pages() if (root / name).is_file()]


def _problems(name: str, lines: Sequence[str]) -> list[str]:
    """Markers without their partner, unknown names, twice the same block, and required ones that are missing."""
    found, seen, opened = [], set(), None
    nowhere = Context(latest=lambda board, suite: None, facts={})
    for number, line in enumerate(lines, 1):
        marker = _MARKER.match(line)
        if marker is None:
            if _NEARLY.search(line):
                found.append(f"{name}:{number}: not a marker of the form <!-- baton:begin NAME -->: {line.strip()}")
            continue
        kind, block = marker.groups()
        if kind == "end":
            if block != opened:
                found.append(f"{name}:{number}: end of {block!r}, but {opened or 'no block'!r} is open")
            opened = None
            continue
        if opened is not None:
            found.append(f"{name}:{number}: {block!r} begins inside {opened!r}")
        try:
            make(block, nowhere)
        except UnknownBlockError as error:
            found.append(f"{name}:{number}: {error}")
        if block in seen:
            found.append(f"{name}:{number}: a second block {block!r}")
        seen.add(block)
        opened = block
    if opened is not None:
        found.append(f"{name}:{len(lines)}: the block {opened!r} has no end")
    missing = [block for block in suites.pages().get(name, ()) if block not in seen]
    return found + [f"{name}:{len(lines)}: no block <!-- baton:begin {block} -->" for block in missing]


def _places(lines: Sequence[str]) -> Iterator[Place]:
    begin = 0
    for index, line in enumerate(lines):
        marker = _MARKER.match(line)
        if marker and marker[1] == "begin":
            begin = index
        elif marker:
            yield Place(marker[2], begin, index)


def _context(root: Path, store: Store) -> Context:
    return Context(latest=store.latest, facts=board_facts.all_of(root))


def _updated(root: Path, store: Store, lines: list[str], everything: bool) -> list[str]:
    made = list(lines)
    for place in reversed(list(_places(lines))):
        old = _sources(lines[place.begin + 1 : place.end])
        kept = any(store.latest(*source.need) is None for source in old)
        if not kept and (everything or _stale(root, store, lines, place)):
            made[place.begin + 1 : place.end] = _text(make(place.name, _context(root, store)), store)
    return made


def _text(block: Block, store: Store) -> list[str]:
    runs = [found[0] for need in block.needs if (found := store.latest(*need))]
    lines = [_comment(run) for run in runs]
    if not block.grids:
        return [*lines, "", "Not measured yet: `./baton bench`.", ""]
    for grid in block.grids:
        lines += ["", *render(grid)]
    if runs:
        lines += ["", _provenance(runs)]
    return [*lines, ""]


def _comment(run: Run) -> str:
    return f"<!-- baton:from {run.board} {run.suite} run {run.id} of {run.started.date()} source {run.source_hash} -->"


def _provenance(runs: Sequence[Run]) -> str:
    """Which runs a reader is looking at, by board, date and compiler; the flags where they are of few boards."""
    several = len({run.board for run in runs}) > FEW_BOARDS
    builds: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        flags = "" if several else f" `{run.flags}`"
        with_what = f"on {run.started.date()} with {escape(run.compiler)}{flags}"
        builds.setdefault(("" if several else run.board, with_what), []).append(run)
    texts = []
    for (_, with_what), made in builds.items():
        names = ", ".join(dict.fromkeys(run.board for run in made))
        ids = ", ".join(str(run.id) for run in made)
        texts.append(f"run{'s' if len(made) > 1 else ''} {ids} of {names} {with_what}")
    return f"{_BUILT}{'; '.join(texts)}."


def _sources(lines: Sequence[str]) -> list[Source]:
    found = [match for line in lines if (match := _FROM.match(line))]
    return [Source((m[1], m[2]), m[3], m[4], m[5]) for m in found]


def _stale(root: Path, store: Store, lines: Sequence[str], place: Place) -> list[tuple[int, str]]:
    """What differs in a block, with the index of its line."""
    inside = [(index, lines[index]) for index in range(place.begin + 1, place.end)]
    sources = _sources([line for _, line in inside])
    found = []
    for source in sources:
        board, suite = source.need
        if board == HOST and source.source_hash != project.source_hash(root, suite):
            was = f"run {source.run} of {source.date}"
            found.append(
                (place.begin, f"the workload of {suite} has changed since {was}: ./baton bench --board {board}")
            )
    lacking = [s.need for s in sources if store.latest(*s.need) is None and s.need[0] != HOST]
    if lacking:
        text = ", ".join(" ".join(need) for need in lacking)
        return [*found, (place.begin, f"cannot be checked, nothing is stored for {text}: ./baton bench")]
    block = make(place.name, _context(root, store))
    if _only_volatile(block) and any(store.latest(*source.need) is None for source in sources):
        return found
    fresh = [line for line in _text(block, store) if not _is_provenance(line)]
    prose = [(index, line) for index, line in inside if not _is_provenance(line)]
    return found + [(index if index >= 0 else place.begin, what) for index, what in differences(prose, block, fresh)]


def _only_volatile(block: Block) -> bool:
    return all(board == HOST for board, _ in block.needs)


def _is_provenance(line: str) -> bool:
    return bool(_FROM.match(line)) or line.startswith(_BUILT)
