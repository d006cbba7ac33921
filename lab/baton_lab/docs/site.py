# SPDX-License-Identifier: MIT
"""Builds the documentation site, or serves it while its pages are written."""

from __future__ import annotations

import os
import subprocess
import webbrowser
from pathlib import Path

from baton_lab.base.locks import alone
from baton_lab.base.notices import say
from baton_lab.base.process import Outcome, run
from baton_lab.base.project import Project
from baton_lab.docs.places import CONFIGURATION, Places
from baton_lab.setup import site_packages

LIMIT_S = 900.0
ADDRESS = "127.0.0.1:8000"
FIRST_PAGE = "index.html"


def build(project: Project, folder: Path | None = None) -> Outcome:
    """Builds the site into a folder, build/docs/site by default; a warning fails.

    Context  exclusive in build/docs: another ./baton waits.
    Cost     half a minute; Doxygen reads the headers again only if one has changed.
    """
    places = Places(project.root)
    with alone(project.lock("docs"), "building the documentation site"):
        places.pages.mkdir(parents=True, exist_ok=True)
        command = [*_command(project, "build"), "--strict", "--site-dir", str((folder or places.site).resolve())]
        return run(command, cwd=project.root, limit_s=LIMIT_S, environment=_environment(project))


def serve(project: Project) -> int:
    """Serves the site on this machine alone, and builds it anew after each change; returns an exit code."""
    Places(project.root).pages.mkdir(parents=True, exist_ok=True)
    command = [*_command(project, "serve"), "--dev-addr", ADDRESS]
    return subprocess.call(command, cwd=project.root, env={**os.environ, **_environment(project)})


def show(folder: Path, *, opens: bool) -> None:
    """Names the first page, and opens it in a browser if there is a screen."""
    page = (folder / FIRST_PAGE).resolve()
    if opens and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(page.as_uri())
    say(f"wrote {page}")


def _command(project: Project, what: str) -> list[str]:
    return [project.python, "-m", "mkdocs", what, "--config-file", str(CONFIGURATION)]


def _environment(project: Project) -> dict[str, str]:
    folders = (site_packages.folder(project.root), project.root / "lab")
    return {"PYTHONPATH": os.pathsep.join(map(str, folders)), "NO_MKDOCS_2_WARNING": "1"}
