# SPDX-License-Identifier: MIT
"""The bootstrap and the packages, with a dpkg and an apt of our own."""

import multiprocessing
import os
import sys
from pathlib import Path

import pytest
from conftest import script

from baton_lab import bootstrap, packages
from baton_lab.packages import SetupError
from baton_lab.project import Project


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A dpkg that knows what a file lists, and an apt that adds to it."""
    folder, installed = tmp_path / "bin", tmp_path / "installed"
    installed.write_text("one\n")
    script(folder / "dpkg-query", f"sed 's/$/ installed/' {installed}; echo 'removed config-files'")
    script(
        folder / "apt-get",
        f'echo "$@" >> {tmp_path}/apt-calls\n'
        f'for word; do case $word in install) on=1;; -*) ;; *) [ -z "$on" ] || echo $word >> {installed};; esac; done',
    )
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.delenv(packages.UPDATED_MARK, raising=False)
    return tmp_path


def test_a_removed_package_is_missing(tools: Path) -> None:
    assert packages.missing(["one", "removed", "two"]) == ["removed", "two"]


def test_root_installs_what_is_missing_and_updates_first(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    packages.ensure(["one", "two"], tools / "apt.log")
    calls = (tools / "apt-calls").read_text().splitlines()
    assert calls[0].endswith(" update")
    assert calls[1].endswith("install -y --no-install-recommends two")
    packages.ensure(["one", "two"], tools / "apt.log")
    assert len((tools / "apt-calls").read_text().splitlines()) == 2


def test_a_user_gets_the_one_line_to_run(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SetupError) as error:
        packages.ensure(["one", "two"], tools / "apt.log", for_line=["three", "one"])
    assert str(error.value).endswith(": sudo apt-get install -y --no-install-recommends two three")
    assert "\n" not in str(error.value)
    assert not (tools / "apt-calls").exists()


def test_an_apt_that_fails_shows_its_last_output_and_the_way_out(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    script(tools / "bin" / "apt-get", "echo 'E: Unable to locate package'; exit 100")
    with pytest.raises(SetupError, match=r"(?s)Unable to locate.*sudo apt-get install -y --no-install-recommends two"):
        packages.ensure(["two"], tools / "apt.log")


def test_an_apt_that_lies_is_found_out(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    script(tools / "bin" / "apt-get", "exit 0")
    with pytest.raises(SetupError, match="two is not there"):
        packages.ensure(["two"], tools / "apt.log")


def test_the_hosts_packages_come_with_every_board(project: Project) -> None:
    assert packages.board_packages(project.root, ["nano"]) == ["host-package", "nano-package"]


def test_a_board_file_without_a_list_is_refused(project: Project) -> None:
    (project.root / "boards" / "nano" / "board.toml").write_text("[setup]\npackages = 3\n")
    with pytest.raises(SetupError, match="packages"):
        packages.board_packages(project.root, ["nano"])


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree whose virtual environment is made in no time, and counts how often."""
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "requirements.txt").write_text("a==1\n")

    def make(command: list[str], remedy: str) -> None:
        with (tmp_path / "made").open("a") as made:
            made.write(f"{command[2]}\n")
        if command[2] == "venv":
            script(tmp_path / ".venv" / "bin" / "python", "")
            (tmp_path / ".venv" / "lib" / "python3.11" / "site-packages").mkdir(parents=True)

    monkeypatch.setattr(bootstrap, "_run", make)
    return tmp_path


def times_made(tree: Path) -> int:
    return (tree / "made").read_text().count("venv")


def test_the_environment_is_made_once(tree: Path) -> None:
    assert bootstrap.environment(tree) == tree / ".venv" / "bin" / "python"
    bootstrap.environment(tree)
    assert times_made(tree) == 1
    pth = tree / ".venv" / "lib" / "python3.11" / "site-packages" / "baton_lab.pth"
    assert pth.read_text() == f"{tree / 'lab'}\n"


def test_an_environment_killed_half_way_is_made_anew(tree: Path) -> None:
    script(tree / ".venv" / "bin" / "python", "")
    (tree / ".venv" / "left-over").touch()
    bootstrap.environment(tree)
    assert times_made(tree) == 1
    assert not (tree / ".venv" / "left-over").exists()


def test_other_requirements_make_it_anew(tree: Path) -> None:
    bootstrap.environment(tree)
    (tree / "lab" / "requirements.txt").write_text("a==2\n")
    bootstrap.environment(tree)
    assert times_made(tree) == 2


def test_an_update_of_the_same_python_does_not(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bootstrap.environment(tree)
    monkeypatch.setattr(sys, "version", sys.version + " (another build)")
    bootstrap.environment(tree)
    assert times_made(tree) == 1


def test_two_at_once_make_one_environment(tree: Path) -> None:
    context = multiprocessing.get_context("fork")
    both = [context.Process(target=bootstrap.environment, args=(tree,)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join(30)
        assert process.exitcode == 0
    assert times_made(tree) == 1


def test_a_pip_that_fails_shows_why_and_leaves_no_stamp(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    failing = script(tree / "python3", "echo no index; exit 1")
    monkeypatch.setattr(bootstrap, "_interpreter", lambda: str(failing))
    with pytest.raises(SetupError, match=r"(?s)no index.*To mend it"):
        bootstrap.environment(tree)
    assert not (tree / ".venv" / bootstrap.STAMP).exists()
