# SPDX-License-Identifier: MIT
"""A project of one's own on a board: flashed, and listened to. The board is a simulator behind a pty."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_desk import CH340, FakeDesk, argument_after

from baton_lab.base.project import ROOT
from baton_lab.board import serial_port
from baton_lab.user_project import building, create, flash, monitor
from baton_lab.user_project.place import TOLD

RUNNER = ROOT / "emulators" / "run"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDesk]:
    monkeypatch.delenv(TOLD, raising=False)
    folder = tmp_path / "desk"
    folder.mkdir()
    desk = FakeDesk(folder)
    monkeypatch.setenv("PATH", desk.path)
    yield desk
    desk.close()


def test_a_project_s_program_is_flashed_to_a_nano_and_its_lines_get_their_times(tmp_path: Path, fake: FakeDesk) -> None:
    mine = create.create(ROOT, create.Wanted(tmp_path / "blink", ["nano"], False, {"folder": str(ROOT)}))
    nano = mine.chosen(["nano"])[0]
    building.prepare_run(mine, nano)
    device = fake.plug("ttyUSB0", CH340, location="1-2")
    description = ROOT / "boards" / "nano" / "board.toml"
    fake.then(fake.runs(RUNNER, "--pty", "--board", description, "--limit-ms", "600000", "{file}"))
    flash.write(mine, flash.desk_of(mine, nano, "", fake.attached))
    (call,) = fake.calls
    assert argument_after(call, "-P") == device.port
    assert argument_after(call, "-U") == f"flash:w:{mine.program(nano)}:e"
    out = io.StringIO()
    with serial_port.open_port(device.port, 115_200) as port:
        monitor.watch(port, monitor.Monitor(str, out, lambda: "12:00:00.000", most=3), limit_s=60)
    assert out.getvalue() == "".join(f"12:00:00.000  flash {n}\n" for n in (1, 2, 3))
