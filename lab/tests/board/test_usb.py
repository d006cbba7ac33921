# SPDX-License-Identifier: MIT
"""A USB device is identified as a board, and a person names one of several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from baton_lab.base.project import ROOT
from baton_lab.board import board_files, board_list, usb
from baton_lab.board.board_files import BadInputError, Board
from baton_lab.board.usb import Device

FIRST = Device("/dev/ttyUSB0", "0403:6001", "A5069RR4", "FT232R USB UART", "1-1.1")
SECOND = Device("/dev/ttyUSB1", "0403:6001", "A50285BI", "FT232R USB UART", "1-1.2")
COPY = Device("/dev/ttyUSB2", "1a86:7523", "", "USB Serial", "1-1.3")
STRANGER = Device("/dev/ttyACM0", "16c0:0483", "8675309", "USB Serial", "1-2")


def a_board(name: str, *ids: str, product: str | None = None) -> Board:
    flash = {"tool": "avrdude", "arguments": ["{file}"], "package": "avrdude", "preset": f"{name}-real"}
    described = {"name": name, "title": name, "preset": name, "usb": {"ids": ids, "product": product}, "flash": flash}
    return Board.model_validate(described)


NANO, NODE = a_board("nano", "0403:6001", "1a86:7523"), a_board("node", "1a86:7523")
BOARDS = [a_board("teensy", "16c0:0486"), NANO, NODE]


def found(wanted: str, devices: Sequence[Device], board: Board = NANO) -> Device:
    return usb.find(BOARDS, board, wanted, devices)


def refusal(wanted: str, devices: Sequence[Device], board: Board = NANO) -> str:
    with pytest.raises(BadInputError) as error:
        found(wanted, devices, board)
    return str(error.value)


def test_the_only_one_needs_no_name() -> None:
    assert found("", [STRANGER, FIRST]) == FIRST


def test_one_is_found_by_its_serial_number_whatever_its_port() -> None:
    assert found("A50285BI", [FIRST, SECOND]) == SECOND


def test_one_without_a_serial_number_is_found_by_its_socket() -> None:
    assert found("1-1.3", [FIRST, COPY, STRANGER]) == COPY


def test_of_several_none_is_taken_and_all_are_listed() -> None:
    said = refusal("", [FIRST, SECOND])
    assert said.startswith("2 devices may be a nano:")
    assert "--board nano@A5069RR4  /dev/ttyUSB0" in said and "--board nano@A50285BI  /dev/ttyUSB1" in said


def test_a_shared_adapter_is_ambiguous_until_it_is_named() -> None:
    said = refusal("", [COPY])
    assert "/dev/ttyUSB2 may be nano or node" in said and "--board nano@1-1.3" in said
    assert found("1-1.3", [COPY]) == COPY


def test_another_board_of_that_serial_number_is_refused() -> None:
    assert "8675309 is not a nano: by its USB identity it is no board that is known" in refusal("8675309", [STRANGER])
    assert "A5069RR4 is not a node: by its USB identity it is nano" in refusal("A5069RR4", [FIRST], NODE)


def test_what_is_not_plugged_in_is_refused_with_what_is() -> None:
    assert refusal("", []) == "no nano is plugged in, nor any other USB serial port"
    assert "no nano is plugged in; there is:\n  /dev/ttyACM0, 16c0:0483" in refusal("", [STRANGER])
    assert "no nano XYZ is plugged in:\n  --board nano@A5069RR4" in refusal("XYZ", [FIRST])


def test_a_port_is_no_name() -> None:
    said = refusal("/dev/ttyUSB0", [FIRST])
    assert "changes from plug to plug" in said and "--board nano@A5069RR4" in said


def test_equal_serial_numbers_are_told_apart_by_their_sockets() -> None:
    twins = [Device(f"/dev/ttyUSB{i}", "0403:6001", "0001", "", f"1-{i}") for i in (1, 2)]
    said = refusal("0001", twins)
    assert "--board nano@1-1" in said and "--board nano@1-2" in said
    assert found("1-2", twins) == twins[1]


def test_a_board_without_a_description_of_its_usb_cannot_be_found() -> None:
    plain = Board(name="mps2", title="mps2", preset="mps2")
    assert "boards/mps2/real.toml has no [usb] and [flash]" in refusal("", [FIRST], plain)


def test_a_products_name_tells_boards_of_one_id_apart() -> None:
    pico = a_board("pico", "2e8a:0005", product="^Pico")
    assert usb.is_one(pico, Device("/dev/ttyACM0", "2e8a:0005", "E6", "Pico Serial", "1-1"))
    assert not usb.is_one(pico, Device("/dev/ttyACM0", "2e8a:0005", "E6", "Feather", "1-1"))


@pytest.fixture
def sysfs(tmp_path: Path) -> Path:
    """Makes a Pico's drive, a Teensy's boot loader, a mouse and a hub, as Linux shows them."""
    devices, blocks = tmp_path / "bus" / "usb" / "devices", tmp_path / "class" / "block"
    for folder in (devices, blocks):
        folder.mkdir(parents=True)
    for name, id, serial in (
        ("1-1", "2e8a:0003", "E0C9125B0D9B"),
        ("1-2.3", "16c0:0478", "0003A1B2"),
        ("1-3", "046d:c077", ""),
    ):
        real = tmp_path / "devices" / "usb1" / name
        real.mkdir(parents=True)
        (devices / name).symlink_to(real)
        (real / "idVendor").write_text(f"{id[:4]}\n")
        (real / "idProduct").write_text(f"{id[5:]}\n")
        if serial:
            (real / "serial").write_text(f"{serial}\n")
    (devices / "usb1").mkdir()
    disk = tmp_path / "devices" / "usb1" / "1-1" / "1-1:1.0" / "host6" / "block" / "sdb" / "sdb1"
    disk.mkdir(parents=True)
    (blocks / "sdb1").symlink_to(disk)
    (tmp_path / "mounts").write_text("proc /proc proc rw 0 0\n/dev/sda1 / ext4 rw 0 0\n")
    return tmp_path


def test_a_boot_loader_without_a_serial_port_is_found_by_its_usb_id(sysfs: Path) -> None:
    pico, teensy = usb.without_port(sysfs, sysfs / "mounts")
    assert pico == Device("", "2e8a:0003", "E0C9125B0D9B", "", "1-1") and "no port, 2e8a:0003" in str(pico)
    assert teensy == Device("", "16c0:0478", "0003A1B2", "", "1-2.3")


def test_a_drive_is_found_where_it_is_mounted(sysfs: Path) -> None:
    with (sysfs / "mounts").open("a") as mounts:
        mounts.write("/dev/sdb1 /media/my\\040desk/RPI-RP2 vfat rw 0 0\n")
    assert [device.port for device in usb.without_port(sysfs, sysfs / "mounts")] == ["/media/my desk/RPI-RP2", ""]
    assert usb.without_port(sysfs / "none", sysfs / "mounts") == []


class ListedPort:
    """A port as pyserial lists it."""

    def __init__(self, device: str, vid: int | None, **more: str | None) -> None:
        self.device, self.vid, self.pid = device, vid, vid and 0x6001
        self.serial_number = more.get("serial")
        self.product = more.get("product")
        self.location = more.get("location")

    def __lt__(self, other: ListedPort) -> bool:
        return self.device < other.device


def test_ports_that_are_not_usb_are_no_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = [ListedPort("/dev/ttyUSB0", 0x403, serial="A5069RR4", product="FT232R USB UART", location="1-1.1:1.0")]
    ports.append(ListedPort("/dev/ttyS0", None))
    ports.append(ListedPort("/dev/ttyACM1", 0x1A86, serial=None, product=None, location=None))
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    monkeypatch.setattr(usb, "without_port", lambda: [])
    assert usb.attached() == [Device("/dev/ttyACM1", "1a86:6001"), FIRST]


def test_the_list_of_boards_says_what_is_plugged_in_what_is_unknown_and_what_is_missing() -> None:
    pro = Device("/dev/ttyACM3", "1b4f:9205", "", "", "1-3")
    copy = Device("/dev/ttyUSB4", "1a86:7523", "", "", "1-4")
    listed = board_list.wide(board_list.rows(ROOT, [FIRST, STRANGER, pro, copy]))
    lines = {line.partition(" ")[0]: line for line in listed}
    assert set(board_files.names(ROOT)) < set(lines)
    assert "emulated by simavr (atmega328p)" in lines["nano"] and "--board nano@A5069RR4" in lines["nano"]
    assert "FT232R USB UART, serial number A5069RR4, at 1-1.1" in lines["nano"]
    assert "/dev/ttyACM3, 1b4f:9205, no serial number, at 1-3 (--board promicro@1-3)" in lines["promicro"]
    assert "at 1-4 (--board nano@1-4); or esp32 or nodemcu, which its USB id does not tell" in lines["nano"]
    assert "at 1-4 (--board nodemcu@1-4); or nano or esp32" in lines["nodemcu"]
    assert "on a desk alone: QEMU has no ESP8266" in lines["nodemcu"]
    assert "on a desk alone: QEMU has no ESP32" in lines["esp32"]
    assert board_list.strangers(ROOT, [FIRST, STRANGER]) == [f"unknown: {STRANGER}"]


def test_the_list_of_boards_fits_its_window_breaks_no_word_and_says_what_the_wide_one_says() -> None:
    devices = [FIRST, Device("/dev/ttyUSB4", "1a86:7523", "", "", "1-4")]
    listed = board_list.rows(ROOT, devices)
    words = {word for row in listed for cell in row.cells for word in cell.replace(";", " ").split()}
    for width in (80, 100):
        lines = board_list.blocks(listed, width)
        assert max(map(len, lines)) <= width
        assert words - {word for line in lines for word in line.replace(";", " ").split()} == set()
        assert [line.split()[0] for line in lines if not line.startswith(" ")] == [row.name for row in listed]
    assert len(board_list.wide(listed)) == len(listed) + 1


def test_the_list_of_boards_says_that_an_id_is_shared() -> None:
    (line,) = usb.plugged_in(BOARDS, NANO, [COPY])
    assert "(--board nano@1-1.3); or node, which its USB id does not tell" in line
