# SPDX-License-Identifier: MIT
"""Makes the wheel of baton-lab: the lab, and within it Baton's tree as a zip.

It is also the build backend of lab/pyproject.toml (PEP 517), so `pip install ./lab` makes the same
wheel. It needs nothing to be installed.

Context  standard library only.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from baton_lab.setup.pins import LIBRARIES, pinned

ROOT = Path(__file__).resolve().parents[3]
STAMP = (1980, 1, 1, 0, 0, 0)  # the earliest time of a zip: the same input gives the same bytes
NAME = "baton_lab"
RUNTIME = ("Jinja2", "MarkupSafe", "pydantic", "pyserial", "rich", "typer")
"""The libraries that a project's commands need; a report of Baton's own tree needs more."""
FOLDERS = (
    *("core", "kernel", "devices", "async", "asio", "service", "components", "compat"),
    *("ports", "families", "boards", "cmake", "emulators", "tools", "bench/harness"),
)
FILES = ("CMakeLists.txt", "CMakePresets.json", "modules.json", "LICENSE", "docs/require.md", "baton",
         "lab/requirements.txt", "lab/board-requirements.txt", "lab/trace-requirements.txt")  # fmt: skip
LEFT_OUT = {"tests", "build", "node_modules", "__pycache__", "README.md", "tree.zip"}
_VERSION = re.compile(r"^project\(baton VERSION (\d+\.\d+\.\d+)", re.MULTILINE)

Content = dict[str, tuple[bytes, int]]
"""Files by their names in a zip: the bytes, and the mode."""


def build_wheel(
    wheel_directory: str, config_settings: Mapping[str, object] | None = None, metadata_directory: str | None = None
) -> str:
    """Makes the wheel in a folder and returns its name, as PEP 517 wants it."""
    return write(ROOT, Path(wheel_directory)).name


def build_sdist(sdist_directory: str, config_settings: Mapping[str, object] | None = None) -> str:
    """Refuses: the tree itself is the source.

    Errors   NotImplementedError
    """
    raise NotImplementedError("baton-lab has no source distribution: take a tag of the repository")


def write(root: Path, folder: Path) -> Path:
    """Makes the wheel of a tree, whose bytes depend on the files alone; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    number = version(root)
    made = folder / f"{NAME}-{number}-py3-none-any.whl"
    content = {**_lab(root), f"{NAME}/tree.zip": (packed(tree(root)), 0o644), **_about(root, number)}
    made.write_bytes(packed({**content, **_record(number, content)}))
    return made


def version(root: Path) -> str:
    """Returns the version of the tree, which CMakeLists.txt names."""
    found = _VERSION.search((root / "CMakeLists.txt").read_text(encoding="utf-8"))
    if found is None:
        raise ValueError("CMakeLists.txt: no line project(baton VERSION ...)")
    return found[1]


def tree(root: Path) -> Content:
    """Returns the part of the tree that projects are built with."""
    paths = [*(root / name for name in FILES), *(path for name in FOLDERS for path in _files(root / name))]
    return {path.relative_to(root).as_posix(): _read(path) for path in paths}


def _lab(root: Path) -> Content:
    lab = root / "lab"
    return {path.relative_to(lab).as_posix(): _read(path) for path in _files(lab / NAME)}


def _files(folder: Path) -> Iterator[Path]:
    """Yields the files of a folder in order, without tests and products."""
    for path in sorted(folder.iterdir()):
        if path.name in LEFT_OUT and not (path.name == "README.md" and NAME in path.parts):
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.suffix != ".pyc":
            yield path


def _read(path: Path) -> tuple[bytes, int]:
    return path.read_bytes(), 0o755 if path.stat().st_mode & 0o100 else 0o644


def _about(root: Path, number: str) -> Content:
    folder = f"{NAME}-{number}.dist-info"
    texts = {
        "METADATA": metadata(root, number),
        "WHEEL": "Wheel-Version: 1.0\nGenerator: baton_lab.setup.wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "entry_points.txt": "[console_scripts]\nbaton = baton_lab.command.cli:main\n",
        "licenses/LICENSE": (root / "LICENSE").read_text(encoding="utf-8"),
    }
    return {f"{folder}/{name}": (text.encode(), 0o644) for name, text in texts.items()}


def metadata(root: Path, number: str) -> str:
    """Returns the METADATA: name, version, and the libraries from the versions on that the tree pins."""
    pins = dict(each.split("==") for each in pinned((root / LIBRARIES).read_text(encoding="utf-8")))
    lines = ["Metadata-Version: 2.4", "Name: baton-lab", f"Version: {number}", "License-Expression: MIT"]
    lines += ["License-File: LICENSE"]
    lines += ["Summary: Makes, builds, runs, measures and tests programs with Baton, for every board"]
    lines += ["Requires-Python: >=3.11", *(f"Requires-Dist: {name}>={pins[name]}" for name in RUNTIME)]
    return "\n".join(lines) + "\n"


def _record(number: str, content: Content) -> Content:
    name = f"{NAME}-{number}.dist-info/RECORD"
    rows = [f"{path},sha256={_digest(data)},{len(data)}" for path, (data, _) in content.items()]
    return {name: ("\n".join([*rows, f"{name},,", ""]).encode(), 0o644)}


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def packed(content: Content) -> bytes:
    """Returns a zip of files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (data, mode) in content.items():
            entry = zipfile.ZipInfo(name, STAMP)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return made.getvalue()
