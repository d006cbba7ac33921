# SPDX-License-Identifier: MIT
"""The bootstrap and the packages, tested with a fake dpkg and apt."""

import multiprocessing
import os
import sys
from pathlib import Path

import pytest
from conftest import script

from baton_lab.base.project import Project
from baton_lab.builds import presets
from baton_lab.setup import apt, bootstrap, packages, unpacked
from baton_lab.setup.packages import SetupError

APT = """echo "$@" >> {place}/apt-calls
case "$1" in download) shift; for name; do echo "$name" > "${{name%%=*}}.deb"; done; exit 0;; esac
case "$*" in *--simulate*) . {place}/simulation; exit;;
*--print-uris*)
    printf "'http://a/one.deb' one.deb 1500000 SHA256:x\\n'http://a/b.deb' b.deb 2000000 SHA256:x\\n"
    echo 'After this operation, 12.3 MB of additional disk space will be used.'
    exit 0;;
esac
echo pmstatus:two:33.3:Unpacking two
echo pmstatus:two:100:Installed two
for word; do case $word in install) on=1;; -*) ;; *) [ -z "$on" ] || echo $word >> {place}/installed;; esac; done"""


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes a dpkg that reads a file, an apt that adds to it, and no sudo."""
    folder, installed = tmp_path / "bin", tmp_path / "installed"
    installed.write_text("one\n")
    (tmp_path / "simulation").touch()
    script(folder / "dpkg-query", f"sed 's/$/ installed/' {installed}; echo 'removed config-files'")
    script(folder / "apt-get", APT.format(place=tmp_path))
    for name in ("sh", "sed"):
        (folder / name).symlink_to(f"/bin/{name}")
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv(packages.UPDATED_MARK, raising=False)
    return tmp_path


def calls(tools: Path) -> list[str]:
    """Returns apt's calls, except the questions about sizes."""
    path = tools / "apt-calls"
    return (
        [line for line in path.read_text().splitlines() if "--print-uris" not in line and "--simulate" not in line]
        if path.is_file()
        else []
    )


def as_user(monkeypatch: pytest.MonkeyPatch, *, terminal: bool = True) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(apt, "has_terminal", lambda: terminal)


CLASH = """case "$*" in *new-boost*) case "$*" in *--no-remove*)
    echo 'E: Packages need to be removed but remove is disabled.'; exit 100;; *)
    printf 'Remv old-boost [1.74]\\nRemv a [1]\\nRemv b [1]\\nRemv c [1]\\n'
    printf 'Inst new-boost (1.81 Debian:12 [all])\\nInst new-json (1.81 Debian:12 [amd64])\\n'; exit 0;; esac;; esac
exit 0
"""


