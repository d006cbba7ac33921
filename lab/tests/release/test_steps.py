# SPDX-License-Identifier: MIT
"""Tests the steps of a release: a part that fails is named, and a file with a mistake is found."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from conftest import script

from baton_lab.base.project import ROOT, Project
from baton_lab.command import cli, commands
from baton_lab.release import consumers, debian, packages_step, source_tree, steps
from baton_lab.release.trials import TrialError, attempt, expect
from baton_lab.setup import release_tools

WORKFLOWS = sorted((ROOT / steps.WORKFLOWS).glob("*.yml"))
PC = "Name: baton-{name}\nDescription: a module\nVersion: {version}\nRequires: {requires}\nCflags: -Ihere\nLibs:\n"


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_tools, "missing", lambda root: [])


def fails(project: Project, place: Path) -> None:
    raise TrialError("it has no header")


def works(project: Project, place: Path) -> None:
    assert place.is_dir() and not list(place.iterdir())
    (place / "left").touch()


def test_each_part_counts_in_a_new_folder_and_one_that_fails_is_named(project: Project) -> None:
    for _ in range(2):
        result = packages_step.run_parts(
            project, [("a", works, "make a"), ("b", fails, "make b"), ("c", works, "make c")]
        )
        assert (result.passed, result.failed, result.repeat) == (2, 1, "make b")
        assert result.output == "b: it has no header"
        assert [(case.name, case.failed) for case in result.cases] == [("a", False), ("b", True), ("c", False)]


@pytest.mark.parametrize("run", [lambda project: packages_step.run_parts(project, []), steps.files_step().action])
def test_a_tool_that_is_not_there_is_a_failure(run: object, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_tools, "missing", lambda root: ["lintian"])
    assert callable(run)
    result = run(project)
    assert result.failed == 1 and "lintian" in result.output


def test_only_a_nightly_run_makes_the_libraries_for_debian(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[list[str]] = []
    monkeypatch.setattr(packages_step, "run_parts", lambda project, parts: made.append([name for name, *_ in parts]))
    for nightly in (False, True):
        packages_step.step(nightly=nightly).action(project)
    assert made[1] == [*made[0], packages_step.NIGHTLY[0]]


def test_every_part_has_a_command_that_makes_its_package() -> None:
    assert {words.split()[-1] for *_, words in packages_step.PARTS} == {*commands.PACKAGES} - {"wheel"}


def test_a_program_that_fails_or_prints_something_else_ends_the_trial(tmp_path: Path) -> None:
    with pytest.raises(TrialError, match="no-such-program is not installed"):
        attempt(["no-such-program"], tmp_path)
    with pytest.raises(TrialError, match="gone"):
        attempt([str(script(tmp_path / "bad", "echo gone; exit 3"))], tmp_path)
    good = [str(script(tmp_path / "good", "echo one"))]
    expect(good, tmp_path, "one\n")
    with pytest.raises(TrialError, match="printed 'one"):
        expect(good, tmp_path, "two\n")


def test_the_copy_of_the_tree_has_each_module_and_no_test(tmp_path: Path) -> None:
    copy = source_tree.write(ROOT, tmp_path / "copy")
    modules = re.findall(r'"folder": "([a-z]+)', (ROOT / "modules.json").read_text())
    assert "core" in modules and all((copy / name).is_dir() for name in modules)
    recipe = (ROOT / "packaging" / "conan" / "conanfile.py").read_text()
    assert all(f'"{name}"' in recipe for name in modules)
    assert not list(copy.glob("*/tests")) and (copy / "packaging" / "debian" / "rules").stat().st_mode & 0o100


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="./baton test --no-skips installs it")
@pytest.mark.parametrize(
    ("requires", "version", "says"),
    [("", "1.2.3", ""), ("baton-gone", "1.2.3", "baton-gone"), ("", "1.2.4", r"baton-core 1\.2\.3")],
)
def test_each_file_for_pkg_config_resolves_and_has_the_version(
    tmp_path: Path, requires: str, version: str, says: str
) -> None:
    with pytest.raises(TrialError, match="no file"):
        consumers.check_pkg_config(tmp_path, "1.2.3")
    for folder in ("share/pkgconfig", "lib/x86_64-linux-gnu/pkgconfig"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "share/pkgconfig/baton-core.pc").write_text(PC.format(name="core", version=version, requires=""))
    other = tmp_path / "lib/x86_64-linux-gnu/pkgconfig/baton-service.pc"
    other.write_text(PC.format(name="service", version="1.2.3", requires=f"baton-core {requires}"))
    if says:
        with pytest.raises(TrialError, match=says):
            consumers.check_pkg_config(tmp_path, "1.2.3")
    else:
        assert consumers.check_pkg_config(tmp_path, "1.2.3") == 2


def test_each_listed_test_of_the_debian_packages_is_a_program() -> None:
    assert consumers.names(ROOT) == ["headers", "service", "network"]
    assert all((ROOT / consumers.TESTS / name).stat().st_mode & 0o100 for name in consumers.names(ROOT))


def test_the_rules_of_debian_know_the_profile_without_libraries() -> None:
    folder = ROOT / "packaging" / "debian"
    assert all(debian.HEADERS_ALONE in (folder / name).read_text() for name in ("rules", "control"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_calls_commands_that_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    called = re.findall(r"\./baton ([\w-]+)(?: ([\w-]+))?", text)
    assert {command for command, _ in called} <= set(cli.names())
    assert {kind for command, kind in called if command == "package"} <= set(commands.PACKAGES)
    assert ".ci/run" in text or called


def test_the_check_and_the_release_run_all_and_the_release_makes_every_package() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in WORKFLOWS}
    assert all("run: .ci/run" in texts[name] for name in ("check", "release"))
    assert all(f"./baton package {kind}" in texts["release"] for kind in commands.PACKAGES)
    assert "./baton docs" in texts["publish"] and "./baton report" in texts["publish"]


def test_a_tree_without_workflows_fails(project: Project) -> None:
    assert steps.workflows(project).failed == 1
