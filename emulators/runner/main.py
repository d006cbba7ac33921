# SPDX-License-Identifier: MIT
"""Makes one run, from its command line to its one line of JSON."""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

from elf import ElfError

from runner.child import End
from runner.options import Options, UsageError, parse
from runner.records import Console

EXIT_USAGE = 2


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns the exit code of emulators/run."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, _leave)
    try:
        options = parse(arguments)
        emulator = importlib.import_module(f"runner.{options.board.kind}").start(options)
    except (UsageError, ElfError) as error:
        print(f"emulators/run: {error}", file=sys.stderr)
        return EXIT_USAGE
    console = Console(sys.stdout.buffer)
    try:
        end = emulator.run(console)
        console.flush()
    except BrokenPipeError:  # the console has no reader
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_USAGE
    finally:
        emulator.kill()
    return _report(_judged(options, emulator, end))


def _judged(options: Options, emulator: Any, end: End) -> End:
    """Returns the end of a run with the verdict of its script."""
    if options.script is None or end.state not in {"script", "finished"}:
        return end
    ended_ns = emulator.ended_ns if end.state == "finished" else None
    problems = options.script.problems(emulator.timeline, ended_ns)
    for problem in problems:
        print(problem, file=sys.stderr)
    code = 1 if problems else end.code
    return end._replace(code=code, facts={**end.facts, "script": "failed" if problems else "passed"})


def _report(end: End) -> int:
    if end.state == "refused":
        print(f"emulators/run: {end.why}", file=sys.stderr)
        return EXIT_USAGE
    if end.why:
        print(f"emulators/run: {end.state}: {end.why}", file=sys.stderr)
    print(json.dumps({"state": end.state, "exit": end.code, **end.facts}), file=sys.stderr, flush=True)
    return end.code


def _leave(number: int, _frame: object) -> None:
    sys.exit(128 + number)  # runs the `finally` above
