# SPDX-License-Identifier: MIT
"""The commands of ./baton. Each stands in a module of its own, loaded only when it runs."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from baton_lab.base.nearest import split

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Baton's lab: sets up, builds, runs, tests and reports, for every board.",
)

AGAIN = "may be given again, or with commas: a,b."
Boards = Annotated[list[str] | None, typer.Option("--board", metavar="B", help=f"A board; {AGAIN}")]
Suites = Annotated[list[str] | None, typer.Option("--suite", metavar="S", help=f"A suite; {AGAIN}")]
Cases = Annotated[
    list[str] | None,
    typer.Option(
        "--case",
        metavar="GLOB",
        help="Only cases whose name fits this shell pattern, without params (scheduler*) or with them"
        " ('scheduler yields=2'); may be given again. A program still runs as a whole.",
    ),
]
FAILED, BAD_INPUT = 1, 2


@app.command()
def new(  # noqa: PLR0913, PLR0917 - an option each
    path: Annotated[Path, typer.Argument(metavar="NAME", help="The folder to make; its last part is the name.")],
    board: Boards = None,
    service: Annotated[bool, typer.Option("--service", help="Services on Linux, with a web page.")] = False,
    folder: Annotated[str, typer.Option("--folder", metavar="DIR", help="Baton comes from this folder.")] = "",
    git: Annotated[str, typer.Option("--git", metavar="URL", help="Baton comes from this repository.")] = "",
    tag: Annotated[str, typer.Option("--tag", metavar="TAG", help="The tag of --git.")] = "",
    package: Annotated[
        str, typer.Option("--package", metavar="VERSION", help="The C++ comes from the installed CMake package.")
    ] = "",
) -> None:
    """Make a project of your own: a program, a test in virtual time, a bench, CMake and CI files."""
    from baton_lab.command import project_commands

    project_commands.new(project_commands.New(path, split(board), service, folder, git, tag, package))


@app.command()
def build(board: Boards = None) -> None:
    """In a project of your own: build the program and its tests, for each of its boards."""
    from baton_lab.command import project_commands

    project_commands.build(split(board))


@app.command()
def run(  # noqa: PLR0913, PLR0917 - an option each
    words: Annotated[list[str] | None, typer.Argument(metavar="[-- WORD...]", help="For a program on Linux.")] = None,
    board: Annotated[str, typer.Option("--board", metavar="B", help="By default the project's first.")] = "",
    limit: Annotated[
        float | None, typer.Option("--limit", min=0, help="Seconds; 60 in an emulator, 0 is no limit.")
    ] = None,
    lines: Annotated[int | None, typer.Option("--lines", min=1, help="End after so many lines.")] = None,
    send: Annotated[
        list[str] | None, typer.Option("--send", metavar="MS:TEXT", help="Send a text at a time of the board.")
    ] = None,
    input: Annotated[
        list[str] | None, typer.Option("--input", metavar="MS:PIN=VALUE", help="Drive a pin from a time on.")
    ] = None,
    fast: Annotated[bool, typer.Option("--fast", help="As fast as it can, not in real time.")] = False,
    script: Annotated[
        Path | None, typer.Option("--script", metavar="FILE", help="Play a script of edges and bytes, and judge it.")
    ] = None,
) -> None:
    """In a project of your own: run the program, in the board's emulator or on this machine."""
    from baton_lab.command import project_commands
    from baton_lab.user_project.running import Wanted

    asked = Wanted(limit, lines, tuple(send or ()), tuple(input or ()), tuple(words or ()), fast, script)
    sys.exit(project_commands.run([board] if board else [], asked))


@app.command()
def flash(
    board: Annotated[str, typer.Option("--board", metavar="B[@SERIAL]", help="By default the only one.")] = "",
) -> None:
    """In a project of your own: write the program to a board on USB."""
    from baton_lab.command import project_commands

    project_commands.flash(board)


