# SPDX-License-Identifier: MIT
"""Reads the doc comments of a header, and lays them out as Markdown with a list of their fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

FIELDS = ("Shape", "Units", "Context", "Cost", "Errors", "Source")
_FIELD = re.compile(rf"^({'|'.join(FIELDS)})\s{{2,}}(\S.*)$")
_DOC = re.compile(r"^\s*///(?!<)\s?(.*)$")
_PLAIN = re.compile(r"^//(?!/)\s?(.*)$")
_TRAILING = re.compile(r"///<\s?(.*)$")
_ENDS_SEARCH = (";", "}", "{", ":")
_CODE = re.compile(r"(`[^`]*`)")
_SPECIAL = re.compile(r"([*_\[\]]|^#)")
_PATH = re.compile(r"(?<![\w/])(?:[\w.-]+/)+[\w-]+\.(?:cpp|hpp|md|toml|py)\b")
_ITEM = re.compile(r"^(?:[-*] |\d+\. )")


def above(lines: Sequence[str], line: int) -> str:
    """Returns the doc comment of the declaration in this line, counted from 1; "" if it has none.

    A template's parameters, a requires-clause and attributes may stand between the comment and the line.
    """
    trailing = _TRAILING.search(lines[line - 1]) if 0 < line <= len(lines) else None
    if trailing:
        return trailing[1]
    end = line - 1
    while end > 0 and not _DOC.match(lines[end - 1]):
        text = lines[end - 1].strip()
        if not text or text.startswith(("#", "//")) or text.endswith(_ENDS_SEARCH):
            return ""
        end -= 1
    begin = end
    while begin > 0 and _DOC.match(lines[begin - 1]):
        begin -= 1
    found = (_DOC.match(text) for text in lines[begin:end])
    return "\n".join(match[1].rstrip() for match in found if match)


def essay(lines: Sequence[str]) -> str:
    """Returns the comment that opens a header, between its includes and its first declaration; "" if there is none."""
    taken: list[str] = []
    for line in lines:
        plain = _PLAIN.match(line)
        if plain and "SPDX" not in line:
            taken.append(plain[1].rstrip())
        elif taken or not (plain or line.startswith("#") or not line.strip()):
            break
    return "\n".join(taken)


def markdown(text: str, link: Callable[[str], str]) -> str:
    """Returns a comment as Markdown; `link` may turn a word in backquotes into a link."""
    blocks: list[str] = []
    fields: list[str] = []
    for paragraph in _paragraphs(text):
        field = _FIELD.match(paragraph[0])
        if field:
            said = " ".join([field[2], *(line.strip() for line in paragraph[1:])])
            fields.append(f"{field[1]}\n:   {_escaped(said, link)}")
        else:
            blocks.append("\n".join(_escaped(line, link) for line in _with_lists(paragraph)))
    return "\n\n".join([*blocks, *fields])


def summary(text: str) -> str:
    """Returns the first sentence of a comment."""
    first = next(iter(_paragraphs(text)), [])
    if not first or _FIELD.match(first[0]):
        return ""
    whole = " ".join(line.strip() for line in first)
    end = re.search(r"[.:;](?=\s|$)", whole)
    return _escaped(f"{whole[: end.start()]}." if end else whole, lambda word: word)


def _paragraphs(text: str) -> list[list[str]]:
    """Splits a comment at blank lines and before each field."""
    found: list[list[str]] = [[]]
    for line in text.splitlines():
        if not line.strip():
            found.append([])
            continue
        if _FIELD.match(line):
            found.append([])
        found[-1].append(line)
    return [paragraph for paragraph in found if paragraph]


def _with_lists(paragraph: Sequence[str]) -> list[str]:
    """Puts a blank line before a list, which Markdown wants."""
    lines: list[str] = []
    for line in paragraph:
        text = line.strip()
        item = _ITEM.match(text)
        if item and lines and not any(map(_ITEM.match, lines)):
            lines.append("")
        lines.append(text if item or not any(map(_ITEM.match, lines)) else f"    {text}")
    return lines


def _escaped(line: str, link: Callable[[str], str]) -> str:
    """Returns a line whose characters Markdown leaves alone; code, and the paths of files, go through `link`."""
    mark = _ITEM.match(line)
    start = mark[0] if mark else ""
    line = _PATH.sub(lambda path: f"`{path[0]}`", line[len(start) :]) if "`" not in line else line[len(start) :]
    parts = _CODE.split(line)
    for index, part in enumerate(parts):
        if len(part) > 1 and part.startswith("`"):
            parts[index] = link(part)
        else:
            parts[index] = _SPECIAL.sub(r"\\\1", part.replace("<", "&lt;").replace("|", "&#124;"))
    return start + "".join(parts)
