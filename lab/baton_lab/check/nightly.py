# SPDX-License-Identifier: MIT
"""Remembers when `./baton test --nightly` last passed on this machine, in any checkout."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime

from baton_lab.base.files import write_atomically
from baton_lab.base.project import Project
from baton_lab.check import check_cache

FILE = "nightly"


def last_passed(project: Project) -> str:
    """Returns the day and the commit in words, or that no nightly run has passed."""
    path = check_cache.folder(project) / FILE
    return f"last passed {path.read_text(encoding='utf-8').strip()}" if path.is_file() else "not passed here so far"


def note_passed(project: Project) -> None:
    """Keeps the day and the commit of a run that passed as a whole, and that the tree had changes."""
    commit = _git(project, "rev-parse", "--short", "HEAD")
    changes = " with changes" if _git(project, "status", "--porcelain", "--untracked-files=no") else ""
    folder = check_cache.folder(project)
    folder.mkdir(parents=True, exist_ok=True)
    where = f" at {commit}{changes}" if commit else ""
    write_atomically(folder / FILE, f"{datetime.now(UTC):%Y-%m-%d}{where}\n")


def _git(project: Project, *words: str) -> str:
    ended = subprocess.run(["git", *words], cwd=project.root, capture_output=True, text=True, check=False)
    return ended.stdout.strip() if ended.returncode == 0 else ""
