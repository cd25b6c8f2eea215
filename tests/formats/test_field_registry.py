from __future__ import annotations

import subprocess
import sys
from pathlib import PurePosixPath

import pytest

import formats
from formats import FormatError
from formats.field import AreaData, type_of


@pytest.mark.parametrize(
    "path, name",
    [
        ("/fielddata/land_data/land_data.narc[12]", "LandData"),
        ("land_data.narc#3", "LandData"),
        ("fielddata\\mapmatrix\\map_matrix.narc\\0003.bin", "MapMatrix"),
        ("msgdata/PL_MSG.NARC[433]", "MessageBank"),
        ("fielddata/maptable/mapname.bin", "MapNames"),
        ("fielddata/areadata/area_move_model/move_model_list.narc[0]", "MoveModelList"),
    ],
)
def test_a_path_in_the_rom_tells_the_type(path: str, name: str) -> None:
    kind = type_of(path)
    assert kind is not None and kind.__name__ == name


def test_read_by_path_names_the_path_in_errors() -> None:
    value = formats.read(AreaData(1, 2, 3, 4).to_bytes(), "area_data.narc[3]")
    assert value == AreaData(1, 2, 3, 4)
    assert formats.read(value.to_bytes(), PurePosixPath("fielddata/area_data.narc[3]")) == value
    with pytest.raises(FormatError, match=r"^area_data.narc\[3\]: at byte 0x0"):
        formats.read(b"1", "area_data.narc[3]")


@pytest.mark.parametrize("path", ["", "land_data", "unknown.bin", "[5]"])
def test_a_path_that_does_not_tell_is_a_format_error(path: str) -> None:
    assert type_of(path) is None
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
