# SPDX-License-Identifier: MIT
"""Writes the reference: a page per public header, a list of headers per module, and a list of all names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from baton_lab.docs import comments, declarations, doxygen
from baton_lab.docs.declarations import Declaration, grouped
from baton_lab.docs.links import relative
from baton_lab.docs.places import REFERENCE, source_page

_FILE = re.compile(r"^[\w.]+(?:/[\w.]+)+$")
_NAME = re.compile(r"^(?:baton::)?((?:\w+::)*\w+)(?:<.*>)?(?:\(.*\))?$")
_NO_ANCHOR = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Page:
    """The page of a header."""

    module: str
    header: PurePosixPath
    include: str
    text: str
    summary: str


class _Index:
    """The names that a comment may mention, with the page and part that describes each."""

    def __init__(self, root: Path, found: Mapping[PurePosixPath, Sequence[Declaration]]) -> None:
        self.root = root
        self.by_name: dict[str, tuple[PurePosixPath, str] | None] = {}
        for header, each in found.items():
            for one in each:
                self._add(one, header)

    def _add(self, one: Declaration, header: PurePosixPath) -> None:
        for name in {one.name, one.short, one.name.removeprefix("baton::")}:
            place = (header, anchor(one))
            known = self.by_name.get(name, place)
            self.by_name[name] = place if known == place else None  # a name that two headers have links nowhere

    def linked(
        self, word: str, own: Declaration, here: PurePosixPath, pages: Mapping[PurePosixPath, PurePosixPath]
    ) -> str:
        """Returns a word in backquotes, as a link if it names a declaration or a file of the tree."""
        bare = word.strip("`")
        if _FILE.match(bare) and (self.root / bare).is_file():
            return f"[{word}]({relative(PurePosixPath(bare), here)})"
        name = _NAME.match(bare)
        place = self.by_name.get(name[1]) if name else None
        if place is None or place[0] not in pages or place == (here, anchor(own)):
            return word
        return f"[{word}]({relative(pages[place[0]], pages[here])}#{place[1]})"


def anchor(one: Declaration, within: str = "") -> str:
    """Returns the part of a page that describes a declaration."""
    name = _NO_ANCHOR.sub("-", one.name.removeprefix("baton::").lower().replace("operator", "operator-")).strip("-")
    return f"{within}{name}" or "operator"


def pages(root: Path, xml: Path) -> dict[PurePosixPath, Page]:
    """Returns the page of each header that declares something for users, by its place in the site."""
    found = _documented(root, declarations.read(xml))
    places = {header: _place(root, header)[1] for header in found}
    index = _Index(root, found)
    out = {}
    for header, each in found.items():
        module, place, include = _place(root, header)
        lines = (root / header).read_text(encoding="utf-8").splitlines()
        writer = _Writer(header, lines, index, places)
        out[place] = Page(module, header, include, writer.page(include, module, each), writer.first_sentence(each))
    return out


def _documented(
    root: Path, found: Mapping[PurePosixPath, Sequence[Declaration]]
) -> dict[PurePosixPath, list[Declaration]]:
    """Keeps the headers with a comment, and of them no class that has none: that one serves another one."""
    kept = {}
    for header, each in found.items():
        if not (root / header).is_file():
            continue
        lines = (root / header).read_text(encoding="utf-8").splitlines()
        commented = {one.line for one in each if _describes(one, comments.above(lines, one.line))}
        named = {one.name for one in each if one.line in commented}
        shown = [
            one
            for one in each
            if one.line in commented
            or one.name in named
            or (one.kind == "function" and one.header.parts[0] != "compat")
        ]
        if commented:
            kept[header] = shown
    return kept


def _describes(one: Declaration, comment: str) -> bool:
    """False without a comment, and for a class of a class whose comment has fields alone: an operation, mostly."""
    is_inner = one.kind in ("class", "struct") and one.is_inner
    return bool(comments.summary(comment) if is_inner else comment)


def _place(root: Path, header: PurePosixPath) -> tuple[str, PurePosixPath, str]:
    for module in doxygen.modules(root):
        if header.is_relative_to(module.include_root):
            include = header.relative_to(module.include_root)
            inner = include.relative_to("baton") if include.parts[0] == "baton" else include
            inner = inner.relative_to(module.name) if inner.parts[0] == module.name else inner
            return module.name, REFERENCE / module.name / f"{inner}.md", str(include)
    raise ValueError(f"{header} is in no module")


class _Writer:
    """Writes the page of one header."""

    def __init__(
        self,
        header: PurePosixPath,
        lines: Sequence[str],
        index: _Index,
        places: Mapping[PurePosixPath, PurePosixPath],
    ) -> None:
        self.header, self.lines, self.index, self.places = header, lines, index, places
        self.used: set[str] = set()

    def page(self, include: str, module: str, each: Sequence[Declaration]) -> str:
        """Returns the whole text."""
        place = self.places[self.header]
        source = relative(source_page(self.header), place)
        index = relative(REFERENCE / module / "README.md", place)
        parts = [
            f"# {PurePosixPath(include).name}",
            f"`#include <{include}>` of [{module}]({index}); [source]({source})",
        ]
        opening = comments.essay(self.lines)
        if opening:
            parts.append(comments.markdown(opening, lambda word: word))
        for group in grouped(each):
            parts += self._group(group, 2)
        return "\n\n".join(parts) + "\n"

    def first_sentence(self, each: Sequence[Declaration]) -> str:
        """Returns the sentence that a list shows of this header."""
        said = (comments.summary(self._comment(one)) for one in each)
        return next(filter(None, said), "")

    def _comment(self, one: Declaration) -> str:
        return comments.above(self.lines, one.line)

    def _group(self, group: Sequence[Declaration], level: int) -> Iterator[str]:
        first = group[0]
        shown = first.name.removeprefix("baton::") if level == 2 else first.short
        yield f"{'#' * level} {_heading(shown)} {{ #{self._free(anchor(first))} }}"
        for one in group:
            yield f"```cpp\n{one.text}\n```"
            said = comments.markdown(self._comment(one), lambda word, one=one: self._link(word, one))  # type: ignore[misc]
            if said:
                yield said
        if first.values:
            yield "| value | meaning |\n| --- | --- |\n" + "\n".join(
                f"| `{name}` | {meaning.replace('|', '&#124;')} |" for name, meaning in first.values
            )
        for members in grouped([one for one in first.members if self._says_something(one)]):
            yield from self._group(members, level + 1)

    def _says_something(self, one: Declaration) -> bool:
        """False for a member that a reader expects anyway: a destructor, a copy that is left out."""
        is_usual = one.short.startswith("~") or one.text.endswith(("= default", "= delete"))
        return not is_usual or bool(self._comment(one))

    def _link(self, word: str, one: Declaration) -> str:
        return self.index.linked(word, one, self.header, self.places)

    def _free(self, wanted: str) -> str:
        name, number = wanted, 2
        while name in self.used:
            name, number = f"{wanted}-{number}", number + 1
        self.used.add(name)
        return name


def _heading(name: str) -> str:
    return re.sub(r"([*_<>\[\]])", r"\\\1", name)


def lists(root: Path, made: Mapping[PurePosixPath, Page]) -> dict[PurePosixPath, str]:
    """Returns the list of each module's headers, and the list of the modules."""
    out = {}
    used = [
        module.name for module in doxygen.modules(root) if any(page.module == module.name for page in made.values())
    ]
    for module in used:
        place = REFERENCE / module / "README.md"
        rows = [
            f"| [{page.include.removeprefix('baton/')}]({relative(where, place)}) | {_cell(page.summary)} |"
            for where, page in sorted(made.items())
            if page.module == module
        ]
        readme = relative(PurePosixPath(doxygen_folder(root, module)) / "README.md", place)
        out[place] = (
            f"# {module}\n\nThe public headers of [{module}]({readme}), each with its declarations. An include line "
            "begins with `baton/`.\n\n| header | for |\n| --- | --- |\n" + "\n".join(rows) + "\n"
        )
    top = REFERENCE / "README.md"
    rows = [
        f"| [{module}]({module}/README.md) | {sum(page.module == module for page in made.values())} |"
        for module in used
    ]
    out[top] = (
        "# Reference\n\nA page per public header. Each declaration has the comment that stands above it in the "
        "source: its shape, its context, its cost and its errors. The search finds every name.\n\n"
        "| module | headers |\n| --- | ---: |\n" + "\n".join(rows) + "\n"
    )
    return out


def doxygen_folder(root: Path, name: str) -> str:
    """Returns the folder of a module."""
    return next(module.folder for module in doxygen.modules(root) if module.name == name)


def _cell(text: str) -> str:
    return text.replace("|", "&#124;")
