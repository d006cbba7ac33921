# SPDX-License-Identifier: MIT
"""The pinned package that writes Perfetto's format, in build/lab/perfetto.

Only ./baton trace --perfetto and a whole ./baton test need it, so .venv does not have it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from baton_lab.setup import pins
from baton_lab.setup.pinned_folder import PinnedFolder

PACKAGES = PinnedFolder("perfetto", "of traces in Perfetto's format", pins.OF_TRACE)


def is_complete(root: Path) -> bool:
    """Tells whether the package is installed as the file of requirements names it."""
    return PACKAGES.is_complete(root)


def ensure(root: Path) -> None:
    """Installs the package unless it is there.

    Errors   SetupError: the package index does not answer, or a wheel has another hash.
    """
    PACKAGES.ensure(root)


def use(root: Path) -> None:
    """Puts the package behind the lab's own libraries on the path of this interpreter."""
    if (path := str(PACKAGES.path(root))) not in sys.path:
        sys.path.append(path)
