# SPDX-License-Identifier: MIT
"""The instructions that the HTTP server and its floor execute for a request, counted by callgrind."""

from __future__ import annotations

import os
import re
import signal
import tempfile
import time
from pathlib import Path

from baton_lab.base.records import Record
from baton_lab.measure import http_turns
from baton_lab.measure.http_loads import TurnError

FEW, MANY = 200, 1200
"""The requests of the two runs, whose difference is without the start and the end of the program."""

_TOTALS = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


def record(server: Path, floor: Path) -> Record:
    """The instructions of a request, one at a time over one connection, beside the floor's.

    Errors   TurnError
    """
    return Record(
        suite=http_turns.SUITE,
        case="hello",
        board="host",
        unit="instructions",
        value=of_request(server),
        floor=of_request(floor),
        iterations=MANY - FEW,
        valid="instructions",
        params={"workers": "1"},
    )


def of_request(program: Path) -> float:
    """The instructions of a request in the program's own code."""
    return (_count(program, MANY) - _count(program, FEW)) / (MANY - FEW)


def _count(program: Path, requests: int) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        out = folder / "callgrind.out"
        before = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}"]
        with http_turns.started(http_turns.SERVER, program, folder, before) as server:
            http_turns.ask(server.port, requests)
            os.kill(server.pid, signal.SIGTERM)
            text = _written(out)
    return total(text, program)


def _written(out: Path) -> str:
    """The text that callgrind writes at the end of the program."""
    until = time.monotonic() + http_turns.START_LIMIT_S
    text = ""
    while not _TOTALS.search(text) and time.monotonic() < until:
        time.sleep(0.1)
        text = out.read_text(encoding="utf-8", errors="replace") if out.is_file() else ""
    return text


def total(text: str, program: Path) -> int:
    """The instructions in the text of callgrind's file."""
    found = _TOTALS.findall(text)
    if not found:
        raise TurnError(f"callgrind counted nothing of {program.name}")
    return int(found[-1])
