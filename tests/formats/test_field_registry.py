from __future__ import annotations

import subprocess
import sys
from pathlib import PurePosixPath

import pytest

import formats
from formats import FormatError
from formats.field import AreaData
from formats.nitro import Nsbmd


def test_read_by_kind_names_the_file_in_errors() -> None:
    value = formats.read(AreaData(1, 2, 3, 4).to_bytes(), "area_data.narc[3]", "AreaData")
    assert value == AreaData(1, 2, 3, 4)
    assert formats.read(value.to_bytes(), PurePosixPath("fielddata/area_data.narc[3]"), "AreaData") == value
    assert formats.read(value.to_bytes(), kind="AreaData") == value
    with pytest.raises(FormatError, match=r"^area_data.narc\[3\]: at byte 0x0"):
        formats.read(b"1", "area_data.narc[3]", "AreaData")


def test_a_magic_number_counts_more_than_the_kind() -> None:
    assert type(formats.read(Nsbmd(()).to_bytes(), kind="FrameSequence")) is Nsbmd


@pytest.mark.parametrize("path", ["", "land_data", "area_data.narc[3]", "[5]"])
def test_neither_magic_number_nor_kind_is_a_format_error(path: str) -> None:
    with pytest.raises(FormatError, match="magic number"):
        formats.read(bytes(16), path)


def test_loose_height_plates_are_known_by_their_magic_number() -> None:
    assert type(formats.read(b"BDHC" + bytes(12))).__name__ == "Bdhc"


def test_field_files_load_no_compiler() -> None:
    code = (
        "import sys, formats.field as f; f.LandData; f.MessageBank; f.MapMatrix; f.Bdhc; print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
