# SPDX-License-Identifier: MIT
"""Chooses cases by shell patterns, as --case takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from baton_lab.base.records import Record

NAMED = 6
"""A message names so many of the cases that are left out, and counts the others."""


@dataclass(frozen=True)
class CaseFilter:
    """The cases that fit one of the patterns; without a pattern, all.

    A pattern is a shell pattern (`*`, `?`, `[ab]`) of the whole name of a case, without its params (`scheduler*`) or
    with them (`scheduler yields=2`).
    """

    patterns: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def __str__(self) -> str:
        return ", ".join(self.patterns)

    def has(self, record: Record) -> bool:
        """True if the record's case is chosen."""
        ordered = " ".join([record.case, *(f"{key}={value}" for key, value in sorted(record.chosen.items()))])
        return self._fits(record.case, record.label, ordered)

    def has_figure(self, name: str) -> bool:
        """True if a figure of a baseline is chosen, by its name there: the case with its params, and the unit."""
        label = name.rpartition(", ")[0]
        return self._fits(label.partition(" ")[0], label)

    def split(self, records: Iterable[Record]) -> tuple[list[Record], list[str]]:
        """Returns the chosen records, and the labels of the others, each once."""
        kept, left = [], dict[str, None]()
        for record in records:
            if self.has(record):
                kept.append(record)
            else:
                left[record.label] = None
        return kept, [label for label in left if label not in {record.label for record in kept}]

    def _fits(self, *names: str) -> bool:
        return not self.patterns or any(fnmatchcase(name, each) for each in self.patterns for name in names)


EVERY_CASE = CaseFilter()


def named(labels: Sequence[str]) -> str:
    """Names cases that are left out: the first of them, and the number of the others."""
    more = f" and {len(labels) - NAMED} more" if len(labels) > NAMED else ""
    return f"{'; '.join(labels[:NAMED])}{more}"
