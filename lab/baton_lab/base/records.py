# SPDX-License-Identifier: MIT
"""Reads the bench record: a line of text, the only interface between C++ programs and the lab."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

MARK = "baton-bench/1"
_ANY_VERSION = "baton-bench/"

Unit = Literal["cycles", "ns", "instructions", "bytes"]
Validity = Literal["measured", "simulated", "approximate", "modelled", "instructions"]

FIELDS = ("suite", "case", "board", "unit", "iterations", "value", "base", "floor", "valid", "samples")
"""Keys that are attributes of a record; every other key of a line is one of its `params`."""

STATISTICS = frozenset(
    ["repeats", "min", "median", "p50", "p99", "p999", "max", "mean", "spread", "missed", "handled", "pushed"]
    + ["code_hits", "code_misses", "read_hits", "read_misses", "write_hits", "write_misses", "halves_written"]
    + ["cold_code_misses", "cold_read_misses", "cold_write_misses"]
    + ["reads", "writes", "peak_bytes", "bytes_per_s", "peer_version", "scope", "mhz", "stack_bytes", "rounds"]
    + ["by", "hist"]
    + ["to_floor", "to_floor_min", "to_floor_max", "to_one", "to_one_min", "to_one_max", "share", "share_min"]
)
"""Params that describe an outcome. The others describe the measurement and are in the identity."""

TIMING = "timing"
"""The param of a record in approximate cycles that an emulator which counts instructions made besides: the core."""

Identity = tuple[str, str, str, str, tuple[tuple[str, str], ...]]


_SHOWN = 160
"""Characters of a line that a message quotes."""


MOST_ITERATIONS = 2**63 - 1
"""The largest integer of the store."""

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_COUNT = re.compile("[0-9]{1,19}")


class RecordError(ValueError):
    """A record line breaks the contract; the message names the key."""


def _number_of(given: object) -> object:
    """Refuses a text such as 1_000, which is a number to Python alone."""
    if isinstance(given, str) and not _NUMBER.fullmatch(given):
        raise ValueError("no number")
    return given


def _count_of(given: object) -> object:
    """Refuses a text such as 1.0, which is no whole number."""
    if isinstance(given, str) and not _COUNT.fullmatch(given):
        raise ValueError("no whole number")
    return given


Number = Annotated[float, BeforeValidator(_number_of)]
Count = Annotated[int, BeforeValidator(_count_of), Field(ge=1, le=MOST_ITERATIONS)]


class Record(BaseModel):
    """One figure of one case.

    `value` and `floor` are gross per operation; `base` is the counting work to subtract from both.
    `samples` are the repeats whose median is `value`, also gross, in the order in which they ran;
    it is empty for a count.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: str = Field(min_length=1)
    case: str = Field(min_length=1)
    board: str = Field(min_length=1)
    unit: Unit
    value: Number
    iterations: Count = 1
    valid: Validity
    base: Number | None = None
    floor: Number | None = None
    samples: tuple[Number, ...] = ()
    params: dict[str, str] = {}

    @field_validator("samples", mode="before")
    @classmethod
    def _listed(cls, given: object) -> object:
        return given.split(",") if isinstance(given, str) else given

    @field_validator("samples")
    @classmethod
    def _all_finite(cls, numbers: tuple[float, ...]) -> tuple[float, ...]:
        if not all(map(math.isfinite, numbers)):
            raise ValueError("not finite numbers")
        return numbers

    @field_validator("value", "base", "floor")
    @classmethod
    def _finite(cls, number: float | None) -> float | None:
        if number is not None and not math.isfinite(number):
            raise ValueError("not a finite number")
        return number

    @model_validator(mode="after")
    def _instructions_are_no_time(self) -> Record:
        if (self.unit == "instructions") != (self.valid == "instructions"):
            raise ValueError("unit=instructions and valid=instructions go together")
        return self

    @property
    def is_timed(self) -> bool:
        """True for approximate cycles beside a record of instructions, or of another emulator's cycles."""
        return TIMING in self.params

    @property
    def net(self) -> float:
        """The figure without the counting work."""
        return self.value - (self.base or 0.0)

    @property
    def net_floor(self) -> float | None:
        """The floor without the counting work; None if the case has no floor."""
        return None if self.floor is None else self.floor - (self.base or 0.0)

    @property
    def over_floor(self) -> float | None:
        """Net over net floor; None where there is no floor to divide by."""
        return self.net / self.net_floor if self.net_floor is not None and self.net_floor > 0 else None

    @property
    def chosen(self) -> dict[str, str]:
        """The params that say what was measured, in the order of the line."""
        return {key: value for key, value in self.params.items() if key not in STATISTICS}

    @property
    def label(self) -> str:
        """The case and the params that say what was measured."""
        return " ".join([self.case, *(f"{key}={value}" for key, value in self.chosen.items())])

    @property
    def identity(self) -> Identity:
        """The identity of a measurement: equal for the same figure of two runs."""
        return (self.suite, self.case, self.board, self.unit, tuple(sorted(self.chosen.items())))

    def number(self, key: str) -> float | None:
        """A param as a number; None where the record has no such param, or it is no number."""
        try:
            return float(self.params[key])
        except (KeyError, ValueError):
            return None


