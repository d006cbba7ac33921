# SPDX-License-Identifier: MIT
"""Pinned packages: a wheel with another hash than the file's is refused, and no package is without a hash."""

from __future__ import annotations

import hashlib
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from conftest import script

from baton_lab.base.project import ROOT
from baton_lab.setup import bootstrap, own_packages, pins
from baton_lab.setup.packages import SetupError

PIN = "thing==1.0"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree whose package index is a folder with one wheel, and whose pip installs into `installed`."""
    (tmp_path / "lab").mkdir()
    wheel(tmp_path / "wheels" / "thing-1.0-py3-none-any.whl")
    settings = {"NO_INDEX": "1", "FIND_LINKS": str(tmp_path / "wheels"), "TARGET": str(tmp_path / "installed")}
    for key, text in settings.items():
        monkeypatch.setenv(f"PIP_{key}", text)
    return tmp_path


def wheel(path: Path, needs: str = "") -> str:
    """Writes a wheel of one module; returns its hash."""
    path.parent.mkdir(exist_ok=True)
    name, version = path.name.split("-")[:2]
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        requires = f"Requires-Dist: {needs}\n" if needs else ""
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{requires}")
        archive.writestr(f"{info}/RECORD", f"{name}.py,,\n{info}/WHEEL,,\n{info}/METADATA,,\n{info}/RECORD,,\n")
    return hashlib.sha256(path.read_bytes()).hexdigest()


def index(tree: Path) -> str:
    """Writes a page that links each wheel with its hash, as a package index does; pip 23.0 reports no other hash."""
    links = []
    for each in sorted((tree / "wheels").glob("*.whl")):
        found = hashlib.sha256(each.read_bytes()).hexdigest()
        links.append(f'<a href="{each.as_uri()}#sha256={found}">{each.name}</a>')
    page = tree / "index.html"
    page.write_text(f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>")
    return page.as_uri()


def right(tree: Path) -> str:
    return hashlib.sha256((tree / "wheels" / "thing-1.0-py3-none-any.whl").read_bytes()).hexdigest()


def libraries(tree: Path, text: str) -> None:
    (tree / pins.LIBRARIES).write_text(text)
    bootstrap._libraries(Path(sys.executable), tree / pins.LIBRARIES)


def test_a_wheel_with_the_pinned_hash_is_installed(tree: Path) -> None:
    libraries(tree, pins.laid_out("", {PIN: ["0" * 64, right(tree)]}))
    assert (tree / "installed" / "thing.py").is_file()


def test_a_wheel_with_another_hash_is_refused(tree: Path) -> None:
    with pytest.raises(SetupError, match="DO NOT MATCH THE HASHES"):
        libraries(tree, pins.laid_out("", {PIN: ["0" * 64]}))
    assert not (tree / "installed").exists()


def test_a_package_without_a_hash_is_refused_and_so_is_one_that_it_needs(tree: Path) -> None:
    with pytest.raises(SetupError, match="Hashes are required"):
        libraries(tree, f"{PIN}\n")
    wheel(tree / "wheels" / "other-2.0-py3-none-any.whl")
    made = wheel(tree / "wheels" / "thing-1.0-py3-none-any.whl", needs="other")
    with pytest.raises(SetupError, match=r"(?s)all requirements must.*pinned.*other"):
        libraries(tree, pins.laid_out("", {PIN: [made]}))
    assert not (tree / "installed").exists()


def test_a_package_of_a_board_is_held_to_its_hash_too(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_TARGET")
    with pytest.raises(SetupError, match=r"has no hashes of thing==1\.0: add the line"):
        own_packages.ensure(tree, [PIN], None)
    (tree / pins.OF_BOARDS).write_text(pins.laid_out("", {"a==3": ["1" * 64], PIN: ["0" * 64], "z==4": ["2" * 64]}))
    with pytest.raises(SetupError, match="DO NOT MATCH THE HASHES"):
        own_packages.ensure(tree, [PIN], None)
    assert own_packages.missing(tree, [PIN], None) == [PIN]
    (tree / pins.OF_BOARDS).write_text(pins.laid_out("", {"a==3": ["1" * 64], PIN: [right(tree)], "z==4": ["2" * 64]}))
    own_packages.ensure(tree, [PIN], None)
    assert own_packages.missing(tree, [PIN], None) == []


def test_pin_writes_the_hash_of_each_package_and_of_what_it_needs(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "PYTHONS", ("3.11",))
    monkeypatch.setattr(pins, "MACHINES", ("x86_64",))
    other = wheel(tree / "wheels" / "other-2.0-py3-none-any.whl")
    thing = wheel(tree / "wheels" / "thing-1.0-py3-none-any.whl", needs="other")
    monkeypatch.setenv("PIP_FIND_LINKS", index(tree))
    for name in pins.FILES:
        (tree / name).write_text(f"# Pinned.\n{PIN} \\\n    --hash=sha256:{'0' * 64}\n")
    (tree / pins.OF_RELEASE_FROM_SOURCE).write_text("# None is built.\n")
    assert pins.write(tree) == list(pins.FILES)
    expected = f"# Pinned.\nother==2.0 \\\n    --hash=sha256:{other}\n{PIN} \\\n    --hash=sha256:{thing}\n"
    assert [(tree / name).read_text() for name in pins.FILES] == [expected] * len(pins.FILES)
    assert pins.write(tree) == []
    libraries(tree, expected)
    (tree / pins.LIBRARIES).write_text("thing==7.0\n")
    with pytest.raises(SetupError, match=r"(?s)no wheels for CPython 3\.11 on x86_64.*thing==7\.0"):
        pins.write(tree)


def test_an_index_that_says_no_hash_is_an_error(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says = """{"install": [{"metadata": {"name": "thing", "version": "1.0"}, "download_info": {}}]}"""
    fake = script(tree / "pip", f"""while [ "$1" != --report ]; do shift; done; echo '{says}' > "$2" """)
    monkeypatch.setattr(sys, "executable", str(fake))
    with pytest.raises(SetupError, match="does not say the sha256 of thing"):
        pins._wheels([PIN], "3.11", "x86_64")


def test_every_package_that_this_tree_names_is_pinned_with_hashes() -> None:
    for name in pins.FILES:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert pins.pinned(text)
        for requirement in pins.pinned(text):
            assert f"\n{requirement} \\\n    --hash=sha256:" in text
        assert "://" not in text
    for path in ROOT.glob("boards/*/board.toml"):
        for requirement in tomllib.loads(path.read_text(encoding="utf-8")).get("setup", {}).get("python", []):
            assert "--hash=sha256:" in pins.entry(ROOT, requirement)
