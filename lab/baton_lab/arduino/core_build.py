# SPDX-License-Identifier: MIT
"""Builds sketches like the Arduino IDE, by the recipes in a core's platform.txt and boards.txt."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from baton_lab.base.process import last_lines, run

DEBIAN_CORE = Path("/usr/share/arduino/hardware/arduino/avr")
DEBIAN_PACKAGE = "arduino-core-avr"
IDE_VERSION = "10607"  # the version that the IDE 2 reports
# Debian's avr-g++ 5.4 hides this macro of <float.h> from C++, and the core was written for
# Arduino's own avr-g++ 7.
LOCAL_FLAGS = {DEBIAN_CORE: "-DDECIMAL_DIG=__DECIMAL_DIG__"}
LIMIT_S = 120.0
_RECIPES = {".c": "recipe.c.o.pattern", ".cpp": "recipe.cpp.o.pattern", ".S": "recipe.S.o.pattern"}
_FUNCTION = re.compile(
    r"^(?!struct|class|enum|union|namespace|template|typedef|using|else)[A-Za-z_][\w:<>*& ]*[*& ]\w+\([^;{}]*\) \{",
    re.MULTILINE,
)


class SketchError(RuntimeError):
    """A sketch or library does not build; the message holds the compiler's output."""


def properties(path: Path) -> dict[str, str]:
    """Reads a file of `key=value` lines."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    return {key.strip(): value.strip() for key, value in pairs}


def expand(pattern: str, values: Mapping[str, str]) -> str:
    """Replaces each `{key}` until none is left.

    Errors   SketchError: a key is unknown, or names itself.
    """
    for _ in range(20):
        keys = re.findall(r"\{([\w.]+)\}", pattern)
        if not keys:
            return pattern
        for key in keys:
            if key not in values:
                raise SketchError(f"the recipe needs {{{key}}}, which neither platform.txt nor boards.txt gives")
            pattern = pattern.replace(f"{{{key}}}", values[key])
    raise SketchError(f"a property of platform.txt names itself: {pattern}")


def as_cpp(sketch: str, name: str) -> str:
    """Makes C++ of a .ino like the IDE: Arduino.h, then a prototype of each function before the
    first.

    A macro that defines something, such as `COROUTINE(name) {`, has no type in front and gets no
    prototype.
    """
    first = _FUNCTION.search(sketch)
    at = first.start() if first else len(sketch)
    prototypes = "".join(f"{found[0][:-2]};\n" for found in _FUNCTION.finditer(sketch))
    line = sketch.count("\n", 0, at) + 1
    return f'#include <Arduino.h>\n#line 1 "{name}"\n{sketch[:at]}{prototypes}#line {line} "{name}"\n{sketch[at:]}'


def words(board: str, options: Mapping[str, str], core: Path = DEBIAN_CORE) -> list[str]:
    """Returns the words by which a core compiles a sketch and links it, without files.

    Errors   SketchError: the core is not installed, or has no such board.
    """
    values = _values(board, options, core)
    values |= dict.fromkeys(("includes", "source_file", "object_file", "object_files", "archive_file"), "")
    values |= {"build.path": "", "build.project_name": "", "compiler.warning_flags": ""}
    recipes = (_RECIPES[".cpp"], "recipe.c.combine.pattern")
    return [word for recipe in recipes for word in shlex.split(expand(values[recipe], values))]


def _values(board: str, options: Mapping[str, str], core: Path) -> dict[str, str]:
    """Reads what a core's recipes need for a board."""
    if not (core / "platform.txt").is_file():
        raise SketchError(f"{core} holds no Arduino core; install the Debian package {DEBIAN_PACKAGE}")
    values = properties(core / "platform.txt")
    boards = properties(core / "boards.txt")
    if f"{board}.name" not in boards:
        names = " ".join(sorted(key.removesuffix(".name") for key in boards if re.fullmatch(r"[\w-]+\.name", key)))
        raise SketchError(f"{core / 'boards.txt'} has no board {board}; its boards: {names}")
    for prefix in (f"{board}.", *(f"{board}.menu.{menu}.{choice}." for menu, choice in options.items())):
        part = {key.removeprefix(prefix): value for key, value in boards.items() if key.startswith(prefix)}
        if not part:
            raise SketchError(f"{core / 'boards.txt'} has no {prefix}*")
        values.update(part)
    values |= {"runtime.ide.version": IDE_VERSION, "runtime.platform.path": str(core)}
    values["build.arch"] = core.name.upper()
    return values | {"compiler.cpp.extra_flags": LOCAL_FLAGS.get(core, "")}


