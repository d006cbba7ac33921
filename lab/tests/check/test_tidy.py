# SPDX-License-Identifier: MIT
"""The step of clang-tidy: the sources that it reads again, remembers, and reports."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import script

from baton_lab.base.project import Project
from baton_lab.check import check_cache
from baton_lab.check.source_digest import SourceDigests, without_comments
from baton_lab.check.steps import tidy

SOURCES = {
    "core/include/a.hpp": "inline int a() { return 1; }\n",
    "core/include/b.hpp": '#include "a.hpp"\n',
    "core/one.cpp": "#include <b.hpp>\n",
    "core/two.cpp": "#include <a.hpp>\n",
    "core/three.cpp": "int three;\n",
}


@pytest.fixture
def tree(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Makes three sources, and a clang-tidy that records them and complains about the word BAD."""
    folder = project.preset(tidy.PRESET)
    folder.mkdir(parents=True)
    for name, text in SOURCES.items():
        (project.root / name).parent.mkdir(parents=True, exist_ok=True)
        (project.root / name).write_text(text)
    entries = [
        {"file": str(project.root / name), "command": f"clang++ -I{project.root}/core/include -c {name}"}
        for name in [*SOURCES, "/usr/include/doctest.h"]
        if not name.endswith("pp") or name.endswith(".cpp")
    ]
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    found = "echo three.cpp:1:2: error: bad; seq -f 'three.cpp: note: %g' 50; exit 1"
    body = f'for last; do :; done\necho "$last" >> read\nif grep -q BAD "$last"; then {found}; fi'
    script(project.root / "bin" / "clang-tidy", f'[ "$1" = --version ] && {{ echo 14; exit; }}\n{body}')
    monkeypatch.setenv("PATH", f"{project.root}/bin", prepend=":")
    monkeypatch.setenv("XDG_CACHE_HOME", f"{project.root}/cache")
    monkeypatch.delenv(check_cache.VARIABLE, raising=False)
    monkeypatch.setattr(tidy, "configure", lambda project, preset: [])
    return project


def read(tree: Project, *, every: bool = True) -> list[str]:
    """Returns the names of the sources that a run reads."""
    (tree.root / "read").unlink(missing_ok=True)
    assert tidy.step(every=every).action(tree).failed == 0
    path = tree.root / "read"
    return sorted(Path(line).stem for line in path.read_text().split()) if path.is_file() else []


def checkout(tree: Project, name: str) -> Project:
    """Copies the tree, with a build folder of its own."""
    clone = Project(tree.root / "checkouts" / name)
    shutil.copytree(tree.root / "core", clone.root / "core")
    database = tree.preset(tidy.PRESET) / "compile_commands.json"
    clone.preset(tidy.PRESET).mkdir(parents=True)
    there = clone.preset(tidy.PRESET) / database.name
    there.write_text(database.read_text().replace(str(tree.root), str(clone.root)))
    return clone


def edit(tree: Project, name: str, text: str) -> None:
    (tree.root / name).write_text(text)


def test_what_has_not_changed_is_read_once_and_counts_all_the_same(tree: Project) -> None:
    assert read(tree) == ["one", "three", "two"]
    assert read(tree) == []
    assert tidy.step(every=True).action(tree).passed == 3


def test_a_header_that_changes_brings_back_all_that_include_it(tree: Project) -> None:
    read(tree)
    edit(tree, "core/include/a.hpp", "inline int a() { return 2; }\n")
    assert read(tree) == ["one", "two"]


def test_in_haste_a_changed_header_is_read_in_one_source_and_the_others_follow_later(tree: Project) -> None:
    read(tree)
    edit(tree, "core/include/a.hpp", "inline int a() { return 2; }\n")
    assert len(read(tree, every=False)) == 1
    assert read(tree, every=False) == []
    assert len(read(tree)) == 1
    assert read(tree) == []


def test_in_haste_every_source_is_read_at_least_once(tree: Project) -> None:
    assert read(tree, every=False) == ["one", "three", "two"]


def test_a_comment_changes_nothing_but_one_that_the_checker_reads_does(tree: Project) -> None:
    read(tree)
    edit(tree, "core/include/a.hpp", "// why\n\ninline int a() { return 1; }  /* one */\n")
    assert read(tree) == []
    edit(tree, "core/include/a.hpp", "inline int a() { return 1; }  // NOLINT(bugprone-branch-clone)\n")
    assert read(tree) == ["one", "two"]


def test_other_checks_flags_or_another_version_read_all_again(tree: Project) -> None:
    read(tree)
    edit(tree, ".clang-tidy", "Checks: bugprone-*\n")
    assert len(read(tree)) == 3
    database = tree.preset(tidy.PRESET) / "compile_commands.json"
    database.write_text(database.read_text().replace("clang++", "clang++ -DX"))
    assert len(read(tree)) == 3
    path = tree.root / "bin" / "clang-tidy"
    path.write_text(path.read_text().replace("echo 14", "echo 15"))
    assert len(read(tree)) == 3


