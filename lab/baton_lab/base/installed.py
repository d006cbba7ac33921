# SPDX-License-Identifier: MIT
"""Finds Baton's tree: around the lab, or in the installed package baton-lab, whose copy is unpacked once.

Context  standard library only.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from functools import cache
from importlib import metadata
from pathlib import Path

PACKAGE = "baton-lab"
PACKED = Path(__file__).resolve().parents[1] / "tree.zip"
"""The tree in the installed package; a checkout has no such file."""


@cache
def tree() -> Path:
    """Returns the root of the tree.

    Cost     the first call of a version of the installed package unpacks 2 MB into the user's cache.
    """
    around = Path(__file__).resolve().parents[3]
    return unpacked(PACKED, cache_folder()) if PACKED.is_file() else around


def installed_version() -> str:
    """Returns the version of the installed package; nothing if the lab runs in a tree."""
    return metadata.version(PACKAGE) if PACKED.is_file() else ""


def cache_folder() -> Path:
    """Returns the folder of trees in the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "baton" / "trees"


def unpacked(packed: Path, folder: Path) -> Path:
    """Returns the tree of a zip, unpacked in a folder of its own, as a whole or not at all."""
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()[:12]
    made = folder / f"installed-{digest}"
    if made.is_dir():
        return made
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        fresh = Path(scratch) / "tree"
        with zipfile.ZipFile(packed) as archive:
            for entry in archive.infolist():
                Path(archive.extract(entry, fresh)).chmod(entry.external_attr >> 16 & 0o777)
        try:
            fresh.rename(made)
        except OSError:  # another process was first
            if not made.is_dir():
                raise
    return made
