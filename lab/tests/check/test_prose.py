# SPDX-License-Identifier: MIT
"""The check of prose finds each seeded opening and each wide comment, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from baton_lab.base.project import ROOT
from baton_lab.check.prose import Finding, of_page, of_python, of_source, problems, python_sources, sources

OPENINGS = ("Who", "What", "Whatever", "Whoever", "Where", "How", "Whether", "Which", "One that")


def remedy(word: str) -> str:
    return f'open with a subject and a verb instead of "{word}"'


def found(findings: Iterable[Finding]) -> list[str]:
    return [str(finding) for finding in findings]


@pytest.mark.parametrize("word", OPENINGS)
@pytest.mark.parametrize("marks", ["///", "//", "  ///"])
def test_a_comment_that_opens_with_a_clause_is_found(word: str, marks: str) -> None:
    assert found(of_source("core/a.hpp", f"int a;\n{marks} {word} waits goes on.\nint b;\n")) == [
        f"core/a.hpp:2: {marks.strip()} {word} waits goes on.: {remedy(word)}"
    ]


def test_the_first_comment_after_the_licence_is_read_as_a_block_of_its_own() -> None:
    assert len(found(of_source("a.c", "// SPDX-License-Identifier: MIT\n// What it is.\n"))) == 1


def test_each_paragraph_of_a_comment_is_read() -> None:
    assert found(of_source("a.hpp", "/// Waits.\n///\n/// Who waits is woken.\n")) == [
        f"a.hpp:3: /// Who waits is woken.: {remedy('Who')}"
    ]


def test_plain_comments_pass() -> None:
    text = (
        "/// Waits for a value,\n/// Which may be late.\nint a;  // What it is.\n"
        '// Whole numbers.\nauto b = "// Who";\n//\n// Howard.\n'
    )
    assert found(of_source("a.hpp", text)) == []


@pytest.mark.parametrize("indent", ["", "    "])
def test_a_comment_of_more_than_100_columns_is_found(indent: str) -> None:
    fits, wide = (f"{indent}// ".ljust(columns, "x") for columns in (100, 101))
    assert found(of_source("a.ino", f"{fits}\n{wide}\n{'x' * 120}\n")) == [
        f"a.ino:2: {wide.strip()}: wrap the comment at 100 columns; it has 101"
    ]


def test_the_expected_errors_of_misuse_may_be_wide() -> None:
    wide = "// error: ".ljust(101, "x")
    assert found(of_source("tests/compile_fail/cases/a.cpp", wide)) == []
    assert len(found(of_source("tests/compile_fail/a.cpp", wide))) == 1


@pytest.mark.parametrize("word", OPENINGS)
@pytest.mark.parametrize(
    "source",
    [
        '"""{} runs, and why.\n\nMore.\n"""\n',
        'class A:\n    """{} runs, and why."""\n',
        'A = 1\n"""{} runs, and why."""\n',
    ],
)
def test_a_docstring_that_opens_with_a_clause_is_found(word: str, source: str) -> None:
    (finding,) = found(of_python("lab/a.py", source.format(word)))
    assert finding.endswith(f": {word} runs, and why.: {remedy(word)}")


def test_plain_docstrings_and_other_strings_pass() -> None:
    assert (
        found(of_python("a.py", '"""Runs it.\n\nWhat it says is shown.\n"""\nA = "What it is"\nprint("Who")\n')) == []
    )


@pytest.mark.parametrize("word", OPENINGS)
def test_a_paragraph_that_opens_with_a_clause_is_found(word: str) -> None:
    page = f"# Title\n\nText.\nMore.\n\n{word} waits\nis woken. And then?\n"
    assert found(of_page("docs/a.md", page)) == [f"docs/a.md:6: {word} waits: {remedy(word)}"]


@pytest.mark.parametrize("text", ["**What it costs**: a byte.", "What it costs:\n\n- a byte", "*Who waits* is woken"])
def test_marks_and_a_list_behind_it_hide_no_clause(text: str) -> None:
    assert len(found(of_page("docs/a.md", f"\n{text}\n"))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "## What it costs",
        "What does it cost,\nand why? A byte.",
        "A port says\nWhat it costs.",
        "| What | it costs |",
        "- What it costs",
        "1. What it costs",
        "```\nWhat it costs\n\nWho pays\n```",
        "Whole bytes.",
    ],
)
def test_headings_questions_lists_and_tables_pass(text: str) -> None:
    assert found(of_page("docs/a.md", f"\n{text}\n")) == []


def test_a_tree_is_read_as_a_whole_but_for_the_peers(tmp_path: Path) -> None:
    folder = {"is_library": True, "may_ask_for_target": False, "is_covered": False}
    table = {"modules": {}, "folders": {"bench": folder, "tests": folder}}
    (tmp_path / "modules.json").write_text(json.dumps(table), encoding="utf-8")
    files = {
        "bench/a.cpp": "// Who.\n",
        "bench/peers/b.cpp": "// Who.\n",
        "tests/peers/c.ino": "// Who.\n",
        "lab/d.py": '"""Who."""\n',
        "tests/f.py": '"""Who."""\n',
        "baton": '"""Who."""\n',
        "docs/e.md": "Who.\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [line.partition(":")[0] for line in problems(tmp_path)] == [
        "bench/a.cpp",
        "tests/peers/c.ino",
        "baton",
        "lab/d.py",
        "tests/f.py",
        "docs/e.md",
    ]


def test_the_sources_of_this_tree_are_those_of_every_kind() -> None:
    assert {path.suffix for path in sources(ROOT)} == {".hpp", ".h", ".cpp", ".c", ".ino"}
    names = {str(path.relative_to(ROOT)) for path in python_sources(ROOT)}
    assert {"baton", "emulators/run", "cmake/mutants/kill.py", "tools/program_size/program-size"} <= names


def test_the_prose_of_this_tree_is_plain() -> None:
    found = problems(ROOT)
    if found:
        pytest.fail("\n".join(found), pytrace=False)
