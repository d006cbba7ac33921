# SPDX-License-Identifier: MIT
"""./baton bench with boards that behave, hang, crash and babble."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import elf_files
import pytest
from conftest import FINISHED, LINE, script

from baton_lab.base.case_filter import CaseFilter
from baton_lab.base.project import Project
from baton_lab.base.records import RecordError
from baton_lab.base.store import Store
from baton_lab.base.ui import Screen
from baton_lab.board import emulator
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.builds.presets import BuildError
from baton_lab.command import bench_command
from baton_lab.measure import board_run, memory
from baton_lab.measure.board_run import BoardResult, Failure

NANO = LINE.format(board="nano", unit="cycles", valid="simulated")
HOST = LINE.format(board="host", unit="ns", valid="measured")
CHANNEL = NANO.replace("suite=auto", "suite=channel")


@pytest.fixture(autouse=True)
def no_build(monkeypatch: pytest.MonkeyPatch) -> None:
    targets = ["bench_auto", "bench_channel", "memory_empty"]
    monkeypatch.setattr(board_run, "configure", lambda *words: targets)
    monkeypatch.setattr(board_run, "build", lambda *words: None)
    monkeypatch.setattr(emulator, "build", lambda *words: None)


@pytest.fixture
def simulate(project: Project) -> Callable[[str], None]:
    """Gives the emulator's runner a body; the program is its last argument."""
    return lambda body: (script(emulator.runner(project), f"for program; do :; done\n{body}"), None)[1]


def measured(project: Project, board: Board, suites: list[str], store: Store | None = None) -> BoardResult:
    with Screen() as screen:
        return board_run.bench_board(project, board, suites, store, screen)


def well(line: str) -> str:
    return f"printf '%s\\r\\n' '{line}'; echo '{FINISHED}' >&2"


def test_a_board_gives_its_records(
    project: Project, board: Callable[[str], Board], simulate: Callable[[str], None]
) -> None:
    simulate(well(NANO))
    with Store(project.store) as store:
        result = measured(project, board("nano"), ["auto"], store)
        assert not result.failures
        run, records = result.runs["auto"]
        assert records[0].net == 20 and run.board == "nano"
        assert store.run(run.id or 0) == (run, records)


def test_a_run_of_some_cases_is_stored_as_a_part_and_names_the_others(
    project: Project, board: Callable[[str], Board], simulate: Callable[[str], None]
) -> None:
    simulate(f"printf '%s\\r\\n' '{NANO.replace('case=direct', 'case=scheduler')}'\n{well(NANO)}")
    for pattern, kept, left in (("direct", ["direct"], 1), ("*", ["scheduler", "direct"], 0), ("x", [], 2)):
        with Store(project.store) as store, Screen() as screen:
            cases = CaseFilter((pattern,))
            result = board_run.bench_board(project, board("nano"), ["auto"], store, screen, cases=cases)
            assert not result.failures and len(result.left_out.get("auto", [])) == left
            if kept:
                run, records = store.run(result.runs["auto"][0].id or 0)
                assert [record.case for record in records] == kept
                assert run.cases == (pattern if left else "")
            else:
                assert not result.runs
    with Store(project.store) as store:
        latest = store.latest("nano", "auto")
        assert latest is not None and len(latest[1]) == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('echo ready; echo \'{"state":"limit","exit":0}\' >&2; exit 124', "it hung"),
        ('echo ready; echo \'{"state":"crashed","exit":0}\' >&2; exit 125', "it crashed"),
        ('echo ready; echo \'{"state":"finished","exit":7}\' >&2; exit 7', "ended with 7"),
        ("echo ready; kill -SEGV $$", "the emulator was ended by signal SIGSEGV"),
        ("echo ready; exit 0", "the emulator reported no end"),
        (f"printf 'ready \\377\\376x\\n'; echo '{FINISHED}' >&2", "garbage"),
        (f"echo '# ready'; echo '{FINISHED}' >&2", "no record"),
        (f"echo 'baton-bench/1 ready=1'; echo '{FINISHED}' >&2", "suite: missing"),
        (f"echo '{NANO.replace('30.000', 'missing')} more=ready'; echo '{FINISHED}' >&2", "value: "),
        (f"echo '{CHANNEL} more=ready'; echo '{FINISHED}' >&2", "suite channel, from nano's auto"),
    ],
)
def test_a_misbehaving_board_is_its_own_failure_with_its_last_output(
    project: Project, board: Callable[[str], Board], simulate: Callable[[str], None], body: str, said: str
) -> None:
    simulate(body)
    result = measured(project, board("nano"), ["auto"])
    assert not result.runs
    assert said in result.failures[0].problem and "ready" in result.failures[0].problem
    assert str(result.failures[0]).startswith("nano auto: ")


