# SPDX-License-Identifier: MIT
"""./baton import takes a terminal's saved text, and names each line that it cannot trust."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

import pytest
from conftest import LINE
from fake_desk import program

from baton_lab.base.project import Project
from baton_lab.base.records import parse_line
from baton_lab.base.store import Store
from baton_lab.board.board_files import BadInputError
from baton_lab.command import cli, commands
from baton_lab.measure import imported
from baton_lab.measure.imported import Imported

AUTO = LINE.format(board="nano", unit="cycles", valid="measured")
EIGHT = AUTO.replace("yields=2", "yields=8")
CHANNEL = AUTO.replace("suite=auto", "suite=channel")
OTHER = AUTO.replace("board=nano", "board=uno")


def read(folder: Path, data: bytes) -> Imported:
    path = folder / "desk.log"
    path.write_bytes(data)
    return imported.read(path)


def lines(*text: str, end: str = "\n") -> bytes:
    return "".join(line + end for line in text).encode()


def made(found: Imported) -> list[tuple[str, str, int]]:
    return [(board, suite, len(records)) for (board, suite), records in found.runs]


def problems(folder: Path, data: bytes) -> list[str]:
    return [line.removeprefix(f"{folder}/") for line in read(folder, data).problems]


def test_records_are_found_among_other_lines(tmp_path: Path) -> None:
    data = lines("picocom v3.1", "", "Terminal ready", AUTO, "# a remark", EIGHT, "Skipping tare: terminal locked")
    found = read(tmp_path, data)
    assert made(found) == [("nano", "auto", 2)] and not found.problems
    assert found.runs[0][1] == [parse_line(AUTO), parse_line(EIGHT)]


@pytest.mark.parametrize(
    "data",
    [
        lines(AUTO, EIGHT, end="\r\n"),
        lines(AUTO, EIGHT, end="\r\r\n"),
        lines(AUTO, EIGHT, end="\r"),
        lines(f"12:00:01.123 -> {AUTO}", f"12:00:01.200 -> {EIGHT}"),
        lines(f"[2026-11-23 12:00:01] {AUTO}", f"[2026-11-23 12:00:02] {EIGHT}"),
        lines(f"\x1b[32m{AUTO}\x1b[0m", EIGHT),
        codecs.BOM_UTF16_LE + lines(AUTO, EIGHT, end="\r\n").decode().encode("utf-16-le"),
        codecs.BOM_UTF8 + lines(AUTO, EIGHT),
        b"\x00\xff\xfe garbage of another baud rate\n" + lines(AUTO, EIGHT),
    ],
)
def test_a_terminals_own_form_does_not_matter(tmp_path: Path, data: bytes) -> None:
    found = read(tmp_path, data)
    assert made(found) == [("nano", "auto", 2)] and not found.problems


def test_several_boards_suites_and_runs_are_told_apart(tmp_path: Path) -> None:
    found = read(tmp_path, lines(AUTO, EIGHT, CHANNEL, OTHER, AUTO, EIGHT))
    assert made(found) == [("nano", "auto", 2), ("nano", "channel", 1), ("uno", "auto", 1), ("nano", "auto", 2)]


def test_a_record_that_comes_again_begins_another_run_and_the_line_says_so(tmp_path: Path) -> None:
    found = read(tmp_path, lines(AUTO, EIGHT, EIGHT))
    assert made(found) == [("nano", "auto", 2), ("nano", "auto", 1)]
    assert [line.removeprefix(f"{tmp_path}/") for line in found.notes] == [
        "desk.log:3: another run begins, because direct yields=8 of nano auto is in line 2, too; "
        "tables show the last run"
    ]


def test_framed_programs_are_held_to_their_sums(tmp_path: Path) -> None:
    whole = program(AUTO, "# a remark", EIGHT) + b"another terminal line\n" + program(CHANNEL)
    assert made(read(tmp_path, whole)) == [("nano", "auto", 2), ("nano", "channel", 1)]
    stamped = b"".join(b"12:00:01.123 -> " + line + b"\r\n" for line in whole.split(b"\n"))
    assert made(read(tmp_path, stamped)) == [("nano", "auto", 2), ("nano", "channel", 1)]
    changed = read(tmp_path, whole.replace(b"value=30.000", b"value=3.0000", 1))
    assert made(changed) == [("nano", "channel", 1)]
    assert changed.problems[0].endswith(
        "desk.log:6: characters were lost or changed since line 2: save the text again, without the terminal's "
        "wrapping of lines"
    )
    assert changed.problems[1].endswith("desk.log: not stored, for that reason: nano auto")
    assert problems(tmp_path, program(AUTO, exit_code=1))[0].startswith("desk.log:4: the program ended with 1")


def test_a_program_that_starts_over_is_taken_from_its_last_beginning(tmp_path: Path) -> None:
    found = read(tmp_path, b"\n# begin\n" + lines(AUTO) + program(AUTO, EIGHT))
    assert made(found) == [("nano", "auto", 2)] and not found.problems
    assert [note.rpartition("/")[2] for note in found.notes] == [
        "desk.log:2: left out: the program starts over in line 5"
    ]


@pytest.mark.parametrize(
    ("data", "said", "stored"),
    [
        (
            lines(CHANNEL, AUTO) + EIGHT[:-30].encode(),
            "desk.log:3: the last line has no end, so it may be cut: 'baton-bench/1",
            [("nano", "channel", 1)],
        ),
        (lines(AUTO, AUTO, "baton-bench/1 case="), "desk.log:3: case=: not of the form", [("nano", "auto", 1)]),
        (lines(AUTO) + EIGHT.encode(), "desk.log:2: the last line has no end, so it may be cut: 'baton-bench/1", []),
        (lines(CHANNEL, AUTO) + b"baton-be", "desk.log:3: the last line has no end", [("nano", "channel", 1)]),
        (
            program(CHANNEL) + program(AUTO)[:-20],
            "desk.log:8: the text is cut after '# e': '# end', the last line of the program that began in line 6, is",
            [("nano", "channel", 1)],
        ),
        (
            program(CHANNEL) + program(AUTO)[:60],
            "desk.log:7: the last line has no end, so it may be cut: 'baton-bench/1",
            [("nano", "channel", 1)],
        ),
        (program(AUTO)[9:], "desk.log:2: the line '# begin' of this program is missing", []),
        (lines(AUTO, f"x{CHANNEL}"), "desk.log:2: a record begins within a line, after 'x'", [("nano", "auto", 1)]),
        (lines(f"{AUTO[:70]}{CHANNEL}"), "desk.log:1: a record begins within another, which is cut", []),
        (lines(AUTO.replace("30.000", "#0")), "desk.log:1: its program leaves the count to an emulator", []),
        (lines(AUTO.replace("/1", "/2")), "desk.log:1: baton-bench/2: this lab reads baton-bench/1", []),
        (lines(AUTO.replace("unit=cycles", "unit=parsecs")), "desk.log:1: unit: ", []),
        (lines(AUTO[:80], AUTO[80:]), "desk.log:1: ", []),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_trusted_is_named_and_its_suite_left_out(
    tmp_path: Path, data: bytes, said: str, stored: list[tuple[str, str, int]]
) -> None:
    found = read(tmp_path, data)
    assert found.problems[0].removeprefix(f"{tmp_path}/").startswith(said)
    assert made(found) == stored


def test_a_file_without_records_or_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"desk\.log: no line is a bench record"):
        read(tmp_path, b"nothing\n")
    with pytest.raises(BadInputError, match=r"desk\.log: no line is a bench record"):
        read(tmp_path, b"")
    with pytest.raises(BadInputError, match="none: No such file"):
        imported.read(tmp_path / "none")
    with pytest.raises(BadInputError, match="Is a directory"):
        imported.read(tmp_path)


def test_the_name_is_the_files_or_the_wanted_one(tmp_path: Path) -> None:
    found = read(tmp_path, lines(AUTO, OTHER))
    path = tmp_path / "my desk (2).log"
    assert imported.names_of(path, found, "") == {"nano": "nano@my-desk-2", "uno": "uno@my-desk-2"}
    assert imported.names_of(path, found, "kitchen") == {"nano": "nano@kitchen", "uno": "uno@kitchen"}
    assert imported.names_of(path, found, "nano@kitchen") == {"nano": "nano@kitchen"}
    with pytest.raises(BadInputError, match="has records of nano uno, not of promicro"):
        imported.names_of(path, found, "promicro@kitchen")
    with pytest.raises(BadInputError, match="a name has letters"):
        imported.names_of(path, found, "a/b")


def call(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["baton", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def test_the_command_stores_and_tabulates_beside_the_simulators(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "Project", lambda: project)
    file = project.root / "kitchen.txt"
    file.write_bytes(program(AUTO, EIGHT) + lines(OTHER))
    assert call(monkeypatch, "import", str(file)) == 0
    shown, said = capsys.readouterr()
    assert f"{file}: no board of this tree, so nothing but its name is shown: uno\n" in said
    assert "A board, imported from kitchen.txt" in shown and "uno, imported from kitchen.txt" in shown
    assert "direct yields=8" in shown and "auto run 1: imported from kitchen.txt" in shown and "commit" not in shown
    with Store(project.store) as store:
        assert [run.board for run in store.runs()] == ["uno@kitchen", "nano@kitchen"]
        assert store.latest("nano", "auto") is None
        found = store.latest("nano@kitchen", "auto")
    assert found is not None and found[1] == [parse_line(AUTO), parse_line(EIGHT)]
    assert found[0].machine["imported from"] == "kitchen.txt" and found[0].flags == ""
    report = (project.report / "index.html").read_text()
    assert "nano@kitchen" in report and "imported from kitchen.txt" in report


def test_of_several_boards_the_named_one_is_taken_and_the_others_are_named(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "Project", lambda: project)
    file = project.root / "desk.txt"
    file.write_bytes(lines(AUTO, OTHER))
    words = ("import", str(file), "--board", "uno@desk", "--format", "records", "--no-store")
    assert call(monkeypatch, *words) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{OTHER}\n" and "left out, because --board names uno alone: nano" in printed.err


def test_the_command_prints_records_for_programs_and_keeps_nothing_on_request(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "Project", lambda: project)
    file = project.root / "desk.txt"
    file.write_bytes(lines(AUTO, CHANNEL[:60]))
    assert call(monkeypatch, "import", str(file), "--format", "records", "--no-store") == 1
    printed = capsys.readouterr()
    assert printed.out == f"{AUTO}\n" and not project.store.exists()
    assert f"baton: {file}:2: " in printed.err
    assert call(monkeypatch, "import", str(file), "--format", "csv") == 2
    assert "there is no format 'csv'" in capsys.readouterr().err
    file.write_bytes(lines(AUTO.replace("unit=cycles", "unit=ns")))
    assert call(monkeypatch, "import", str(file), "--format", "google-benchmark", "--no-store") == 0
    assert '"name": "nano/auto/direct' in capsys.readouterr().out
