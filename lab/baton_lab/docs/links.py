# SPDX-License-Identifier: MIT
"""Leads the links of a document to pages of the site: on GitHub they lead to files of the tree."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from baton_lab.docs.places import IMAGE_ENDS, TEXT_ENDS, folder_page, source_page

_LINK = re.compile(r"(?P<code>`+[^`]*`+)|(?P<text>\]\()(?P<target>[^)\s#]*)(?P<part>#[^)\s]*)?(?P<end>\))")
_HOW_MADE = re.compile(r"^Made from runs? ")


@dataclass
class Tree:
    """The checkout, its pages, and the files that links of the pages have led to."""

    root: Path
    pages: frozenset[PurePosixPath]
    headers: Mapping[PurePosixPath, PurePosixPath] = field(default_factory=dict)
    """The reference's page of a header."""
    sources: set[PurePosixPath] = field(default_factory=set)
    folders: set[PurePosixPath] = field(default_factory=set)
    images: set[PurePosixPath] = field(default_factory=set)

    def page_of(self, path: PurePosixPath) -> PurePosixPath | None:
        """Returns the page of the site that shows a file or folder of the tree, and notes that it is needed.

        A file that no page shows, such as an archive, has none.
        """
        here = self.root / path
        if path in self.pages:
            return path
        if path in self.headers:
            return self.headers[path]
        if here.is_dir():
            return self._of_folder(path)
        if path.suffix in IMAGE_ENDS:
            self.images.add(path)
            return path
        if here.is_file() and path.suffix in TEXT_ENDS:
            self.sources.add(path)
            return source_page(path)
        return None

    def _of_folder(self, path: PurePosixPath) -> PurePosixPath:
        if path / "README.md" in self.pages:
            return path / "README.md"
        self.folders.add(path)
        return folder_page(path)


def led(text: str, page: PurePosixPath, tree: Tree, place: PurePosixPath | None = None) -> str:
    """Returns the text of `page` with its links led to pages of the site, as it stands at `place` there."""
    place = place or page

    def lead(found: re.Match[str]) -> str:
        return _led(found, page, place, tree)

    return _outside_fences(text, lambda line: _LINK.sub(lead, line))


def _led(found: re.Match[str], page: PurePosixPath, place: PurePosixPath, tree: Tree) -> str:
    target = found["target"]
    if found["code"] or not target or "://" in target or target.startswith("mailto:"):
        return found[0]
    shown = tree.page_of(normal(page.parent / target))
    if shown is None:
        return found[0]
    part = found["part"] or ""
    if part and re.match(r"#L\d+", part):  # a line of a source, on GitHub
        part = ""
    return f"{found['text']}{relative(shown, place)}{part}{found['end']}"


def normal(path: PurePosixPath) -> PurePosixPath:
    """Returns the path without `..` in it."""
    return PurePosixPath(os.path.normpath(path))


def relative(to: PurePosixPath, place: PurePosixPath) -> str:
    """Returns the link to a page from another one."""
    return os.path.relpath(to, place.parent)


def folded(text: str) -> str:
    """Returns the text with each paragraph about compilers and flags below a table folded, for it is long."""

    def fold(line: str) -> str:
        if not _HOW_MADE.match(line):
            return line
        return f'??? note "The runs, compilers and flags of these figures"\n\n    {line}'

    return _outside_fences(text, fold)


def _outside_fences(text: str, change: Callable[[str], str]) -> str:
    lines, fence = [], ""
    for line in text.split("\n"):
        mark = re.match(r"\s*(```+)", line)
        if mark and not fence:
            fence = mark[1]
        elif fence and line.strip() == fence:
            fence = ""
            lines.append(line)
            continue
        lines.append(line if fence else change(line))
    return "\n".join(lines)
