# SPDX-License-Identifier: MIT
"""Reduces a translation unit to the text that checkers read: its own files and their includes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

_INCLUDE = re.compile(
    r'^[ \t]*#[ \t]*(?P<word>include(?:_next)?|define[ \t]+\w+)[ \t]*(?P<mark>[<"])(?P<name>[^>"\n]+)[>"]', re.MULTILINE
)
_TOKEN = re.compile(
    r'(?P<raw>R"(?P<end>[^()\s\\]{0,16})\(.*?\)(?P=end)")'
    r'|(?P<text>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<digits>\b\d[\w']*)"  # the separators of 1'000 begin no character
    r"|(?P<char>'(?:[^'\\\n]|\\.)+')"
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)",
    re.DOTALL,
)
_READ_BY_CHECKERS = re.compile(r"NOLINT|/\*\s*\w+\s*=\s*\*/")
SYSTEM = (Path("/usr/include"),)


def without_comments(text: str) -> str:
    """Removes comments, except those that clang-tidy reads, and the blank lines that remain."""

    def keep(match: re.Match[str]) -> str:
        comment = match.group("comment")
        return match.group(0) if comment is None or _READ_BY_CHECKERS.search(comment) else " "

    lines = (line.rstrip() for line in _TOKEN.sub(keep, text).splitlines())
    return "\n".join(line for line in lines if line)


@dataclass(frozen=True)
class Include:
    """A line that includes a header, or defines a macro that names one."""

    name: str
    beside: bool
    everywhere: bool


class SourceDigests:
    """The digests of a tree's files and of foreign headers, each read once."""

    def __init__(self, root: Path, system: Sequence[Path] = SYSTEM) -> None:
        self._root = root
        self._system = tuple(system)
        self._digests: dict[Path, str] = {}
        self._includes: dict[Path, list[Include]] = {}
        self._outside: dict[Path, tuple[str, list[Path]]] = {}
        self._files: dict[Path, bool] = {}
        self._hits: dict[tuple[Path, tuple[Path, ...]], list[Path]] = {}

    def digest(self, path: Path) -> str:
        """Returns a digest of a file's checked text; of a foreign file, with its includes."""
        if path not in self._digests:
            if path.is_relative_to(self._root):
                content = without_comments(path.read_text(encoding="utf-8", errors="replace"))
                self._digests[path] = hashlib.sha256(content.encode()).hexdigest()
            else:
                self._digests[path] = self._digest_of_all(path)
        return self._digests[path]

    def closure(self, source: Path, folders: Sequence[Path]) -> list[Path]:
        """Returns the source and all that it includes; conditions count as true."""
        found: dict[Path, None] = {}
        waiting, places = [source], tuple(folders)
        while waiting:
            path = waiting.pop()
            if path in found:
                continue
            found[path] = None
            if path.is_relative_to(self._root):
                waiting += self._included(path, places)
        return sorted(found)

    def _digest_of_all(self, path: Path) -> str:
        found: dict[Path, None] = {}
        waiting = [path]
        while waiting:
            at = waiting.pop()
            if at not in found:
                found[at] = None
                waiting += self._read_outside(at)[1]
        return hashlib.sha256("".join(self._outside[at][0] for at in sorted(found)).encode()).hexdigest()

    def _read_outside(self, path: Path) -> tuple[str, list[Path]]:
        """Reads a foreign header: its own digest, and its includes, which are foreign, too."""
        if path not in self._outside:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            self._outside[path] = digest, self._included(path, ())
        return self._outside[path]

    def _included(self, path: Path, folders: tuple[Path, ...]) -> list[Path]:
        if (path, folders) not in self._hits:
            self._hits[path, folders] = [
                hit for wanted in self._named(path) for hit in self._found(path, wanted, folders)
            ]
        return self._hits[path, folders]

    def _named(self, path: Path) -> list[Include]:
        if path not in self._includes:
            lines = _INCLUDE.finditer(path.read_text(encoding="utf-8", errors="replace"))
            self._includes[path] = list(dict.fromkeys(_include(line) for line in lines))
        return self._includes[path]

    def _found(self, path: Path, wanted: Include, folders: tuple[Path, ...]) -> list[Path]:
        places = [*([path.parent] if wanted.beside else []), *folders, *self._system]
        there = (place / wanted.name for place in places if self._is_file(place / wanted.name))
        return list(there if wanted.everywhere else islice(there, 1))

    def _is_file(self, path: Path) -> bool:
        if path not in self._files:
            self._files[path] = path.is_file()
        return self._files[path]


def _include(line: re.Match[str]) -> Include:
    return Include(line["name"], line["mark"] == '"', line["word"] == "include_next")
