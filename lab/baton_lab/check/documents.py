# SPDX-License-Identifier: MIT
"""Checks the quotations and links of documents: code is in a tested file, and pages exist.

A fenced block after a line `<!-- from PATH -->` stands in that file, line by line; only its
indentation may differ. Every block of C++ has such a line, or `<!-- sketch -->` if no file can hold
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "*/README.md", "*/*/README.md", "docs/**/*.md")
SKETCH = "<!-- sketch -->"
_FENCE = re.compile(r"^```(\w*)\s*$")
_FROM = re.compile(r"^<!-- from (\S+) -->$")
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
_OUTSIDE = ("build", ".venv")


@dataclass(frozen=True)
class Quote:
    """A fenced block: its first line, its language, the line before it, and its lines."""

    number: int
    language: str
    before: str
    lines: tuple[str, ...]


def pages(root: Path) -> list[Path]:
    """Returns every document of the tree."""
    found = {path for pattern in PAGES for path in root.glob(pattern)}
    return sorted(path for path in found if path.relative_to(root).parts[0] not in _OUTSIDE)


def problems(root: Path) -> list[str]:
    """Describes each quotation that is not in its file, and each link to a missing page."""
    found = []
    for page in pages(root):
        lines = page.read_text(encoding="utf-8").splitlines()
        name = page.relative_to(root)
        for quote in _quotes(lines):
            wrong = _wrong(root, quote)
            found += [f"{name}:{quote.number}: {wrong}"] if wrong else []
        for number, line in prose_lines(lines):
            targets = (link for link in _LINK.findall(line) if "://" not in link and not link.startswith("mailto:"))
            found += [f"{name}:{number}: no file {link}" for link in targets if not (page.parent / link).exists()]
    return found


def _wrong(root: Path, quote: Quote) -> str:
    source = _FROM.match(quote.before)
    if source is None:
        if quote.language == "cpp" and quote.before != SKETCH:
            return "a block of C++ that no <!-- from PATH --> names a tested file for"
        return ""
    path = root / source[1]
    if not path.is_file():
        return f"quotes {source[1]}, which does not exist"
    return "" if is_in(quote.lines, path.read_text(encoding="utf-8").splitlines()) else f"is not in {source[1]}"


def is_in(quoted: Sequence[str], source: Sequence[str]) -> bool:
    """Tells whether the lines stand in the source, one after the other, at any indentation."""
    wanted = _dedented(quoted)
    size = len(wanted)
    return any(_dedented(source[i : i + size]) == wanted for i in range(len(source) - size + 1)) and size > 0


def _dedented(lines: Sequence[str]) -> list[str]:
    depths = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    depth = min(depths, default=0)
    return [line[depth:].rstrip() for line in lines]


def _quotes(lines: Sequence[str]) -> Iterator[Quote]:
    begin: int | None = None
    for index, line in enumerate(lines):
        if begin is None:
            if _FENCE.match(line):
                begin = index
        elif line.rstrip() == "```":
            fence = _FENCE.match(lines[begin])
            assert fence is not None
            before = lines[begin - 1].strip() if begin else ""
            yield Quote(begin + 1, fence[1], before, tuple(lines[begin + 1 : index]))
            begin = None


def prose_lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Numbers the lines of a document that stand in no fenced block."""
    inside = False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line
