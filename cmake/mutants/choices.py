# SPDX-License-Identifier: MIT
"""Puts all mutants of a file like mutants.toml into one copy of each source. A run chooses one.

A program with such copies is compiled once. It reads the number of its mutant from the environment;
without one it is the control.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from entries import Edit, Mutant, MutantError, spans_of, text_of

VARIABLE = "BATON_MUTANT"
NAME = "baton_mutant"
DEFINITION = f"""#include <cstdlib>

extern int {NAME};
/// The number of the mutant that this run is; 0: none.
int {NAME} = std::getenv("{VARIABLE}") ? std::atoi(std::getenv("{VARIABLE}")) : 0;
"""
SINGLE = ("where", "unity", "definitions", "limit_ms")
"""Keys that a mutant of such a file cannot have: the program is the same for all."""

_ONCE = "#pragma once\n"


def texts_of(project: Path, mutants: Sequence[Mutant]) -> dict[str, str]:
    """Returns the text of each altered file, with the mutants' numbers from 1 in their order.

    Errors   MutantError
    """
    changes: dict[str, list[tuple[int, int, str, str]]] = {}
    for number, mutant in enumerate(mutants, 1):
        if found := [key for key in SINGLE if mutant.values.get(key)]:
            raise MutantError(
                f"mutant {mutant.name}: no {', '.join(found)} in a file whose mutants are compiled together"
            )
        for edit in mutant.edits:
            text = text_of(project, edit, mutant.name)
            for begin, end in spans_of(edit, text, mutant.name):
                chosen = _choice(number, edit, text[begin:end], mutant.name)
                changes.setdefault(edit.file, []).append((begin, end, chosen, mutant.name))
    return {file: _changed((project / file).read_text(encoding="utf-8"), made) for file, made in changes.items()}


def _choice(number: int, edit: Edit, original: str, mutant: str) -> str:
    """Returns the statement or the expression with the mutant as a choice."""
    if original.endswith((";", "}")):
        return f"{{ if (::{NAME} == {number}) {{ {edit.replacement} }} else {{ {original} }} }}"
    if not edit.replacement:
        raise MutantError(
            f"mutant {mutant}: together with others, an expression is replaced by another one: {original}"
        )
    return f"(::{NAME} == {number} ? ({edit.replacement}) : ({original}))"


def _changed(text: str, changes: list[tuple[int, int, str, str]]) -> str:
    """Errors   MutantError: two mutants alter the same characters."""
    changes.sort()
    for (_, end, _, one), (begin, _, _, other) in pairwise(changes):
        if begin < end:
            raise MutantError(f"mutants {one} and {other} alter the same expression, and are compiled together")
    for begin, end, chosen, _ in reversed(changes):
        text = text[:begin] + chosen + text[end:]
    declared = f"extern int {NAME};\n"
    head, once, rest = text.partition(_ONCE)
    return head + once + declared + rest if once else declared + text