@dataclass
class Workshop:
    """A board of an Arduino core, and a build folder; the core is compiled once."""

    board: str
    options: Mapping[str, str]  # choices in the board's menus: {"cpu": "atmega328"}
    folder: Path
    core: Path = DEBIAN_CORE

    def __post_init__(self) -> None:
        self.values = values = _values(self.board, self.options, self.core)
        variant = self.core / "variants" / values["build.variant"]
        self.roots = [self.core / "cores" / values["build.core"], variant]
        self.core_archive = self._archive("core", self.roots, self.roots, warnings="none")

    def library(self, folder: Path) -> tuple[Path, Path]:
        """Compiles a library with all warnings; returns its include root and its archive."""
        source = folder / "src"
        return source, self._archive(folder.name, [source], [*self.roots, source], warnings="all")

    def program(self, sketch: Path, libraries: Iterable[tuple[Path, Path | None]]) -> Path:
        """Builds a sketch's folder with libraries, compiled by `library` or header-only.

        Errors   SketchError: it does not build, or the compiler warns.
        """
        libraries = list(libraries)
        place = self.folder / sketch.name
        place.mkdir(parents=True, exist_ok=True)
        ino = sketch / f"{sketch.name}.ino"
        source = place / f"{ino.name}.cpp"
        source.write_text(as_cpp(ino.read_text(encoding="utf-8"), ino.as_posix()), encoding="utf-8")
        roots = [*self.roots, *(root for root, _ in libraries), sketch]
        sources = [source, *sorted(path for path in sketch.iterdir() if path.suffix in _RECIPES)]
        found = [self._compile(file, place, roots, warnings="all") for file in sources]
        files = " ".join(f'"{file}"' for file in (*found, *(archive for _, archive in libraries if archive)))
        extra = {"object_files": files, "build.path": str(place), "build.project_name": ino.name}
        extra["archive_file"] = os.path.relpath(self.core_archive, place)
        self._do("recipe.c.combine.pattern", extra)
        return place / f"{ino.name}.elf"

    def _archive(self, name: str, sources: list[Path], roots: list[Path], *, warnings: str) -> Path:
        place = self.folder / name
        place.mkdir(parents=True, exist_ok=True)
        files = sorted(path for folder in sources for path in folder.rglob("*") if path.suffix in _RECIPES)
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            objects = list(pool.map(lambda file: self._compile(file, place, roots, warnings=warnings), files))
        archive = place / f"{name}.a"
        archive.unlink(missing_ok=True)
        for file in objects:
            self._do("recipe.ar.pattern", {"archive_file_path": str(archive), "object_file": str(file)})
        return archive

    def _compile(self, source: Path, place: Path, roots: list[Path], *, warnings: str) -> Path:
        target = place / f"{source.name}.o"
        extra = {"includes": " ".join(f'"-I{root}"' for root in roots), "source_file": str(source)}
        extra |= {
            "object_file": str(target),
            "compiler.warning_flags": self.values[f"compiler.warning_flags.{warnings}"],
        }
        said = self._do(_RECIPES[source.suffix], extra)
        if "warning:" in said:
            raise SketchError(f"{source.name}: the compiler warns:\n{said}")
        return target

    def _do(self, recipe: str, extra: Mapping[str, str]) -> str:
        words = shlex.split(expand(self.values[recipe], {**self.values, **extra}))
        outcome = run(words, cwd=self.folder, limit_s=LIMIT_S)
        if not outcome.ok:
            raise SketchError(f"{last_lines(outcome.output)}\n{shlex.join(words)} {outcome.how}")
        return outcome.output
