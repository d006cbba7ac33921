# SPDX-License-Identifier: MIT
"""Follows the includes of the sources of a tree."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

HEADERS = {".hpp", ".h"}
ROOT_OF_INCLUDES = re.compile(r"^(?:(?:.*/)?include|compat/[a-z]+/src)/")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.M)


class Sources:
    """Knows which file includes which. A name that several folders have means each of them."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self._by_tail: dict[str, list[Path]] = {}
        self._by_name: dict[str, list[Path]] = {}
        for folder in sorted(project.iterdir()):
            if folder.name in ("build", "lab") or folder.name.startswith(".") or not folder.is_dir():
                continue
            for path in sorted(folder.rglob("*")):
                if path.suffix in HEADERS:
                    relative = path.relative_to(project).as_posix()
                    self._by_name.setdefault(path.name, []).append(path)
                    if root := ROOT_OF_INCLUDES.match(relative):
                        self._by_tail.setdefault(relative[root.end() :], []).append(path)
        self._includes = lru_cache(maxsize=None)(self._read_includes)
        self._seen = lru_cache(maxsize=None)(self._walk)

    def _read_includes(self, path: Path) -> tuple[tuple[Path, bool], ...]:
        found: list[tuple[Path, bool]] = []
        for include in INCLUDE.finditer(path.read_text(encoding="utf-8")):
            beside = (path.parent / include[2]).resolve()
            if include[1] == '"' and beside.is_file():
                found.append((beside, True))
            else:
                others = self._by_tail.get(include[2]) or self._by_name.get(Path(include[2]).name, [])
                found += [(other, False) for other in others]
        return tuple(found)

    def _walk(self, path: Path, quoted_only: bool) -> frozenset[Path]:
        seen, todo = {path}, [path]
        while todo:
            for other, is_beside in self._includes(todo.pop()):
                if other not in seen and (is_beside or not quoted_only):
                    seen.add(other)
                    todo.append(other)
        return frozenset(seen)

    def seen_by(self, path: Path) -> frozenset[Path]:
        """Returns the file and all files that it includes."""
        return self._seen(path, False)

    def beside(self, path: Path) -> frozenset[Path]:
        """Returns the file and the files that it finds beside itself."""
        return self._seen(path, True)
