# SPDX-License-Identifier: MIT
"""./baton test itself: a seeded defect of each kind turns it red."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from conftest import FINISHED, script
from rich.console import Console

from baton_lab.base.process import Outcome
from baton_lab.base.project import ROOT, Project
from baton_lab.board import emulator
from baton_lab.board.board_files import Board, load
from baton_lab.check.steps import builds, examples, own_projects, states, twice
from baton_lab.check.steps.checks import clang_format, format_step
from baton_lab.check.steps.step import Result, Step, of_junit, run_tool
from baton_lab.command import step_list
from baton_lab.docs import step as docs_step
from baton_lab.release import packages_step
from baton_lab.release import steps as release_steps


def passing(project: Project) -> Result:
    return Result(passed=2)


def failing(project: Project) -> Result:
    return Result(passed=1, failed=1, output="\n".join(map(str, range(500))), repeat="make it so")


def breaking(project: Project) -> Result:
    raise KeyError("a bug of the lab")


def ran(project: Project, steps: list[Step], *, no_skips: bool = False) -> tuple[int, list[str]]:
    console = Console(width=120)
    with console.capture() as captured:
        code = step_list.run_steps(project, steps, console, no_skips=no_skips)
    return code, captured.get().splitlines()


def test_all_good_ends_with_one_line_and_0(project: Project) -> None:
    code, lines = ran(project, [Step("a", passing), Step("b", passing)])
    assert (code, lines[-1]) == (0, "4 passed, 0 failed")
    assert "s  ok      a: 2 passed" in lines[0]


def test_a_failing_step_shows_its_tail_and_command_and_the_others_go_on(project: Project) -> None:
    code, lines = ran(project, [Step("a", failing), Step("b", passing)])
    assert (code, lines[-1]) == (1, "3 passed, 1 failed")
    assert "  | 499" in lines and "  | 1" not in lines and "  to repeat it: make it so" in lines


def test_a_step_that_breaks_is_a_failure(project: Project) -> None:
    code, lines = ran(project, [Step("a", breaking), Step("b", passing)])
    assert (code, lines[-1]) == (1, "2 passed, 1 failed")
    assert any("a bug of the lab" in line for line in lines)


def test_a_step_that_checks_nothing_is_a_failure(project: Project) -> None:
    code, lines = ran(project, [Step("a", lambda project: Result())])
    assert (code, lines[-1]) == (1, "0 passed, 1 failed")


def test_no_step_at_all_is_no_success(project: Project) -> None:
    assert ran(project, []) == (1, ["0 passed, 0 failed"])


def test_what_needs_a_failed_step_is_skipped_and_so_is_what_needs_that(project: Project) -> None:
    steps = [Step("a", failing), Step("b", passing, needs=("a",)), Step("c", passing, needs=("b",))]
    code, lines = ran(project, steps)
    assert (code, lines[-1]) == (1, "1 passed, 1 failed, 2 skipped")


def test_no_skips_makes_a_skip_a_failure(project: Project) -> None:
    steps = [Step("a", lambda project: Result(passed=1, skipped=1))]
    assert ran(project, steps)[0] == 0
    code, lines = ran(project, steps, no_skips=True)
    assert (code, lines[-1]) == (1, "1 passed, 1 failed")


def test_the_plan_holds_every_kind_of_step_in_an_order_that_fits_their_needs() -> None:
    boards = [load(ROOT / "boards" / name / "board.toml") for name in ("host", "nano", "promicro")]
    names = [step.name for step in step_list.plan(boards, nightly=True)]
    assert len(names) == len(set(names))
    wanted = (
        "clang-format clang-tidy|ruff check|ruff format|mypy --strict|pytest lab|coverage|figures in the READMEs|gate"
    )
    for preset in ("host", "host-clang", "host-asan", "host-coverage", "nano", "promicro"):
        assert {f"build {preset}", f"ctest {preset}"} <= set(names)
    assert set(wanted.replace("clang-format clang-tidy", "clang-format|clang-tidy").split("|")) <= set(names)
    for step in step_list.plan(boards, nightly=True):
        assert all(names.index(need) < names.index(step.name) for need in step.needs)


def test_a_quick_run_leaves_out_what_it_names_and_nothing_else() -> None:
    boards = [load(ROOT / "boards" / name / "board.toml") for name in ("host", "nano")]
    all_names, quick = ({step.name for step in step_list.plan(boards, every=every)} for every in (True, False))
    left = {f"{kind} {preset}" for preset in builds.UNHURRIED for kind in ("build", "ctest")}
    of_release = {release_steps.FILES, packages_step.NAME, release_steps.EXAMPLES}
    more = {*of_release, twice.step().name, docs_step.NAME, own_projects.NAME}
    assert all_names - quick == {*left, *more} and quick < all_names
    at_night = {step.name for step in step_list.plan(boards, nightly=True)}
    assert at_night - all_names == {f"build {builds.COVERAGE}", f"ctest {builds.COVERAGE}", "coverage", states.NAME}
    assert all(name in step_list.AT_NIGHT for name in (builds.COVERAGE, "analyser", states.NAME))
    named = "\n".join(step_list.unhurried(boards))
    assert all(
        name in named
        for name in (*builds.UNHURRIED, *builds.OF_TOOLS, "clang-tidy", "twice at once", docs_step.NAME, *of_release)
    )
    assert step_list.unhurried(boards[1:]) == ["suite memory twice at once", "mutants", own_projects.NAME]


def test_a_quick_run_builds_and_runs_all_but_the_mutants(monkeypatch: pytest.MonkeyPatch, project: Project) -> None:
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["buildPresets"]
    checked = next(preset for preset in presets if preset["name"] == "checked")
    assert checked["targets"] == [*builds.QUICK_TARGETS, "mutants"]
    built: list[Sequence[str]] = []
    ran: list[list[str]] = []

    def note(project: Project, command: list[str], *rest: object) -> Result:
        ran.append(command)
        return Result(passed=1)

    monkeypatch.setattr(builds, "build", lambda project, preset, targets: built.append(targets))
    monkeypatch.setattr(emulator, "prepare", lambda project, board: None)
    monkeypatch.setattr(builds, "run_tests", note)
    nano = load(ROOT / "boards" / "nano" / "board.toml")
    for every in (False, True):
        for step in builds.preset_steps(nano, every=every):
            step.action(project)
    assert built[0] == builds.QUICK_TARGETS and not built[-1]
    assert ["--label-exclude" in command for command in ran] == [True] * (len(ran) // 2) + [False] * (len(ran) // 2)


def test_each_test_of_the_host_runs_in_one_build_at_least() -> None:
    host = load(ROOT / "boards" / "host" / "board.toml")
    assert builds.elsewhere(host, "host", every=True) == ()
    assert builds.elsewhere(host, "host", every=False) == builds.OF_TOOLS
    assert "simavr_runner" not in builds.elsewhere(host, "host-asan", every=True)


def test_a_run_names_what_it_leaves_out() -> None:
    board = load(ROOT / "boards" / "stm32vl" / "board.toml")
    sketches = "sketches but 11_interrupt wrap Tasks on stm32vl esp32c3 esp8266"
    assert step_list.unhurried([board]) == ["mutants", own_projects.NAME, sketches]


@pytest.mark.parametrize("every", [True, False])
def test_only_a_whole_run_asks_for_the_thorough_tests(
    every: bool, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[Sequence[str]] = []

    def noted(_: Project, command: Sequence[str], *__: object) -> Result:
        commands.append(command)
        return Result(passed=1)

    monkeypatch.setattr(builds, "run_tests", noted)
    host = load(ROOT / "boards" / "host" / "board.toml")
    builds.ctest_step(host, "host", every=every).action(project)
    assert ("--label-exclude" in commands[0]) != every


def test_one_board_alone_makes_only_its_presets() -> None:
    names = [step.name for step in step_list.plan([load(ROOT / "boards" / "nano" / "board.toml")])]
    assert [name for name in names if name.startswith("build")] == ["build nano"]
    assert "clang-tidy" not in names
    assert "Arduino sketches" in names


OK = Outcome(("ctest",), 0, "", "", 1.0)
BAD = Outcome(("ctest",), 8, "its output", "", 1.0)
JUNIT = (
    """<testsuite><testcase name="a"/><testcase name="b">{b}</testcase><testcase name="c">{c}</testcase></testsuite>"""
)


@pytest.mark.parametrize(
    ("b", "c", "outcome", "counts"),
    [
        ("", "", OK, (3, 0, 0)),
        ("<failure/>", "", BAD, (2, 1, 0)),
        ("<error/>", "<skipped/>", BAD, (1, 1, 1)),
        ("", "", BAD, (2, 1, 0)),
    ],
)
def test_a_junit_file_is_counted(tmp_path: Path, b: str, c: str, outcome: Outcome, counts: tuple[int, ...]) -> None:
    path = tmp_path / "junit.xml"
    path.write_text(JUNIT.format(b=b, c=c))
    result = of_junit(path, outcome)
    assert (result.passed, result.failed, result.skipped) == counts


@pytest.mark.parametrize("text", [None, "", "<testsuite", "<testsuite/>"])
def test_a_run_without_a_count_has_failed(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "junit.xml"
    if text is not None:
        path.write_text(text)
    assert of_junit(path, OK).failed == 1


def test_a_tool_that_is_missing_is_a_failure(project: Project) -> None:
    result = run_tool(project, ["no-such-tool-at-all"], 1)
    assert result.failed == 1 and result.repeat == "./baton setup"


def test_bad_layout_is_found(project: Project) -> None:
    module = project.root / "core"
    module.mkdir(exist_ok=True)
    (module / "bad.cpp").write_text("int   main( ){ }\n")
    (module / "good.cpp").write_text("int main() {}\n")
    (project.root / ".clang-format").write_text("BasedOnStyle: Google\n")
    result = format_step().action(project)
    assert result.failed == 1 and "core/bad.cpp:1" in result.output
    assert result.repeat == f"{clang_format(project)} -i core/bad.cpp"


def test_a_build_that_fails_is_a_failed_step_with_its_command(project: Project, board: Callable[[str], Board]) -> None:
    (project.root / "CMakePresets.json").write_text("{}")
    result = builds.build_step(board("host"), "host").action(project)
    assert result.failed == 1 and result.repeat == "cmake --preset host && cmake --build --preset host"


@pytest.fixture
def example(project: Project) -> Path:
    folder = project.root / "examples" / "01_hello"
    folder.mkdir(parents=True)
    (folder / "main.cpp").touch()
    (folder / "example.toml").write_text('except = ["promicro"]\nlimit_ms = 500\n')
    (folder / "expected.txt").write_text("hello\n")
    script(project.preset("host") / "examples" / "01_hello", "echo hello")
    script(emulator.runner(project), f"printf 'hello\\r\\n'; echo '{FINISHED}' >&2")
    return folder


def test_an_example_passes_on_each_of_its_boards(
    project: Project, board: Callable[[str], Board], example: Path
) -> None:
    assert examples.step(board("host")).action(project) == Result(passed=1)
    assert examples.step(board("nano")).action(project) == Result(passed=1)
    assert examples.step(board("promicro")).action(project) == Result()
    assert [case.name for case in examples.step(board("nano")).action(project).cases] == ["01_hello"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("echo hallo", "+hallo"),
        ("echo hello; echo more", "+more"),
        ("exit 0", "printed nothing"),
        ("echo hello; exit 3", "ended with 3"),
    ],
)
def test_an_example_that_differs_turns_red(
    project: Project, board: Callable[[str], Board], example: Path, body: str, said: str
) -> None:
    script(project.preset("host") / "examples" / "01_hello", body)
    result = examples.step(board("host")).action(project)
    assert (result.passed, result.failed) == (0, 1)
    assert said in result.output and "01_hello" in result.repeat


def test_an_example_that_hangs_in_the_emulator_turns_red(
    project: Project, board: Callable[[str], Board], example: Path
) -> None:
    script(emulator.runner(project), 'echo hello; echo \'{"state":"limit"}\' >&2; exit 124')
    result = examples.step(board("nano")).action(project)
    assert result.failed == 1 and "it hung" in result.output


def test_a_missing_expectation_fails_and_bless_makes_it(
    project: Project, board: Callable[[str], Board], example: Path
) -> None:
    (example / "expected.txt").unlink()
    assert "is missing" in examples.step(board("host")).action(project).output
    assert examples.step(board("host"), bless=True).action(project) == Result(passed=1)
    assert (example / "expected.txt").read_text() == "hello\n"


@pytest.mark.parametrize("need", ["kernel", "async", "threads", "asio", "service", "components", "cortex_m"])
def test_an_example_that_needs_more_than_core_runs_where_the_build_has_it(
    project: Project, board: Callable[[str], Board], example: Path, need: str
) -> None:
    (example / "example.toml").write_text(f"{need} = true\n")
    assert examples.step(board("host")).action(project) == Result()
    (project.preset("host") / "build.ninja").write_text("build example_01_hello: phony examples/01_hello\n")
    assert examples.step(board("host")).action(project) == Result(passed=1)


def test_silence_cannot_be_blessed(project: Project, board: Callable[[str], Board], example: Path) -> None:
    script(project.preset("host") / "examples" / "01_hello", "exit 0")
    assert examples.step(board("host"), bless=True).action(project).failed == 1
    assert (example / "expected.txt").read_text() == "hello\n"


@pytest.mark.parametrize("text", ["except = 3", 'except = ["uno"]', "limit = 3"])
def test_a_broken_description_is_named(
    project: Project, board: Callable[[str], Board], example: Path, text: str
) -> None:
    (example / "example.toml").write_text(text)
    result = examples.step(board("host")).action(project)
    assert result.failed == 1 and "example.toml:1: " in result.output
