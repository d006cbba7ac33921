# SPDX-License-Identifier: MIT
"""Variants: a stub of their program in a tree in miniature, the matrix, and the real tree configured as one."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import script
from sample_runs import run_of, sample

from baton_lab.base import project
from baton_lab.base.process import run
from baton_lab.base.project import ROOT, Project
from baton_lab.base.records import Record, parse_line
from baton_lab.base.store import Run, Store
from baton_lab.board.board_files import BadInputError
from baton_lab.builds.presets import BuildError
from baton_lab.command import variants_command
from baton_lab.measure import board_run, variants
from baton_lab.measure.variants import ALL, VARIANT, Variant
from baton_lab.present import beside, readme, report, terminal
from baton_lab.present.pages import Context, make
from baton_lab.setup import packages

LINE = (
    "baton-bench/1 suite=service case=coroutine board=host unit=ns iterations=10 value={value} valid=measured "
    "min={value} max={value} bytes_per_s=5{value} peak_bytes={peak} threads=1"
)
PLAIN, MIMALLOC = Variant("gcc", "standard", False), Variant("gcc", "mimalloc", False)
COUNTING = 'n=$(cat {file} 2>/dev/null || echo 0); n=$((n + 1)); echo $n > {file}; v=$(echo {values} | cut -d" " -f$n)'


def stub(project: Project, variant: Variant, body: str) -> None:
    script(project.preset(variant.preset) / "bench" / "bench_service", body)


def says(value: object, peak: object = 4000000) -> str:
    return f'echo "{LINE.format(value=value, peak=peak)}"'


def varied(variant: Variant, share: float) -> list[Record]:
    """The sample's times, of a variant."""
    return [
        record.model_copy(update={"value": record.value * share, "params": {**record.params, VARIANT: variant.name}})
        for record in sample("host", "service")
    ]


