# SPDX-License-Identifier: MIT
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import script

from baton_lab.base.project import ROOT, Project
from baton_lab.board import emulator
from baton_lab.board.board_files import Board
from baton_lab.builds import presets
from baton_lab.builds.presets import BuildError


def choose(folder: Path, compiler: Path) -> None:
    path = folder / "CMakeFiles" / "3.25.1" / "CMakeCXXCompiler.cmake"
    path.parent.mkdir(parents=True)
    path.write_text(f'set(CMAKE_CXX_COMPILER "{compiler}")\nset(CMAKE_CXX_COMPILER_ARG1 "")\n')


def test_the_compiler_and_its_size_are_those_of_the_build(tmp_path: Path) -> None:
    choose(tmp_path, script(tmp_path / "bin" / "avr-g++", "echo 'avr-g++ (GCC) 5.4.0'; echo more"))
    assert presets.compiler_version(tmp_path) == "avr-g++ (GCC) 5.4.0"
    assert presets.nm_tool(tmp_path) == "avr-nm"


def test_a_folder_that_is_not_configured_is_unknown(tmp_path: Path) -> None:
    assert (presets.compiler_version(tmp_path), presets.nm_tool(tmp_path)) == ("unknown", "nm")
    assert presets.targets_with_flags(tmp_path) == {}


def database(folder: Path, *commands: str) -> None:
    entries = [{"file": command.split()[-1], "command": command} for command in commands]
    (folder / "compile_commands.json").write_text(json.dumps(entries))


def compiled(target: str, flags: str, source: str = "idle.cpp") -> str:
    return f"/usr/bin/c++ {flags} -o bench/CMakeFiles/{target}.dir/{source}.o -c /tree/{source}"


def test_flags_are_those_that_change_the_code(tmp_path: Path) -> None:
    flags = "-DX=1 -I/a -isystem /b -idirafter /c -mmcu=m -Os -flto -O2 -Os -Wall -Wl,--gc-sections -MD -MF f.d"
    database(tmp_path, "g++ -O0 -o CMakeFiles/other.dir/auto.cpp.o -c auto.cpp", compiled("auto", flags))
    assert presets.targets_with_flags(tmp_path)["auto"] == "-DX=1 -mmcu=m -flto -O2 -Os -Wl,--gc-sections"


def test_flags_are_of_the_target_and_not_of_another_file_of_that_name(tmp_path: Path) -> None:
    database(tmp_path, compiled("tests_idle", "-std=c++20"), compiled("bench_idle", "-std=c++14"))
    assert presets.targets_with_flags(tmp_path) == {"tests_idle": "-std=c++20", "bench_idle": "-std=c++14"}


def test_flags_of_every_source_and_of_the_link_are_the_programs(tmp_path: Path) -> None:
    database(tmp_path, compiled("srr", "-Os -flto"), compiled("srr", "-Os -fno-lto", "traps.cpp"))
    (tmp_path / "build.ninja").write_text(
        "build bench/srr.o: CXX_COMPILER__srr_ /tree/srr.cpp\n  FLAGS = -Os\n  OBJECT_DIR = CMakeFiles/srr.dir\n"
        "\nbuild bench/srr: CXX_EXECUTABLE_LINKER__srr_ bench/srr.o\n"
        "  LINK_FLAGS = -T /tree/a.ld -Wl,-T,/b.ld -flto -r\n"
        "  OBJECT_DIR = bench/CMakeFiles/srr.dir\n"
    )
    assert presets.targets_with_flags(tmp_path) == {"srr": "-flto -Os -fno-lto -r"}


def test_flags_of_several_programs_are_those_of_most_and_what_differs() -> None:
    assert presets.flags_of({}) == ""
    assert presets.flags_of({"a": "-Os -g"}) == "-Os -g"
    programs = {"a": "-O0 -g", "b": "-Os -g", "c": "-Os -g", "d": "-g -Os", "e": "-O0 -g", "f": "-Os -g"}
    assert presets.flags_of(programs) == "-Os -g; a e with -O0 without -Os; d as -g -Os"


