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
    """Returns the day and the commit in words, or that there is none."""
    path = check_cache.folder(project) / FILE
    return f"last passed {path.read_text(encoding='utf-8').strip()}" if path.is_file() else "not passed here so far"


def note_passed(project: Project) -> None:
    """Keeps the day and the commit of a run that passed as a whole."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False).stdout.strip()
    folder = check_cache.folder(project)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / FILE, f"{datetime.now(UTC):%Y-%m-%d}{f' at {commit}' if commit else ''}\n")
