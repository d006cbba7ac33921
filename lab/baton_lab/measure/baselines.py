# SPDX-License-Identifier: MIT
"""The figures that must not rise: bench/baselines/<board>/<suite>.json, a section for each compiler version.

A section is keyed by the compiler and not by the flags: those are ours, so a change of flags is a change that the gate
has to see. They stand beside the figures for the reader of a difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from baton_lab.base.files import write_atomically
from baton_lab.base.records import Record
from baton_lab.measure.compare import DETERMINISTIC
from baton_lab.measure.suites import of

FOLDER = Path("bench") / "baselines"

MOVES = 0.0005
"""A blessed figure that differs from the old one by less than this share counts as the same."""


class BaselineError(ValueError):
    """A baseline that cannot be read; the message names the file."""


class Section(BaseModel):
    """The figures of one suite with one compiler, in the order in which the suite prints them."""

    model_config = ConfigDict(extra="forbid")

    flags: str
    figures: dict[str, float]


Sections = dict[str, Section]
_READER = TypeAdapter(Sections)


def path_of(root: Path, board: str, suite: str) -> Path:
    """The path of a suite's baseline."""
    return root / FOLDER / board / f"{suite}.json"


def name_of(record: Record) -> str:
    """Returns a figure's name in a baseline: the case, its params and its unit."""
    _, case, _, unit, chosen = record.identity
    return f"{' '.join([case, *(f'{key}={value}' for key, value in chosen)])}, {unit}"


def unit_of(name: str) -> str:
    """The unit of a figure of that name."""
    return name.rpartition(", ")[2]


def figures(records: Iterable[Record]) -> dict[str, float]:
    """The deterministic figures among the records, gross as they were counted; approximate cycles follow from them."""
    chosen = [record for record in records if record.unit in DETERMINISTIC and not record.is_timed]
    return {name_of(record): record.value for record in chosen}


def suites(emulated: bool, existing: Sequence[str]) -> list[str]:
    """The suites whose figures are deterministic: every one on an emulated board.

    Of the host those that are the same on every machine with that compiler. Its times are the machine's; its
    instructions depend on the C library, valgrind and the processor; its programs' sizes on start files.
    """
    return [suite for suite in existing if emulated or of(suite).steady_on_host]


def read(root: Path, board: str, suite: str) -> Sections:
    """The sections of a baseline; none where there is no file.

    Errors   BaselineError
    """
    path = path_of(root, board, suite)
    try:
        return _READER.validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValidationError as error:
        first = error.errors()[0]
        where = ": ".join([str(path), *(str(part) for part in first["loc"])])
        raise BaselineError(f"{where}: {first['msg']}; ./baton gate --board {board} --bless writes it anew") from error


def write(root: Path, board: str, suite: str, compiler: str, section: Section) -> bool:
    """Replaces the section of one compiler and leaves the others; whether the file changed.

    Context  the file is replaced as a whole.
    """
    try:
        sections = read(root, board, suite)
    except BaselineError:
        sections = {}
    path = path_of(root, board, suite)
    text = _text({**sections, compiler: section})
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    write_atomically(path, text)
    return True


def steady(old: dict[str, float], new: dict[str, float]) -> dict[str, float]:
    """Returns the new figures, but the old one of a figure that has hardly moved, which a reader need not look at.

    A program under Linux reads the machine's clock even in an emulator, and what it does next is not quite the same
    on every run. Since the old figure stays, moves do not add up.
    """
    return {name: old[name] if is_steady(old.get(name), value) else value for name, value in new.items()}


def is_steady(old: float | None, new: float) -> bool:
    """True where a figure has moved by no more than MOVES."""
    return old is not None and abs(new - old) <= MOVES * abs(old)


def boards(root: Path) -> list[str]:
    """The boards that have a baseline."""
    return sorted({path.parent.name for path in (root / FOLDER).glob("*/*.json")})


def _text(sections: Sections) -> str:
    """Writes one figure per line, so that a difference shows the changed figures alone."""
    plain = {
        compiler: {"flags": each.flags, "figures": {name: _number(value) for name, value in each.figures.items()}}
        for compiler, each in sections.items()
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def _number(value: float) -> float | int:
    return int(value) if value == int(value) else round(value, 3)
