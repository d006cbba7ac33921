# SPDX-License-Identifier: MIT
"""Instruction counts of a host bench program, by valgrind's callgrind.

The program runs as it does elsewhere, with BATON_CALLGRIND=1: it starts counting and zeroes at the start of an
interval, dumps at its stop, and prints each record with `key=#K` in place of what the interval K since the previous
record line cost. Here each #K becomes instructions per iteration.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from runner import records  # of emulators

OUT_NAME = "callgrind.out"
_TOTALS = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


class CallgrindError(RuntimeError):
    """The dumps and the record lines do not fit together; the message says where."""


def command(program: Path, folder: Path) -> list[str]:
    """Counts nothing outside the intervals, so the rest of the program runs fast."""
    options = ["-q", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder / OUT_NAME}"]
    return ["valgrind", *options, str(program)]


def read_intervals(folder: Path) -> list[int]:
    """The instructions of each interval, in the order in which they stopped."""
    dumps = [path for path in folder.glob(f"{OUT_NAME}.*") if path.suffix[1:].isdigit()]
    counts = []
    for path in sorted(dumps, key=lambda each: int(each.suffix[1:])):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "Trigger: Client Request" not in text:
            continue
        found = _TOTALS.findall(text)
        if not found:
            raise CallgrindError(f"{path.name}: no totals in it")
        counts.append(int(found[-1]))
    return counts


def fill(lines: Iterable[str], intervals: list[int]) -> list[str]:
    """The lines with every #K replaced.

    Errors   CallgrindError: a line names an interval that was not dumped, or has no iterations.
    """
    done, first = [], 0
    for line in lines:
        places = records.places(line.encode())
        if places:
            last = max(places)
            done.append(_fill_line(line, intervals[first : first + last + 1], last))
            first += last + 1
        else:
            done.append(line)
    return done


def _fill_line(line: str, counts: list[int], last: int) -> str:
    if not records.iterations(line.encode()):
        raise CallgrindError(f"iterations: missing or 0 in {line!r}")
    if len(counts) <= last:
        raise CallgrindError(f"interval #{last} was not dumped, for {line!r}")
    return records.filled(line.encode(), [(count,) for count in counts]).decode()
