# SPDX-License-Identifier: MIT
"""Runs ./baton explain ID: explains the number of a failed BATON_REQUIRE by docs/require.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base.modules import SOURCE_ENDS, load
from baton_lab.board.board_files import BadInputError

HEADER = Path("core/include/baton/core/require.hpp")
TABLE = Path("docs/require.md")
_USE = re.compile(r"(?<!#define )\bBATON_REQUIRE\(\s*(\w+)\s*,")
_ROW = re.compile(r"^\|\s*(\d+)\s*\|\s*`(\w+)`\s*\|([^|]*)\|([^|]*)\|([^|]*)\|\s*$")
_IDS = re.compile(r"^enum class requirement : uint16_t \{$(.*?)^\};$", re.MULTILINE | re.DOTALL)
_ID = re.compile(r"^\s*(\w+) = (\d+),$", re.MULTILINE)
_FIRST_OF_TESTS = 900
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Requirement:
    """A row of the table."""

    id: int
    name: str
    raised_in: str
    wrong: str
    remedy: str

    def __str__(self) -> str:
        raised = f"{self.id} {self.name}, raised in {self.raised_in}"
        return f"{raised}\nWhat was wrong: {self.wrong}\nWhat to do: {self.remedy}"


def read_table(root: Path) -> list[Requirement]:
    """Reads the rows of the table, in its order.

    Errors   BadInputError: there is no table.
    """
    path = root / TABLE
    if not path.is_file():
        raise BadInputError(f"{TABLE} is not there, so no id can be explained")
    found = (_ROW.match(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [
        Requirement(int(row[1]), row[2], row[3].strip().strip("`"), row[4].strip(), row[5].strip())
        for row in found
        if row
    ]


def read_ids(root: Path) -> dict[str, int]:
    """Reads the id of each name in core's header, except those of tests.

    Errors   BadInputError: the header is missing, or has no such list.
    """
    path = root / HEADER
    listed = _IDS.search(path.read_text(encoding="utf-8")) if path.is_file() else None
    if listed is None:
        raise BadInputError(f"{HEADER} has no `enum class requirement`, so no name has an id")
    return {name: int(id) for name, id in _ID.findall(listed[1]) if int(id) < _FIRST_OF_TESTS}


def explain(root: Path, id: int) -> Requirement:
    """Returns the row of an id.

    Errors   BadInputError: there is no such id.
    """
    rows = read_table(root)
    for row in rows:
        if row.id == id:
            return row
    known = " ".join(str(row.id) for row in rows)
    raise BadInputError(f"no BATON_REQUIRE has the id {id}; ids: {known}")


def uses(root: Path) -> list[tuple[str, Path]]:
    """Returns the name in each BATON_REQUIRE of the modules' sources, without comments and
    tests.
    """
    found = []
    for folder in load(root).libraries:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCE_ENDS and path.is_file() and "tests" not in path.relative_to(root).parts:
                text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
                found += [(name, path.relative_to(root)) for name in _USE.findall(text)]
    return found


def problems(root: Path) -> list[str]:
    """Describes differences between sources, header and table: missing, unused or repeated names or
    ids.
    """
    ids = read_ids(root)
    rows = [(row.name, row.id) for row in read_table(root)]
    first: dict[str, Path] = {}
    wrong = []
    for name, path in uses(root):
        if name in first:
            wrong.append(f"{path}: BATON_REQUIRE {name} is also in {first[name]}")
        first.setdefault(name, path)
        if name not in ids:
            wrong.append(f"{path}: BATON_REQUIRE {name} has no id in {HEADER}")
    for what, pairs in ((HEADER, list(ids.items())), (TABLE, rows)):
        given = [id for _, id in pairs]
        wrong += [f"{what}: id {id} stands there twice" for id in sorted(set(given)) if given.count(id) > 1]
    wrong += [f"{TABLE}: no row {id} `{name}`" for name, id in ids.items() if (name, id) not in rows]
    wrong += [f"{TABLE}: {id} `{name}` is not in {HEADER}" for name, id in rows if ids.get(name) != id]
    wrong += [f"{HEADER}: no source raises {name}" for name in ids if name not in first]
    return wrong
