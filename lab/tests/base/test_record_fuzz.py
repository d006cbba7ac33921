# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import record_fuzz
from record_fuzz import Fault, first_fault

from baton_lab.base import records
from baton_lab.base.records import RecordError
from baton_lab.board import transcript
from baton_lab.measure import imported

SECONDS = "BATON_FUZZ_S"
"""The variable of the environment with the time for each reader; a run of every test sets a minute."""


@pytest.fixture(params=["line", "text", "frame", "transcript"])
def reader(request: pytest.FixtureRequest, tmp_path: Path) -> Fault:
    return of(request.param, tmp_path)


def of(kind: str, folder: Path) -> Fault:
    fault: Callable[..., str] = getattr(record_fuzz, f"fault_of_{kind}")
    if kind in ("line", "transcript"):
        return fault
    return lambda some: fault(some, folder / "desk.log")


def test_texts_with_mistakes_are_refused_or_read_as_the_readme_says(reader: Fault) -> None:
    assert first_fault(reader, seconds=float(os.environ.get(SECONDS, "0"))) == ""


def pairs_of_the_last(words: list[str]) -> dict[str, str]:
    """Takes the last of two values of one key."""
    pairs = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not key or not equals or not value:
            raise RecordError(f"{word[:60]}: not of the form key=value")
        pairs[key] = value
    return pairs


class AnySum(int):
    """A sum that is equal to every other."""

    def __ne__(self, other: object) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


def rounded(value: float) -> str:
    return f"{value:.3f}"


def any_sum(data: bytes) -> int:
    return AnySum()


@pytest.mark.parametrize(
    ("kind", "defect"),
    [
        ("line", (records, "_pairs", pairs_of_the_last)),
        ("line", (records, "_number", rounded)),
        ("line", (records, "_SHOWN", 9000)),
        ("text", (imported, "_decoded", lambda data: data.decode())),
        ("frame", (imported, "checksum", any_sum)),
        ("transcript", (transcript, "checksum", any_sum)),
    ],
)
def test_a_broken_reader_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str, defect: tuple[object, str, object]
) -> None:
    monkeypatch.setattr(*defect)
    assert first_fault(of(kind, tmp_path)) != ""


def test_a_text_depends_on_its_seed_alone() -> None:
    one, other = (record_fuzz.mutated(random.Random(7), record_fuzz.CORPUS[0]) for _ in range(2))
    assert one == other != record_fuzz.CORPUS[0]
