# SPDX-License-Identifier: MIT
"""docs/renamed.txt leads from an old path to one that exists, and no file has its old name."""

from __future__ import annotations

import re
from pathlib import Path

from baton_lab.base.project import ROOT

_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+\.\w+")


def faults(root: Path, text: str) -> list[str]:
    """Describes each path that is wrong: an old one that still exists, a new one that does not."""
    found = []
    for line in text.splitlines():
        old, arrow, new = line.partition(" -> ")
        if not arrow or line.startswith("#"):
            continue
        if _PATH.fullmatch(new) and not (root / new).exists():
            found.append(f"{new} does not exist")
        if _PATH.fullmatch(old) and _PATH.fullmatch(new) and (root / old).exists():
            found.append(f"{old} still exists")
    return found


def test_every_new_path_exists_and_no_old_one() -> None:
    text = (ROOT / "docs" / "renamed.txt").read_text(encoding="utf-8")
    assert len(text.splitlines()) > 400
    assert faults(ROOT, text) == []


def test_a_wrong_path_is_found() -> None:
    text = "core/old.hpp -> core/nowhere.hpp\nlab/README.md -> docs/README.md\nhome -> worker\n"
    assert faults(ROOT, text) == ["core/nowhere.hpp does not exist", "lab/README.md still exists"]
