# SPDX-License-Identifier: MIT
"""A suite and its peers, in turns: each round runs every program once, so that a disturbance meets all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from baton_lab.base.process import last_lines
from baton_lab.base.project import Project
from baton_lab.base.records import Identity, Record, RecordError
from baton_lab.base.store import Store
from baton_lab.base.ui import Screen
from baton_lab.builds.presets import BuildError, build, configure
from baton_lab.measure import board_run, peers
from baton_lab.measure.board_run import BoardResult, Failure, SuiteError
from baton_lab.measure.peers import Peer, PeerError

ROUNDS = 5
HOST = "host"
PEER = "peer"
SCOPE, BARE_QUEUE = "scope", "bare_queue"

Own = Callable[[], list[Record]]
"""Runs the suite's own programs once."""


def entered(known: Sequence[Peer], suites: Sequence[str]) -> tuple[Peer, ...]:
    """The peers that one of the suites has."""
    return tuple(peer for peer in known if set(peer.suites) & set(suites))


def interleaved(suites: Sequence[str], known: Sequence[Peer]) -> list[str]:
    """The suites that one of the peers has."""
    return [suite for suite in suites if any(suite in peer.suites for peer in known)]


@dataclass(frozen=True)
class InterleavedRuns:
    """The host's suites beside their peers. `result` collects the runs and the failures of each suite."""

    project: Project
    result: BoardResult
    peers: Sequence[Peer]

    def bench(self, suites: Sequence[str], store: Store | None, screen: Screen) -> None:
        """Builds and runs the suites and their peers."""
        board = self.result.board
        ready = self._built(screen)
        for suite in suites:
            rivals = [peer for peer in ready if suite in peer.suites]
            try:
                with screen.step(f"{board.name}: build {suite}"):
                    own = self._own(suite, screen)
                records, failed = rounds(Field(self.project, suite, rivals, own), screen)
            except (BuildError, SuiteError) as error:
                self._fail(suite, str(error))
                continue
            for name, problem in failed.items():
                self._fail(suite, f"peer {name}: {problem}")
            if records:
                self.result.runs[suite] = board_run.keep(board_run.describe(self.project, board, suite), records, store)

    def _built(self, screen: Screen) -> list[Peer]:
        """Builds the peers and returns those that were built. A peer that lacks tools or packages is left out."""
        ready = []
        for peer in self.peers:
            if lacking := peers.lacking(self.project, peer):
                screen.line(f"          left out, peer {peer.name}: {lacking}")
                continue
            try:
                with screen.step(f"peer {peer.name}: build"):
                    peers.build(self.project, peer)
            except BuildError as error:
                self._fail("", f"peer {peer.name} does not build\n{error}")
                continue
            ready.append(peer)
        return ready

    def _own(self, suite: str, screen: Screen) -> Own | None:
        """Builds the suite's own programs, where the tree has any. Instructions are counted in one turn alone.

        Errors   BuildError
        """
        board, turns = self.result.board, 0
        wanted = {f"bench_{suite}{end}" for end in ("", *board_run.OTHER_PROGRAMS)}
        names = [name for name in configure(self.project, board.preset) if name in wanted]
        if not names:
            screen.line(f"          {board.name}: no program of its own: {suite}")
            return None
        build(self.project, board.preset, names)

        def run() -> list[Record]:
            nonlocal turns
            turns += 1
            return board_run.measure(self.project, board, suite, counting=turns == 1)

        return run

    def _fail(self, suite: str, problem: str) -> None:
        self.result.failures.append(Failure(self.result.board.name, suite, problem))


@dataclass(frozen=True)
class Field:
    """Returns those that take part: the suite's own programs, where there are any, and its peers."""

    project: Project
    suite: str
    rivals: Sequence[Peer]
    own: Own | None


def rounds(field: Field, screen: Screen) -> tuple[list[Record], dict[str, str]]:
    """Returns the records of all that take part, and the problem of each peer that failed.

    A peer that fails has no records, and the others go on without it.

    Errors   SuiteError: our own program failed.
    """
    done: list[Record] = []
    failed: dict[str, str] = {}
    for number in range(1, ROUNDS + 1):
        with screen.step(f"{HOST}: {field.suite} and its peers, round {number} of {ROUNDS}"):
            done += field.own() if field.own else []
            for rival in field.rivals:
                if rival.name in failed:
                    continue
                try:
                    done += _checked(peers.output(field.project, rival, field.suite), field.suite, rival)
                except PeerError as error:
                    failed[rival.name] = str(error)
    return merge([record for record in done if record.params.get(PEER) not in failed]), failed


def _checked(lines: Sequence[str], suite: str, rival: Peer) -> list[Record]:
    """Returns the records of a peer. Each record names its peer."""
    try:
        records = board_run.read(lines, HOST, suite)
    except RecordError as error:
        printed = "\n".join(lines)
        raise PeerError(f"{error}; its last output:\n{last_lines(printed)}") from error
    for record in records:
        if record.params.get(PEER) != rival.name or "peer_version" not in record.params:
            raise PeerError(f"{record.case}: its record is to say peer={rival.name} peer_version=...")
    scope = {SCOPE: rival.scope} if rival.scope else {}
    return [record.model_copy(update={"params": {**record.params, **scope}}) for record in records]


def merge(records: Sequence[Record]) -> list[Record]:
    """Merges records of the same case: the median of the values, the least and the most of all repeats.

    Shape    its rate is the middle one too, and its memory the most.
    """
    same: dict[Identity, list[Record]] = {}
    for record in records:
        same.setdefault(record.identity, []).append(record)
    return [_merged(each) for each in same.values()]


def _merged(records: Sequence[Record]) -> Record:
    first = records[0]
    if len(records) == 1:
        return first
    params = {**first.params, "rounds": str(len(records))}
    chosen = {"min": 0.0, "max": 1.0, "bytes_per_s": 0.5, "peak_bytes": 1.0}
    for key, share in chosen.items():
        found = sorted((record.params[key] for record in records if key in record.params), key=float)
        if found:
            params[key] = found[int(share * (len(found) - 1))]
    return first.model_copy(
        update={
            "value": median(record.value for record in records),
            "base": _median([record.base for record in records]),
            "floor": _median([record.floor for record in records]),
            "samples": tuple(sample for record in records for sample in record.samples),
            "params": params,
        }
    )


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None
