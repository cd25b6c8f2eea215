"""Values rebuilt from plain numbers, strings and lists write the same bytes; reading headers loads no compiler."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from formats import same
from formats.json_codec import from_plain, to_plain
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Tex0
from mapexplorer.world.opening import open_rom


def test_everything_survives_its_plain_form(nsbmd: Nsbmd, textures: Tex0) -> None:
    for value in (nsbmd, Nsbtx(textures)):
        plain = json.loads(json.dumps(to_plain(value)))
        again = from_plain(type(value), plain)
        assert same(again, value)
        assert again.to_bytes() == value.to_bytes()


@pytest.mark.parametrize("path", ["fielddata/build_model/build_model.narc"])
def test_real_models_survive_their_plain_form(rom_path: Path, path: str) -> None:
    count = 0
    with open_rom(rom_path) as rom:
        archive = rom.archive(path)
        for index in range(0, len(archive), 20):
            data = bytes(archive[index])
            assert from_plain(Nsbmd, to_plain(Nsbmd.from_bytes(data))).to_bytes() == data
            count += 1
    assert count == 30


def test_importing_the_formats_loads_no_compiler() -> None:
    code = "import formats.nitro.nsbmd, formats.nitro.nsbtx, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
