# SPDX-License-Identifier: MIT
"""The cases that take less than their floor: a floor bounds what it is a floor of, or suites.toml says why not."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import quantiles

from baton_lab.base.records import Record
from baton_lab.measure import suites
from baton_lab.measure.compare import DETERMINISTIC

COUNTED_LESS = 0.01
"""The share by which a count may be below its floor: one instruction of a hundred is the compiler's."""
FEW = 4
"""From so many repeats a quarter can be told."""


def is_below(record: Record) -> bool:
    """True where a case takes less than its floor, by more than the noise.

    A count has no noise; bytes that the system counts do. Of a time even the slowest quarter of the repeats is below
    the floor, or the slowest one where the repeats were not kept.
    """
    if record.net_floor is None:
        return False
    if record.unit in DETERMINISTIC and record.valid != "measured":
        return record.net < record.net_floor * (1 - COUNTED_LESS)
    return _slow(record) - (record.base or 0.0) < record.net_floor


def sentence(record: Record) -> str:
    """The words of suites.toml for a case below its floor; empty where there are none."""
    key = _key(record)
    return suites.of(record.suite).below_floor[key] if key else ""


def unexplained(records: Iterable[Record]) -> list[str]:
    """A line for each case that is below its floor without a sentence."""
    return [
        f"{r.label}: {r.net:.3g} {r.unit}, and its floor {r.net_floor:.3g}; mend the floor, or say why in suites.toml"
        for r in records
        if is_below(r) and not sentence(r)
    ]


def explained(records: Iterable[Record]) -> list[str]:
    """The sentences for the cases among the records, each once. A time may be below its floor in the next run."""
    chosen = [r for r in records if r.net_floor is not None and (r.unit not in DETERMINISTIC or is_below(r))]
    found: dict[str, list[str]] = {}
    for record in chosen:
        if key := _key(record):
            keys = found.setdefault(sentence(record), [])
            keys += [key] if key not in keys else []
    return [f"{', '.join(keys)}: {words}" for words, keys in found.items()]


def _key(record: Record) -> str:
    """The longest key that names the record: its case, or its label to the end of a word."""
    known = suites.of(record.suite).below_floor
    return max((key for key in known if f"{record.label} ".startswith(f"{key} ")), key=len, default="")


def _slow(record: Record) -> float:
    if len(record.samples) >= FEW:
        return quantiles(record.samples, n=4)[2]
    return record.number("max") or record.value
