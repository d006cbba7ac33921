# SPDX-License-Identifier: MIT
"""Uses ccache if it is installed: a source with unchanged text is not compiled again in any
checkout.

CMake takes the launcher from the environment when it configures, so a build by hand in the same
folder has it, too.
"""

from __future__ import annotations

import shutil
from pathlib import Path

PROGRAM = "ccache"
LAUNCHERS = ("CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER")


def environment(root: Path, preset: str) -> dict[str, str]:
    """Returns settings for CMake and compilers.

    Shape    paths below the root count as relative ones. A source that is new to the cache is not
             preprocessed for it: its compiler lists its headers, which saves an eighth.
    """
    program = _program(preset)
    if not program:
        return dict.fromkeys(LAUNCHERS, "")
    settings = {"CCACHE_BASEDIR": str(root), "CCACHE_NOHASHDIR": "1", "CCACHE_ABSSTDERR": "1", "CCACHE_DEPEND": "1"}
    return {**settings, **dict.fromkeys(LAUNCHERS, program)}


def fits(folder: Path, preset: str) -> bool:
    """Tells whether the build folder's launcher still exists; without it, no compilation works."""
    cache = folder / "CMakeCache.txt"
    if not cache.is_file():
        return True
    of_launchers = tuple(f"{name}:" for name in LAUNCHERS)
    lines = cache.read_text(encoding="utf-8", errors="replace").splitlines()
    found = [line.partition("=")[2] for line in lines if line.startswith(of_launchers)]
    return (found[0] if found else "") == _program(preset)


def _program(preset: str) -> str:
    """Returns the program; none for coverage, whose objects contain the folder of their counts."""
    return "" if preset.endswith("coverage") else shutil.which(PROGRAM) or ""