def test_an_emulator_that_never_ends_is_stopped(
    project: Project, board: Callable[[str], Board], simulate: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_run, "WALL_SECONDS", 0.5)
    simulate("echo alive; sleep 60")
    failure = measured(project, board("nano"), ["auto"]).failures[0]
    assert "did not end within" in failure.problem and "alive" in failure.problem


def test_a_missing_emulator_says_how_to_get_it(project: Project, board: Callable[[str], Board]) -> None:
    assert "./baton setup nano" in measured(project, board("nano"), ["auto"]).failures[0].problem


def test_the_program_that_is_not_optimized_is_a_part_of_its_suite(
    project: Project, board: Callable[[str], Board], simulate: Callable[[str], None]
) -> None:
    nano = board("nano")
    assert board_run.programs(project, nano, "auto") == [board_run.program(project, nano, "auto")]
    other = project.preset("nano") / "bench" / "bench_auto_unoptimized.elf"
    other.parent.mkdir(parents=True, exist_ok=True)
    other.touch()
    lines = [f"{NANO} optimized={word}" for word in ("yes", "no")]
    simulate(f"case $program in *_unoptimized*) {well(lines[1])};; *) {well(lines[0])};; esac")
    _, records = measured(project, nano, ["auto"]).runs["auto"]
    assert [record.params["optimized"] for record in records] == ["yes", "no"]
    simulate(f"case $program in *_unoptimized*) exit 125;; *) {well(lines[0])};; esac")
    assert [failure.suite for failure in measured(project, nano, ["auto"]).failures] == ["auto"]
    names = ["bench_auto", "bench_auto_unoptimized", "bench_auto_private", "bench_auto_more"]
    assert board_run.targets_of(names, ["auto"]) == {"auto": names[:3]}


def test_the_program_with_private_tasks_is_a_part_of_its_suite(
    project: Project, board: Callable[[str], Board], simulate: Callable[[str], None]
) -> None:
    nano = board("nano")
    other = project.preset("nano") / "bench" / "bench_auto_private.elf"
    other.parent.mkdir(parents=True, exist_ok=True)
    other.touch()
    simulate(f"case $program in *_private.elf) {well(f'{NANO} memory=private')};; *) {well(NANO)};; esac")
    _, records = measured(project, nano, ["auto"]).runs["auto"]
    assert [record.params.get("memory") for record in records] == [None, "private"]


def test_the_other_suites_of_a_board_still_run(
    project: Project, board: Callable[[str], Board], simulate: Callable[[str], None]
) -> None:
    simulate(f"case $program in *auto*) exit 125;; esac; {well(CHANNEL)}")
    result = measured(project, board("nano"), ["auto", "channel"])
    assert list(result.runs) == ["channel"]
    assert [failure.suite for failure in result.failures] == ["auto"]


def test_a_board_that_does_not_build_is_its_own_failure(
    project: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*words: object) -> None:
        raise BuildError("error: no such thing")

    monkeypatch.setattr(board_run, "build", fails)
    result = measured(project, board("host"), ["auto"])
    assert "no such thing" in str(result.failures[0])


def benched(project: Project, *, keep: bool = False) -> int:
    plan = bench_command.plan(project, bench_command.Wanted(["host", "nano"], ["auto"]), keep=keep, format="records")
    return bench_command.carry_out(project, plan)


