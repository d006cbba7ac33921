# SPDX-License-Identifier: MIT
"""Runs ./baton migrate: names each construct of an AceRoutine sketch that compat/aceroutine does otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from baton_lab.board.board_files import BadInputError

HEADERS = Path("compat/aceroutine/src")
SOURCE_ENDS = (".ino", ".cpp", ".cc", ".c", ".h", ".hpp")
_LONGEST_NAME = 63

_COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]((?:ace_routine/|AceRoutine|AceCommon)[^>"]*)[>"]', re.MULTILINE)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_MACRO = re.compile(r"\b(?:(?:GET_|EXTERN_)?COROUTINE\w*|ACE_ROUTINE_\w+)\b")
_QUALIFIED = re.compile(r"\bace_routine\s*::\s*(\w+)(?:\s*::\s*(\w+))?")
_MEMBER = re.compile(r"(?<![\w:])(?:ace_routine\s*::\s*)?(\w+)\s*(?:<[^;<>]*>)?\s*::\s*(\w+)")
_NAMED = re.compile(
    r"\b(?:class|struct|using|namespace|static|inline)\b[^;{}()=]*?\b(\w+)(?:\[\])?(?: PROGMEM)?\s*(?=[;{=:(])"
)
_CLASS = re.compile(r"\b(?:class|struct)\s+(\w+)\s*(?:final\s*)?:([^;{]*)\{")
_BODY = re.compile(r"\bCOROUTINE\s*\([^)]*\)\s*\{|\brunCoroutine\s*\(\s*\)[\w\s]*\{")
_NESTED_LOOP = re.compile(
    r"\bCoroutineScheduler\s*::\s*(?:loop|loopWithProfiler)\b|\bCoroutineSchedulerTemplate\s*<[^;]*>\s*::\s*loop"
)
_NEW = re.compile(r"\bnew\s+(\w+)")
_SET_NAME = re.compile(r'\bsetName\s*\(\s*(?:F\s*\(\s*)?"((?:\\.|[^"\\\n])*)"')


@dataclass(frozen=True, order=True)
class Finding:
    """A construct, where it stands, and what is different about it."""

    file: str
    line: int
    construct: str
    difference: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.construct}: {self.difference}"


def sources(sketch: Path) -> list[Path]:
    """Returns the sources of a sketch, which is a folder or a file of it.

    Errors   BadInputError: there is no such file, or the folder has no source.
    """
    if sketch.is_file():
        return [sketch]
    if not sketch.is_dir():
        raise BadInputError(f"{sketch} is not there; name the folder of a sketch, or one of its files")
    found = sorted(path for path in sketch.rglob("*") if path.suffix in SOURCE_ENDS and path.is_file())
    if not found:
        raise BadInputError(f"{sketch} holds no source of a sketch ({' '.join(SOURCE_ENDS)})")
    return found


def migrate(root: Path, sketch: Path) -> list[Finding]:
    """Returns the constructs that differ, and those that the headers do not know, by file and line.

    Errors   BadInputError
    """
    files = sources(sketch)
    try:
        texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in files}
    except OSError as error:
        raise BadInputError(f"{error.filename} cannot be read: {error.strerror}") from None
    plain = {path: without_comments(text) for path, text in texts.items()}
    known, words = _known(root)
    own = {name for text in plain.values() for pattern in (_DEFINED, _NAMED) for name in pattern.findall(text)}
    classes = _coroutine_classes(plain.values())
    has_common = any(found.startswith("AceCommon") for text in texts.values() for found in _INCLUDE.findall(text))
    findings = []
    for path in files:
        shown = path.name if path == sketch else path.relative_to(sketch).as_posix()
        for at, construct, difference in sorted(
            [
                *_includes(root, texts[path]),
                *_unknown(plain[path], known, own),
                *_unknown_members(plain[path], known - own, words),
                *_in_bodies(plain[path], classes),
                *_names(texts[path]),
                *([] if has_common else _common(plain[path])),
            ]
        ):
            findings.append(Finding(shown, texts[path].count("\n", 0, at) + 1, construct, difference))
    return findings


def without_comments(text: str) -> str:
    """Replaces comments, and the inside of literals, by spaces; every line keeps its number."""

    def blank(found: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", found[0])

    return _COMMENT_OR_TEXT.sub(blank, text)


def _known(root: Path) -> tuple[set[str], set[str]]:
    """Returns the names that the headers define, and all words of the headers, read from themselves.

    Errors   BadInputError: the headers are missing.
    """
    headers = sorted((root / HEADERS).rglob("*.h"))
    if not headers:
        raise BadInputError(f"{HEADERS} holds no header, so no sketch can be compared with it")
    texts = [without_comments(path.read_text(encoding="utf-8")) for path in headers]
    known = {name for text in texts for pattern in (_DEFINED, _NAMED) for name in pattern.findall(text)}
    return known, {word for text in texts for word in re.findall(r"\w+", text)}


def _coroutine_classes(texts: Iterable[str]) -> set[str]:
    """Returns the classes that derive from a coroutine, also through other classes of the sketch."""
    bases = [(name, set(re.findall(r"\w+", base))) for text in texts for name, base in _CLASS.findall(text)]
    found = {"Coroutine", "CoroutineTemplate", "TestableCoroutine"}
    while more := {name for name, base in bases if base & found} - found:
        found |= more
    return found


def _includes(root: Path, text: str) -> Iterator[tuple[int, str, str]]:
    for found in _INCLUDE.finditer(text):
        if not found[1].startswith("AceCommon") and not (root / HEADERS / found[1]).is_file():
            yield found.start(1), f"#include <{found[1]}>", "compat/aceroutine has no such header"


def _unknown(text: str, known: set[str], own: set[str]) -> Iterator[tuple[int, str, str]]:
    for found in _MACRO.finditer(text):
        if found[0] not in known | own:
            yield found.start(), found[0], "compat/aceroutine does not know it"
    for found in _QUALIFIED.finditer(text):
        names = [name for name in (found[1], found[2]) if name]
        checked = names if names[0] in ("testing", "internal") else names[:1]
        if any(name not in known for name in checked) or names[0] == "internal":
            yield found.start(), f"ace_routine::{'::'.join(checked)}", "compat/aceroutine does not know it"


def _unknown_members(text: str, classes: set[str], words: set[str]) -> Iterator[tuple[int, str, str]]:
    """Finds members of the library's classes: a word that no header holds is no member of one."""
    for found in _MEMBER.finditer(text):
        if found[1] in classes and found[1][0].isupper() and found[2] not in words:
            yield found.start(), f"{found[1]}::{found[2]}", "compat/aceroutine does not know it"


