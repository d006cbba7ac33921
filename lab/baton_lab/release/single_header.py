# SPDX-License-Identifier: MIT
"""Makes a single header of core, with the ports of AVR and Linux in it, for Compiler Explorer and first tries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from baton_lab.release.trials import attempt, expect
from baton_lab.setup import wheel

NAME = "baton.hpp"
FIRST = "baton/core.hpp"
PORT = "baton/port.hpp"
TRACER = "baton/tracer.hpp"
"""A header that is included if it exists; its line stays."""
CORE = "core/include"
PORTS = (
    ("defined(__AVR__)", ("ports/avr/include",), ("ports/avr/src/clock.cpp",)),
    ("defined(__linux__)", ("ports/host/include", "ports/host/common/include"), ()),
)
"""A condition on the compiler, the include roots of its port, and the port's interrupts."""
PROGRAM = "packaging/single_header/main.cpp"
PRINTS = "got 1\r\ngot 2\r\ngot 3\r\n"
STRICT = ("-Wall", "-Wextra", "-Werror")
HERE = (("g++", "-std=c++14", "-O2"), ("g++", "-std=c++20", "-O0"), ("clang++", "-std=c++14", "-O2"))
ON_AVR = ("avr-g++", "-std=c++14", "-Os", "-mmcu=atmega328p", "-DF_CPU=16000000UL")
_INCLUDE = re.compile(r"^#include <(baton/[^>]+)>")
# REUSE-IgnoreStart
LICENCE = "// SPDX-License-Identifier: MIT"
# REUSE-IgnoreEnd
_DROPPED = re.compile(rf"^(#pragma once|{re.escape(LICENCE)})$")


class UnknownHeaderError(ValueError):
    """A header of core includes one that is neither core's nor a port's."""


def text(root: Path) -> str:
    """Returns the header; it depends on the sources alone.

    Errors   UnknownHeaderError
    """
    head = [
        LICENCE,
        f"// Baton {wheel.version(root)}: core in one header, for one source of a program, on AVR or Linux.",
        "// Made from core/include and ports by ./baton package header. Programs of several sources use the folders.",
        "#pragma once",
    ]
    return "\n".join([*head, *_expanded(root, FIRST, (CORE,), set())]) + "\n"


def write(root: Path, folder: Path) -> Path:
    """Writes the header into a folder and returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    path.write_text(text(root), encoding="utf-8")
    return path


def _expanded(root: Path, name: str, roots: tuple[str, ...], seen: set[str]) -> Iterator[str]:
    """Yields the lines of a header, with each header that it includes in the place of its first #include."""
    if name in seen:
        return
    seen.add(name)
    if name == PORT and roots == (CORE,):
        yield from _ports(root)
        return
    path = next((root / each / name for each in roots if (root / each / name).is_file()), None)
    if path is None:
        raise UnknownHeaderError(f"<{name}> is in none of {' '.join(roots)}")
    yield from ("", f"// {path.relative_to(root)}")
    yield from _lines(root, path, roots, seen)


def _lines(root: Path, path: Path, roots: tuple[str, ...], seen: set[str]) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        included = _INCLUDE.match(line)
        if included and included[1] != TRACER:
            yield from _expanded(root, included[1], roots, seen)
        elif not _DROPPED.match(line):
            yield line


def _ports(root: Path) -> Iterator[str]:
    """Yields each port under its condition. A port includes no header of core, so none is lost in a branch."""
    word = "#if"
    for condition, roots, sources in PORTS:
        yield f"{word} {condition}"
        seen: set[str] = set()
        yield from _expanded(root, PORT, roots, seen)
        for source in sources:
            yield from ("", f"// {source}")
            yield from _lines(root, root / source, roots, seen)
        word = "#elif"
    refusal = "this header has the ports of AVR and Linux alone; other boards use the folders"
    yield from ("#else", f"#error {refusal}", "#endif")


def try_out(root: Path, folder: Path) -> None:
    """Compiles a program with the header in each way that is promised, and runs it where this machine can.

    Errors   TrialError
    """
    write(root, folder)
    program = str(root / PROGRAM)
    for words in HERE:
        attempt([*words, *STRICT, "-I", str(folder), program, "-o", str(folder / "program")], folder)
        expect([str(folder / "program")], folder, PRINTS)
    attempt([*ON_AVR, *STRICT, "-I", str(folder), program, "-o", str(folder / "program.elf")], folder)
