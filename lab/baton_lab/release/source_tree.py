# SPDX-License-Identifier: MIT
"""Copies the part of the tree that packages are made of, so that no builder of packages writes into the tree."""

from __future__ import annotations

import shutil
from pathlib import Path

from baton_lab.setup import wheel

PACKAGING = "packaging"


def write(root: Path, folder: Path) -> Path:
    """Replaces a folder by a copy: what programs are built with, and the descriptions of the packages."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, (data, mode) in wheel.tree(root).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)
    shutil.copytree(root / PACKAGING, folder / PACKAGING, ignore=shutil.ignore_patterns("__pycache__", "build"))
    return folder
