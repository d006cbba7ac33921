# SPDX-License-Identifier: MIT
"""Every folder of ports/ is a port, and ports/README.md has a row for each."""

from __future__ import annotations

from pathlib import Path

from baton_lab.base.project import ROOT

HEADER = "include/baton/port.hpp"


def faults(ports: Path) -> list[str]:
    """Describes each folder that is no port, and each port without a row."""
    readme = (ports / "README.md").read_text(encoding="utf-8")
    found = []
    for folder in sorted(path for path in ports.iterdir() if path.is_dir()):
        if not (folder / HEADER).is_file():
            found.append(f"ports/{folder.name} has no {HEADER}")
        elif f"[{folder.name}]({folder.name}/{HEADER})" not in readme:
            found.append(f"ports/README.md has no row for {folder.name}")
    return found


def test_every_folder_is_a_port() -> None:
    assert faults(ROOT / "ports") == []


def test_a_folder_that_is_no_port_is_found(tmp_path: Path) -> None:
    for name in ("avr", "sim"):
        (tmp_path / name / HEADER).parent.mkdir(parents=True)
        (tmp_path / name / HEADER).touch()
    (tmp_path / "shared").mkdir()
    (tmp_path / "README.md").write_text(f"| [avr](avr/{HEADER}) |\n", encoding="utf-8")
    assert faults(tmp_path) == ["ports/shared has no include/baton/port.hpp", "ports/README.md has no row for sim"]
