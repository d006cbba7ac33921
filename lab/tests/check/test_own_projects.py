# SPDX-License-Identifier: MIT
"""The step that makes projects of one's own: a command that does something else turns it red."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import script

from baton_lab.base.project import ROOT, Project
from baton_lab.board.board_files import Board, load
from baton_lab.check.steps import own_projects
from baton_lab.check.steps.own_projects import Try

SERVER = """
import http.server, signal, sys
class Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write({pages}.get(self.path, "").encode())
    def log_message(self, *words):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Pages)
def leave(number, frame):
    print({end!r}, flush=True)
    sys.exit({code})
signal.signal(signal.SIGTERM, leave)
print(f"mine: http://localhost:{{server.server_port}}/ and more", flush=True)
server.serve_forever()
"""
PAGES = {"/": "Good morning", "/health": "ok", "/introspection": "visits"}


def board(name: str) -> Board:
    return load(ROOT / "boards" / name / "board.toml")


def fake(folder: Path, name: str, tries: Sequence[Try]) -> Project:
    """Makes a tree whose ./baton new makes a project that does what the tries want."""
    cases = "".join(
        f"{shlex.quote(' '.join(each.words))}) echo {shlex.quote(each.says)}; exit {each.code};;\n" for each in tries
    )
    script(folder / "made" / "baton", f'case "$*" in\n{cases}*) echo "what is $*?"; exit 9;; esac')
    root = folder / "tree"
    script(root / "baton", f'mkdir -p "$2" && cp {folder}/made/baton "$2"/baton && echo "cd {name} && ./baton run"')
    return Project(root)


@pytest.mark.parametrize("name", ["host", "nano", "microbit", "bluepill", "versatilepb"])
def test_a_project_that_does_what_it_should_passes(tmp_path: Path, name: str) -> None:
    project = fake(tmp_path, f"on-{name}", own_projects.tries(board(name)))
    result = own_projects._one(project, tmp_path, own_projects._device(board(name)))
    assert (result.passed, result.failed) == (1, 0), result.output


@pytest.mark.parametrize("place", range(len(own_projects.tries(load(ROOT / "boards" / "nano" / "board.toml")))))
def test_each_command_that_fails_is_named(tmp_path: Path, place: int) -> None:
    tries = own_projects.tries(board("nano"))
    wrong = Try(tries[place].words, "something else", 3)
    project = fake(tmp_path, "on-nano", [*tries[:place], wrong, *tries[place + 1 :]])
    result = own_projects._one(project, tmp_path, own_projects._device(board("nano")))
    assert (result.passed, result.failed) == (0, 1)
    assert f"baton {' '.join(wrong.words)} ended with 3; it was to say" in result.output


def test_a_command_that_says_something_else_fails_though_it_ends_well(tmp_path: Path) -> None:
    script(tmp_path / "baton", "echo nothing")
    with pytest.raises(own_projects.CommandError, match="it was to say 'flash 2' and to end with 0\nnothing"):
        own_projects.attempt(tmp_path, tmp_path, Try(("run",), "flash 2"))


def served(folder: Path, pages: dict[str, str], end: str, code: int) -> Path:
    (folder / "server.py").write_text(SERVER.format(pages=pages, end=end, code=code))
    script(folder / "baton", f"exec {sys.executable} {folder}/server.py")
    return folder


def test_a_service_is_asked_for_its_pages_and_ended(tmp_path: Path) -> None:
    own_projects.serves(served(tmp_path, PAGES, "all services have ended", 0))


@pytest.mark.parametrize(
    ("pages", "end", "code", "says"),
    [
        ({**PAGES, "/health": "ill"}, "all services have ended", 0, "/health: 'ill'"),
        (PAGES, "killed", 0, "killed"),
        (PAGES, "all services have ended", 143, "ended with 143"),
    ],
)
def test_a_service_with_a_defect_is_red(tmp_path: Path, pages: dict[str, str], end: str, code: int, says: str) -> None:
    with pytest.raises(own_projects.CommandError, match=says):
        own_projects.serves(served(tmp_path, pages, end, code))


def test_a_service_that_does_not_start_is_red(tmp_path: Path) -> None:
    script(tmp_path / "baton", "echo it does not build; exit 1")
    with pytest.raises(own_projects.CommandError, match="ended with 1"):
        own_projects.serves(tmp_path)