def test_a_finding_is_shown_without_its_notes_and_found_again(tree: Project) -> None:
    edit(tree, "core/three.cpp", "int BAD;\n")
    for _ in range(2):
        result = tidy.step(every=True).action(tree)
        assert (result.passed, result.failed, result.output) == (2, 1, "three.cpp:1:2: error: bad")


def test_a_clean_checkout_elsewhere_has_nothing_to_read(tree: Project) -> None:
    read(tree)
    clone = checkout(tree, "clone")
    assert read(clone) == []
    edit(clone, "core/one.cpp", "#include <b.hpp>\nint changed;\n")
    assert read(clone) == ["one"]
    assert read(tree) == []


def test_a_header_from_elsewhere_counts_with_all_that_it_includes(
    tree: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "first.h").write_text('#define SECOND "second.h"\n')
    (outside / "second.h").write_text("#include_next <third.h>\n")
    (outside / "more").mkdir()
    for name in ("third.h", "more/third.h"):
        (outside / name).write_text("int third;\n")
    compiler = f"{tree.root}/bin/compiler"
    lines = ["#include <...> search starts here:", f" {outside}", f" {outside}/more", "End of search list."]
    script(Path(compiler), "\n".join(f"echo '{line}' >&2" for line in lines))
    database = tree.preset(tidy.PRESET) / "compile_commands.json"
    database.write_text(database.read_text().replace("clang++", compiler))
    edit(tree, "core/three.cpp", "#include <first.h>\nint three;\n")
    assert read(tree) == ["one", "three", "two"]
    (outside / "more" / "third.h").write_text("int other;\n")
    assert read(tree) == ["three"]
    assert read(tree) == []


def test_who_wants_no_cache_has_the_build_folder(tree: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(check_cache.VARIABLE, check_cache.OFF)
    read(tree)
    assert read(tree) == []
    assert not (tree.root / "cache").exists()
    assert read(checkout(tree, "clone")) == ["one", "three", "two"]


def test_a_cache_that_cannot_be_made_is_the_build_folder_s(tree: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(tree, "a_file", "")
    monkeypatch.setenv(check_cache.VARIABLE, f"{tree.root}/a_file/cache")
    read(tree)
    assert read(tree) == []
    assert (tree.build / "lab" / "clang-tidy" / "passed").is_file()


def test_checks_of_a_folder_count_for_what_is_in_it(tree: Project) -> None:
    edit(tree, "core/two.cpp", "int two;\n")
    (tree.root / "core" / "tests").mkdir()
    read(tree)
    edit(tree, "core/tests/.clang-tidy", "Checks: bugprone-*\n")
    assert read(tree) == []
    edit(tree, "core/.clang-tidy", "Checks: bugprone-*\n")
    assert len(read(tree)) == 3


def test_a_broken_memory_is_an_empty_one(tree: Project) -> None:
    read(tree)
    (tree.root / "cache" / "baton" / "clang-tidy" / "passed").write_bytes(b"\xff\x00")
    assert len(read(tree)) == 3
    assert read(tree) == []  # the broken source spoils nothing that comes after it


def test_the_oldest_keys_go_but_those_in_use(tmp_path: Path) -> None:
    memory = check_cache.CheckCache(tmp_path, kept=10)
    memory.add(f"old{i}" for i in range(8))
    memory.add(f"new{i}" for i in range(8))
    memory.let_go(["old1", "old2", "of another tree"])
    assert (tmp_path / "passed").read_text().split() == ["new5", "new6", "new7", "old1", "old2"]
    assert "old1" in check_cache.CheckCache(tmp_path, kept=10)


def test_two_who_write_at_once_lose_nothing(tmp_path: Path) -> None:
    first, second = check_cache.CheckCache(tmp_path), check_cache.CheckCache(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        for i in range(200):
            pool.submit((first, second)[i % 2].add, [f"key{i}", "both"])
    assert sorted(check_cache.CheckCache(tmp_path)._read()) == sorted(["both", *(f"key{i}" for i in range(200))])


def test_no_source_at_all_is_a_failure(tree: Project) -> None:
    (tree.preset(tidy.PRESET) / "compile_commands.json").write_text("[]")
    assert tidy.step(every=True).action(tree).failed == 1


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('f("// no comment");  // one', 'f("// no comment");'),
        ("char c = '\"'; // x", "char c = '\"';"),
        ("int n = 1'000; // it's", "int n = 1'000;"),
        ('auto r = R"x(/* " */)x"; /* y */', 'auto r = R"x(/* " */)x";'),
        ("f(/*wait=*/true); /* z */", "f(/*wait=*/true);"),
        ("a /* 1\n 2 */ b", "a   b"),
    ],
)
def test_comments_go_and_nothing_else(text: str, left: str) -> None:
    assert without_comments(text) == left


def test_headers_that_include_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "a.hpp").write_text('#include "b.hpp"\n#include <stdint.h>\n')
    (tmp_path / "b.hpp").write_text('#include "a.hpp"\n#include "missing.hpp"\n')
    names = [path.name for path in SourceDigests(tmp_path).closure(tmp_path / "a.hpp", [])]
    assert [name for name in names if name.endswith("hpp")] == ["a.hpp", "b.hpp"]
