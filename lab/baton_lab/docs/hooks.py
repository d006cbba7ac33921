# SPDX-License-Identifier: MIT
"""MkDocs calls these functions: it reads the pages that they gather, and the navigation that they complete.

Context  in MkDocs' process, which has the packages of build/lab/site and this lab.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from baton_lab.docs import gather
from baton_lab.docs.places import Places

EVERY = "/*"
"""The end of an entry of the navigation that stands for every page of a folder."""
WATCHED = ("README.md", "docs", "core", "kernel", "devices", "async", "asio", "service", "components")

_INLINE = re.compile(r"(?<=<code>)[^<]*(?=</code>)")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")

Config = MutableMapping[str, Any]


def on_config(config: Config) -> Config:
    """Gathers the pages, and lets the navigation name them."""
    root = Path(config["config_file_path"]).parent
    pages = gather.gather(root)
    config["docs_dir"] = str(Places(root).pages)
    config["nav"] = completed(config["nav"], pages)
    return config


def on_serve(server: Any, config: Config, builder: Any) -> Any:
    """Builds anew when a document or a header of the tree changes."""
    root = Path(config["config_file_path"]).parent
    server.unwatch(str(Places(root).pages))
    for name in WATCHED:
        server.watch(str(root / name), builder)
    return server


def on_page_content(html: str, **_: Any) -> str:
    """Marks the options of commands in a text, behind whose dashes no line is broken."""
    return _INLINE.sub(lambda code: _OPTION.sub(r'<span class="option">\g<0></span>', code[0]), html)


def completed(nav: Sequence[Any], pages: Sequence[PurePosixPath]) -> list[Any]:
    """Returns the navigation with each entry that ends with /* replaced by the pages of its folder."""
    out: list[Any] = []
    for entry in nav:
        if isinstance(entry, str) and entry.endswith(EVERY):
            out += of_folder(PurePosixPath(entry.removesuffix(EVERY)), pages)
        elif isinstance(entry, dict):
            out += [
                {title: completed(inner, pages) if isinstance(inner, list) else inner} for title, inner in entry.items()
            ]
        else:
            out.append(entry)
    return out


def of_folder(folder: PurePosixPath, pages: Sequence[PurePosixPath]) -> list[str]:
    """Returns the pages of a folder and of the folders in it, its README first."""
    found = sorted(page for page in pages if folder in page.parents)
    return [str(page) for page in sorted(found, key=lambda page: (page != folder / "README.md", str(page)))]
