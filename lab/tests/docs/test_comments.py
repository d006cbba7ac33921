# SPDX-License-Identifier: MIT
"""The doc comments of a header are found, and laid out as Markdown."""

from __future__ import annotations

import pytest

from baton_lab.docs.comments import above, essay, markdown, summary

HEADER = """// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

// The scheme:
//  - one
//  - two

namespace baton {

/// Sends `value`, or waits.
///
/// Shape    `N` values,
///          inline.
/// Errors   closed.
template <typename T>
BATON_NODISCARD
int send(T value);
int other;

/// Far above.

int bare;
  ok,  ///< it happened
}
"""
LINES = HEADER.splitlines()


def line(text: str) -> int:
    return next(number for number, each in enumerate(LINES, 1) if text in each)


def same(word: str) -> str:
    return word


def test_a_comment_is_found_above_templates_and_attributes() -> None:
    assert above(LINES, line("send(T")).splitlines()[0] == "Sends `value`, or waits."


@pytest.mark.parametrize("text", ["int other", "int bare"])
def test_a_comment_of_another_declaration_is_not_taken(text: str) -> None:
    assert above(LINES, line(text)) == ""


def test_a_comment_behind_a_value_is_its_own() -> None:
    assert above(LINES, line("ok,")) == "it happened"


def test_fields_become_a_list_of_definitions() -> None:
    text = markdown(above(LINES, line("send(T")), same)
    assert text == "Sends `value`, or waits.\n\nShape\n:   `N` values, inline.\n\nErrors\n:   closed."


def test_the_comment_that_opens_a_header_is_its_essay() -> None:
    assert essay(LINES) == "The scheme:\n - one\n - two"
    assert markdown(essay(LINES), same) == "The scheme:\n\n- one\n- two"
    assert essay(["// SPDX-License-Identifier: MIT", "", "int a;", "// no essay"]) == ""


def test_characters_of_markdown_and_html_are_text_outside_code() -> None:
    assert markdown("a<T> | b_c *d* `e_<T>`", same) == r"a&lt;T> &#124; b\_c \*d\* `e_<T>`"


def test_code_and_paths_go_through_the_link() -> None:
    assert markdown("See `send` in core/tests/a.cpp.", str.upper) == "See `SEND` in core/tests/a.cpp."
    assert markdown("See core/tests/a.cpp.", str.upper) == "See `CORE/TESTS/A.CPP`."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Waits for a value. Then it goes on.", "Waits for a value."),
        ("Waits: `a.b()`,\nthen more", "Waits."),
        ("As `send`", "As `send`"),
        ("Shape    two bytes.", ""),
        ("", ""),
    ],
)
def test_the_first_sentence_stands_for_the_comment(text: str, expected: str) -> None:
    assert summary(text) == expected
