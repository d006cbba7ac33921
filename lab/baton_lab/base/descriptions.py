# SPDX-License-Identifier: MIT
"""Reads a TOML file into a model. A mistake is reported with its line, key and allowed values."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

Model = TypeVar("Model", bound=BaseModel)
Key = tuple[str, ...]

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_KEY = rf"{_PART}(?:\s*\.\s*{_PART})*"
_TABLE = re.compile(rf"^\s*\[\[?\s*({_KEY})\s*\]\]?")
_VALUE = re.compile(rf"^\s*({_KEY})\s*=(.*)$")
_AT = re.compile(r" \(at line (\d+), column \d+\)$| \(at end of document\)$")
_LONG_TEXT = re.compile(r'"""|' + "'''")


class DescriptionError(ValueError):
    """A file is wrong; the message has a line per mistake: file, line, key, allowed values."""


def read(path: Path, model: type[Model]) -> Model:
    """Reads the file.

    Errors   DescriptionError
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DescriptionError(f"{path}: byte {error.start} is not UTF-8") from error
    except OSError as error:
        raise DescriptionError(f"{path}: {error.strerror}") from error
    try:
        return model.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(_of_syntax(path, text, str(error))) from error
    except ValidationError as error:
        lines = positions(text)
        found = [_of_value(path, lines, model, details) for details in error.errors()]
        raise DescriptionError("\n".join(dict.fromkeys(found))) from error


def at(path: Path, key: Key, says: str) -> str:
    """Formats a message of the same form about a key of a valid file."""
    return f"{path}:{_line(positions(path.read_text(encoding='utf-8')), key)}: {_shown(key)}: {says}"


def positions(text: str) -> dict[Key, int]:
    """Returns the line of each table and key from 1 on; a key within braces has the braces'."""
    table: Key = ()
    found: dict[Key, int] = {}
    within_text = False
    for number, line in enumerate(text.splitlines(), 1):
        was_within, quotes = within_text, len(_LONG_TEXT.findall(line))
        within_text = was_within != (quotes % 2 == 1)
        if was_within:
            continue
        header, value = _TABLE.match(line), _VALUE.match(line)
        if header:
            table = _parts(header.group(1))
            found.setdefault(table, number)
        elif value:
            found.setdefault((*table, *_parts(value.group(1))), number)
    return found


def _parts(key: str) -> Key:
    return tuple(part.strip("\"'") for part in re.findall(_PART, key))


def _line(lines: dict[Key, int], key: Key) -> int:
    """Returns the line of the key, or of the innermost table around it that the file has."""
    return next((lines[key[:end]] for end in range(len(key), 0, -1) if key[:end] in lines), 1)


def _shown(key: Key) -> str:
    return f"[{'.'.join(key[:-1])}] {key[-1]}" if len(key) > 1 else key[0] if key else "the file"


def _of_syntax(path: Path, text: str, message: str) -> str:
    place = _AT.search(message)
    line = int(place.group(1)) if place and place.group(1) else max(len(text.splitlines()), 1)
    lines = text.splitlines()
    shown = f": {lines[line - 1].strip()}" if 0 < line <= len(lines) else ""
    return f"{path}:{line}: {_AT.sub('', message)}{shown}"


def _of_value(path: Path, lines: dict[Key, int], model: type[BaseModel], details: ErrorDetails) -> str:
    key = tuple(part for part in details["loc"] if isinstance(part, str) and part != "[key]")
    return f"{path}:{_line(lines, key)}: {_shown(key)}: {_says(model, key, details)}"


def _says(model: type[BaseModel], key: Key, details: ErrorDetails) -> str:
    kind = details["type"]
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        allowed = _fields(model, key[:-1])
        near = difflib.get_close_matches(key[-1], allowed, 1)
        meant = f"; did you mean {near[0]}?" if near else ""
        return f"there is no such key{meant} Allowed: {' '.join(allowed)}".replace("key Allowed", "key. Allowed")
    message = details["msg"].removeprefix("Value error, ").replace("Input should", "it should")
    return f"{message[:1].lower()}{message[1:]}, and it is {details['input']!r}"


def _fields(model: type[BaseModel], key: Sequence[str]) -> list[str]:
    """Returns the keys that the table of this name may hold."""
    place: Any = model
    for part in key:
        place = place.model_fields[part].annotation if _is_model(place) else get_args(place)[-1]
        if get_origin(place) in {Union, UnionType}:
            place = next(kind for kind in get_args(place) if kind is not type(None))
    if not _is_model(place):
        return []
    return [field.alias or name for name, field in place.model_fields.items()]


def _is_model(place: Any) -> bool:
    return isinstance(place, type) and issubclass(place, BaseModel)
