# SPDX-License-Identifier: MIT
"""Links a program as for a chip with more memory than its own."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

LIMIT_S = 120
ROOM = "0x10000000"  # more than any board has
ROOM_OF_AVR = "0x800000"  # an AVR's variables begin there: ld knows no larger flash
_LENGTH = re.compile(r"(LENGTH\s*=\s*)[^,\s}]+")
_ALWAYS = ["-Wl,--no-check-sections"]  # larger regions may overlap
_OF_AVR = [f"-Wl,--defsym=__{region}_REGION_LENGTH__={ROOM_OF_AVR}" for region in ("TEXT", "DATA")]


def linked(command: Sequence[str], folder: Path) -> Path | None:
    """Links by the same command with more room; returns the program in `folder`, or None if that fails."""
    words = [_with_room(word, folder) for word in command]
    if "-o" not in words[:-1]:
        return None
    at = words.index("-o") + 1
    program = folder / Path(words[at]).name
    words[at] = str(program)
    try:
        ended = subprocess.run(
            [*words, *_ALWAYS, *(_OF_AVR if any(word.startswith("-mmcu=") for word in words) else [])],
            stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=LIMIT_S,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return program if ended.returncode == 0 else None


def _with_room(word: str, folder: Path) -> str:
    """Returns `-T<script>` with a copy of the script that gives each region more room; other words as they are."""
    script = Path(word[2:])
    if not word.startswith("-T") or not script.is_file():
        return word
    copy = folder / script.name
    copy.write_text(_LENGTH.sub(rf"\g<1>{ROOM}", script.read_text(encoding="utf-8")), encoding="utf-8")
    return f"-T{copy}"
