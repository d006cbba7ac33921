# SPDX-License-Identifier: MIT
"""What a translation unit consists of, as text: its own files and those it includes, without what no checker reads."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
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
    """The text without its comments, but those that clang-tidy reads, and without what these leave behind."""

    def keep(match: re.Match[str]) -> str:
        comment = match.group("comment")
        return match.group(0) if comment is None or _READ_BY_CHECKERS.search(comment) else " "

    lines = (line.rstrip() for line in _TOKEN.sub(keep, text).splitlines())
    return "\n".join(line for line in lines if line)


class Texts:
    """The texts of a tree's files, each read once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._digests: dict[Path, str] = {}
        self._includes: dict[Path, list[tuple[bool, str]]] = {}

    def digest(self, path: Path) -> str:
        """Changes with what a checker sees of one file; of the system's files with their size and time."""
        if path not in self._digests:
            if path.is_relative_to(self._root):
                content = without_comments(path.read_text(encoding="utf-8", errors="replace"))
            else:
                facts = path.stat()
                content = f"{facts.st_size} {facts.st_mtime_ns}"
            self._digests[path] = hashlib.sha256(content.encode()).hexdigest()
        return self._digests[path]

    def closure(self, source: Path, folders: Sequence[Path]) -> list[Path]:
        """The source and all that it includes, from these folders and the system's; conditions count as true."""
        found: dict[Path, None] = {}
        waiting = [source]
        while waiting:
            path = waiting.pop()
            if path in found:
                continue
            found[path] = None
            if path.is_relative_to(self._root):
                waiting += self._included(path, folders)
        return sorted(found)

    def _included(self, path: Path, folders: Sequence[Path]) -> list[Path]:
        if path not in self._includes:
            lines = _INCLUDE.findall(path.read_text(encoding="utf-8", errors="replace"))
            self._includes[path] = [(mark == '"', name) for mark, name in lines]
        hits = []
        for beside, name in self._includes[path]:
            places = ([path.parent] if beside else []) + [*folders, *SYSTEM]
            hits += [place / name for place in places if _is_file(place / name)][:1]
        return hits


@cache
def _is_file(path: Path) -> bool:
    return path.is_file()