@app.command()
def monitor(
    board: Annotated[str, typer.Option("--board", metavar="B[@SERIAL]", help="By default the only one.")] = "",
    port: Annotated[str, typer.Option("--port", metavar="PORT", help="This serial port, in any folder.")] = "",
    baud: Annotated[int, typer.Option("--baud", min=0, help="By default the board's.")] = 0,
    limit: Annotated[float, typer.Option("--limit", min=0, help="Seconds; 0 is no limit.")] = 0,
    lines: Annotated[int, typer.Option("--lines", min=0, help="End after so many lines; 0 is no limit.")] = 0,
) -> None:
    """Show what a board sends, with time stamps; explain failed requirements; send what is typed."""
    from baton_lab.command import project_commands

    project_commands.monitor(project_commands.Listen(board, port, baud, limit, lines))


@app.command()
def size(board: Boards = None) -> None:
    """In a project of your own: what takes the bytes; return 1 if that exceeds the budget."""
    from baton_lab.command import project_commands

    sys.exit(project_commands.size(split(board)))


@app.command()
def setup(
    board: Annotated[list[str] | None, typer.Argument(metavar="[BOARD]...", help="Boards beside the host.")] = None,
    all: Annotated[bool, typer.Option("--all", help="Every board of the tree.")] = False,
) -> None:
    """Install what the host, or these boards, need (bench and test do it on demand)."""
    from baton_lab.command import commands, project_commands

    if (mine := project_commands.found()) and not board and not all:
        project_commands.setup(mine)
    else:
        commands.setup(split(board), every=all)


@app.command()
def bench(  # noqa: PLR0913, PLR0917 - an option each
    board: Boards = None,
    suite: Suites = None,
    case: Cases = None,
    peers: Annotated[bool, typer.Option("--peers", help="Also run the other libraries, on the host.")] = False,
    variant: Annotated[
        list[str] | None,
        typer.Option(metavar="V", help=f"Run the suite service built as this variant, or all; {AGAIN}"),
    ] = None,
    http: Annotated[
        bool, typer.Option("--http", help="Run the HTTP server, its floor and nginx in turns, and nothing else.")
    ] = False,
    format: Annotated[
        str, typer.Option(metavar="FORMAT", help="Standard output gets a table, records or google-benchmark.")
    ] = "table",
    no_store: Annotated[bool, typer.Option("--no-store", help="Keep nothing: no run, report or README.")] = False,
) -> None:
    """Build and run the suites (BOARD@SERIAL is a board on USB); print tables, write a report."""
    from baton_lab.command import commands, project_commands

    names = commands.Names(split(board), split(suite), split(variant), case or [])
    if mine := project_commands.here():
        project_commands.refuse_in_project({"--peers": peers, "--variant": bool(variant), "--http": http})
        sys.exit(project_commands.bench(mine, names, format=format, keep=not no_store))
    if http:
        sys.exit(commands.bench_http(names, peers=peers, format=format, keep=not no_store))
    sys.exit(commands.bench(names, peers=peers, format=format, keep=not no_store))


@app.command("import")
def import_file(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The saved text of a terminal; other lines may be in it.")
    ],
    board: Annotated[
        str, typer.Option("--board", metavar="NAME", help="Store as BOARD@NAME; by default the file's name.")
    ] = "",
    format: Annotated[
        str, typer.Option(metavar="FORMAT", help="Standard output gets a table, records or google-benchmark.")
    ] = "table",
    no_store: Annotated[bool, typer.Option("--no-store", help="Keep nothing: no run, no report.")] = False,
) -> None:
    """Take the records that a board printed from a file: store them, print tables, write a report."""
    from baton_lab.command import commands

    sys.exit(commands.import_file(file, board, format=format, keep=not no_store))


@app.command()
def test(
    board: Boards = None,
    no_skips: Annotated[bool, typer.Option("--no-skips", help="A skipped test is a failed one.")] = False,
    nightly: Annotated[bool, typer.Option("--nightly", help="The same, and analyser, states, coverage.")] = False,
    junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="FILE", help="Write JUnit XML: a testsuite per step."),
    ] = None,
) -> None:
    """Run every check and every test; print the seconds of each step."""
    from baton_lab.command import commands, project_commands

    if mine := project_commands.here():
        project_commands.refuse_in_project({"--no-skips": no_skips, "--nightly": nightly, "--junit": junit is not None})
        sys.exit(project_commands.test(mine, split(board)))
    sys.exit(commands.test(split(board), no_skips=no_skips, nightly=nightly, junit=junit))


