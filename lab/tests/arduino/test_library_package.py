# SPDX-License-Identifier: MIT
"""./baton package arduino: the library's files, its manifests, and failures without a half."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from baton_lab.arduino import library_package, sketch
from baton_lab.arduino.core_build import properties
from baton_lab.base.project import ROOT
from baton_lab.board.board_files import BadInputError

Word = Annotated[str, StringConstraints(pattern=r"^[a-z\d\-_+. ]+$", max_length=50)]
Kind = Annotated[str, StringConstraints(pattern=r"^([a-z\d\-_]+|\*)$", max_length=50)]

# The Arduino library specification, "library.properties file format"
CATEGORIES = (
    *("Display", "Communication", "Signal Input/Output", "Sensors", "Device Control"),
    *("Timing", "Data Storage", "Data Processing", "Other"),
)
REQUIRED = {"name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures"}


class Author(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)
    email: str | None = None
    maintainer: bool = False
    url: str | None = None


class LibraryJson(BaseModel):
    """PlatformIO's documented manifest, with the limits of its own checker."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(pattern=r"^[^:;/,@<>]+$", max_length=100)
    version: str = Field(pattern=r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$")
    description: str = Field(min_length=1, max_length=1000)
    keywords: list[Word] = Field(min_length=1)
    authors: list[Author] = Field(min_length=1)
    license: str = Field(pattern="^MIT$")  # an identifier of SPDX
    frameworks: list[Kind]
    platforms: list[Kind]
    headers: list[str]
    homepage: str = Field(pattern="^https?://")


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return library_package.files(ROOT)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Copies the parts of the library, for tests to spoil."""
    root = tmp_path / "tree"
    for folder in ("core/include", "devices/include", "ports/arduino", "examples"):
        shutil.copytree(ROOT / folder, root / folder)
    for file in ("LICENSE", "CMakeLists.txt"):
        shutil.copy(ROOT / file, root / file)
    return root


def test_library_json_keeps_to_the_manifest_of_platformio(files: dict[str, str]) -> None:
    manifest = LibraryJson.model_validate(json.loads(files["library.json"]))
    assert all(f"src/{header}" in files for header in manifest.headers)


def test_library_properties_has_what_the_ide_requires(files: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "library.properties"
    path.write_text(files["library.properties"], encoding="utf-8")
    values = properties(path)
    assert set(values) >= REQUIRED
    assert re.fullmatch(r"[A-Za-z0-9][\w .-]{0,62}", values["name"])
    assert re.fullmatch(r"\d+\.\d+\.\d+", values["version"])
    assert values["category"] in CATEGORIES
    assert values["architectures"] == "*"
    assert re.fullmatch(r"https://[\w./-]+", values["url"])
    assert f"src/{values['includes']}" in files


def test_both_manifests_have_the_version_of_cmake(files: dict[str, str]) -> None:
    version = re.search(r"project\(baton VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    assert version
    assert json.loads(files["library.json"])["version"] == version[1]
    assert f"version={version[1]}\n" in files["library.properties"]


def test_the_home_page_of_cmake_stands_in_both_manifests(tree: Path) -> None:
    lists = tree / "CMakeLists.txt"
    lists.write_text('project(baton VERSION 1.2.3 HOMEPAGE_URL "https://example.org/baton" LANGUAGES CXX)\n')
    assert "url=https://example.org/baton\n" in library_package.properties(tree)
    LibraryJson.model_validate(json.loads(library_package.manifest(tree)))
    assert json.loads(library_package.manifest(tree))["homepage"] == "https://example.org/baton"


def test_it_holds_core_and_one_port_under_one_include_root(files: dict[str, str]) -> None:
    assert {"src/Baton.h", "src/baton/core.hpp", "src/baton/core/channel.hpp", "src/baton/port.hpp"} <= set(files)
    sources = {name: text for name, text in files.items() if name.startswith("src/")}
    for name, text in sources.items():
        for header in re.findall(r"#include <(baton/[^>]+)>", text):
            assert f"src/{header}" in files, f"{name} includes {header}, which is not in the library"
    assert not any("sim" in name or "host" in name or "board" in name for name in sources)


def test_the_library_of_compat_holds_its_headers_and_sketches_and_names_the_one_that_it_needs() -> None:
    files = library_package.compat_files(ROOT)
    manifest = json.loads(files["library.json"])
    assert manifest["dependencies"] == [{"name": json.loads(library_package.manifest(ROOT))["name"]}]
    assert "depends=Baton\n" in files["library.properties"]
    assert "name=BatonAceRoutine\n" in files["library.properties"]
    url = next(line for line in library_package.properties(ROOT).splitlines() if line.startswith("url="))
    assert {"architectures=*", url} <= set(files["library.properties"].splitlines())
    assert all(f"src/{header}" in files for header in manifest["headers"])
    for name, text in files.items():
        for header in re.findall(r"#include <(ace_routine/[^>]+)>", text):
            assert f"src/{header}" in files, f"{name} includes {header}, which is not in the library"
    sketches = {path.stem for path in (ROOT / "compat" / "aceroutine" / "sketches").glob("*/*.ino")}
    assert {f"examples/{name}/{name}.ino" for name in sketches} <= set(files)
    assert not any("tests" in name or "shim" in name for name in files)


def test_every_example_is_a_sketch_in_a_folder_of_its_name(files: dict[str, str]) -> None:
    sources = {path.parent.name: path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("*/main.cpp")}
    examples = {name for name, text in sources.items() if sketch.is_of_core(text)}
    assert len(examples) >= 10
    sketches = {name.split("/")[1] for name in files if name.startswith("examples/")}
    assert examples <= sketches
    assert all(f"examples/{name}/{name}.ino" in files for name in sketches)


def test_the_words_that_are_coloured_exist_and_none_of_the_macros_is_forgotten(files: dict[str, str]) -> None:
    rows = [line.split("\t") for line in files["keywords.txt"].splitlines() if not line.startswith("#")]
    sources = "\n".join(text for name, text in files.items() if name.startswith("src/"))
    assert all(len(row) == 2 and row[1] in {"KEYWORD1", "KEYWORD2", "LITERAL1"} for row in rows)
    assert [word for word, _ in rows if not re.search(rf"\b{word}\b", sources)] == []
    macros = set(re.findall(r"^#define (BATON_[A-Z_]+)", files["src/baton/core/macros.hpp"], re.MULTILINE))
    assert {name for name in macros if "DETAIL" not in name} <= {word for word, _ in rows}


def test_the_same_input_gives_the_same_bytes(tree: Path, tmp_path: Path) -> None:
    first = library_package.write(tree, tmp_path / "a")
    for path in tree.rglob("*"):
        path.touch()
    second = library_package.write(tree, tmp_path / "b")
    assert first.zip.read_bytes() == second.zip.read_bytes()
    (tree / "core" / "include" / "baton" / "core" / "job.hpp").write_text("// another\n")
    assert library_package.write(tree, tmp_path / "b").zip.read_bytes() != first.zip.read_bytes()


def test_the_zip_holds_the_folder(tree: Path, tmp_path: Path) -> None:
    made = library_package.write(tree, tmp_path / "out")
    with zipfile.ZipFile(made.zip) as archive:
        archive.extractall(tmp_path / "unpacked")
    unpacked, folder = tmp_path / "unpacked" / "Baton", made.folder
    names = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert names == sorted(path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file())
    assert all((folder / name).read_bytes() == (unpacked / name).read_bytes() for name in names)


def test_a_failure_leaves_the_old_library_whole(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = library_package.write(tree, tmp_path / "out")
    before, count = made.zip.read_bytes(), len(list(made.folder.rglob("*")))

    def full(path: Path, library: dict[str, str], folder: str) -> None:
        path.write_bytes(b"half")
        raise OSError("no space left on device")

    monkeypatch.setattr(library_package, "_pack", full)
    (tree / "LICENSE").write_text("another\n")
    with pytest.raises(OSError, match="no space"):
        library_package.write(tree, tmp_path / "out")
    assert made.zip.read_bytes() == before
    assert len(list(made.folder.rglob("*"))) == count
    assert (made.folder / "LICENSE").read_text() != "another\n"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["Baton", made.zip.name]


def test_a_folder_of_somebody_else_is_not_replaced(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "Baton").mkdir(parents=True)
    (tmp_path / "out" / "Baton" / "thesis.txt").write_text("years of work\n")
    with pytest.raises(BadInputError, match="is no Arduino library"):
        library_package.write(tree, tmp_path / "out")
    assert (tmp_path / "out" / "Baton" / "thesis.txt").is_file()


def test_a_new_example_that_no_sketch_can_hold_is_named(tree: Path) -> None:
    (tree / "examples" / "99_meter").mkdir()
    main = "#include <baton/board_meter.hpp>\n\nint main() {\n  baton::board::start();\n}\n"
    (tree / "examples" / "99_meter" / "main.cpp").write_text(main)
    with pytest.raises(BadInputError, match="99_meter by hand"):
        library_package.files(tree)


def test_an_example_of_another_module_is_no_sketch(tree: Path) -> None:
    (tree / "examples" / "99_kernel").mkdir()
    main = "#include <baton/core.hpp>\n#include <baton/kernel.hpp>\n\nint main() {\n}\n"
    (tree / "examples" / "99_kernel" / "main.cpp").write_text(main)
    assert not any("99_kernel" in name for name in library_package.files(tree))


def test_a_missing_version_is_named(tree: Path) -> None:
    (tree / "CMakeLists.txt").write_text("project(baton LANGUAGES CXX)\n")
    with pytest.raises(BadInputError, match=r"CMakeLists\.txt: project\(baton VERSION"):
        library_package.files(tree)


def test_a_missing_home_page_is_named(tree: Path) -> None:
    (tree / "CMakeLists.txt").write_text("project(baton VERSION 1.2.3 HOMEPAGE_URL here LANGUAGES CXX)\n")
    with pytest.raises(BadInputError, match=r"CMakeLists\.txt: project\(baton HOMEPAGE_URL"):
        library_package.files(tree)
