# SPDX-License-Identifier: MIT
"""Tests the page of licences: where each licence is read, and that a page which differs is named."""

from __future__ import annotations

from importlib.metadata import Distribution, PathDistribution
from pathlib import Path

import pytest

from baton_lab.release import licences

COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: debian/*
Copyright: 2020 A
License: GPL-2+

Files: *
Copyright: 2020 B
License: BSL-1.0
"""


def distribution(folder: Path, lines: str) -> Distribution:
    info = folder / "thing-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: thing\nVersion: 1.0\n{lines}")
    return PathDistribution(info)


@pytest.mark.parametrize(
    ("lines", "licence"),
    [
        ("License-Expression: MIT\nLicense: whatever\n", "MIT"),
        ("License: BSD 3-Clause\n", "BSD 3-Clause"),
        ("License: UNKNOWN\nClassifier: License :: OSI Approved :: MIT License\n", "MIT License"),
        (f"License: {'long ' * 20}\nClassifier: License :: OSI Approved :: MIT License\n", "MIT License"),
        ("Classifier: License :: OSI Approved :: A\nClassifier: License :: OSI Approved :: B\n", "A, B"),
    ],
)
def test_a_python_package_names_its_licence_in_one_of_three_ways(tmp_path: Path, lines: str, licence: str) -> None:
    assert licences.python_licence(distribution(tmp_path, lines)) == licence


def test_a_python_package_that_names_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(licences.UnknownLicenceError, match=r"thing 1\.0"):
        licences.python_licence(distribution(tmp_path, ""))


def test_a_debian_package_has_the_licence_of_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "libthing-dev").mkdir()
    (tmp_path / "libthing-dev" / "copyright").write_text(COPYRIGHT)
    assert licences.debian_licence("libthing-dev", tmp_path) == "BSL-1.0"
    with pytest.raises(licences.UnknownLicenceError, match="libother-dev"):
        licences.debian_licence("libother-dev", tmp_path)


def test_a_page_that_differs_is_named_by_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(licences, "text", lambda root: "one\ntwo\n")
    (tmp_path / licences.PAGE).parent.mkdir()
    assert licences.problems(tmp_path) == ["docs/licences.md lacks: one", "docs/licences.md lacks: two"]
    for page, says in (
        ("two\none\n", "another order"),
        ("one\ntwo\nthree\n", "should not: three"),
        ("one\n", "lacks: two"),
    ):
        (tmp_path / licences.PAGE).write_text(page)
        (problem,) = licences.problems(tmp_path)
        assert says in problem
    licences.write(tmp_path)
    assert licences.problems(tmp_path) == []
