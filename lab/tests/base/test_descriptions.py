# SPDX-License-Identifier: MIT
"""A mistake in a board.toml is reported with its line, its key and the allowed values."""

from pathlib import Path

import pytest

from baton_lab.base import descriptions
from baton_lab.board import board_files
from baton_lab.board.board_files import BadInputError

GOOD = """# A board
name = "b"
title = "x"

[emulator]
kind = "qemu"
arguments = [
    "-M", "machine = 3",
]

[memory]
flash_bytes = 32768
ram_bytes = 2048

[usb]
ids = ["2341:0043"]
"""


def complaint(tmp_path: Path, text: str) -> str:
    path = tmp_path / "b" / "board.toml"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(BadInputError) as error:
        board_files.load(path)
    return str(error.value).replace(f"{path}:", "")


def test_the_file_that_the_mistakes_are_made_in_is_good(tmp_path: Path) -> None:
    path = tmp_path / "b" / "board.toml"
    path.parent.mkdir()
    path.write_text(GOOD)
    assert board_files.load(path).memory is not None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'kind = "qemu"',
            'kind = "bochs"',
            "6: [emulator] kind: it should be 'simavr', 'qemu' or 'rp2040js', and it is",
        ),
        (
            "flash_bytes",
            "flsh_bytes",
            "12: [memory] flsh_bytes: there is no such key; did you mean flash_bytes? Allowed:",
        ),
        ("ram_bytes = 2048", "", "11: [memory] ram_bytes: is missing"),
        ("ram_bytes = 2048", "ram_bytes = -1", "13: [memory] ram_bytes: it should be greater than 0, and it is -1"),
        ("ram_bytes = 2048", 'ram_bytes = "2k"', "13: [memory] ram_bytes: it should be a valid integer"),
        ("2341:0043", "2341:43", "16: [usb] ids: "),
        ("[memory]", "[memry]", "11: memry: there is no such key; did you mean memory? Allowed: name title"),
        ('title = "x"', "", "1: title: is missing"),
        ('title = "x"', "title = x", "3: Invalid value: title = x"),
        ('title = "x"', 'title = "x', "3: Illegal character"),
        ('name = "b"', 'name = "c"', "2: name: is 'c', and the folder 'b'"),
        ('kind = "qemu"', 'kind = "qemu"\nkind = "qemu"', "7: Cannot overwrite a value: "),
    ],
)
def test_a_mistake_is_named_with_line_and_key_and_what_is_allowed(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert any(line.startswith(said) for line in complaint(tmp_path, GOOD.replace(old, new, 1)).splitlines())


def test_every_mistake_is_named_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("ram_bytes", "ram_byte").replace('kind = "qemu"', "kind = 3")
    assert [line.split(":")[0] for line in complaint(tmp_path, text).splitlines()] == ["6", "11", "13"]


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(BadInputError, match="byte 8 is not UTF-8"):
        board_files.load(path)


def test_an_empty_file_lacks_its_keys(tmp_path: Path) -> None:
    assert complaint(tmp_path, "").splitlines()[0] == "1: name: is missing"


def test_positions_know_tables_quotes_dots_and_long_texts() -> None:
    text = 'a = 1\n[t.u]\n"q r" = 2\nx.y = 3\nlong = """\nz = 1\n"""\nafter = 4\n[[list]]\nk = 5\n'
    assert descriptions.positions(text) == {
        ("a",): 1,
        ("t", "u"): 2,
        ("t", "u", "q r"): 3,
        ("t", "u", "x", "y"): 4,
        ("t", "u", "long"): 5,
        ("t", "u", "after"): 8,
        ("list",): 9,
        ("list", "k"): 10,
    }
