# SPDX-License-Identifier: MIT
"""The tables inside the README and bench/results: filled between markers, and checked against the latest runs.

A block begins with `<!-- baton:begin NAME -->` and ends with `<!-- baton:end NAME -->`, each on a line of its own. In
it, a comment for each run that it was made from names the run, its date and the hash of the workload's source.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from baton_lab.base import project
from baton_lab.base.files import write_atomically
from baton_lab.base.store import Run, Store
from baton_lab.board import board_facts
from baton_lab.board.board_facts import HOST
from baton_lab.measure import suites
from baton_lab.measure.variants import ALL, VARIANT
from baton_lab.measure.variants import SUITE as VARIED
from baton_lab.present.comparison import PICTURES, bars, picture
from baton_lab.present.freshness import differences
from baton_lab.present.markdown import escape, plain, render, tables
from baton_lab.present.pages import VARIANTS, Block, Context, Found, UnknownBlockError, make

README = "README.md"
FEW_BOARDS = 3
"""So many boards have their compiler's flags below a table."""

_MARKER = re.compile(r"^<!-- baton:(begin|end) (.*?) -->$")
_NEARLY = re.compile(r"baton:\s*(begin|end)")
_FROM = re.compile(r"^<!-- baton:from (\S+) (\S+) run (\S+) of (\S+) source (\S*) -->$")
_BUILT = "Made from "


class ReadmeError(ValueError):
    """Markers that do not fit together; the message has a line for each, with file and line."""


class Place(NamedTuple):
    """A block in a file: the indices of its markers' lines, and the lines between them."""

    name: str
    begin: int
    end: int
    lines: list[str]

    @property
    def sources(self) -> list[Source]:
        """The runs that it was made from."""
        return [Source(*found.groups()) for line in self.lines if (found := _FROM.match(line))]


class Source(NamedTuple):
    """A run that a block was made from, by the comment in the block."""

    board: str
    suite: str
    run: str
    date: str
    source_hash: str


def find(store: Store, board: str, suite: str) -> Found | None:
    """The latest run of a suite on a board; for VARIANTS the first run of the newest session."""
    return next(iter(matrix(store)), None) if suite == VARIANTS else store.latest(board, suite)


def matrix(store: Store) -> list[Found]:
    """The newest session of variants; none where it left out one, since a file has the whole matrix."""
    found = store.latest_variants(HOST, VARIED)
    names = {records[0].params[VARIANT] for _, records in found}
    return found if names == {variant.name for variant in ALL} else []


def update(root: Path, store: Store, *, everything: bool = False, blocks: Collection[str] | None = None) -> list[str]:
    """Rewrites the stale blocks, or those of `blocks` that are stale, and returns the files that changed.

    Shape    a block stays as it is while it is not stale, or when the store lacks a run that it was made from;
             `everything` rewrites the ones that are not stale too. A file that does not exist is left to `check`. A
             picture is drawn anew where it is not that of its table.
    Errors   ReadmeError; then nothing was written.
    """
    files = _files(root)
    if problems := [problem for name, lines in files.items() for problem in _problems(name, lines)]:
        raise ReadmeError("\n".join(problems))
    changed, context = [], _context(root, store)
    for name, lines in files.items():
        made = list(lines)
        for place in reversed(_places(lines)):
            if blocks is not None and place.name not in blocks:
                continue
            kept = any(find(store, source.board, source.suite) is None for source in place.sources)
            if not kept and (everything or _stale(root, store, place)):
                made[place.begin + 1 : place.end] = _text(make(place.name, context), store)
        if made != lines:
            write_atomically(root / name, "\n".join(made) + "\n")
            changed.append(name)
    return changed + [name for name, text in _pictures(root).items() if _draw(root / name, text)]


def _pictures(root: Path) -> dict[str, str]:
    """The pictures of the README's tables, by their files: each is drawn from the table as it stands."""
    lines = _files(root).get(README, [])
    drawn = {}
    for place in [] if _problems(README, lines) else _places(lines):
        if place.name in PICTURES:
            for header, *rows in tables(enumerate(place.lines)):
                found = bars(place.name, header[1], [cells for _, cells in rows])
                drawn[PICTURES[place.name]] = picture(_title(place.lines), found)
    return drawn


def _title(lines: Sequence[str]) -> str:
    return next((plain(line.strip("*")) for line in lines if line.startswith("**")), "")


