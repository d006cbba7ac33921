# SPDX-License-Identifier: MIT
"""The lab's packages stand one above the other: a module imports from its own package and from
those below.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from baton_lab.base.project import ROOT

LAB = ROOT / "lab" / "baton_lab"
ORDER = (
    "base",
    "setup",
    "builds",
    "board",
    "trace",
    "arduino",
    "measure",
    "present",
    "check",
    "docs",
    "user_project",
    "release",
    "command",
)
"""From the bottom to the top."""


def imported(source: str) -> Iterator[str]:
    """Yields the packages of the lab that a source imports from, at any depth of it."""
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "an import that names no package"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith("baton_lab."))


def upwards(package: str, source: str) -> list[str]:
    """Returns the packages above `package` that a source of it imports from."""
    return [name for name in imported(source) if ORDER.index(name) > ORDER.index(package)]


@pytest.mark.parametrize("package", ORDER)
def test_no_module_imports_from_a_package_above_its_own(package: str) -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in (LAB / package).rglob("*.py")}
    assert len(sources) > 1
    found = [
        f"{path.relative_to(LAB)}: {name}" for path, source in sources.items() for name in upwards(package, source)
    ]
    assert found == []


def test_every_module_but_the_start_stands_in_a_package() -> None:
    assert {path.name for path in LAB.glob("*.py")} == {"__init__.py", "__main__.py"}
    assert {path.parent.name for path in LAB.glob("*/__init__.py")} == set(ORDER)


@pytest.mark.parametrize(
    "source",
    [
        "from baton_lab.check import documents",
        "from baton_lab.command.cli import main",
        "import baton_lab.check.documents",
        "def later():\n    from baton_lab.command import cli",
    ],
)
def test_an_import_upwards_is_found(source: str) -> None:
    assert len(upwards("present", source)) == 1
    assert upwards("command", source) == []


def test_imports_of_the_same_package_and_downwards_pass() -> None:
    source = "import os\nfrom baton_lab.base import files\nfrom baton_lab.present.grid import Grid\n"
    assert list(imported(source)) == ["base", "present"]
    assert upwards("present", source) == []