@pytest.fixture
def clash(tools: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes an apt that would remove four packages for new-boost, and a dpkg that unpacks."""
    (tools / "simulation").write_text(CLASH)
    unpacks = "mkdir -p $3/usr/lib; cp $2 $3/usr/lib/"
    script(tools / "bin" / "dpkg", unpacks)
    for name in ("mkdir", "cp"):
        (tools / "bin" / name).symlink_to(f"/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return tools


def test_what_would_remove_a_package_is_unpacked_and_the_rest_installed(
    clash: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packages.ensure(["one", "two", "new-boost"], clash / "lab" / "apt.log")
    told = calls(clash)
    assert [line for line in told if "download" in line] == ["download new-boost=1.81 new-json=1.81"]
    assert told[-1].endswith("install -y --no-install-recommends --no-remove two")
    assert sorted(path.name for path in (clash / "lab/debian/usr/lib").glob("*.deb")) == [
        "new-boost.deb",
        "new-json.deb",
    ]
    said = capsys.readouterr().err
    assert "because to install them apt would remove old-boost a b and 1 more: new-boost" in said
    packages.ensure(["one", "two", "new-boost"], clash / "lab" / "apt.log")
    assert calls(clash) == told
    assert packages.lacking(["one", "new-boost", "three"], clash / "lab") == ["three"]


def test_unpacking_needs_no_root(clash: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch)
    with pytest.raises(SetupError) as error:
        packages.ensure(["two", "new-boost"], clash / "lab" / "apt.log")
    assert str(error.value).endswith(": apt-get install -y --no-install-recommends --no-remove two")
    assert packages.lacking(["new-boost"], clash / "lab") == []


def test_a_package_that_cannot_be_unpacked_says_why_and_is_tried_again(clash: Path) -> None:
    script(clash / "bin" / "dpkg", "echo 'dpkg-deb: error: no archive'; exit 2")
    with pytest.raises(SetupError, match=r"(?s)new-boost could not be unpacked.*dpkg-deb: error: no archive"):
        packages.ensure(["new-boost"], clash / "lab" / "apt.log")
    assert packages.lacking(["new-boost"], clash / "lab") == ["new-boost"]


def test_what_conflicts_is_found_one_by_one_beside_what_fits(clash: Path) -> None:
    assert apt.conflicting(["one", "new-boost", "two"]) == ["new-boost"]
    assert apt.conflicting(["one", "two"]) == []


def test_the_links_of_unpacked_packages_lead_somewhere(tmp_path: Path) -> None:
    own = unpacked.folder(tmp_path) / "bin"
    own.mkdir(parents=True)
    (own / "dangling").symlink_to("sh")
    (own / "nowhere").symlink_to("no-such-file-at-all")
    unpacked._mend_links(unpacked.folder(tmp_path))
    assert (own / "dangling").readlink() == Path("/bin/sh")
    assert (own / "nowhere").readlink() == Path("no-such-file-at-all")


def test_cmake_is_told_of_what_is_unpacked_and_of_what_the_person_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CMAKE_PREFIX_PATH", "/opt/mine")
    project = Project(tmp_path)
    assert "CMAKE_PREFIX_PATH" not in presets.environment(project, "host")
    place = unpacked.folder(tmp_path / "build" / "lab")
    place.mkdir(parents=True)
    (place / unpacked.STAMP).write_text("new-boost\n")
    for name in ("host", "host-asan", "variants/gcc"):
        assert presets.environment(project, name)["CMAKE_PREFIX_PATH"] == f"/opt/mine:{place}/usr"
    assert "CMAKE_PREFIX_PATH" not in presets.environment(project, "nano")


def test_a_removed_package_is_missing(tools: Path) -> None:
    assert packages.missing(["one", "removed", "two"]) == ["removed", "two"]


def test_root_installs_what_is_missing_and_updates_first(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    packages.ensure(["one", "two"], tools / "apt.log")
    assert calls(tools)[0].endswith(" update")
    assert calls(tools)[1].endswith("install -y --no-install-recommends --no-remove two")
    packages.ensure(["one", "two"], tools / "apt.log")
    assert len(calls(tools)) == 2


def test_the_cost_is_said_before_and_the_progress_while_it_installs(
    tools: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    packages.ensure(["one", "two"], tools / "apt.log")
    lines = capsys.readouterr().err.splitlines()
    assert lines[1].endswith("two (2 packages, 4 MB to download, 12 MB on disk)")
    assert [line.split()[-2] for line in lines[2:-1]] == ["25", "50", "75"]
    assert "pmstatus" not in (tools / "apt.log").read_text()


def test_a_disk_that_is_too_small_is_refused_before_anything_is_fetched(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(apt, "free_bytes", lambda: 9_000_000)
    with pytest.raises(
        SetupError, match="the disk is too full: two need 12 MB there and 4 MB to download, and 9 MB are"
    ):
        packages.ensure(["two"], tools / "apt.log")
    assert [line.split()[-1] for line in calls(tools)] == ["update"]


def test_an_archive_that_does_not_say_sizes_is_used_all_the_same(
    tools: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    path = tools / "bin" / "apt-get"
    path.write_text(path.read_text().replace("exit 0;;", "exit 100;;"))
    packages.ensure(["two"], tools / "apt.log")
    assert "installing Debian packages: two\n" in capsys.readouterr().err


@pytest.mark.parametrize(("terminal", "option"), [(True, ""), (False, "-n ")])
def test_a_user_with_sudo_installs_by_way_of_it_and_is_told_so(
    tools: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    terminal: bool,
    option: str,
) -> None:
    as_user(monkeypatch, terminal=terminal)
    script(tools / "bin" / "sudo", f'printf "%s\\n" "$*" >> {tools}/sudo-calls; [ "$1" != -n ] || shift; exec "$@"')
    packages.ensure(["two"], tools / "apt.log")
    told = (tools / "sudo-calls").read_text().splitlines()
    assert all(line.startswith(f"{option}apt-get ") for line in told) and len(told) == 2
    assert "not root, so apt-get runs by way of sudo" in capsys.readouterr().err.splitlines()[0]


def test_a_sudo_that_refuses_gives_the_line_to_run(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch, terminal=False)
    script(tools / "bin" / "sudo", "echo 'sudo: a password is required' >&2; exit 1")
    with pytest.raises(SetupError, match="sudo refuses") as error:
        packages.ensure(["two"], tools / "apt.log")
    assert (
        str(error.value).splitlines()[-1].endswith(": sudo apt-get install -y --no-install-recommends --no-remove two")
    )
    assert calls(tools) == []


def test_a_user_without_sudo_gets_the_one_line_to_run_and_its_cost(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_user(monkeypatch)
    with pytest.raises(SetupError) as error:
        packages.ensure(["one", "two"], tools / "apt.log", for_line=["three", "one"])
    assert str(error.value).endswith(": apt-get install -y --no-install-recommends --no-remove two three")
    assert "4 MB to download" in str(error.value) and "\n" not in str(error.value)
    assert calls(tools) == []


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("E: Unable to locate package two", "apt's sources do not have it"),
        ("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 9 (apt)", "another package manager"),
        ("E: Failed to fetch http://a/b.deb  Temporary failure resolving 'a'", "cannot be reached"),
        ("dpkg: error processing archive b.deb: No space left on device", "the disk is full"),
    ],
)
def test_an_apt_that_fails_says_why_with_its_last_output_and_the_way_out(
    tools: Path, monkeypatch: pytest.MonkeyPatch, said: str, cause: str
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    script(tools / "bin" / "apt-get", f'echo "{said}"; exit 100')
    with pytest.raises(SetupError) as error:
        packages.ensure(["two"], tools / "apt.log")
    text = str(error.value)
    assert cause in text and said in text and "sudo apt-get install -y --no-install-recommends --no-remove two" in text


def test_a_lock_that_is_waited_for_is_named(
    tools: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    path = tools / "bin" / "apt-get"
    path.write_text(
        path.read_text().replace("echo pm", "echo 'Waiting for cache lock: held by process 9 (apt)'\necho pm", 1)
    )
    packages.ensure(["two"], tools / "apt.log")
    assert "Waiting for cache lock: held by process 9 (apt); waiting up to 300 s" in capsys.readouterr().err


def test_an_apt_that_lies_is_found_out(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    script(tools / "bin" / "apt-get", "exit 0")
    with pytest.raises(SetupError, match="two is not there"):
        packages.ensure(["two"], tools / "apt.log")


def test_without_apt_the_packages_are_named(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    (tools / "bin" / "apt-get").unlink()
    with pytest.raises(SetupError, match="install by your system's means: two"):
        packages.ensure(["two"], tools / "apt.log")


def test_the_hosts_packages_come_with_every_board(project: Project) -> None:
    assert packages.board_packages(project.root, ["nano"]) == ["host-package", "nano-package"]


def test_a_board_file_without_a_list_is_refused(project: Project) -> None:
    (project.root / "boards" / "nano" / "board.toml").write_text("[setup]\npackages = 3\n")
    with pytest.raises(SetupError, match="packages"):
        packages.board_packages(project.root, ["nano"])


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes a tree whose virtual environment is made at once, and counts how often."""
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


def test_an_interpreter_is_the_same_by_each_of_its_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, name = tmp_path / "python3.11", tmp_path / "python3"
    program.touch()
    name.symlink_to(program.name)
    found = set()
    for each in (program, name):
        monkeypatch.setattr(sys, "_base_executable", str(each))
        found.add(bootstrap._interpreter())
    assert found == {str(program.resolve())}


def test_a_pip_that_fails_shows_why_and_leaves_no_stamp(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    failing = script(tree / "python3", "echo no index; exit 1")
    monkeypatch.setattr(bootstrap, "_interpreter", lambda: str(failing))
    with pytest.raises(SetupError, match=r"(?s)no index.*To mend it"):
        bootstrap.environment(tree)
    assert not (tree / ".venv" / bootstrap.STAMP).exists()
