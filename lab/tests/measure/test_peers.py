# SPDX-License-Identifier: MIT
"""Peers: a stub of one in a tree in miniature, and the descriptions and manifests of the real ones."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import script

from baton_lab.base import descriptions
from baton_lab.base.project import ROOT, Project
from baton_lab.base.records import Record, parse_line
from baton_lab.base.store import Store
from baton_lab.base.ui import Screen
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.builds.presets import BuildError
from baton_lab.command import bench_command
from baton_lab.measure import board_run, interleaved_runs, peers
from baton_lab.measure.board_run import BoardResult
from baton_lab.measure.peers import Peer
from baton_lab.setup import packages, unpacked

TOML = 'name = "{name}"\ntitle = "A peer"\nsuites = ["async"]\nbuild = "{build}"\n[setup]\n{setup}\n'
LINE = (
    "baton-bench/1 suite=async case=switch board=host unit=ns iterations=10 value={value} valid=measured "
    "min={min} max={max}"
)
THEIRS = LINE + " peer={peer} peer_version=1.2"


def describe(project: Project, name: str = "stub", build: str = "cmake", setup: str = "") -> Path:
    path = project.root / "bench" / "peers" / name / "peer.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TOML.format(name=name, build=build, setup=setup))
    return path


def stub(project: Project, body: str, name: str = "stub") -> Peer:
    """A peer whose program is a script; it is called with a suite and a group."""
    describe(project, name)
    script(project.build / "peers" / name / "peer", body)
    return next(peer for peer in peers.all_of(project.root) if peer.name == name)


def says(value: float, peer: str = "stub") -> str:
    return THEIRS.format(value=value, min=value - 1, max=value + 1, peer=peer)


def record(line: str) -> Record:
    found = parse_line(line)
    assert found is not None
    return found


@pytest.fixture
def result(
    project: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., BoardResult]:
    """Runs the suite async beside these peers, which count as built."""
    monkeypatch.setattr(peers, "build", lambda *words: None)
    monkeypatch.setattr(interleaved_runs, "build", lambda *words: None)
    monkeypatch.setattr(interleaved_runs, "configure", lambda *words: ["bench_auto", "bench_async"])
    monkeypatch.setattr(board_run, "count_instructions", lambda *words: [])

    def measured(*rivals: Peer, own: bool = True, store: Store | None = None) -> BoardResult:
        if not own:
            monkeypatch.setattr(interleaved_runs, "configure", lambda *words: ["bench_auto"])
        made = BoardResult(board("host"))
        with Screen() as screen:
            interleaved_runs.InterleavedRuns(project, made, rivals).bench(["async"], store, screen)
        return made

    return measured


def own_program(project: Project, body: str) -> None:
    script(project.preset("host") / "bench" / "bench_async", body)


COUNTING = (
    'n=$(cat {file} 2>/dev/null || echo 0); n=$((n + 1)); echo $n > {file}; value=$(echo {values} | cut -d" " -f$n)'
)


def test_each_round_runs_every_program_once_and_the_median_counts(
    project: Project, result: Callable[..., BoardResult], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    own_program(project, f"echo own >> {log}; echo '{LINE.format(value=5, min=4, max=6)}'")
    counting = COUNTING.format(file=tmp_path / "n", values="30 10 90 20 40")
    first = stub(
        project,
        f"echo first $1 $2 >> {log}; [ $2 = alone ] || exit 0; {counting}\n"
        f'echo "{LINE.format(value="$value", min="$((value - 1))", max="$((value + 1))")} peer=first peer_version=1"',
        "first",
    )
    second = stub(
        project, f"echo second $1 $2 >> {log}; [ $2 = threads ] || exit 0; echo '{says(7, 'second')}'", "second"
    )
    with Store(project.store) as store:
        made = result(first, second, store=store)
        assert not made.failures
        run, records = made.runs["async"]
        assert store.run(run.id or 0) == (run, records)
    one = ["own", "first async alone", "first async threads", "second async alone", "second async threads"]
    assert log.read_text().splitlines() == one * interleaved_runs.ROUNDS
    figures = {each.params.get("peer", "own"): (each.value, each.params["min"], each.params["max"]) for each in records}
    assert figures == {"own": (5, "4", "6"), "first": (30, "9", "91"), "second": (7, "6", "8")}
    assert {each.params["rounds"] for each in records} == {str(interleaved_runs.ROUNDS)}


def test_what_runs_in_one_thread_is_pinned_to_one_cpu(project: Project, result: Callable[..., BoardResult]) -> None:
    peer = stub(project, f"[ $2 = threads ] || {{ echo '{says(7)}'; [ $(nproc) = 1 ]; }}")
    made = result(peer, own=False)
    assert not made.failures and len(made.runs["async"][1]) == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f"echo '{says(7)}'; echo 'handled 3 of 4' >&2; exit 1", "handled 3 of 4"),
        ("kill -SEGV $$", "signal SIGSEGV"),
        ("echo ready", "garbage"),
        ("exit 0", "no record"),
        (f"echo '{says(7, 'other')}'", "switch: its record is to say peer=stub"),
        (f"echo '{LINE.format(value=1, min=1, max=1)}'", "switch: its record is to say peer=stub"),
    ],
)
def test_a_peer_that_fails_has_no_row_and_the_others_go_on(
    project: Project, result: Callable[..., BoardResult], body: str, said: str
) -> None:
    well = stub(project, f"[ $2 = threads ] || echo '{says(7, 'well')}'", "well")
    made = result(stub(project, body), well, own=False)
    assert [each.params["peer"] for each in made.runs["async"][1]] == ["well"]
    assert [str(failure).startswith("host async: peer stub: ") for failure in made.failures] == [True]
    assert said in made.failures[0].problem


def test_a_peer_whose_build_left_no_program_is_named(project: Project, result: Callable[..., BoardResult]) -> None:
    peer = stub(project, "exit 0")
    peers.program(project, peer).unlink()
    made = result(peer, own=False)
    assert "build/peers/stub/peer" in made.failures[0].problem and not made.runs
    with (
        pytest.MonkeyPatch.context() as patch,
        pytest.raises(peers.PeerError, match="could not be started: No such file"),
    ):
        patch.setattr(peers, "pinned", tuple)
        peers.output(project, peer, "async")


def test_a_peer_that_hangs_is_stopped(
    project: Project, result: Callable[..., BoardResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "RUN_LIMIT_S", 0.3)
    made = result(stub(project, "sleep 60"), own=False)
    assert "did not end within" in made.failures[0].problem and not made.runs


def test_our_own_failure_is_the_suites(project: Project, result: Callable[..., BoardResult]) -> None:
    own_program(project, "exit 3")
    made = result(stub(project, f"[ $2 = threads ] || echo '{says(7)}'"))
    assert "ended with 3" in made.failures[0].problem and not made.runs


def test_instructions_are_counted_in_one_round_alone(
    project: Project, result: Callable[..., BoardResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    own_program(project, f"echo '{LINE.format(value=5, min=4, max=6)}'")
    counted = record(
        LINE.format(value=50, min=1, max=1).replace("=ns", "=instructions").replace("measured", "instructions")
    )
    monkeypatch.setattr(board_run, "count_instructions", lambda *words: [counted])
    records = result(stub(project, f"[ $2 = threads ] || echo '{says(7)}'")).runs["async"][1]
    assert [(each.unit, "rounds" in each.params) for each in records] == [
        ("ns", True), ("instructions", False), ("ns", True)
    ]  # fmt: skip


def test_what_is_missing_is_said_by_name_with_the_line_that_installs_it(
    project: Project,
    result: Callable[..., BoardResult],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    describe(project, "debian", setup='packages = ["libstub-dev"]')
    describe(project, "tool", "go", setup='tools = ["no-such-go"]\ninstall = "Go 1.26: see its page"')
    monkeypatch.setattr(packages, "missing", list)
    debian, tool = peers.all_of(project.root)
    assert result(debian, tool, own=False).runs == {}
    said = capsys.readouterr().err
    assert "left out, peer debian: libstub-dev not installed: sudo apt-get install -y" in said
    assert "left out, peer tool: no-such-go not installed: Go 1.26: see its page" in said


def test_a_peer_that_does_not_build_is_a_failure(
    project: Project, result: Callable[..., BoardResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*words: object) -> None:
        raise BuildError("error: no such thing")

    peer = stub(project, "exit 0")
    monkeypatch.setattr(peers, "build", fails)
    made = result(peer, own=False)
    assert "peer stub does not build\nerror: no such thing" in str(made.failures[0])


BUILT_BY = {
    "cmake": ["cmake -S {source} -B {made}", "cmake --build {made}"],
    "cargo": ["cargo build --release --locked --jobs"],
    "go": ["go build -mod=readonly -o {made}/peer ."],
}


@pytest.mark.parametrize(("kind", "program"), [("cmake", "peer"), ("cargo", "release/peer"), ("go", "peer")])
def test_a_peer_is_built_in_a_folder_of_its_own_by_its_tool_chain(
    project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str, program: str
) -> None:
    tool = script(tmp_path / "bin" / kind, f'echo "{kind} $@" >> {tmp_path}/log; pwd >> {tmp_path}/where')
    monkeypatch.setenv("PATH", f"{tmp_path}/bin", prepend=":")
    source = describe(project, build=kind).parent
    (peer,) = peers.all_of(project.root)
    peers.build(project, peer)
    made = project.build / "peers" / "stub"
    expected = [command.format(source=source, made=made) for command in BUILT_BY[kind]]
    lines = (tmp_path / "log").read_text().splitlines()
    assert [line.startswith(start) for line, start in zip(lines, expected, strict=True)] == [True] * len(lines)
    assert str(made) in lines[0] and (tmp_path / "where").read_text().splitlines()[0] == str(source)
    assert peers.program(project, peer) == made / program
    script(tool, "echo 'error: no such thing'; exit 1")
    with pytest.raises(BuildError, match="no such thing"):
        peers.build(project, peer)


def test_a_peer_finds_the_debian_packages_that_are_unpacked(project: Project) -> None:
    path = describe(project)
    lists = "cmake_minimum_required(VERSION 3.25)\nproject(stub NONE)\nfind_package(Conflicting 1.81 EXACT REQUIRED)\n"
    (path.parent / "CMakeLists.txt").write_text(
        f"{lists}file(WRITE ${{CMAKE_BINARY_DIR}}/found ${{Conflicting_DIR}})\n"
    )
    (peer,) = peers.all_of(project.root)
    with pytest.raises(BuildError, match="Conflicting"):
        peers.build(project, peer)
    there = unpacked.folder(project.build / "lab")
    config = there / "usr" / "lib" / "cmake" / "Conflicting-1.81"
    config.mkdir(parents=True)
    (config / "ConflictingConfig.cmake").write_text("")
    (config / "ConflictingConfigVersion.cmake").write_text("set(PACKAGE_VERSION_EXACT TRUE)\n")
    (there / unpacked.STAMP).write_text("libconflicting1.81-dev\n")
    peers.build(project, peer)
    assert (project.build / "peers" / "stub" / "found").read_text() == str(config)


def test_a_peer_whose_package_is_unpacked_lacks_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    describe(project, setup='packages = ["libconflicting1.81-dev", "libother-dev"]')
    (peer,) = peers.all_of(project.root)
    monkeypatch.setattr(packages, "missing", list)
    there = unpacked.folder(project.build / "lab")
    there.mkdir(parents=True)
    (there / unpacked.STAMP).write_text("libconflicting1.81-dev\n")
    assert peers.lacking(project, peer).startswith("libother-dev not installed: ")
    (there / unpacked.STAMP).write_text("libconflicting1.81-dev\nlibother-dev\n")
    assert peers.lacking(project, peer) == ""


def test_a_mistake_in_a_description_is_named_with_its_line(project: Project) -> None:
    path = describe(project)
    path.write_text(path.read_text().replace("suites", "suite"))
    with pytest.raises(BadInputError, match=r"peer.toml:3: suite: there is no such key; did you mean suites\?"):
        peers.all_of(project.root)
    path.write_text(TOML.format(name="other", build="go", setup=""))
    with pytest.raises(BadInputError, match="name: is 'other', and the folder 'stub'"):
        peers.all_of(project.root)


def test_peers_run_on_the_host_and_bring_their_suites(project: Project) -> None:
    peer = stub(project, "exit 0")
    named = bench_command.plan(project, bench_command.Wanted([], ["async"], [peer]), keep=False, format="records")
    assert [board.name for board in named.boards] == ["host"]
    assert (named.suites, named.peers) == (("async",), (peer,))
    every = bench_command.plan(project, bench_command.Wanted(["host"], [], [peer]), keep=False, format="records")
    assert every.suites == ("auto", "channel", "async")
    without = bench_command.plan(
        project, bench_command.Wanted(["host"], ["auto"], [peer]), keep=False, format="records"
    )
    assert without.peers == ()
    with pytest.raises(BadInputError, match="--peers: they run on the board host"):
        bench_command.plan(project, bench_command.Wanted(["nano"], ["async"], [peer]), keep=False, format="records")
    with pytest.raises(BadInputError, match=r"there is no suite 'async'; suites: auto channel$"):
        bench_command.plan(project, bench_command.Wanted(["host"], ["async"]), keep=False, format="records")


def test_the_whole_command_prints_their_records(
    project: Project, result: Callable[..., BoardResult], capsys: pytest.CaptureFixture[str]
) -> None:
    assert result is not None  # what it replaces is replaced here, too
    peer = stub(project, f"[ $2 = threads ] || echo '{says(7)}'")
    own_program(project, f"echo '{LINE.format(value=5, min=4, max=6)}'")
    asked = bench_command.plan(project, bench_command.Wanted([], ["async"], [peer]), keep=False, format="records")
    assert bench_command.carry_out(project, asked) == 0
    lines = [parse_line(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each.value, each.params.get("peer")) for each in lines if each] == [(5, None), (7, "stub")]


REAL = peers.all_of(ROOT)
FOLDERS = sorted(path for path in (ROOT / "bench" / "peers").iterdir() if path.is_dir() and path.name != "common")


def test_every_folder_is_a_peer_that_says_what_it_is() -> None:
    assert [path.name for path in FOLDERS] == [peer.name for peer in REAL]
    table = (ROOT / "bench" / "peers" / "README.md").read_text()
    for peer in REAL:
        assert f"]({peer.name})" in table
        text = (ROOT / "bench" / "peers" / peer.name / "README.md").read_text()
        assert all(heading in text for heading in ("## Options", "## Why", "## Left out"))


@pytest.mark.parametrize("peer", REAL, ids=lambda peer: peer.name)
def test_every_peer_is_pinned(peer: Peer) -> None:
    folder = ROOT / "bench" / "peers" / peer.name
    if peer.build == "cmake":
        assert (folder / "CMakeLists.txt").is_file() and peer.setup.packages
        return
    assert peer.setup.tools and peer.setup.install
    if peer.build == "go":
        assert "\ngo 1." in (folder / "go.mod").read_text()
        return
    wanted = tomllib.loads((folder / "Cargo.toml").read_text())["dependencies"]
    locked = {each["name"]: each["version"] for each in tomllib.loads((folder / "Cargo.lock").read_text())["package"]}
    assert set(wanted) <= set(locked)
    main = next(name for name in (peer.name, f"{peer.name}-executor") if name in locked)
    assert f'const VERSION: &str = "{locked[main]}";' in (folder / "main.rs").read_text()


@pytest.mark.parametrize(
    "folder", [ROOT / "bench" / "peers" / peer.name for peer in REAL if "service" in peer.suites], ids=lambda f: f.name
)
def test_a_case_of_service_has_the_name_that_the_suite_gives_it(folder: Path) -> None:
    ours = set(re.findall(r'\{"(\w+)"', (ROOT / "bench" / "suites" / "service.cpp").read_text()))
    theirs = set(re.findall(r'\btime\("(\w+)"', (folder / "service.cpp").read_text()))
    theirs |= set(re.findall(r'return "(\w+) producers=', (folder.parent / "common" / "service_work.hpp").read_text()))
    assert {"coroutine", "event_steady", "event_drain", "event_handler", "cross_loop"} <= theirs <= ours


def test_nothing_builds_the_peers_but_bench_peers() -> None:
    for path in [ROOT / "bench" / "CMakeLists.txt", *(ROOT / ".github").rglob("*.yml")]:
        assert "peers" not in path.read_text()
    assert descriptions.read(FOLDERS[0] / "peer.toml", Peer).name == FOLDERS[0].name