@pytest.fixture
def cmake(project: Project, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes a cmake that records its calls, and fails if a file tells it to."""
    body = f"""echo "$@" >> {project.root}/calls
        case "$*" in
          *help) printf 'bench_auto: phony\\nbench/all: phony\\nauto.o: CXX_COMPILER\\n';;
          *--build*) [ ! -e {project.root}/broken ] || {{ echo "error: broken"; exit 2; }};;
          *) mkdir -p {project.root}/build/host; touch {project.root}/build/host/build.ninja;;
        esac"""
    script(project.root / "bin" / "cmake", body)
    monkeypatch.setenv("PATH", f"{project.root}/bin", prepend=":")
    (project.root / "CMakePresets.json").write_text("{}")
    return project.root / "calls"


def test_a_preset_is_configured_once_and_built_each_time(project: Project, cmake: Path) -> None:
    presets.build(project, "host", ["bench_auto"])
    presets.build(project, "host")
    calls = cmake.read_text().splitlines()
    assert calls[0] == "--fresh --preset host"
    assert [call.split()[0] for call in calls] == ["--fresh", "--build", "--build"]
    assert calls[1].endswith("--target bench_auto")


def test_a_changed_toolchain_is_configured_from_scratch(project: Project, cmake: Path) -> None:
    presets.build(project, "host")
    toolchain = project.root / "cmake" / "toolchains" / "avr.cmake"
    toolchain.parent.mkdir(parents=True)
    toolchain.touch()
    later = (project.root / "build" / "host" / "build.ninja").stat().st_mtime + 10
    os.utime(toolchain, (later, later))
    presets.build(project, "host")
    assert [call.split()[0] for call in cmake.read_text().splitlines()] == ["--fresh", "--build", "--fresh", "--build"]


def test_the_targets_are_listed_by_name(project: Project, cmake: Path) -> None:
    assert presets.configure(project, "host") == ["bench_auto"]


def test_a_build_that_fails_shows_its_output_and_command(project: Project, cmake: Path) -> None:
    (project.root / "broken").touch()
    with pytest.raises(BuildError, match=r"(?s)error: broken.*cmake --build --preset host .*ended with 2"):
        presets.build(project, "host")


def test_a_missing_cmake_says_how_to_get_it(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(project.root))
    with pytest.raises(BuildError, match=r"cmake is not installed: run \./baton setup"):
        presets.build(project, "host")


def test_what_the_emulator_needs_is_built_where_the_host_cannot_be_configured(
    project: Project, board: Callable[[str], Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    body = f"""echo "$@" >> {project.root}/calls
        case "$*" in
          *preset*) echo "Boost is not there"; exit 1;;
          *--fresh*) mkdir -p build/emulators; touch build/emulators/build.ninja;;
        esac"""
    script(project.root / "bin" / "cmake", body)
    monkeypatch.setenv("PATH", f"{project.root}/bin", prepend=":")
    (project.root / "CMakePresets.json").write_text("{}")
    for _ in range(2):
        emulator.prepare(project, board("nano"))
    calls = (project.root / "calls").read_text().splitlines()
    assert calls[0] == "--fresh -S emulators -B build/emulators -G Ninja"
    assert [call.split()[:2] for call in calls[1:]] == [["--build", "build/emulators"]] * 2
    assert calls[1].endswith("--target simavr-runner")


def test_the_emulators_programs_build_from_their_folder_alone(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "emulators", tmp_path / "emulators")
    command = ["cmake", "-S", str(tmp_path / "emulators"), "-B", str(tmp_path / "build"), "-G", "Ninja"]
    subprocess.run(command, check=True, capture_output=True)
    subprocess.run(["cmake", "--build", str(tmp_path / "build")], check=True, capture_output=True)
    assert (tmp_path / "build" / "qemu" / "libbaton-count.so").is_file()
