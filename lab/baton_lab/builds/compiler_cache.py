# SPDX-License-Identifier: MIT
"""ccache, where it is installed: a source whose text has not changed is not compiled again, in whatever checkout.

CMake takes the launcher from the environment when it configures, so a build by hand in the same folder has it too.
"""

from __future__ import annotations

import shutil
from pathlib import Path

PROGRAM = "ccache"
LAUNCHERS = ("CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER")


def environment(root: Path, preset: str) -> dict[str, str]:
    """What CMake and the compilers are told. Paths below the root count as relative, in messages they stay whole."""
    program = _program(preset)
    if not program:
        return dict.fromkeys(LAUNCHERS, "")
    settings = {"CCACHE_BASEDIR": str(root), "CCACHE_NOHASHDIR": "1", "CCACHE_ABSSTDERR": "1"}
    return {**settings, **dict.fromkeys(LAUNCHERS, program)}


def fits(folder: Path, preset: str) -> bool:
    """Whether the build folder was configured with what is there: a launcher that is gone fails every compilation."""
    cache = folder / "CMakeCache.txt"
    if not cache.is_file():
        return True
    of_launchers = tuple(f"{name}:" for name in LAUNCHERS)
    lines = cache.read_text(encoding="utf-8", errors="replace").splitlines()
    found = [line.partition("=")[2] for line in lines if line.startswith(of_launchers)]
    return (found[0] if found else "") == _program(preset)


def _program(preset: str) -> str:
    """The program; none for coverage, whose objects know the folder that their counts go to."""
    return "" if preset.endswith("coverage") else shutil.which(PROGRAM) or ""
