# SPDX-License-Identifier: MIT
"""The places of the site: where its pages are gathered, where it is written, and where a file of the tree shows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

CONFIGURATION = Path("mkdocs.yml")
ASSETS = Path("docs/site")
SOURCES = PurePosixPath("source")
REFERENCE = PurePosixPath("reference")
FILES_OF_FOLDER = "files.md"
TEXT_ENDS = {
    ".cpp": "cpp", ".hpp": "cpp", ".h": "cpp", ".c": "c", ".ino": "cpp", ".S": "asm", ".ld": "", ".py": "python",
    ".txt": "", ".toml": "toml", ".json": "json", ".cmake": "cmake", ".cfg": "ini", ".js": "javascript",
    ".service": "ini", ".socket": "ini", ".csv": "", "": "", ".yml": "yaml", ".dict": "",
}  # fmt: skip
IMAGE_ENDS = {".svg", ".png"}


@dataclass(frozen=True)
class Places:
    """The folders of a build of the site."""

    root: Path

    @property
    def build(self) -> Path:
        """The folder of all products of the site."""
        return self.root / "build" / "docs"

    @property
    def pages(self) -> Path:
        """The pages as MkDocs reads them, laid out as in the tree."""
        return self.build / "pages"

    @property
    def headers(self) -> Path:
        """The descriptions of the headers that Doxygen writes."""
        return self.build / "doxygen"

    @property
    def site(self) -> Path:
        """The site by default."""
        return self.build / "site"


def source_page(path: PurePosixPath) -> PurePosixPath:
    """Returns the page that shows a source of the tree."""
    return SOURCES / f"{path}.md"


def folder_page(path: PurePosixPath) -> PurePosixPath:
    """Returns the page that lists the files of a folder without a README."""
    return SOURCES / path / FILES_OF_FOLDER
