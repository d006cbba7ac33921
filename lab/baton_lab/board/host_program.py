# SPDX-License-Identifier: MIT
"""Runs a host program like the emulators' runner: input at set times, an end after some lines."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from baton_lab.base.process import GRACE_SECONDS, Outcome, forget, start, stop


def run(program: Path, *, cwd: Path, wall_s: float, lines: int | None, send: Sequence[str]) -> Outcome:
    """Runs to the end, to `lines` lines, or to the limit. A stop after the lines counts as 0."""
    process = start([str(program)], cwd=cwd, streams=(subprocess.PIPE, subprocess.PIPE, subprocess.STDOUT))
    try:
        return _watched(process, program, wall_s=wall_s, lines=lines, send=send)
    finally:
        forget(process)


def _watched(
    process: subprocess.Popen[bytes], program: Path, *, wall_s: float, lines: int | None, send: Sequence[str]
) -> Outcome:
    began = time.monotonic()
    assert process.stdin is not None and process.stdout is not None
    reached = threading.Event()
    printed: list[bytes] = []
    reader = threading.Thread(target=_read, args=(process.stdout, printed, lines, reached), daemon=True)
    feeder = threading.Thread(target=_feed, args=(process.stdin, send, began), daemon=True)
    reader.start()
    feeder.start()
    timed_out = not reached.wait(wall_s)
    complete = lines is not None and len(printed) >= lines
    if not (timed_out or complete):
        with contextlib.suppress(subprocess.TimeoutExpired):  # its output has ended, so the program is about to end
            process.wait(GRACE_SECONDS)
    code = process.poll()
    if code is None:
        stop(process)
        code = process.returncode
    text = b"".join(printed).decode("utf-8", errors="replace")
    return Outcome((str(program),), 0 if complete else code, text, "", time.monotonic() - began, timed_out)


def _read(source: IO[bytes], printed: list[bytes], lines: int | None, reached: threading.Event) -> None:
    for line in source:
        printed.append(line)
        if lines is not None and len(printed) >= lines:
            break
    reached.set()


def _feed(sink: IO[bytes], send: Sequence[str], began: float) -> None:
    """Sends each text of the form MS:TEXT at its time, and closes the input after the last."""
    with contextlib.suppress(BrokenPipeError, ValueError):
        for item in send:
            moment, _, text = item.partition(":")
            time.sleep(max(0.0, began + int(moment) / 1000 - time.monotonic()))
            sink.write(text.encode())
            sink.flush()
        sink.close()