@app.command()
def boards(wide: Annotated[bool, typer.Option("--wide", help="A line per board, however long.")] = False) -> None:
    """List the boards: emulator, toolchain or the command that installs it, and devices on USB."""
    from baton_lab.command import commands, project_commands

    if mine := project_commands.found():
        project_commands.boards(mine, wide=wide)
    else:
        commands.boards(wide=wide)


@app.command()
def runs(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many, newest first.")] = 30,
) -> None:
    """List the stored runs."""
    from baton_lab.command import commands, project_commands

    commands.runs(limit, project_commands.current())


@app.command()
def compare(
    first: Annotated[int, typer.Argument(metavar="RUN", help="Numbers as ./baton runs prints them.")],
    second: Annotated[int, typer.Argument(metavar="RUN")],
) -> None:
    """Compare two runs: counts exactly, times by a rank test of their repeats."""
    from baton_lab.command import commands, project_commands

    commands.compare(first, second, project_commands.current())


@app.command()
def script(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="A board; host plays over fakes.")],
    program: Annotated[Path, typer.Argument(metavar="PROGRAM", help="A built program.")],
    file: Annotated[Path, typer.Argument(metavar="SCRIPT", help="A script of edges and bytes.")],
    limit_ms: Annotated[int, typer.Option("--limit-ms", min=1, help="The board's time.")] = 60_000,
) -> None:
    """Play a script of edges and bytes to a program; print what it says, and what was not met."""
    from baton_lab.command import commands

    sys.exit(commands.script(board, program, file, limit_ms))


