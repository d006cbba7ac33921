# SPDX-License-Identifier: MIT
"""Reads the entries of mutants.toml files, and alters the text of the sources as an entry says."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from source_text import TOKEN, pattern_of, regions

EDIT_KEYS = {"file", "function", "expression", "replacement", "matches"}
MUTANT_KEYS = EDIT_KEYS | {
    "name",
    "program",
    "where",
    "edit",
    "killed_by",
    "says",
    "case",
    "limit_s",
    "limit_ms",
    "runs",
    "options",
    "definitions",
    "unity",
    "environment",
}
DEFAULT_KEYS = MUTANT_KEYS - EDIT_KEYS - {"name", "edit", "case", "runs"}
FILE_KEYS = DEFAULT_KEYS | {"prefix", "mutant", "together"}
WAYS = ("exit", "signal", "sanitizer", "crash", "hang", "silence")


class MutantError(Exception):
    """A mutant that does not fit the tree; the message names its file and its expression."""


@dataclass(frozen=True)
class Edit:
    """One replacement in one file."""

    file: str
    function: str
    expression: str
    replacement: str
    matches: int


@dataclass(frozen=True)
class Mutant:
    """One entry of a mutants.toml, with the defaults of its file."""

    name: str
    program: str
    edits: tuple[Edit, ...]
    values: dict[str, Any]


def spans_of(edit: Edit, text: str, mutant: str) -> list[tuple[int, int]]:
    """Returns where the text has the edit's expression, in order.

    Errors   MutantError
    """
    where = regions(edit.file, text, edit.function)
    if not where:
        raise MutantError(f"mutant {mutant}: {edit.file} holds no function '{edit.function}'")
    finder = pattern_of(edit.expression)
    spans = sorted({found.span() for begin, end in where for found in finder.finditer(text, begin, end)})
    if len(spans) != edit.matches:
        raise MutantError(
            f"mutant {mutant}: '{edit.function}' of {edit.file} holds the expression {len(spans)} times, not "
            f"{edit.matches}: {edit.expression.strip()}"
        )
    return spans


def alter(edit: Edit, text: str, mutant: str) -> str:
    """Returns the text with the edit.

    Errors   MutantError
    """
    for begin, end in reversed(spans_of(edit, text, mutant)):
        text = text[:begin] + edit.replacement + text[end:]
    return text


def _edits(entry: dict[str, Any], name: str, place: str) -> tuple[Edit, ...]:
    edits = []
    for part in entry.get("edit", [{}]):
        values = {key: entry[key] for key in EDIT_KEYS if key in entry} | part
        missing = EDIT_KEYS - {"matches"} - values.keys()
        if missing or values.keys() - EDIT_KEYS:
            raise MutantError(
                f"{place}: mutant {name}: an edit has {', '.join(sorted(values))}; it needs "
                f"{', '.join(sorted(EDIT_KEYS))} ('matches' is 1 where it is not said)"
            )
        if not TOKEN.search(values["expression"]):
            raise MutantError(f"{place}: mutant {name}: the expression is empty")
        edits.append(Edit(**({"matches": 1} | values)))
    if unused := [key for key in entry.keys() & EDIT_KEYS if all(key in part for part in entry.get("edit", [{}]))]:
        raise MutantError(
            f"{place}: mutant {name}: each edit has its own {', '.join(sorted(unused))}, so that of the entry is of none"
        )
    return tuple(edits)


def read(project: Path, path: Path) -> list[Mutant]:
    """Reads the mutants of a file, each with the defaults that stand at the file's head.

    Errors   MutantError
    """
    place = path.relative_to(project).as_posix()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise MutantError(f"{place}: {error}") from None
    if unknown := content.keys() - FILE_KEYS:
        raise MutantError(f"{place}: unknown: {', '.join(sorted(unknown))}; known: {', '.join(sorted(FILE_KEYS))}")
    defaults = {key: content[key] for key in DEFAULT_KEYS if key in content}
    mutants = []
    for entry in content.get("mutant", []):
        name = entry.get("name", "without a name")
        if unknown := entry.keys() - MUTANT_KEYS:
            known = ", ".join(sorted(MUTANT_KEYS))
            raise MutantError(f"{place}: mutant {name}: unknown: {', '.join(sorted(unknown))}; known: {known}")
        values = defaults | entry
        if missing := {"name", "program"} - values.keys():
            raise MutantError(f"{place}: mutant {name} has no {', '.join(sorted(missing))}")
        killed_by = values.get("killed_by", "exit")
        values["killed_by"] = [killed_by] if isinstance(killed_by, str) else killed_by
        if strange := set(values["killed_by"]) - set(WAYS):
            listed = ", ".join(sorted(strange))
            raise MutantError(f"{place}: mutant {name}: killed_by {listed}; known: {', '.join(WAYS)}")
        values["prefix"] = content.get("prefix", "")
        values["together"] = content.get("together", False)
        mutants.append(Mutant(name, values["program"], _edits(entry, name, place), values))
    if not mutants or not content.get("prefix"):
        raise MutantError(f"{place}: it has no prefix, or no mutant")
    return mutants


def altered(project: Path, mutant: Mutant) -> dict[str, str]:
    """Returns the altered text of each file that the mutant changes.

    Errors   MutantError
    """
    texts: dict[str, str] = {}
    for edit in mutant.edits:
        if edit.file not in texts:
            texts[edit.file] = text_of(project, edit, mutant.name)
        texts[edit.file] = alter(edit, texts[edit.file], mutant.name)
    return texts


def text_of(project: Path, edit: Edit, mutant: str) -> str:
    """Returns the text of the edit's file.

    Errors   MutantError
    """
    if not (project / edit.file).is_file():
        raise MutantError(f"mutant {mutant}: there is no file {edit.file} for: {edit.expression.strip()}")
    return (project / edit.file).read_text(encoding="utf-8")
