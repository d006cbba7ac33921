# SPDX-License-Identifier: MIT
"""docs/upgrading.md keeps its promises to users of the release before: their project builds, and no name is lost."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from baton_lab.base.process import run
from baton_lab.base.project import ROOT
from baton_lab.release import examples_before

PAGE = ROOT / "docs" / "upgrading.md"
RENAMED = ROOT / "docs" / "renamed.txt"
LIMIT_S = 600.0
_WITHOUT_MEANING = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_INNER = re.compile(r"\bnamespace\s+[\w:]*\b(?:detail|spi)\b[\w:]*\s*\{")
_MACRO = re.compile(r"^\s*#\s*define\s+(BATON_(?!DETAIL_)\w+)", re.MULTILINE)
_TYPE = re.compile(r"\b(?:struct|class|enum class|enum|using|concept)\s+(\w+)\s*(?:final\s*)?(?:[:{]|=[^=])")
_COMMAND = re.compile(r"^│ ([a-z][\w-]*)  ", re.MULTILINE)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole tree of the release before."""
    folder = tmp_path_factory.mktemp("before")
    of = examples_before.base(ROOT, examples_before.plan(ROOT))
    packed = folder / "tree.tar"
    subprocess.run(["git", "archive", "--format=tar", f"--output={packed}", of], cwd=ROOT, check=True, timeout=LIMIT_S)
    with tarfile.open(packed) as archive:
        archive.extractall(folder)  # git wrote it; the Python of Debian 12 has no filter
    packed.unlink()
    return folder


def lab_of(tree: Path, *words: str) -> str:
    """Returns what the lab of a tree prints."""
    return attempt([sys.executable, "-m", "baton_lab", *words], tree, PYTHONPATH=str(tree / "lab"))


def attempt(command: list[str], folder: Path, **more: str) -> str:
    outcome = run(command, cwd=folder, limit_s=LIMIT_S, environment={**os.environ, **more})
    assert outcome.ok, f"{command}\n{outcome.output}"
    return outcome.output


def test_a_project_of_the_release_before_builds_and_passes_its_tests_with_this_tree(
    before: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    lab_of(before, "new", str(mine), "--board", "host", "--board", "nano")
    files = {path: path.read_bytes() for path in mine.rglob("*") if path.is_file()}
    description = mine / "baton.toml"
    changed, places = re.subn(r"(?m)^folder = .*$", f'folder = "{ROOT}"', description.read_text(encoding="utf-8"))
    assert places == 1
    description.write_text(changed, encoding="utf-8")
    assert "built mine for host nano" in attempt([str(mine / "baton"), "build"], tmp_path)
    assert "host: 1 passed, 0 failed" in attempt([str(mine / "baton"), "test", "--board", "host"], tmp_path)
    assert "of 8192 granted" in attempt([str(mine / "baton"), "size", "--board", "nano"], tmp_path)
    told = {"baton.toml", "CMakePresets.json", "project.cmake"}
    assert {path.name for path, data in files.items() if path.read_bytes() != data} <= told


def test_each_command_of_the_release_before_is_there(before: Path) -> None:
    earlier = set(_COMMAND.findall(lab_of(before, "--help")))
    assert {"new", "build", "test"} <= earlier
    assert earlier - set(_COMMAND.findall(lab_of(ROOT, "--help"))) == set()


def outside(text: str) -> str:
    """Returns a header without comments, texts, and the namespaces that are no user's."""
    text = _WITHOUT_MEANING.sub(" ", text)
    while found := _INNER.search(text):
        depth, end = 1, found.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = text[: found.start()] + text[end:]
    return text


def names(texts: Iterable[str]) -> set[str]:
    """Returns the macros and types that headers give their users."""
    found = set()
    for text in texts:
        public = outside(text)
        found |= {*_MACRO.findall(public), *_TYPE.findall(public)}
    return {name for name in found if not name.endswith("_")}


def headers(tree: Path) -> dict[str, str]:
    paths = (path for path in tree.glob("*/include/baton/**/*.hpp") if not {"detail", "spi"} & set(path.parts))
    return {path.relative_to(tree).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def lost(earlier: dict[str, str], later: dict[str, str], renamed: str) -> list[str]:
    """Returns the paths, macros and types that are neither in the later headers nor in the list of renames."""
    gone = {*(set(earlier) - set(later)), *(names(earlier.values()) - names(later.values()))}
    olds = {line.partition(" -> ")[0] for line in renamed.splitlines()}
    return sorted(gone - olds)


def test_a_header_a_macro_or_a_type_that_is_gone_stands_in_the_list_of_renames(before: Path) -> None:
    earlier = headers(before)
    assert len(earlier) > 100 and {"BATON_DELAY_MS", "channel", "endpoint", "status"} <= names(earlier.values())
    assert lost(earlier, headers(ROOT), RENAMED.read_text(encoding="utf-8")) == []


def test_a_name_that_is_gone_is_found() -> None:
    earlier = {
        "core/include/baton/a.hpp": "#define BATON_A 1\n#define BATON_DETAIL_B 2\nstruct letter {\n  int b;\n};\n"
        "namespace baton::detail {\nstruct inner { int c; };\n}\n// struct told {\n"
        "using text = int;\nstruct kept {};\n",
        "core/include/baton/b.hpp": "",
    }
    later = {"core/include/baton/a.hpp": "struct kept {};\n// struct letter {};\n"}
    renamed = "letter -> message (core)\nBATON_B -> BATON_C\n"
    assert lost(earlier, later, renamed) == ["BATON_A", "core/include/baton/b.hpp", "text"]
    assert lost(earlier, earlier, "") == []


def test_the_page_names_the_release_before_and_its_words_find_something() -> None:
    text = PAGE.read_text(encoding="utf-8")
    base = examples_before.plan(ROOT).base
    tags = subprocess.run(["git", "tag"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
    assert "v0.1.0" in tags.split() or base[:8] in text
    patterns = re.findall(r'grep "([^"]+)" \S*docs/renamed\.txt', text)
    assert patterns and all(re.search(each, RENAMED.read_text(encoding="utf-8"), re.MULTILINE) for each in patterns)