@pytest.fixture
def carry_out(project: Project, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Runs variants, which count as built and lack nothing."""
    monkeypatch.setattr(variants, "build", lambda *words: None)
    monkeypatch.setattr(variants, "install", lambda *words: None)
    monkeypatch.setattr(variants, "lacking", lambda variant: "")
    return lambda *chosen: variants_command.carry_out(project, chosen, keep=True, format="records")


def test_the_matrix_is_every_compiler_with_every_allocator_hardened_and_plain() -> None:
    names = [variant.name for variant in ALL]
    assert names[:4] == [
        "gcc-standard-hardened", "gcc-standard-plain", "gcc-mimalloc-hardened", "gcc-mimalloc-plain"
    ]  # fmt: skip
    assert len(set(names)) == len(names) == 8
    assert variants.select(["all", "gcc-standard-plain"]) == ALL
    assert [each.name for each in variants.select(["clang-mimalloc-plain", "gcc-mimalloc-hardened"])] == [
        "gcc-mimalloc-hardened", "clang-mimalloc-plain"
    ]  # fmt: skip
    with pytest.raises(BadInputError, match=r"there is no variant 'jemalloc'; variants: gcc-standard-hardened .* all$"):
        variants.select(["jemalloc"])


def test_what_a_variant_lacks_is_installed_or_named(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def refuse(debs: list[str], log: Path) -> None:
        asked.append(debs)
        raise packages.SetupError("this user may not install")

    monkeypatch.setattr(packages, "missing", list)
    monkeypatch.setattr(packages, "ensure", refuse)
    chosen = variants.select(["gcc-standard-plain", "gcc-mimalloc-plain", "gcc-mimalloc-hardened"])
    variants.install(project, chosen)
    assert asked == [["libmimalloc-dev"]]
    named = [variants.lacking(variant).partition(" not installed")[0] for variant in chosen]
    assert [variant.name for variant in chosen] == ["gcc-standard-plain", "gcc-mimalloc-hardened", "gcc-mimalloc-plain"]
    assert named == ["", "libmimalloc-dev", "libmimalloc-dev"]


@pytest.mark.parametrize(
    ("boards", "suites", "peers", "said"),
    [
        (["nano"], [], False, "board host alone, not on nano"),
        ([], ["async", "service"], False, "only the suite service"),
        ([], [], True, "--variant and --peers"),
    ],
)
def test_what_has_no_variants_is_refused(boards: list[str], suites: list[str], peers: bool, said: str) -> None:
    variants_command.require_fitting(["host"], ["service"], peers=False)
    with pytest.raises(BadInputError, match=said):
        variants_command.require_fitting(boards, suites, peers=peers)


def test_each_round_runs_every_variant_once_and_a_run_of_each_is_stored(
    project: Project, carry_out: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    counting = COUNTING.format(file=tmp_path / "n", values="30 10 90 20 40")
    stub(project, PLAIN, f"echo plain >> {log}; {counting}; {says('$v', '$((4000000 + v))')}")
    stub(project, MIMALLOC, f"echo mimalloc >> {log}; {says(7)}")
    assert carry_out(PLAIN, MIMALLOC) == 0
    assert log.read_text().splitlines() == ["plain", "mimalloc"] * variants_command.ROUNDS
    printed = capsys.readouterr()
    lines = [parse_line(line) for line in printed.out.splitlines()]
    figures = [
        (each.params[VARIANT], each.value, each.params["bytes_per_s"], each.params["peak_bytes"])
        for each in lines
        if each
    ]
    assert figures == [("gcc-standard-plain", 30, "530", "4000090"), ("gcc-mimalloc-plain", 7, "57", "4000000")]
    assert "left out, containers" in printed.err
    with Store(project.store) as store:
        assert [run.suite for run in store.runs()] == ["service", "service"]
        assert len({run.started for run in store.runs()}) == 1
        assert [records for _, records in store.latest_variants("host", "service")] == [[each] for each in lines]
        assert store.latest("host", "service") is None


def test_a_session_of_all_variants_writes_their_file_and_another_does_not(
    project: Project, carry_out: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = {"cpu": "Test CPU", "cpus": "2"}
    monkeypatch.setattr(board_run, "machine", lambda: facts)
    page = project.root / "bench" / "results" / "variants.md"
    page.parent.mkdir(parents=True)
    page.write_text("# variants\n\n<!-- baton:begin variants -->\n<!-- baton:end variants -->\n")
    for number, variant in enumerate(ALL, 1):
        other = says(number).replace("coroutine", "start_stop").replace("peak_bytes=", "peak_bytes=9")
        stub(project, variant, f"{says(number)}\n{other}")
    assert carry_out(*ALL[1:]) == 0
    assert "| variant" not in page.read_text()
    assert carry_out(*ALL) == 0
    text = page.read_text()
    rows = [line.split("|")[1:3] for line in text.splitlines() if line.startswith(("| gcc-", "| clang-"))]
    assert [(name.strip(), float(value)) for name, value in rows] == [
        (variant.name, number) for number, variant in enumerate(ALL, 1)
    ]
    assert "- machine: Test CPU, 2 processors" in text
    assert "<!-- baton:from host variants run 8 of " in text
    with Store(project.store) as store:
        assert not [found for found in readme.check(project.root, store) if "variants.md" in found]
    page.write_text(text.replace("94.0", "84.0", 1))
    with Store(project.store) as store:
        (stale,) = [found for found in readme.check(project.root, store) if "variants.md" in found]
    assert "gcc-standard-hardened, peak MB: 84.0 here, 94.0 by" in stale
    page.write_text(text)
    assert carry_out(PLAIN) == 0
    assert page.read_text() == text


def test_a_variant_that_fails_has_no_row_and_the_others_go_on(
    project: Project, carry_out: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    stub(project, PLAIN, f"{says(5)}; echo '# a workload counted wrong'; exit 1")
    stub(project, MIMALLOC, says(7))
    assert carry_out(PLAIN, MIMALLOC) == 1
    printed = capsys.readouterr()
    assert "baton: host service: variant gcc-standard-plain: " in printed.err
    assert "a workload counted wrong" in printed.err
    assert [line.partition("variant=")[2].split()[0] for line in printed.out.splitlines()] == ["gcc-mimalloc-plain"]


def test_what_is_missing_is_said_by_name_with_the_line_that_installs_it(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(packages, "missing", list)
    monkeypatch.setattr(shutil, "which", lambda program: None if program == "clang++" else f"/bin/{program}")
    chosen = variants.select(["gcc-mimalloc-plain", "clang-standard-plain"])
    assert variants_command.carry_out(project, chosen, keep=True, format="records") == 1
    printed = capsys.readouterr()
    assert "baton: nothing was measured: each variant was left out" in printed.err
    line = "not installed: sudo apt-get install -y --no-install-recommends --no-remove"
    assert f"left out, variant gcc-mimalloc-plain: libmimalloc-dev {line} libmimalloc-dev" in printed.err
    assert f"left out, variant clang-standard-plain: clang {line} clang" in printed.err
    assert printed.out == "" and not project.store.exists()


def test_a_variant_that_does_not_build_is_a_failure(
    project: Project, carry_out: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*words: object) -> None:
        raise BuildError("error: no such thing")

    monkeypatch.setattr(variants, "build", fails)
    assert carry_out(PLAIN) == 1
    assert "variant gcc-standard-plain does not build\nerror: no such thing" in capsys.readouterr().err


def test_a_variant_is_built_in_a_folder_of_its_own(
    project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tool = script(tmp_path / "bin" / "cmake", f'printf "%s\\n" "$*" >> {tmp_path}/log')
    monkeypatch.setenv("PATH", f"{tmp_path}/bin", prepend=":")
    folder = project.build / "variants" / "clang-mimalloc-hardened"
    variants.build(project, Variant("clang", "mimalloc", True))
    configured, built = (tmp_path / "log").read_text().splitlines()
    assert configured.startswith(f"--fresh -S {project.root} -B {folder} ")
    for words in ("CXX_COMPILER=clang++ ", "C_COMPILER=clang ", "BATON_SUITE_HARDENED=ON", "-lmimalloc"):
        assert words in configured
    assert built.startswith(f"--build {folder} ") and built.endswith("--target bench_service")
    variants.build(project, PLAIN)
    plain = (tmp_path / "log").read_text().splitlines()[2]
    assert "BATON_SUITE_HARDENED=OFF" in plain and "LIBRARIES= " in plain
    script(tool, "echo 'error: no such thing'; exit 1")
    with pytest.raises(BuildError, match="no such thing"):
        variants.build(project, PLAIN)


@pytest.mark.parametrize("is_hardened", [True, False])
def test_the_tree_configures_as_a_variant(tmp_path: Path, is_hardened: bool) -> None:
    command = variants.configuring(ROOT, tmp_path, Variant("gcc", "standard", is_hardened))
    assert run(command, cwd=ROOT, limit_s=120).ok
    entries = json.loads((tmp_path / "compile_commands.json").read_text(encoding="utf-8"))
    compiled = [each["command"].split() for each in entries if "bench_service.dir/" in each["command"]]
    hardening = ("-D_FORTIFY_SOURCE=3", "-D_GLIBCXX_ASSERTIONS", "-fstack-protector-strong", "-fstack-clash-protection")
    assert len(compiled) == 2, "the suite, and the sources of service with the same options"
    for command in compiled:
        assert "-O2" in command and all((flag in command) == is_hardened for flag in hardening)
    assert {Path(each["file"]).parts[-2] for each in entries} >= {"suites"}


def test_nothing_else_takes_a_variants_run_for_the_suites(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        own = run_of("host", "service")
        number = store.save(own, sample("host", "service"))
        before = report.render(store, own.started)
        block = make("service host", Context(latest=store.latest, facts={}))
        for share, variant in ((2, PLAIN), (3, MIMALLOC)):
            store.save(run_of("host", "service", started=own.started.replace(hour=13)), varied(variant, share))
        older = store.save(run_of("host", "service", started=own.started.replace(hour=11)), varied(PLAIN, 9))
        found = store.latest("host", "service")
        assert found is not None and found[0].id == number
        assert make("service host", Context(latest=store.latest, facts={})) == block
        assert [run.id for run, _ in store.latest_variants("host", "service")] == [older]
        after = report.render(store, own.started)
    assert "service, variants" not in before and "service, variants, threads=1" in after
    title = "host: service, measured nanoseconds"
    assert after.count(title) == before.count(title)


def test_the_matrix_has_a_row_a_variant_and_two_columns_a_benchmark() -> None:
    started = run_of("host", "service").model_copy(update={"machine": {"cpu": "a processor", "cpus": "2"}})
    runs: list[tuple[Run, list[Record]]] = [(started, varied(MIMALLOC, 0.5)), (started, varied(PLAIN, 1))]
    grids = {grid.title: grid for grid in beside.variant_grids("host", runs)}
    assert list(grids)[:3] == [
        "host: service, variants, threads=1",
        "Ichor, published, single threaded",
        "host: service, variants, threads=1: other cases",
    ]
    first = grids["host: service, variants, threads=1"]
    assert [column.header for column in first.columns] == [
        "variant", "coroutine\nns", "peak\nMB", "event_drain\nns", "peak\nMB", "start_stop\nns", "peak\nMB",
        "start\nn=10000\nns", "peak\nMB", "serialize\nrapidjson\nns", "peak\nMB"
    ]  # fmt: skip
    assert first.rows == (
        ("gcc-standard-plain", "14.0", "3.2", "20.0", "", "180.0", "", "1100.0", "", "250.0", "4.3"),
        ("gcc-mimalloc-plain", "7.0", "3.2", "10.0", "", "90.0", "", "550.0", "", "125.0", "4.3"),
    )
    theirs = grids["Ichor, published, single threaded"]
    assert [row[:2] for row in theirs.rows] == [
        ("std", "std"),
        ("std", "mimalloc"),
        ("absl", "std"),
        ("absl", "mimalloc"),
    ]
    assert theirs.rows[1][2:6] == ("79.0", "4.4", "112.1", "566.9") and theirs.rules == {2}
    named = [title for title, grid in grids.items() if "machine: a processor, 2 processors" in grid.notes]
    assert named == [title for title in grids if title.startswith("host: ")]  # no published figure is of our machine
    [last] = [grid for grid in grids.values() if any("rounds" in note for note in grid.notes)]
    assert "gcc-mimalloc-plain, gcc-standard-plain: g++ (Debian 12.2.0-14) 12.2.0 -O2" in last.notes
    assert any("no variants of containers" in note for note in last.notes)
    assert beside.variant_grids("host", []) == []


def test_the_matrix_fits_a_terminal() -> None:
    runs = [(run_of("host", "service"), varied(variant, 1)) for variant in ALL]
    assert all(
        terminal.fit(grid, 160) == grid and len(grid.columns) <= 13 for grid in beside.variant_grids("host", runs)
    )


def test_nothing_builds_the_variants_but_bench_variant() -> None:
    for path in (project.ROOT / "lab" / "baton_lab" / "check" / "steps").glob("*.py"):
        assert "variants" not in path.read_text(encoding="utf-8")
