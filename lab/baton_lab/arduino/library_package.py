# SPDX-License-Identifier: MIT
"""Makes the libraries of ./baton package arduino: core with its port, and AceRoutine's."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from baton_lab.arduino import sketch
from baton_lab.base.locks import alone
from baton_lab.base.project import Project
from baton_lab.board.board_files import BadInputError

NAME = "Baton"
HEADER = "Baton.h"
DEVICES_HEADER = "BatonDevices.h"
AUTHOR = "The Baton authors"
SENTENCE = "Coroutines, channels, calls with deadlines, timers and a profiler, without a heap."
PARAGRAPH = (
    "Cooperative concurrency: each coroutine runs until it waits, and the coroutine that it waits for runs next. A "
    "coroutine that waits costs no time, and 5 to 18 bytes of RAM on AVR. Events come in from interrupts. On AVR an "
    "idle sketch sleeps; on other architectures it polls micros() and calls yield()."
)
KEYWORDS = ("coroutine", "scheduler", "cooperative", "multitasking", "channel", "timer", "profiler")
COMPAT = "BatonAceRoutine"
COMPAT_HEADER = "AceRoutine.h"
COMPAT_SENTENCE = "Sketches written for AceRoutine, unchanged, on Baton."
STAMP = (1980, 1, 1, 0, 0, 0)  # the earliest time of a zip: the same input gives the same bytes


@dataclass(frozen=True)
class Package:
    """The folder and the zip that were made."""

    folder: Path
    zip: Path


def write(root: Path, output: Path) -> Package:
    """Makes the library `output`/Baton and its zip, each as a whole or not at all.

    Errors   BadInputError: a part of the tree does not fit in a library; OSError
    """
    return _write(root, output, NAME, files(root))


def write_compat(root: Path, output: Path) -> Package:
    """Makes `output`/BatonAceRoutine in the same way; it needs Baton beside it."""
    return _write(root, output, COMPAT, compat_files(root))


def _write(root: Path, output: Path, name: str, library: dict[str, str]) -> Package:
    version, _ = _project(root)
    output.mkdir(parents=True, exist_ok=True)
    lock = alone(Project(root).lock("package"), "making a package")
    with lock, tempfile.TemporaryDirectory(prefix=f".{name}.", dir=output) as scratch:
        new, old = Path(scratch) / "new", Path(scratch) / "old"
        for file, text in library.items():
            path = new / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        packed = Path(scratch) / "packed.zip"
        _pack(packed, library, name)
        folder, archive = output / name, output / f"{name}-{version}.zip"
        _replace(folder, new, old)
        packed.replace(archive)
    return Package(folder, archive)


def files(root: Path) -> dict[str, str]:
    """Returns every file of the library, by its name in it.

    Errors   BadInputError
    """
    found = {
        **_texts(root / "core" / "include", "*.hpp", "src"),
        **_texts(root / "devices" / "include", "*.hpp", "src"),
        **_texts(root / "ports" / "arduino" / "include", "*.hpp", "src"),
        **_texts(root / "ports" / "arduino" / "src", "*.cpp", "src/baton/arduino"),
        **_examples(root),
    }
    library = root / "ports" / "arduino" / "library"
    for name in (HEADER, DEVICES_HEADER):
        found[f"src/{name}"] = _read(library / name)
    for name in ("README.md", "keywords.txt"):
        found[name] = _read(library / name)
    found["LICENSE"] = _read(root / "LICENSE")
    found["library.properties"] = properties(root)
    found["library.json"] = manifest(root)
    return dict(sorted(found.items()))


def compat_files(root: Path) -> dict[str, str]:
    """Returns every file of the library of compat/aceroutine, by its name in it.

    Errors   BadInputError
    """
    module = root / "compat" / "aceroutine"
    version, homepage = _project(root)
    lines = {
        **_properties(version, homepage),
        "name": COMPAT,
        "sentence": COMPAT_SENTENCE,
        "paragraph": "The names and the behaviour of AceRoutine 1.5.1. Needs the library Baton.",
        "includes": COMPAT_HEADER,
        "depends": NAME,
    }
    fields = _manifest(version, homepage) | {
        "name": COMPAT, "description": COMPAT_SENTENCE, "headers": [COMPAT_HEADER], "dependencies": [{"name": NAME}],
    }  # fmt: skip
    found = _texts(module / "src", "*.h", "src")
    for folder in sorted((module / "sketches").glob("*/")):
        found.update(_texts(folder, "*.ino", f"examples/{folder.name}"))
    found["README.md"] = _read(module / "library" / "README.md")
    found["LICENSE"] = _read(root / "LICENSE")
    found["library.properties"] = "".join(f"{key}={value}\n" for key, value in lines.items())
    found["library.json"] = json.dumps(fields, indent=2) + "\n"
    return dict(sorted(found.items()))


def properties(root: Path) -> str:
    """Returns library.properties for the Arduino IDE and its Library Manager.

    `dot_a_linkage` lets a sketch without a clock leave its interrupt out.
    """
    return "".join(f"{key}={value}\n" for key, value in _properties(*_project(root)).items())


def _properties(version: str, homepage: str) -> dict[str, str]:
    return {
        "name": NAME,
        "version": version,
        "author": AUTHOR,
        "maintainer": AUTHOR,
        "sentence": SENTENCE,
        "paragraph": PARAGRAPH,
        "category": "Timing",
        "url": homepage,
        "architectures": "*",
        "includes": HEADER,
        "dot_a_linkage": "true",
    }


def manifest(root: Path) -> str:
    """Returns library.json for PlatformIO."""
    return json.dumps(_manifest(*_project(root)), indent=2) + "\n"


def _manifest(version: str, homepage: str) -> dict[str, object]:
    return {
        "name": NAME,
        "version": version,
        "description": SENTENCE,
        "keywords": list(KEYWORDS),
        "authors": [{"name": AUTHOR, "maintainer": True}],
        "license": "MIT",
        "frameworks": ["arduino"],
        "platforms": ["*"],
        "headers": [HEADER],
        "homepage": homepage,
    }


def _project(root: Path) -> tuple[str, str]:
    """Reads version and home page from CMake's project().

    Errors   BadInputError: one of them is missing; the Library Manager requires both.
    """
    path = root / "CMakeLists.txt"
    project = re.search(r"^project\(baton\b([^)]*)\)", _read(path), re.MULTILINE)
    words = project[1] if project else ""
    version = re.search(r"\bVERSION (\d+\.\d+\.\d+)\b", words)
    if not version:
        raise BadInputError(f"{path}: project(baton VERSION x.y.z ...) is missing; the library's version is read there")
    homepage = re.search(r'\bHOMEPAGE_URL "?(https?://[^\s"]+)', words)
    if not homepage:
        raise BadInputError(
            f'{path}: project(baton HOMEPAGE_URL "https://...") is missing; the library\'s url is read there'
        )
    return version[1], homepage[1]


def _examples(root: Path) -> dict[str, str]:
    """Returns the examples as sketches.

    The sketches of ports/arduino/sketches are written by hand, also in place of an example that
    does not fit.
    """
    found: dict[str, str] = {}
    by_hand = root / "ports" / "arduino" / "sketches"
    for folder in sorted(by_hand.glob("*/")):
        found.update(_texts(folder, "*.ino", f"examples/{folder.name}"))
    for path in sorted((root / "examples").glob("*/main.cpp")):
        name = path.parent.name
        main = _read(path)
        if (by_hand / name).is_dir() or not sketch.is_of_core(main):
            continue
        if not sketch.fits(main):
            raise BadInputError(f"{path}: it needs more of the board than a sketch has; write {by_hand / name} by hand")
        for file, text in sketch.sketch(path.parent).items():
            found[f"examples/{name}/{file}"] = text
    return found


def _texts(folder: Path, pattern: str, to: str) -> dict[str, str]:
    found = {f"{to}/{path.relative_to(folder).as_posix()}": _read(path) for path in sorted(folder.rglob(pattern))}
    if not found:
        raise BadInputError(f"{folder}: no {pattern} is there")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BadInputError(f"{path} is missing; the Arduino library needs it") from error


def _pack(path: Path, library: dict[str, str], folder: str) -> None:
    """Makes a zip of one folder, whose bytes depend on the files alone."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, text in library.items():
            entry = zipfile.ZipInfo(f"{folder}/{name}", STAMP)
            entry.create_system = 3  # Unix, whose permissions follow
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, text.encode())
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _replace(folder: Path, new: Path, old: Path) -> None:
    """Replaces `folder` by `new` in two steps; if the second fails, the first is undone."""
    if not folder.exists():
        new.rename(folder)
        return
    if not (folder / "library.properties").is_file():
        raise BadInputError(f"{folder} is there and is no Arduino library; remove it, or choose another folder with -o")
    folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old)