@app.command()
def trace(  # noqa: PLR0913, PLR0917 - an option each
    what: Annotated[str, typer.Argument(metavar="PROGRAM|BOARD|FILE", help="By default a project's board.")] = "",
    html: Annotated[Path | None, typer.Option(metavar="OUT", help="One page; by default in build/trace.")] = None,
    chrome: Annotated[Path | None, typer.Option(metavar="OUT", help="JSON for chrome://tracing, speedscope.")] = None,
    perfetto: Annotated[Path | None, typer.Option(metavar="OUT", help="A file for ui.perfetto.dev.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="OUT", help="A trace that this command reads.")] = None,
    open: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    frames: Annotated[bool, typer.Option("--frames", help="Measure the page's frames in Chromium.")] = False,
) -> None:
    """Show what every task did, and what it waited for: one HTML page that opens offline."""
    from baton_lab.command import project_commands, trace_command

    wanted = trace_command.Wanted(what, html, chrome, perfetto, save, open, frames)
    trace_command.carry_out(project_commands.found(), wanted)


@app.command()
def gate(
    board: Boards = None,
    suite: Suites = None,
    case: Cases = None,
    bless: Annotated[bool, typer.Option("--bless", help="Take what is measured as baselines and budgets.")] = False,
) -> None:
    """Measure deterministic figures; fail if one exceeds its baseline, or a program its budget."""
    from baton_lab.command import commands, project_commands

    if mine := project_commands.here():
        sys.exit(project_commands.gate(mine, split(board), split(suite), bless=bless))
    sys.exit(commands.gate(split(board), split(suite), case or [], bless=bless))


@app.command()
def report(
    output: Annotated[Path | None, typer.Option("-o", metavar="DIR", help="Default: build/report.")] = None,
) -> None:
    """Write the report of the stored runs: one HTML file that opens offline."""
    from baton_lab.command import commands, project_commands

    if mine := project_commands.here():
        project_commands.report(mine, output)
    else:
        commands.report(output)


@app.command()
def docs(
    output: Annotated[Path | None, typer.Option("-o", metavar="DIR", help="Default: build/docs/site.")] = None,
    serve: Annotated[bool, typer.Option("--serve", help="Serve it on this machine, and follow changes.")] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Build it, and open no browser.")] = False,
) -> None:
    """Build the documentation site, which opens offline, and open it in a browser."""
    from baton_lab.command import commands

    sys.exit(commands.docs(output, serve=serve, opens=not no_open))


@app.command()
def pin() -> None:
    """Write the hashes of the pinned Python packages anew, after a change of a version."""
    from baton_lab.command import commands

    commands.pin()


@app.command()
def seeds(
    document: Annotated[
        list[str] | None, typer.Argument(metavar="DOCUMENT", help="Documents; by default all, and their summary.")
    ] = None,
) -> None:
    """Print the published documents line by line, with ours beside each, or the reason why not."""
    from baton_lab.command import commands

    commands.seeds(document or [])


@app.command()
def package(
    kind: Annotated[
        str,
        typer.Argument(metavar="KIND", help="arduino, wheel (of baton-lab), header (core in one file), debian, conan."),
    ],
    output: Annotated[Path | None, typer.Option("-o", metavar="DIR", help="Default: build/package.")] = None,
) -> None:
    """Make a package: a library for the Arduino IDE, a wheel of the lab, core as one header, or for Debian or Conan."""
    from baton_lab.command import commands

    commands.package(kind, output)


@app.command()
def licences() -> None:
    """Write docs/licences.md: what Baton depends on, with the licence of each, from what is installed."""
    from baton_lab.command import commands

    commands.licences()


@app.command()
def explain(id: Annotated[int, typer.Argument(metavar="ID")]) -> None:
    """Explain a BATON_REQUIRE id, and what to do about it."""
    from baton_lab.command import commands

    commands.explain(id)


@app.command()
def migrate(sketch: Annotated[Path, typer.Argument(metavar="SKETCH")]) -> None:
    """Name each construct of an AceRoutine sketch that differs on Baton; return 1 if there is one."""
    from baton_lab.command import commands

    sys.exit(commands.migrate(sketch))


@app.command()
def frames(
    board: Boards = None,
    write: Annotated[bool, typer.Option("--write", help="Put the table of these boards into docs/frames.md.")] = False,
) -> None:
    """Print the frame sizes of C++20 coroutines on boards; return 1 if docs/frames.md differs."""
    from baton_lab.command import commands

    sys.exit(commands.frames(split(board), writing=write))


@app.command()
def examples(
    board: Boards = None,
    bless: Annotated[bool, typer.Option("--bless", help="Write what they print as what is expected.")] = False,
) -> None:
    """Run the examples alone, and on request take their output as the expected one."""
    from baton_lab.command import commands

    sys.exit(commands.examples(split(board), bless=bless))


def main() -> None:
    """Runs a command. An expected error becomes one message on standard error and an exit code."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that programs are ended, too
    try:
        sys.exit(app(prog_name="./baton", standalone_mode=False) or 0)
    except typer.TyperException as error:
        if error.format_message():  # empty if the help has been printed
            print(f"baton: {_one_line(error)}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        print("baton: interrupted", file=sys.stderr)
        sys.exit(128 + signal.SIGINT)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(FAILED)
    except Exception as error:
        code = _code(error)
        if code is None:
            raise
        print(f"baton: {error}", file=sys.stderr)
        sys.exit(code)


def _one_line(error: typer.TyperException) -> str:
    message = " ".join(error.format_message().split())
    if not message.startswith("No such command"):
        return message
    return f"{message} Commands: {' '.join(names())}"


def names() -> list[str]:
    """Returns the names of the commands, in the order of the help."""
    return [str(command.name or getattr(command.callback, "__name__", "")) for command in app.registered_commands]


def _code(error: Exception) -> int | None:
    """Returns the exit code of an expected error: bad input or set-up; a failure in the lab's or the system's words."""
    from baton_lab.base.store import UnknownRunError
    from baton_lab.board.board_files import BadInputError
    from baton_lab.measure.compare import UnlikeRunsError
    from baton_lab.setup.packages import SetupError

    if isinstance(error, BadInputError | SetupError | UnknownRunError | UnlikeRunsError):
        return BAD_INPUT
    is_worded = type(error).__module__.startswith("baton_lab.")
    return FAILED if is_worded or isinstance(error, OSError) else None
