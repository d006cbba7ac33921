# SPDX-License-Identifier: MIT
"""The typed rows of bytes: objects, features of the memory suite, and the stacks of examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from baton_lab.base.records import Record
from baton_lab.measure import published as library
from baton_lab.present.rows import Row

STACK = "stack"
"""The kind of a memory record that is no part of a program's size."""

NOBODY: Mapping[str, str] = {}


class SizeRow(Row):
    """The size of one public type, and of the published type that serves the same purpose."""

    board: str
    name: str
    size_bytes: int
    published: tuple[str, str, int] | None = None


class MemoryRow(Row):
    """What one feature takes more than the empty program."""

    board: str
    feature: str
    flash_bytes: int | None
    ram_bytes: int | None
    published: tuple[str, library.MemoryRow] | None = None


class StackRow(Row):
    """How deep the stack of one example went."""

    board: str
    example: str
    stack_bytes: int


def size_rows(records: Iterable[Record], stands_for: Mapping[str, str] = NOBODY) -> list[SizeRow]:
    """The object sizes in the order of the records; `stands_for` says whose published ones stand beside a board's."""
    return [
        SizeRow(
            board=r.board, name=r.case, size_bytes=round(r.value),
            published=library.published().size(stands_for.get(r.board, r.board), r.case),
        )
        for r in records
        if r.suite == "sizes"
    ]  # fmt: skip


def memory_rows(records: Iterable[Record]) -> list[MemoryRow]:
    """One row a feature, its flash and RAM joined."""
    features: dict[tuple[str, str], dict[str, int]] = {}
    for r in records:
        if r.suite == "memory" and r.params.get("kind") != STACK:
            features.setdefault((r.board, r.case), {})[r.params.get("kind", "")] = round(r.value)
    return [
        MemoryRow(
            board=board, feature=feature, flash_bytes=kinds.get("flash"), ram_bytes=kinds.get("ram"),
            published=library.published().memory(board, feature),
        )
        for (board, feature), kinds in sorted(features.items(), key=lambda entry: _published_first(entry[0][1]))
    ]  # fmt: skip


def stack_rows(records: Iterable[Record]) -> list[StackRow]:
    """The examples' stacks in the order of the records."""
    return [
        StackRow(board=r.board, example=r.case, stack_bytes=round(r.value))
        for r in records
        if r.suite == "memory" and r.params.get("kind") == STACK
    ]


def _published_first(feature: str) -> tuple[int, str]:
    known = list(library.FEATURE)
    return (known.index(feature) if feature in known else len(known), feature)