def parse_line(line: str) -> Record | None:
    """Returns the record of a line, or None if the line is not a record.

    Errors   RecordError: a record line with a missing, repeated or invalid key.
    """
    words = line.split()
    if not words or not words[0].startswith(_ANY_VERSION):
        return None
    if words[0] != MARK:
        raise RecordError(f"{words[0][:_SHOWN]}: this lab reads {MARK}")
    pairs = _pairs(words[1:])
    for key in ("suite", "case", "board", "unit", "value", "iterations", "valid"):
        if key not in pairs:
            raise RecordError(f"{key}: missing in {_quoted(line)}")
    attributes: dict[str, Any] = {key: pairs.pop(key) for key in FIELDS if key in pairs}
    try:
        return Record(**attributes, params=pairs)
    except ValidationError as error:
        raise RecordError(f"{_complaint(error)} in {_quoted(line)}") from error


def _complaint(error: ValidationError) -> str:
    """The first wrong key of a record, its value, and what it can be."""
    first = error.errors()[0]
    if not first["loc"]:
        return f"unit: {first['msg'].removeprefix('Value error, ')}"
    key = str(first["loc"][0])
    allowed = {"unit": get_args(Unit), "valid": get_args(Validity)}.get(key)
    if allowed:
        wanted = f"can be {' '.join(allowed)}"
    elif key == "iterations":
        wanted = f"is to be a whole number from 1 to {MOST_ITERATIONS}"
    else:
        wanted = "is to be finite numbers with commas between" if key == "samples" else "is to be a finite number"
    given = first["input"]
    return f"{key}: is {_quoted(given)}; {wanted}" if isinstance(given, str) else f"{key}: {wanted}"


def _quoted(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ...")


def _pairs(words: list[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not key or not equals or not value:
            raise RecordError(f"{word[:_SHOWN]}: not of the form key=value")
        if key in pairs:
            raise RecordError(f"{key[:_SHOWN]}: given twice")
        pairs[key] = value
    return pairs


def format_line(record: Record) -> str:
    """Formats a record so that `parse_line` reads back an equal one."""
    words = [MARK]
    for key in FIELDS:
        value = getattr(record, key)
        if key == "samples" and value:
            words.append(f"samples={','.join(map(_number, value))}")
        elif key != "samples" and value is not None:
            words.append(f"{key}={_number(value) if isinstance(value, float) else value}")
    words += [f"{key}={value}" for key, value in record.params.items()]
    return " ".join(words)


def _number(value: float) -> str:
    """Formats three decimals, as the programs do, or more if three would lose digits."""
    short = f"{value:.3f}"
    return short if float(short) == value else repr(value)
