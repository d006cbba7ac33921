# SPDX-License-Identifier: MIT
"""Compares the version in each file with that of CMake's project, from which the other packages take it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from baton_lab.arduino import library_package
from baton_lab.setup import wheel

HEADER = Path("core/include/baton/core/version.hpp")
DEBIAN = Path("packaging/debian/changelog")
CHANGES = Path("CHANGELOG.md")
NOTES = Path("docs/releases")
_PART = re.compile(r"^#define BATON_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", re.MULTILINE)
_TEXT = re.compile(r'^#define BATON_VERSION_TEXT "(.*)"$', re.MULTILINE)
_OF_DEBIAN = re.compile(r"\Abaton \((.+)-\d+\) ")
_SECTION = re.compile(r"^## \[(.+?)\](.*)$", re.MULTILINE)
_TO_BECOME = re.compile(r"^To become (\S+)\.$", re.MULTILINE)
_OF_LIBRARY = re.compile(r"^version=(.*)$", re.MULTILINE)
_OF_MANIFEST = re.compile(r'"version": "(.*?)"')
_OF_WHEEL = re.compile(r"^Version: (.*)$", re.MULTILINE)
_OF_RELEASE = re.compile(r" - \d{4}-\d{2}-\d{2}")


def problems(root: Path) -> list[str]:
    """Names each file whose version is not that of CMakeLists.txt."""
    wanted = wheel.version(root)
    return [
        f"{name} says {found}, and CMakeLists.txt {wanted}" for name, found in named(root).items() if found != wanted
    ]


def named(root: Path) -> dict[str, str]:
    """Returns the version that each file or package says; `none` if it says none."""
    sources: dict[str, Callable[[], str]] = {
        f"{HEADER}, BATON_VERSION_MAJOR, _MINOR and _PATCH": lambda: ".".join(_PART.findall(_read(root / HEADER))),
        f"{HEADER}, BATON_VERSION_TEXT": lambda: _first(_TEXT, _read(root / HEADER)),
        str(DEBIAN): lambda: _first(_OF_DEBIAN, _read(root / DEBIAN)),
        str(CHANGES): lambda: of_changes(_read(root / CHANGES)),
        f"{NOTES}, the newest page": lambda: newest_notes(root),
        "library.properties": lambda: _first(_OF_LIBRARY, library_package.properties(root)),
        "library.json": lambda: _first(_OF_MANIFEST, library_package.manifest(root)),
        "the wheel": lambda: _first(_OF_WHEEL, wheel.metadata(root, wheel.version(root))),
    }
    return {name: say() or "none" for name, say in sources.items()}


def of_changes(text: str) -> str:
    """Returns the version that a changelog is at: what Unreleased is to become, or else the newest release.

    Shape    empty if it is at none: a section without a day, or Unreleased with entries and no version.
    """
    sections = list(_SECTION.finditer(text))
    for index, section in enumerate(sections):
        end = sections[index + 1].start() if index + 1 < len(sections) else len(text)
        body = text[section.end() : end].strip()
        if section[1] == "Unreleased" and body:
            return _first(_TO_BECOME, body)
        if section[1] != "Unreleased":
            return section[1] if _OF_RELEASE.fullmatch(section[2]) else ""
    return ""


def newest_notes(root: Path) -> str:
    """Returns the version of the newest release notes."""
    found = [path.stem.split(".") for path in (root / NOTES).glob("*.*.*.md")]
    return ".".join(max(found, key=lambda parts: [int(part) for part in parts], default=[]))


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