def host_program(project: Project, body: str) -> None:
    script(project.preset("host") / "bench" / "bench_auto", body)


def test_records_are_all_of_standard_output_and_one_failing_board_makes_the_exit_1(
    project: Project,
    simulate: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(board_run, "count_instructions", lambda *words: [])
    simulate("exit 125")
    host_program(project, f"echo '{HOST}'")
    assert benched(project) == 1
    printed = capsys.readouterr()
    assert printed.out == HOST + "\n"
    assert "baton: nano auto: " in printed.err
    simulate(well(NANO))
    assert benched(project) == 0
    assert capsys.readouterr().out == f"{HOST}\n{NANO}\n"
    assert not project.store.exists()


def test_instructions_come_from_the_dumps(
    project: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    counted = HOST.replace("=ns", "=instructions").replace("measured", "instructions")
    counted = counted.replace("30.000", "#0").replace("10.000", "#1").replace("25.000", "#2")
    fake = f"""for word; do case $word in *out-file=*) out=${{word#*=}};; esac; done
        [ "$BATON_CALLGRIND" = 1 ] || exit 9
        n=0; for cost in 3000 1000 2500; do n=$((n+1))
        printf 'desc: Trigger: Client Request\\ntotals: %s\\n' $cost > $out.$n; done
        printf 'desc: Trigger: Program termination\\ntotals: 9\\n' > $out.4
        echo '{counted}'"""
    script(tmp_path / "bin" / "valgrind", fake)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin", prepend=":")
    host_program(project, f"echo '{HOST}'")
    records = board_run.measure(project, board("host"), "auto")
    assert [(record.unit, record.value, record.base, record.floor) for record in records] == [
        ("ns", 30, 10, 25),
        ("instructions", 30, 10, 25),
    ]
    assert not list((project.build / "lab").glob("callgrind*"))


def test_an_unknown_suite_is_refused_with_those_that_exist(project: Project) -> None:
    with pytest.raises(BadInputError, match=r"^there is no suite 'speed'; suites: auto channel$"):
        board_run.select_suites(project.root, ["speed"])


def test_a_suite_is_a_source_or_a_folder_in_the_designs_order(project: Project) -> None:
    (project.root / "bench" / "suites" / "memory").mkdir()
    (project.root / "bench" / "suites" / "common.hpp").touch()
    assert board_run.suites(project.root) == ["auto", "channel", "memory"]


def test_no_lines_are_no_records() -> None:
    with pytest.raises(RecordError, match="no record"):
        board_run.read([], "nano", "auto")


def test_the_readmes_are_updated_from_complete_runs_only(project: Project, board: Callable[[str], Board]) -> None:
    suites = board_run.suites(project.root)
    run = board_run.describe(project, board("nano"), "auto")
    results = [BoardResult(board(name), {suite: (run, []) for suite in suites}) for name in ("host", "nano")]
    assert board_run.updates_readmes(project.root, results, suites, ["host", "nano"])
    assert not board_run.updates_readmes(project.root, results, suites, ["host", "nano", "promicro"])
    assert not board_run.updates_readmes(project.root, results, ["auto"], ["host", "nano"])
    results[1].failures.append(Failure("nano", "auto", "it hung"))
    assert not board_run.updates_readmes(project.root, results, suites, ["host", "nano"])


def test_memory_is_what_a_feature_adds_and_how_deep_the_stack_of_an_example_goes(
    project: Project, board: Callable[[str], Board], simulate: Callable[[str], None]
) -> None:
    folder = project.preset("nano") / "bench" / "memory"
    elf_files.write(folder / "empty.elf", elf_files.program(100, 9))
    elf_files.write(folder / "channel.elf", elf_files.program(356, 26))
    (folder / "notes.txt").write_text("no program")
    description = project.root / "boards" / "nano" / "board.toml"
    description.write_text(description.read_text() + "[memory]\nflash_bytes = 1000\nram_bytes = 100\n")
    example = project.root / "examples" / "01_blink"
    example.mkdir(parents=True)
    (example / "main.cpp").touch()
    (example / "example.toml").write_text("lines = 5\n")
    simulate(f"echo on; echo '{FINISHED}' >&2")
    records = memory.records(project, board("nano"))
    found = {(record.case, record.params["kind"]): (record.value, record.valid) for record in records}
    stack = {("01_blink", "stack"): (40, "simulated")}
    assert found == {("channel", "flash"): (256, "measured"), ("channel", "ram"): (17, "measured")} | stack


def test_an_example_that_hangs_has_no_stack_to_report(
    project: Project, board: Callable[[str], Board], simulate: Callable[[str], None]
) -> None:
    test_memory_is_what_a_feature_adds_and_how_deep_the_stack_of_an_example_goes(project, board, simulate)
    simulate('echo alive; echo \'{"state":"limit"}\' >&2; exit 124')
    failure = measured(project, board("nano"), ["memory"]).failures[0]
    assert "01_blink: it hung" in failure.problem and "alive" in failure.problem


def test_memory_without_an_empty_program_is_a_failure(project: Project, board: Callable[[str], Board]) -> None:
    failure = measured(project, board("nano"), ["memory"]).failures[0]
    assert "no program named empty" in failure.problem


def test_a_suite_without_a_program_for_a_board_is_left_out(project: Project, board: Callable[[str], Board]) -> None:
    existing = ["all", "bench_auto", "bench_auto_extra", "memory_empty", "example_01_blink", "test_memory"]
    targets = board_run.targets_of(existing, ["auto", "channel", "memory"])
    assert targets == {"auto": ["bench_auto"], "memory": ["memory_empty", "example_01_blink"]}
    assert "no program for speed" in measured(project, board("nano"), ["speed"]).failures[0].problem


TREE = """cmake_minimum_required(VERSION 3.25)
project(tree LANGUAGES CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_executable(tests_idle tests/idle.cpp)
target_compile_options(tests_idle PRIVATE -O3)
foreach(suite IN ITEMS idle srr srr_unoptimized)
  add_executable(bench_${suite} main.cpp)
  target_compile_options(bench_${suite} PRIVATE -O1 -fno-inline)
endforeach()
target_compile_options(bench_idle PRIVATE -fno-ivopts)
target_compile_options(bench_srr_unoptimized PRIVATE -O0)
target_link_options(bench_srr PRIVATE -Wl,--gc-sections)
"""


def flags_with(project: Project, board: Board, lines: str) -> list[str]:
    """Configures the tree with CMake; returns the flags of the records of its two suites."""
    (project.root / "CMakeLists.txt").write_text(lines)
    folder = project.preset(board.preset)
    command = ["cmake", "-G", "Ninja", "-S", str(project.root), "-B", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return [board_run.describe(project, board, suite).flags for suite in ("idle", "srr")]


def test_the_record_names_the_flags_of_its_program_and_of_no_other(
    project: Project, board: Callable[[str], Board]
) -> None:
    for source in ("tests/idle.cpp", "main.cpp"):
        (project.root / source).parent.mkdir(exist_ok=True)
        (project.root / source).write_text("int main() {}\n")
    idle, srr = flags_with(project, board("host"), TREE)
    assert idle == "-O1 -fno-inline -fno-ivopts"
    assert srr == "-O1 -fno-inline -Wl,--gc-sections; bench_srr_unoptimized with -O0 without -Wl,--gc-sections"
    others = {"-O3": (idle, srr)}
    of_idle = {" -fno-ivopts": ("-O1 -fno-inline", srr)}
    of_srr = {
        " -O0": (idle, "-O1 -fno-inline -Wl,--gc-sections; bench_srr_unoptimized without -Wl,--gc-sections"),
        " -Wl,--gc-sections": (idle, "-O1 -fno-inline; bench_srr_unoptimized with -O0"),
    }
    for flag, expected in {**others, **of_idle, **of_srr}.items():
        assert TREE.count(flag) == 1
        assert tuple(flags_with(project, board("host"), TREE.replace(flag, ""))) == expected
