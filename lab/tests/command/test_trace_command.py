# SPDX-License-Identifier: MIT
"""./baton trace: what it prints and writes, in the tree and in a project, and how it refuses what it cannot show."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from conftest import Make
from trace_programs import trace_of

from baton_lab.base.project import ROOT, Project
from baton_lab.command import cli
from baton_lab.trace import capture, frame_times, trace_file
from baton_lab.trace.capture import Subject
from baton_lab.trace.frame_times import FrameTimes
from baton_lab.trace.model import Trace
from baton_lab.user_project.place import TOLD


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (TOLD, "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "radio.trace"
    trace = trace_of(1, 2000, tasks=12, nodes=2)
    trace.nodes[0].names[16].text = "a_name_that_is_longer_than_its_column_has_room_for"
    trace_file.save(trace, path)
    return path


def call(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["baton", "trace", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def test_a_stored_trace_becomes_the_files_that_are_asked_for(
    stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, str(stored), "--html", "a/b.html", "--chrome", "c.json", "--save", "d.trace") == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("2,000 events of 2 nodes, simulated\nnode0: ")
    assert "a_name_that_is_longer_tha..." in shown.out and "and " in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80
    assert [line for line in shown.err.splitlines() if "wrote" in line] == [
        "baton: wrote d.trace", "baton: wrote c.json", "baton: wrote a/b.html"
    ]  # fmt: skip
    assert "<title>Trace of radio</title>" in (tmp_path / "a" / "b.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))["otherData"]["simulated"] is True
    assert (tmp_path / "d.trace").read_bytes() == stored.read_bytes()


def test_in_a_project_the_page_is_in_its_build_folder_and_chrome_alone_makes_none(
    stored: Path, make: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = make("blink", "nano")
    monkeypatch.chdir(mine.root)
    assert call(monkeypatch, str(stored), "--chrome", "c.json") == 0
    assert not (mine.root / "build" / "trace").exists()
    assert call(monkeypatch, str(stored), "--open") == 0
    assert (mine.root / "build" / "trace" / "radio.html").is_file()
    assert "there is no screen here; open it elsewhere: file://" in capsys.readouterr().err


def test_perfetto_gets_its_package_first(stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from baton_lab.setup import trace_packages
    from baton_lab.trace import perfetto

    told: list[str] = []
    monkeypatch.setattr(trace_packages, "ensure", lambda root: told.append(f"ensure {root}"))
    monkeypatch.setattr(trace_packages, "use", lambda root: told.append("use"))
    monkeypatch.setattr(perfetto, "write", lambda trace, made, path: told.append(f"write {path} {trace.size}"))
    assert call(monkeypatch, str(stored), "--perfetto", "p.pftrace") == 0
    assert told == [f"ensure {ROOT}", "use", "write p.pftrace 2000"]


def test_frames_are_measured_and_printed(
    stored: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = FrameTimes(((20.0, 30.0), (17.0, 40.0)), ((3.0, 4.0), (2.0, 5.0)), 6.5, 1234)
    monkeypatch.setattr(frame_times, "measure", lambda page: times)
    assert call(monkeypatch, str(stored), "--html", "a.html", "--frames") == 0
    shown = capsys.readouterr().out
    assert "95 % of frames within 40.0 ms; least of the rounds for each: 30.0 ms" in shown
    assert "page: 1,234 bytes; 2 frames, 2 rounds" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "name a stored trace, a built program or a board"),
        ("nanno", "nanno: there is no such file, and there is no board 'nanno'; did you mean 'nano'?"),
        ("text", "text: neither a trace, which begins with baton-trace/1, nor a program (ELF)"),
        ("old", "old: 'baton-trace/0' is another version; this lab reads baton-trace/1"),
        ("cut", "cut: the header is broken or cut"),
        ("elf", "elf: this Baton does not record the events of a running program yet"),
        ("nano", "nano: this Baton does not record the events of a running board yet"),
        ("text --hmtl x", "--html"),
    ],
)
def test_what_cannot_be_shown_is_one_line_and_exit_2(
    words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content = {"text": b"hello", "old": b"baton-trace/0\n", "cut": b"baton-trace/1\nxx", "elf": b"\x7fELF\2\1"}
    for name, data in content.items():
        (tmp_path / name).write_bytes(data)
    assert call(monkeypatch, *words.split()) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and len(shown.err.splitlines()) == 1
    assert said in shown.err


def test_a_board_of_a_project_is_captured_by_the_one_seam(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, asked = make("blink", "nano"), list[tuple[Project, Subject]]()

    def captured(project: Project, subject: Subject) -> Trace:
        asked.append((project, subject))
        return trace_of(1, 100)

    monkeypatch.setattr(capture, "capture", captured)
    monkeypatch.chdir(mine.root)
    assert call(monkeypatch) == 0
    ((project, subject),) = asked
    assert project.root == mine.root and subject.name == "nano" and subject.board is not None
    assert (mine.root / "build" / "trace" / "nano.html").is_file()