def _in_bodies(text: str, classes: set[str]) -> Iterator[tuple[int, str, str]]:
    for body in _BODY.finditer(text):
        begin, end = body.end(), _end_of_block(text, body.end())
        for found in _NESTED_LOOP.finditer(text, begin, end):
            yield (
                found.start(),
                f"{found[0]}() in a body",
                "it visits the next coroutine, and the outer loop() goes on after that; in AceRoutine the outer one "
                "leaves out a coroutine, or reads behind the list",
            )
        for found in _NEW.finditer(text, begin, end):
            if found[1] in classes:
                yield (
                    found.start(),
                    f"{found[0]} in a body",
                    "the coroutine waits for the next round; in AceRoutine the body that makes it may be visited twice",
                )


def _end_of_block(text: str, begin: int) -> int:
    """Returns the place of the brace that closes the block whose inside starts at `begin`."""
    depth = 1
    for found in re.finditer(r"[{}]", text[begin:]):
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return begin + found.start()
    return len(text)


def _names(text: str) -> Iterator[tuple[int, str, str]]:
    for found in _SET_NAME.finditer(text):
        if len(re.sub(r"\\.", "x", found[1])) > _LONGEST_NAME:
            yield found.start(), "setName()", f"AceRoutine prints {_LONGEST_NAME} characters of this name, Baton all"


def _common(text: str) -> Iterator[tuple[int, str, str]]:
    found = re.search(r"\bace_common\b", text)
    if found:
        yield found.start(), "ace_common", "AceRoutine.h brings it along; install AceCommon and include <AceCommon.h>"
