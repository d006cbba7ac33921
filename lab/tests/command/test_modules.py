# SPDX-License-Identifier: MIT
"""The one table of modules agrees with the tree, and every checker reads it.

A finding is seeded into a header of each module. A checker that leaves a module out does not name
it, and is red here.
"""

from __future__ import annotations

import functools
import json
import operator
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from baton_lab.base import modules
from baton_lab.base.project import ROOT, Project
from baton_lab.check import check_cache
from baton_lab.check.steps import builds, checks, tidy
from baton_lab.command import explain

TABLE = modules.load(ROOT)
NAMES = [module.name for module in TABLE.modules]
SEED = "baton_seed.hpp"


def header_of(tree: Path, name: str) -> Path:
    """Returns a new header of a module, beside its own ones."""
    module = next(module for module in TABLE.modules if module.name == name)
    return tree / module.include_root / "baton" / name / SEED


@pytest.fixture
def tree(tmp_path: Path) -> Project:
    """Makes a tree of only the table and the configurations."""
    for name in ("modules.json", ".clang-format", ".clang-tidy"):
        shutil.copy(ROOT / name, tmp_path)
    return Project(tmp_path)


def seed(tree: Project, text: str) -> dict[str, Path]:
    """Writes the same header into each module; {n} is a number of its own."""
    headers = {name: header_of(tree.root, name) for name in NAMES}
    for n, path in enumerate(headers.values()):
        path.parent.mkdir(parents=True)
        path.write_text("#pragma once\n" + text.replace("{n}", str(900 + n)), encoding="utf-8")
    return headers


def test_the_table_holds_what_exists_and_nothing_else() -> None:
    assert modules.problems(ROOT) == []


def altered(tree: Project, where: str, value: object) -> list[str]:
    """Returns the findings for this tree's table with one value changed or removed."""
    table = json.loads((ROOT / modules.TABLE).read_text(encoding="utf-8"))
    *above, last = where.split(".")
    row = functools.reduce(operator.getitem, above, table)
    if value is None:
        del row[last]
    else:
        row[last] = value
    for path in (*ROOT.glob("*/README.md"), *ROOT.glob("compat/*/README.md"), *ROOT.glob("*/CMakeLists.txt")):
        copy = tree.root / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    shutil.copy(ROOT / "README.md", tree.root)
    for module in TABLE.modules:
        (tree.root / module.include_root).mkdir(parents=True, exist_ok=True)
        (tree.root / module.folder / "tests").mkdir(exist_ok=True)
        (tree.root / module.folder / "CMakeLists.txt").touch()
        (tree.root / module.include_root / "x.hpp").touch()
    for other in TABLE.others:
        (tree.root / other.name).mkdir(exist_ok=True)
    (tree.root / modules.TABLE).write_text(json.dumps(table), encoding="utf-8")
    return modules.problems(tree.root)


NEW = {"folder": "remote", "standard": 20, "links": ["core"], "is_covered": True}
OTHER = {"is_library": True, "may_ask_for_target": True, "is_covered": False}


@pytest.mark.parametrize(
    ("where", "value", "expected"),
    [
        ("modules.core.standard", 14, []),
        (
            "modules.remote",
            NEW,
            ["modules.json: module remote has no remote/tests", "README.md: has no row for the module remote"],
        ),
        ("modules.asio", None, ["modules.json: the folder asio holds C++ and has no row"]),
        ("folders.garage", OTHER, ["modules.json: there is no folder garage"]),
        ("modules.kernel.links", [], ["kernel/README.md: may depend on core; modules.json says none"]),
        ("modules.core.links", ["attic"], ["modules.json: module core may link attic, which does not exist"]),
    ],
)
def test_a_table_that_does_not_fit_the_tree_is_found(
    tree: Project, where: str, value: object, expected: list[str]
) -> None:
    found = altered(tree, where, value)
    assert [line for line in expected if line not in found] == [] and bool(found) == bool(expected)


