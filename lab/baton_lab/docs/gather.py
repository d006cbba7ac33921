# SPDX-License-Identifier: MIT
"""Gathers the pages of the site in one folder: the documents, the reference, and the sources that they link."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath

from baton_lab.check import documents
from baton_lab.docs import doxygen, reference
from baton_lab.docs.links import Tree, folded, led, relative
from baton_lab.docs.places import ASSETS, TEXT_ENDS, Places, folder_page, source_page

MORE_PAGES = ("bench/HISTORY.md", "bench/results/*.md", "*/*/*/README.md")
"""Documents beside those whose quotations are checked: generated tables, and modules of modules."""
OUTSIDE = ("build", ".venv")
HIDDEN = "---\nsearch:\n  exclude: true\n---\n"
"""The head of a page that the search passes over: it shows a source."""


def gather(root: Path) -> list[PurePosixPath]:
    """Writes every page and asset of the site into its folder of pages; returns the pages.

    A page whose text is as before is not written again, so that a server that watches the folder rests.

    Cost     a few seconds, most of them Doxygen's; none of Doxygen's if no header has changed.
    Errors   SetupError: Doxygen is not installed or fails.
    """
    places = Places(root)
    made = reference.pages(root, doxygen.described(places))
    own = {page: (root / page).read_text(encoding="utf-8") for page in of_tree(root)}
    tree = Tree(root, frozenset(own), {page.header: place for place, page in made.items()})
    out = {place: folded(led(text, place, tree)) for place, text in own.items()}
    out |= {place: led(page.text, page.header, tree, place) for place, page in made.items()}
    out |= {place: led(text, place, tree) for place, text in reference.lists(root, made).items()}
    tree.sources |= {page.header for page in made.values()}
    out |= _linked(tree)
    for image in tree.images:
        _copy(root / image, places.pages / image)
    for asset in sorted((root / ASSETS).iterdir()):
        _copy(asset, places.pages / "assets" / asset.name)
    for place, text in out.items():
        _write(places.pages / place, text)
    _remove_others(places.pages, {places.pages / place for place in out})
    return sorted(out)


def of_tree(root: Path) -> list[PurePosixPath]:
    """Returns the documents of the tree that are pages of the site."""
    found = {path.relative_to(root) for pattern in MORE_PAGES for path in root.glob(pattern)}
    found |= {path.relative_to(root) for path in documents.pages(root)}
    return sorted(PurePosixPath(path) for path in found if path.parts[0] not in OUTSIDE)


def _linked(tree: Tree) -> dict[PurePosixPath, str]:
    """Returns the pages of the linked sources and folders. A folder links those of its files that a page shows."""
    out = {source_page(path): _source(tree.root, path) for path in sorted(tree.sources)}
    return out | {folder_page(folder): _list(tree, folder) for folder in sorted(tree.folders)}


def _source(root: Path, path: PurePosixPath) -> str:
    text = (root / path).read_text(encoding="utf-8", errors="replace").rstrip()
    return f"{HIDDEN}\n# {path.name}\n\n`{path}`\n\n``````{TEXT_ENDS[path.suffix]}\n{text}\n``````\n"


def _list(tree: Tree, folder: PurePosixPath) -> str:
    lines = []
    for path in sorted((tree.root / folder).iterdir()):
        inner, here = folder / path.name, folder_page(folder)
        if path.name.startswith((".", "__")):
            continue
        name = f"{path.name}{'/' if path.is_dir() else ''}"
        if inner in tree.sources:
            name = f"[{name}]({relative(source_page(inner), here)})"
        elif inner in tree.folders:
            name = f"[{name}]({relative(folder_page(inner), here)})"
        lines.append(f"- {name}")
    return f"{HIDDEN}\n# {folder.name}\n\n`{folder}`\n\n" + "\n".join(lines) + "\n"


def _write(path: Path, text: str) -> None:
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _copy(source: Path, path: Path) -> None:
    if not path.is_file() or path.read_bytes() != source.read_bytes():
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)


def _remove_others(folder: Path, kept: set[Path]) -> None:
    for path in folder.rglob("*.md"):
        if path not in kept:
            path.unlink()
