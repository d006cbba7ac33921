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
def setup(
    board: Annotated[list[str] | None, typer.Argument(metavar="[BOARD]...", help="Boards beside the host.")] = None,
    all: Annotated[bool, typer.Option("--all", help="Every board of the tree.")] = False,
) -> None:
    """Install what the host, or these boards, need (bench and test do it on demand)."""
    from baton_lab.command import commands

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
    from baton_lab.command import commands

    names = commands.Names(split(board), split(suite), split(variant), case or [])
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
    from baton_lab.command import commands

    sys.exit(commands.test(split(board), no_skips=no_skips, nightly=nightly, junit=junit))


@app.command()
def boards(wide: Annotated[bool, typer.Option("--wide", help="A line per board, however long.")] = False) -> None:
    """List the boards: emulator, toolchain or the command that installs it, and devices on USB."""
    from baton_lab.command import commands

    commands.boards(wide=wide)


@app.command()
def runs(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many, newest first.")] = 30,
) -> None:
    """List the stored runs."""
    from baton_lab.command import commands

    commands.runs(limit)


@app.command()
def compare(
    first: Annotated[int, typer.Argument(metavar="RUN", help="Numbers as ./baton runs prints them.")],
    second: Annotated[int, typer.Argument(metavar="RUN")],
) -> None:
    """Compare two runs: counts exactly, times by a rank test of their repeats."""
    from baton_lab.command import commands

    commands.compare(first, second)


@app.command()
def gate(
    board: Boards = None,
    suite: Suites = None,
    case: Cases = None,
    bless: Annotated[bool, typer.Option("--bless", help="Take what is measured as baselines and budgets.")] = False,
) -> None:
    """Measure deterministic figures; fail if one exceeds its baseline, or a program its budget."""
    from baton_lab.command import commands

    sys.exit(commands.gate(split(board), split(suite), case or [], bless=bless))


@app.command()
def report(
    output: Annotated[Path | None, typer.Option("-o", metavar="DIR", help="Default: build/report.")] = None,
) -> None:
    """Write the report of the stored runs: one HTML file that opens offline."""
    from baton_lab.command import commands

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
    kind: Annotated[str, typer.Argument(metavar="arduino", help="What to make: a library for the Arduino IDE.")],
    output: Annotated[Path | None, typer.Option("-o", metavar="DIR", help="Default: build/package.")] = None,
) -> None:
    """Make a package of core, a folder and a zip, for the Arduino IDE and PlatformIO."""
    from baton_lab.command import commands

    commands.package(kind, output)


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
    """Returns the exit code of an expected error: bad input or set-up, a failed store or build."""
    from baton_lab.base.store import StoreError, UnknownRunError
    from baton_lab.board.board_files import BadInputError
    from baton_lab.builds.presets import BuildError
    from baton_lab.measure.compare import UnlikeRunsError
    from baton_lab.setup.packages import SetupError

    if isinstance(error, BadInputError | SetupError | UnknownRunError | UnlikeRunsError):
        return BAD_INPUT
    return FAILED if isinstance(error, StoreError | BuildError | OSError) else None
