# SPDX-License-Identifier: MIT
"""ccache is used if it is installed, not for coverage, and no longer after it is gone."""

from pathlib import Path

import pytest
from conftest import script

from baton_lab.base.project import Project
from baton_lab.builds import compiler_cache
from baton_lab.builds.presets import build


@pytest.fixture
def ccache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return script(tmp_path / "bin" / "ccache", "")


def configured(folder: Path, launcher: str) -> Path:
    folder.mkdir(exist_ok=True)
    line = f"CMAKE_CXX_COMPILER_LAUNCHER:STRING={launcher}\n" if launcher else ""
    (folder / "CMakeCache.txt").write_text(f"CMAKE_CXX_COMPILER:FILEPATH=g++\n{line}")
    return folder


def test_a_checkout_elsewhere_hits_too(ccache: Path, tmp_path: Path) -> None:
    settings = compiler_cache.environment(tmp_path, "host")
    assert settings["CMAKE_CXX_COMPILER_LAUNCHER"] == settings["CMAKE_C_COMPILER_LAUNCHER"] == str(ccache)
    assert (settings["CCACHE_BASEDIR"], settings["CCACHE_NOHASHDIR"]) == (str(tmp_path), "1")


def test_counters_of_coverage_are_not_shared(ccache: Path, tmp_path: Path) -> None:
    assert not any(compiler_cache.environment(tmp_path, "host-coverage").values())


def test_a_build_folder_fits_only_the_launcher_that_is_there(ccache: Path, tmp_path: Path) -> None:
    assert compiler_cache.fits(configured(tmp_path / "a", str(ccache)), "host")
    assert not compiler_cache.fits(configured(tmp_path / "a", ""), "host")
    assert compiler_cache.fits(configured(tmp_path / "a", ""), "host-coverage")
    ccache.unlink()
    assert not compiler_cache.fits(configured(tmp_path / "a", str(ccache)), "host")
    assert compiler_cache.fits(configured(tmp_path / "a", ""), "host")


def test_a_build_is_configured_once_and_again_when_ccache_comes(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = project.root / "bin"
    configures = (
        'case "$*" in *--fresh*) echo x >> configured; mkdir -p build/host; touch build/host/build.ninja; '
        'echo "CMAKE_CXX_COMPILER_LAUNCHER:STRING=$CMAKE_CXX_COMPILER_LAUNCHER" > build/host/CMakeCache.txt;; esac'
    )
    script(tools / "cmake", f"PATH=/usr/bin:/bin; {configures}")
    monkeypatch.setenv("PATH", str(tools))
    (project.root / "CMakePresets.json").write_text("{}")
    for expected in (1, 1):
        build(project, "host")
        assert (project.root / "configured").read_text().count("x") == expected
    script(tools / "ccache", "")
    for expected in (2, 2):
        build(project, "host")
        assert (project.root / "configured").read_text().count("x") == expected