def _draw(path: Path, text: str) -> bool:
    """Writes a picture; returns False if the file was as it should be."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    write_atomically(path, text)
    return True


def check(root: Path, store: Store, chosen: Collection[str] | None = None) -> list[str]:
    """The stale blocks and other faults of the READMEs, a line each; nothing where all is well.

    Shape    with `chosen` boards, a block that needs another board's figures is not compared; without, a block
             whose runs the store lacks is reported, since it cannot be checked.
    """
    files = _files(root)
    found = [f"{name}:1: no such file" for name in suites.pages() if name not in files]
    for name, text in _pictures(root).items():
        if not (root / name).is_file() or (root / name).read_text(encoding="utf-8") != text:
            found.append(f"{name}:1: not the picture of its table in {README}: ./baton bench")
    for name, lines in files.items():
        problems = _problems(name, lines)
        found += problems
        for place in [] if problems else _places(lines):
            if chosen is None or all(source.board in {*chosen, HOST} for source in place.sources):
                stale = _stale(root, store, place)
                found += [f"{name}:{number + 1}: {place.name}: {what}" for number, what in stale]
    return found


def _files(root: Path) -> dict[str, list[str]]:
    present = [name for name in suites.pages() if (root / name).is_file()]
    return {name: (root / name).read_text(encoding="utf-8").splitlines() for name in present}


def _problems(name: str, lines: Sequence[str]) -> list[str]:
    """Markers without their partner, unknown names, twice the same block, and required ones that are missing."""
    found, seen, opened = [], set(), None
    for number, line in enumerate(lines, 1):
        marker = _MARKER.match(line)
        if marker is None:
            if _NEARLY.search(line):
                found.append(f"{name}:{number}: not a marker of the form <!-- baton:begin NAME -->: {line.strip()}")
        elif marker[1] == "end":
            if marker[2] != opened:
                found.append(f"{name}:{number}: end of {marker[2]!r}, but {opened or 'no block'!r} is open")
            opened = None
        else:
            wrong = [f"{marker[2]!r} begins inside {opened!r}"] if opened else []
            wrong += [*_unknown(marker[2]), *([f"a second block {marker[2]!r}"] if marker[2] in seen else [])]
            found += [f"{name}:{number}: {each}" for each in wrong]
            opened = marker[2]
            seen.add(opened)
    if opened is not None:
        found.append(f"{name}:{len(lines)}: the block {opened!r} has no end")
    missing = [block for block in suites.pages().get(name, ()) if block not in seen]
    return found + [f"{name}:{len(lines)}: no block <!-- baton:begin {block} -->" for block in missing]


def _unknown(block: str) -> Iterator[str]:
    try:
        make(block, Context(latest=lambda board, suite: None, facts={}))
    except UnknownBlockError as error:
        yield str(error)


def _places(lines: list[str]) -> list[Place]:
    markers = [(index, found[2]) for index, line in enumerate(lines) if (found := _MARKER.match(line))]
    pairs = zip(markers[::2], markers[1::2], strict=True)
    return [Place(name, begin, end, lines[begin + 1 : end]) for (begin, name), (end, _) in pairs]


def _context(root: Path, store: Store) -> Context:
    return Context(partial(find, store), board_facts.all_of(root), partial(matrix, store))


def _text(block: Block, store: Store) -> list[str]:
    found = {need: run[0] for need in block.needs if (run := find(store, *need))}
    runs = list(found.values())
    lines = [
        f"<!-- baton:from {board} {suite} run {run.id} of {run.started.date()} source {run.source_hash} -->"
        for (board, suite), run in found.items()
    ]
    if not block.grids:
        return [*lines, "", "Not measured yet: `./baton bench`.", ""]
    for grid in block.grids:
        lines += ["", *render(grid)]
    return [*lines, *(["", _provenance(runs)] if runs else []), ""]


def _provenance(runs: Sequence[Run]) -> str:
    """The runs that a reader is looking at, by board, date and compiler; the flags where they are of few boards."""
    several = len({run.board for run in runs}) > FEW_BOARDS
    builds: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        flags = "" if several else f" `{run.flags}`"
        with_what = f"on {run.started.date()} with {escape(run.compiler)}{flags}"
        builds.setdefault(("" if several else run.board, with_what), []).append(run)
    texts = []
    for (_, with_what), made in builds.items():
        names, ids = ", ".join(dict.fromkeys(run.board for run in made)), ", ".join(str(run.id) for run in made)
        texts.append(f"run{'s' if len(made) > 1 else ''} {ids} of {names} {with_what}")
    return f"{_BUILT}{'; '.join(texts)}."


def _stale(root: Path, store: Store, place: Place) -> list[tuple[int, str]]:
    """The differences of a block, each with the index of its line."""
    found = [
        f"the workload of {each.suite} has changed since run {each.run} of {each.date}: ./baton bench --board {HOST}"
        for each in place.sources
        if each.board == HOST and each.source_hash != project.source_hash(root, _source_of(each.suite))
    ]
    gone = [source for source in place.sources if find(store, source.board, source.suite) is None]
    lacking = ", ".join(f"{source.board} {source.suite}" for source in gone if source.board != HOST)
    if lacking:
        found.append(f"cannot be checked, nothing is stored for {lacking}: ./baton bench")
    block = make(place.name, _context(root, store))
    differ: list[tuple[int, str]] = []
    if not lacking and not (gone and all(board == HOST for board, _ in block.needs)):
        old = [(index, line) for index, line in enumerate(place.lines, place.begin + 1) if not _is_provenance(line)]
        fresh = [line for line in _text(block, store) if not _is_provenance(line)]
        differ = differences(old, block, fresh)
    return [(max(index, place.begin), what) for index, what in [*((place.begin, each) for each in found), *differ]]


def _source_of(suite: str) -> str:
    """The suite whose source a run was built from."""
    return VARIED if suite == VARIANTS else suite


def _is_provenance(line: str) -> bool:
    return bool(_FROM.match(line)) or line.startswith(_BUILT)
