# SPDX-License-Identifier: MIT
"""Runs Doxygen over the public headers of the modules, for the declarations in them.

Doxygen finds the declarations and their lines. The reference takes the comments from the sources, as they stand there:
Doxygen would read them by rules of its own.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from baton_lab.base.modules import Module, load
from baton_lab.base.process import run
from baton_lab.docs.places import Places
from baton_lab.setup.packages import SetupError

PACKAGES = ("doxygen",)
PROGRAM = "doxygen"
LIMIT_S = 300.0
HEADER_ENDS = ("*.hpp", "*.h")
NOT_FOR_USERS = "spi"
LEFT_OUT = ("compat",)
"""Modules whose names are those of another library, which documents them."""
STAMP = ".baton-complete"
VARIANT = r"sed -e s/::BATON_VARIANT//g -e s/::BATON_POLLER//g"
"""The inline namespaces of a variant are in no name that a user writes."""
EMPTY = (
    "BATON_NODISCARD BATON_NODISCARD_TYPE BATON_INLINE BATON_NOINLINE BATON_FLATTEN BATON_KERNEL_CALL BATON_SLOW_PATH"
)
SETTINGS = """
RECURSIVE = YES
FILE_PATTERNS = *.hpp *.h
EXCLUDE_PATTERNS = */spi/*
EXTRACT_ALL = YES
EXTRACT_STATIC = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
HAVE_DOT = NO
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
SKIP_FUNCTION_MACROS = NO
QUIET = YES
WARNINGS = NO
"""


def modules(root: Path) -> list[Module]:
    """Returns the modules that the reference describes."""
    return [module for module in load(root).modules if module.name not in LEFT_OUT]


def headers(root: Path) -> list[Path]:
    """Returns the headers that Doxygen reads."""
    found = (
        path
        for module in modules(root)
        for pattern in HEADER_ENDS
        for path in (root / module.include_root).rglob(pattern)
    )
    return sorted(path for path in found if NOT_FOR_USERS not in path.parts)


def described(places: Places) -> Path:
    """Returns the folder of the XML files that describe the headers; Doxygen runs if a header has changed.

    Errors   SetupError: Doxygen is not installed or fails.
    """
    stamp, key = places.headers / STAMP, _key(places.root)
    xml = places.headers / "xml"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == key:
        return xml
    shutil.rmtree(places.headers, ignore_errors=True)
    places.headers.mkdir(parents=True)
    settings = places.headers / "Doxyfile"
    settings.write_text(_settings(places), encoding="utf-8")
    try:
        outcome = run([PROGRAM, str(settings)], cwd=places.root, limit_s=LIMIT_S)
    except FileNotFoundError:
        raise SetupError("doxygen is not installed: ./baton docs installs it, or apt-get install doxygen") from None
    if not outcome.ok:
        raise SetupError(f"doxygen {outcome.how}:\n{outcome.tail()}")
    stamp.write_text(key, encoding="utf-8")
    return xml


def _settings(places: Places) -> str:
    roots = " ".join(str(places.root / module.include_root) for module in modules(places.root))
    predefined = " ".join(f"{name}=" for name in EMPTY.split())
    own = (
        f"INPUT = {roots}\nOUTPUT_DIRECTORY = {places.headers}\nSTRIP_FROM_PATH = {places.root}\n"
        f'INPUT_FILTER = "{VARIANT}"\nPREDEFINED = {predefined}\n'
    )
    return own + SETTINGS.lstrip()


def _key(root: Path) -> str:
    """Returns a key of the headers and of the settings."""
    digest = hashlib.sha256(f"{SETTINGS}{VARIANT}{EMPTY}".encode())
    for path in headers(root):
        digest.update(f"{path.relative_to(root)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
