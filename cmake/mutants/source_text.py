# SPDX-License-Identifier: MIT
"""Finds functions and expressions in the text of a source, without a parser of the language."""

from __future__ import annotations

import itertools
import re

TOKEN = re.compile(r"\w+|[^\w\s]")
# Brackets in these tokens are not the language's own.
OPAQUE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)


def blank(text: str) -> str:
    """Overwrites comments and literals: offsets stay, and all brackets are the language's own."""
    return OPAQUE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def end_of_bracket(text: str, begin: int) -> int:
    """Returns the offset behind the bracket that closes the one at `begin`; -1 without one."""
    depth = 0
    for at in range(begin, len(text)):
        if text[at] in "({[":
            depth += 1
        elif text[at] in ")}]":
            depth -= 1
            if depth == 0:
                return at + 1
    return -1


def end_of_body(text: str, at: int) -> int:
    """Returns the offset behind the function body that follows the parameters; -1 without one."""
    while at < len(text):
        if text[at] in ";)]}=":
            return -1
        if text[at] in "([":
            at = end_of_bracket(text, at)
        elif text[at] == "{":
            at = end_of_bracket(text, at)
            rest = text[at:].lstrip() if at >= 0 else ""
            if not rest.startswith((",", "{")):  # otherwise it was a member's initializer
                return at
        else:
            at += 1
        if at < 0:
            return -1
    return -1


def _of_assembly(text: str, name: str) -> list[tuple[int, int]]:
    """Finds the code of a label or a macro."""
    label = rf"^{re.escape(name)}:.*?(?=^[A-Za-z_]\w*:|\Z)"
    macro = rf"^\s*\.macro\s+{re.escape(name)}\b.*?\.endm"
    found = re.search(f"{label}|{macro}", text, re.M | re.S)
    return [found.span()] if found else []


def _scope(code: str, line: str, after: int) -> int:
    """Returns the end of the type or namespace whose name ends at `after`; -1 if it is none."""
    brace = re.compile(r"[^;{}()]*(?=\{)").match(code, after)
    is_scope = re.search(r"\b(?:class|struct|union|enum|namespace)\s[^;{}()]*$", line)
    return end_of_bracket(code, brace.end()) if is_scope and brace else -1


def _function(code: str, line: str, after: int) -> int:
    """Returns the end of the function or macro whose name ends at `after`, or -1."""
    if re.fullmatch(r"\s*#\s*define\s+", line):
        logical_line = re.compile(r"(?:[^\n]*\\\n)*[^\n]*").match(code, after)
        return logical_line.end() if logical_line else -1
    parameters = re.compile(r"\s*\(").match(code, after)
    at = end_of_bracket(code, parameters.end() - 1) if parameters else -1
    return end_of_body(code, at) if at >= 0 else -1


def regions(path: str, text: str, function: str) -> list[tuple[int, int]]:
    """Finds the definitions of a function, macro, type or label, or of `scope::name`."""
    if path.endswith(".S"):
        return _of_assembly(text, function)
    code = blank(text)
    scopes = [(0, len(text))]
    *outer, last = function.split("::")
    for name in [*outer, last]:
        pattern = re.escape(name) if name.startswith(("~", "operator")) else rf"(?<!~)\b{re.escape(name)}\b"
        inside = []
        for begin, end in scopes:
            for found in re.finditer(pattern, code[begin:end]):
                start, after = begin + found.start(), begin + found.end()
                line = code[code.rfind("\n", 0, start) + 1 : start]
                stop = _scope(code, line, after)
                if stop < 0 and name == last:
                    stop = _function(code, line, after)
                elif stop < 0 and code.startswith("::", after):
                    stop = end  # `scope::name` as a definition outside of its scope
                if stop >= 0:
                    inside.append((start, stop))
        scopes = inside
    return scopes


def pattern_of(expression: str) -> re.Pattern[str]:
    """Returns a pattern that finds the expression across line breaks."""
    tokens = TOKEN.findall(expression)
    parts = [re.escape(tokens[0])]
    for before, token in itertools.pairwise(tokens):
        parts.append((r"\s+" if before[-1].isalnum() and token[0].isalnum() else r"\s*") + re.escape(token))
    return re.compile("".join(parts))