def test_formatting_is_checked_in_each_module_and_folder(tree: Project) -> None:
    headers = [
        *(header_of(tree.root, name) for name in NAMES),
        *(tree.root / other.name / SEED for other in TABLE.others),
    ]
    for path in headers:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("int   f( );\n", encoding="utf-8")
        result = checks.format_step().action(tree)
        assert result.failed == 1 and f"{path.relative_to(tree.root)}:1:" in result.output
        path.write_text("int f();\n", encoding="utf-8")
    assert checks.format_step().action(tree).failed == 0


def test_clang_tidy_reports_a_finding_in_a_header_of_each_module(
    tree: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    headers = seed(tree, "struct NamedInCamelCase {};\n")
    entries = []
    for name, header in headers.items():
        unit = tree.root / "build" / f"{name}.cpp"
        unit.parent.mkdir(exist_ok=True)
        unit.write_text(f'#include "{header}"\n', encoding="utf-8")
        entries.append({"file": str(unit), "directory": str(tree.root), "command": f"clang++ -std=c++20 -c {unit}"})
    tree.preset(tidy.PRESET).mkdir(parents=True)
    (tree.preset(tidy.PRESET) / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    monkeypatch.setattr(tidy, "configure", lambda project, preset: [])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(check_cache.VARIABLE, raising=False)
    result = tidy.step(every=True).action(tree)
    assert (result.passed, result.failed) == (0, len(NAMES))
    assert [name for name, header in headers.items() if f"{header}:2:8: error" not in result.output] == []


def test_clang_tidy_leaves_out_nothing_that_the_compiler_does_not_call_a_system_header() -> None:
    text = (ROOT / ".clang-tidy").read_text(encoding="utf-8")
    assert "HeaderFilterRegex: '.*'\n" in text, "a list of folders would be a second table of modules"


def test_a_requirement_of_each_module_has_to_be_explained(tree: Project) -> None:
    headers = seed(tree, "inline void f() { BATON_REQUIRE(seeded_{n}, false); }\n")
    (tree.root / explain.HEADER).parent.mkdir(parents=True, exist_ok=True)
    (tree.root / explain.HEADER).write_text("enum class requirement : uint16_t {\n};\n", encoding="utf-8")
    (tree.root / "docs").mkdir()
    (tree.root / explain.TABLE).write_text("# Ids\n", encoding="utf-8")
    found = [line.partition(":")[0] for line in explain.problems(tree.root)]
    assert sorted(found) == sorted(str(path.relative_to(tree.root)) for path in headers.values())


def test_the_coverage_is_counted_of_each_module_that_the_table_says(tree: Project) -> None:
    headers = seed(tree, "inline int f{n}() { return {n}; }\n")
    other = tree.root / "elsewhere" / SEED
    other.parent.mkdir()
    other.write_text("inline int f() { return 0; }\n", encoding="utf-8")
    main = tree.root / "main.cpp"
    calls = "".join(f"f{900 + n}() + " for n in range(len(headers)))
    included = "".join(f'#include "{path}"\n' for path in [*headers.values(), other])
    main.write_text(f"{included}int main() {{ return {calls}f() == 0; }}\n", encoding="utf-8")
    build = tree.preset(builds.COVERAGE)
    build.mkdir(parents=True)
    subprocess.run(["g++", "--coverage", "-o", "main", str(main)], cwd=build, check=True, timeout=60)
    subprocess.run([build / "main"], cwd=build, check=False, timeout=60)
    said = subprocess.run(
        [*builds.coverage_command(tree), "--json"], cwd=tree.root, capture_output=True, check=True, timeout=60
    ).stdout
    names = {each["file"] for each in json.loads(said.splitlines()[0])["files"]}
    covered = {module.name for module in TABLE.modules if module.is_covered}
    assert names == {str(headers[name].relative_to(tree.root)) for name in covered}


def test_the_lint_of_includes_and_conditions_reads_each_module(tree: Project) -> None:
    headers = seed(tree, "#ifdef __AVR__\n#endif\n#include <baton/attic/x.hpp>\n")
    lint = ROOT / "tests" / "modules" / "modules_lint.py"
    done = subprocess.run([sys.executable, lint, tree.root], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    for path in headers.values():
        name = str(path.relative_to(tree.root))
        assert f"{name}:2: a condition on __AVR__" in done.stdout
        assert f"{name}:4: includes <baton/attic/x.hpp>" in done.stdout
