# SPDX-License-Identifier: MIT
import shutil
from pathlib import Path

import pytest

from baton_lab.base import modules
from baton_lab.base.project import ROOT
from baton_lab.board.board_files import BadInputError
from baton_lab.command import explain

TABLE = """# Ids
| id | name | raised in | what was wrong | what to do |
| --- | --- | --- | --- | --- |
| 120 | `overfull_ring` | `core/ring.hpp` | the ring holds more than its slots | report it: a bug of ours |
| 121 | `reply_without_request` | `core/channel.hpp` | a reply without a request | reply once for each receive |
"""
HEADER = """namespace baton {
enum class requirement : uint16_t {
  overfull_ring = 120,
  reply_without_request = 121,
  raised_by_test = 999,
};
#define BATON_REQUIRE(name, condition) \\
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / modules.TABLE, tmp_path)
    (tmp_path / "docs" / "require.md").write_text(TABLE)
    header = tmp_path / explain.HEADER
    header.parent.mkdir(parents=True)
    header.write_text(HEADER)
    (tmp_path / "core" / "ring.hpp").write_text("// BATON_REQUIRE(seven, x)\nBATON_REQUIRE(overfull_ring, ok());\n")
    (tmp_path / "core" / "channel.hpp").write_text("BATON_REQUIRE(\n    reply_without_request, ok());\n")
    return tmp_path


def add_id(tree: Path, line: str) -> None:
    header = tree / explain.HEADER
    header.write_text(header.read_text().replace("  raised_by_test", f"  {line}\n  raised_by_test"))


def add_row(tree: Path, row: str) -> None:
    with (tree / "docs" / "require.md").open("a") as table:
        table.write(row + "\n")


def test_an_id_is_explained(tree: Path) -> None:
    assert str(explain.explain(tree, 121)).splitlines() == [
        "121 reply_without_request, raised in core/channel.hpp",
        "What was wrong: a reply without a request",
        "What to do: reply once for each receive",
    ]


def test_an_unknown_id_is_refused_with_those_that_exist(tree: Path) -> None:
    with pytest.raises(BadInputError, match="ids: 120 121"):
        explain.explain(tree, 5)


def test_a_table_that_agrees_with_the_sources(tree: Path) -> None:
    assert explain.problems(tree) == []


def test_a_name_used_twice_is_found(tree: Path) -> None:
    (tree / "core" / "timer.hpp").write_text("BATON_REQUIRE(overfull_ring, a);")
    assert explain.problems(tree) == ["core/timer.hpp: BATON_REQUIRE overfull_ring is also in core/ring.hpp"]


def test_a_modules_own_tests_may_raise_what_they_like(tree: Path) -> None:
    (tree / "core" / "tests").mkdir()
    (tree / "core" / "tests" / "require_test.cpp").write_text("BATON_REQUIRE(overfull_ring, a); BATON_REQUIRE(b, c);")
    assert explain.problems(tree) == []


def test_a_name_without_an_id_is_found(tree: Path) -> None:
    (tree / "core" / "timer.hpp").write_text("BATON_REQUIRE(late, a); BATON_REQUIRE(9, a);")
    assert explain.problems(tree) == [
        f"core/timer.hpp: BATON_REQUIRE late has no id in {explain.HEADER}",
        f"core/timer.hpp: BATON_REQUIRE 9 has no id in {explain.HEADER}",
    ]


def test_an_id_that_nothing_raises_and_that_has_no_row_is_found(tree: Path) -> None:
    add_id(tree, "late = 122,")
    assert explain.problems(tree) == [
        "docs/require.md: no row 122 `late`",
        f"{explain.HEADER}: no source raises late",
    ]


def test_an_id_given_to_two_names_is_found(tree: Path) -> None:
    add_id(tree, "late = 121,")
    (tree / "core" / "timer.hpp").write_text("BATON_REQUIRE(late, a);")
    add_row(tree, "| 121 | `late` | x | y | z |")
    assert explain.problems(tree) == [
        f"{explain.HEADER}: id 121 stands there twice",
        "docs/require.md: id 121 stands there twice",
    ]


def test_a_row_with_another_id_or_name_than_the_header_is_found(tree: Path) -> None:
    add_row(tree, "| 130 | `overfull_ring` | x | y | z |")
    add_row(tree, "| 131 | `late` | x | y | z |")
    assert explain.problems(tree) == [
        f"docs/require.md: 130 `overfull_ring` is not in {explain.HEADER}",
        f"docs/require.md: 131 `late` is not in {explain.HEADER}",
    ]


def test_a_tree_without_the_list_of_ids_is_refused(tree: Path) -> None:
    (tree / explain.HEADER).write_text("#pragma once\n")
    with pytest.raises(BadInputError, match="has no `enum class requirement`"):
        explain.problems(tree)


def test_the_trees_own_names_are_unique_and_explained() -> None:
    assert len(explain.read_ids(ROOT)) > 30
    assert explain.problems(ROOT) == []
