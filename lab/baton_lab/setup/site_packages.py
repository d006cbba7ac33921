# SPDX-License-Identifier: MIT
"""The pinned packages of the documentation site, in build/lab/site.

They are many, and only ./baton docs and a whole ./baton test need them, so .venv does not have them.
"""

from __future__ import annotations

from pathlib import Path

from baton_lab.setup import pins
from baton_lab.setup.pinned_folder import PinnedFolder

PACKAGES = PinnedFolder("site", "of the documentation site", pins.OF_SITE)


def folder(root: Path) -> Path:
    """Returns the folder of the packages, for PYTHONPATH."""
    return PACKAGES.path(root)


def is_complete(root: Path) -> bool:
    """Tells whether the packages are installed as the file of requirements names them."""
    return PACKAGES.is_complete(root)


def ensure(root: Path) -> None:
    """Installs the packages unless they are there.

    Errors   SetupError: the package index does not answer, or a wheel has another hash.
    """
    PACKAGES.ensure(root)
