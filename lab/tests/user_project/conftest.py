# SPDX-License-Identifier: MIT
"""Projects of a user's own, made in a temporary folder from the templates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from baton_lab.base.project import ROOT
from baton_lab.user_project import create
from baton_lab.user_project.place import TOLD, UserProject

Make = Callable[..., UserProject]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Returns a function that makes a project: its name, its boards, or a service."""
    monkeypatch.delenv(TOLD, raising=False)

    def of(name: str = "blink", *boards: str, service: bool = False, **origin: str) -> UserProject:
        wanted = create.Wanted(tmp_path / name, boards, service, origin or {"folder": str(ROOT)})
        return create.create(ROOT, wanted)

    return of
