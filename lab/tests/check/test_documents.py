# SPDX-License-Identifier: MIT
"""The documents quote tested code and link existing pages; and the check of that finds faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton_lab.check.documents import is_in, pages, problems

ROOT = Path(__file__).parents[3]


def test_the_documents_of_this_tree_quote_and_link_what_exists() -> None:
    assert problems(ROOT) == []
    assert ROOT / "README.md" in pages(ROOT)
    assert ROOT / "docs" / "tutorial.md" in pages(ROOT)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "main.cpp").write_text("int main() {\n  start();\n  run();\n}\n", encoding="utf-8")
    return tmp_path


def write(tree: Path, text: str) -> list[str]:
    (tree / "docs" / "page.md").write_text(text, encoding="utf-8")
    return problems(tree)


def test_a_quotation_may_begin_anywhere_and_stand_less_deep(tree: Path) -> None:
    assert write(tree, "<!-- from main.cpp -->\n```cpp\nstart();\nrun();\n```\n") == []


def test_a_changed_line_is_found(tree: Path) -> None:
    text = "a\n\n<!-- from main.cpp -->\n```cpp\nstart();\nrun_for(1);\n```\n"
    assert write(tree, text) == ["docs/page.md:4: is not in main.cpp"]


def test_a_left_out_line_is_found(tree: Path) -> None:
    text = "<!-- from main.cpp -->\n```cpp\nint main() {\n  run();\n}\n```\n"
    assert write(tree, text) == ["docs/page.md:2: is not in main.cpp"]


def test_an_unknown_file_is_found(tree: Path) -> None:
    text = "<!-- from other.cpp -->\n```cpp\nrun();\n```\n"
    assert write(tree, text) == ["docs/page.md:2: quotes other.cpp, which does not exist"]


def test_code_without_a_source_is_found_unless_it_is_a_sketch(tree: Path) -> None:
    assert write(tree, "```cpp\nrun();\n```\n") == [
        "docs/page.md:1: a block of C++ that no <!-- from PATH --> names a tested file for"
    ]
    assert write(tree, "<!-- sketch -->\n```cpp\nrun();\n```\n") == []
    assert write(tree, "```\n./baton test\n```\n") == []


def test_an_empty_quotation_is_in_nothing() -> None:
    assert not is_in([], ["run();"])


def test_a_link_to_nowhere_is_found(tree: Path) -> None:
    text = "[a](../main.cpp) [b](gone.md#part) [c](https://example.org/x) ![d](page.md)\n```\n[e](no.md)\n```\n"
    assert write(tree, text) == ["docs/page.md:1: no file gone.md"]
