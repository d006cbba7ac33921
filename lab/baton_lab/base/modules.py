# SPDX-License-Identifier: MIT
"""Reads the table of modules, modules.json: the modules, and the other folders with C++."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

TABLE = Path("modules.json")
SOURCE_ENDS = {".hpp", ".cpp", ".h", ".c"}
_MAY_DEPEND = re.compile(r"^\*\*May depend on\*\*: (.*?)\*\*Must not\*\*", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Module:
    """A row of the table. `may_link` includes the modules that it links."""

    name: str
    folder: str
    headers: str
    standard: int
    may_link: frozenset[str]
    is_covered: bool

    @property
    def include_root(self) -> str:
        """The folder for a program's include path."""
        return f"{self.folder}/{self.headers}"


@dataclass(frozen=True)
class Folder:
    """A folder at the top of the tree with C++ in it."""

    name: str
    is_library: bool
    is_covered: bool


@dataclass(frozen=True)
class Table:
    """The modules and the other folders with the tree's C++."""

    modules: tuple[Module, ...]
    others: tuple[Folder, ...]

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders at the top of the tree with C++ in them."""
        of_modules = (PurePosixPath(module.folder).parts[0] for module in self.modules)
        return (*dict.fromkeys(of_modules), *(other.name for other in self.others))

    @property
    def libraries(self) -> tuple[str, ...]:
        """The same without the folders of programs: documents, examples, tests."""
        programs = {other.name for other in self.others if not other.is_library}
        return tuple(folder for folder in self.folders if folder not in programs)

    @property
    def covered(self) -> tuple[str, ...]:
        """The folders whose coverage is counted."""
        of_modules = tuple(module.folder for module in self.modules if module.is_covered)
        return of_modules + tuple(other.name for other in self.others if other.is_covered)


def load(root: Path) -> Table:
    """Reads the table of a checkout."""
    table = json.loads((root / TABLE).read_text(encoding="utf-8"))
    modules = (
        Module(
            name=name,
            folder=row["folder"],
            headers=row.get("headers", "include"),
            standard=row["standard"],
            may_link=frozenset(row["links"] + row.get("may_link", [])),
            is_covered=row["is_covered"],
        )
        for name, row in table["modules"].items()
    )
    others = (Folder(name, row["is_library"], row["is_covered"]) for name, row in table["folders"].items())
    return Table(tuple(modules), tuple(others))


def problems(root: Path) -> list[str]:
    """Describes differences between table and tree: missing parts or rows, other READMEs."""
    table = load(root)
    return [
        *(problem for module in table.modules for problem in _problems_of(root, module, table)),
        *(f"{TABLE}: there is no folder {other.name}" for other in table.others if not (root / other.name).is_dir()),
        *_without_row(root, table),
    ]


def _problems_of(root: Path, module: Module, table: Table) -> list[str]:
    needed = (module.folder, module.include_root, f"{module.folder}/tests", f"{module.folder}/CMakeLists.txt")
    wrong = [f"{TABLE}: module {module.name} has no {path}" for path in needed if not (root / path).exists()]
    names = {other.name for other in table.modules}
    wrong += [
        f"{TABLE}: module {module.name} may link {other}, which does not exist" for other in module.may_link - names
    ]
    if f"]({module.folder}/README.md)" not in _text(root / "README.md"):
        wrong.append(f"README.md: has no row for the module {module.name}")
    said = _MAY_DEPEND.search(_text(root / module.folder / "README.md"))
    if not said:
        return [*wrong, f"{module.folder}/README.md: does not say what the module may depend on"]
    words = set(re.findall(r"[a-z]+", said[1])) & names
    if words != module.may_link:
        wrong.append(
            f"{module.folder}/README.md: may depend on {_list(words)}; {TABLE} says {_list(set(module.may_link))}"
        )
    return wrong


def _without_row(root: Path, table: Table) -> list[str]:
    """Finds the folders at the top that hold C++ and that no check would read."""
    known = {*table.folders, "build"}
    tops = (path for path in sorted(root.iterdir()) if path.is_dir() and not path.name.startswith("."))
    return [
        f"{TABLE}: the folder {top.name} holds C++ and has no row"
        for top in tops
        if top.name not in known and any(path.suffix in SOURCE_ENDS for path in top.rglob("*"))
    ]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "none"
