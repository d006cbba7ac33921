# SPDX-License-Identifier: MIT
"""./baton explain ID: what a BATON_REQUIRE number means, from the table in docs/require.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from baton_lab.boards import BadInputError

TABLE = Path("docs/require.md")
MODULES = ("core", "kernel", "async", "asio", "service", "components", "compat", "ports", "boards", "bench")
_SOURCES = {".hpp", ".cpp", ".h", ".c"}
_USE = re.compile(r"\bBATON_REQUIRE\(\s*(\d+)\s*,")
_ROW = re.compile(r"^\|\s*(\d+)\s*\|([^|]*)\|([^|]*)\|([^|]*)\|\s*$")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Requirement:
    """A row of the table."""

    id: int
    raised_in: str
    wrong: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.id}, raised in {self.raised_in}\nWhat was wrong: {self.wrong}\nWhat to do: {self.remedy}"


def read_table(root: Path) -> list[Requirement]:
    """The rows of the table, in its order.

    Errors   BadInputError: there is no table.
    """
    path = root / TABLE
    if not path.is_file():
        raise BadInputError(f"{TABLE} is not there, so no id can be explained")
    found = (_ROW.match(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [Requirement(int(row[1]), row[2].strip().strip("`"), row[3].strip(), row[4].strip()) for row in found if row]


def explain(root: Path, id: int) -> Requirement:
    """The row of an id.

    Errors   BadInputError: no such id.
    """
    rows = read_table(root)
    for row in rows:
        if row.id == id:
            return row
    known = " ".join(str(row.id) for row in rows)
    raise BadInputError(f"no BATON_REQUIRE has the id {id}; ids: {known}")


def uses(root: Path) -> list[tuple[str, Path]]:
    """The name in each BATON_REQUIRE of the modules' sources, comments left out; a test may raise what it likes."""
    found = []
    for module in MODULES:
        for path in sorted((root / module).rglob("*")):
            if path.suffix in _SOURCES and path.is_file() and "tests" not in path.relative_to(root).parts:
                text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
                found += [(int(number), path.relative_to(root)) for number in _USE.findall(text)]
    return found


def problems(root: Path) -> list[str]:
    """Where sources and table disagree: an id used twice, not explained, explained twice, or not used."""
    used = uses(root)
    explained = [row.id for row in read_table(root)]
    first: dict[int, Path] = {}
    wrong = []
    for id, path in used:
        if id in first:
            wrong.append(f"{path}: BATON_REQUIRE id {id} is also in {first[id]}")
        first.setdefault(id, path)
        if id not in explained:
            wrong.append(f"{path}: BATON_REQUIRE id {id} is not in {TABLE}")
    wrong += [f"{TABLE}: id {id} stands there twice" for id in sorted(set(explained)) if explained.count(id) > 1]
    wrong += [f"{TABLE}: no source raises id {id}" for id in sorted(set(explained)) if id not in first]
    return wrong
