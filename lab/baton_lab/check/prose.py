# SPDX-License-Identifier: MIT
"""Checks the prose of the tree: the openings of comments, docstrings and paragraphs, and widths.

A reader looks for the subject of a sentence first. A doc block, a docstring or a paragraph
therefore does not open with a word such as "who" or "whether", which puts a clause there. A
paragraph may still ask a question. Comment lines have at most 100 columns.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base.modules import SOURCE_ENDS, load
from baton_lab.check.documents import pages, prose_lines

COLUMNS = 100
PEERS = ("bench", "peers")
EXPECTATIONS = "tests/compile_fail/cases/"
"""The comments below this folder are regular expressions, which cannot be wrapped."""
OPENING = re.compile(r"[*_\"'(]*(Who|What|Whatever|Whoever|Where|How|Whether|Which|One that)\b")
PYTHON_FOLDERS = ("lab", "tools")
PYTHON_PROGRAMS = ("baton", "emulators/run", "tools/*/*-*")
_COMMENT = re.compile(r"\s*//[/!]?<?(?P<text>.*)$")
_NO_PARAGRAPH = re.compile(r"\s*(#|\||>|<|[-*+] |\d+\. |!?\[[^\]]*\]:)")
_SENTENCE = re.compile(r".*?[.?!](?=[\s)*_\"']|$)", re.DOTALL)


@dataclass(frozen=True)
class Finding:
    """A line that has to be rewritten."""

    path: str
    line: int
    text: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text.strip()}: {self.remedy}"


def problems(root: Path) -> list[str]:
    """Describes each finding of the tree in a line: its place, its text and what to do."""
    readers: tuple[tuple[Iterable[Path], Callable[[str, str], Iterator[Finding]]], ...] = (
        (sources(root), of_source),
        (python_sources(root), of_python),
        (pages(root), of_page),
    )
    return [
        str(finding)
        for paths, read in readers
        for path in paths
        for finding in read(str(path.relative_to(root)), path.read_text(encoding="utf-8"))
    ]


def sources(root: Path) -> list[Path]:
    """The C, C++ and Arduino sources, without those that compile other people's libraries."""
    return _files(root, load(root).folders, {*SOURCE_ENDS, ".ino"})


def python_sources(root: Path) -> list[Path]:
    """The Python sources, and the programs in Python, whose names have no ending."""
    programs = (path for pattern in PYTHON_PROGRAMS for path in root.glob(pattern))
    return sorted({*_files(root, (*load(root).folders, *PYTHON_FOLDERS), {".py"}), *programs})


def _files(root: Path, folders: Iterable[str], ends: Collection[str]) -> list[Path]:
    found = (path for folder in folders for path in (root / folder).rglob("*") if path.suffix in ends)
    return sorted(path for path in found if path.relative_to(root).parts[:2] != PEERS)


def of_source(name: str, text: str) -> Iterator[Finding]:
    """Finds openings of comments, and comment lines that are too wide, in a C or C++ source."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        comment = _COMMENT.match(line)
        if comment and not inside and (opening := OPENING.match(comment["text"].strip())):
            yield _opening(name, number, line, opening[1])
        if comment and len(line) > COLUMNS and not name.startswith(EXPECTATIONS):
            yield Finding(name, number, line, f"wrap the comment at {COLUMNS} columns; it has {len(line)}")
        inside = comment is not None and comment["text"].strip() != "" and "SPDX" not in comment["text"]


def of_python(name: str, text: str) -> Iterator[Finding]:
    """Finds docstrings of a Python source that open with a clause, also those of variables."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            said = node.value.value
            if opening := OPENING.match(said.strip()):
                yield _opening(name, node.lineno, said.strip().splitlines()[0], opening[1])


def of_page(name: str, text: str) -> Iterator[Finding]:
    """Finds paragraphs whose first sentence is a statement and opens with a clause."""
    before = 0
    lines = dict(prose_lines(text.splitlines()))
    for number, line in lines.items():
        follows = before == number - 1 and lines.get(before, "").strip() != ""
        before = number
        opening = OPENING.match(line)
        if follows or not opening or _NO_PARAGRAPH.match(line):
            continue
        sentence = _SENTENCE.match("\n".join([line, *_rest(lines, number)]))
        if sentence is None or not sentence[0].endswith("?"):
            yield _opening(name, number, line, opening[1])


def _rest(lines: dict[int, str], number: int) -> Iterator[str]:
    while lines.get(number := number + 1, "").strip():
        yield lines[number]


def _opening(name: str, number: int, line: str, word: str) -> Finding:
    return Finding(name, number, line, f'open with a subject and a verb instead of "{word}"')
