"""The package's public names: all there, and cheap until they are used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import mapexplorer
from mapexplorer import api, errors
from mapexplorer.world import opening

HEAVY = ("numba", "PyQt5", "OpenGL", "PIL", "ndspy", "llvmlite")


def loaded_by(code: str, *arguments: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after `code`."""
    script = code + "\nimport sys\nprint('\\n'.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    return set(run.stdout.split("\n"))


def test_every_public_name_is_there() -> None:
    for name in mapexplorer.__all__:
        assert getattr(mapexplorer, name) is not None
        assert name in dir(mapexplorer)
    assert mapexplorer.open_rom is opening.open_rom
    assert mapexplorer.World is api.World
    assert mapexplorer.RomError is errors.RomError
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        _ = mapexplorer.Nonsense


def test_importing_the_package_loads_next_to_nothing() -> None:
    assert "mapexplorer" in loaded_by("import mapexplorer")
    assert not loaded_by("import mapexplorer") & {*HEAVY, "numpy", "mapexplorer.rom", "formats"}


def test_listing_places_needs_no_compiler(rom_path: Path) -> None:
    code = (
        "import mapexplorer, sys\n"
        "world = mapexplorer.World(mapexplorer.open_rom(sys.argv[1]))\n"
        "assert len(world.headers) == 593\n"
        "assert len(world.place('T01').cells) == 1"
    )
    modules = loaded_by(code, str(rom_path))
    assert "mapexplorer.world.world" in modules
    assert not modules & set(HEAVY)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts resident memory as Linux does")
def test_a_padded_image_is_not_read_into_memory(rom_path: Path, tmp_path: Path) -> None:
    padded = tmp_path / "padded.nds"
    padded.write_bytes(rom_path.read_bytes())
    with padded.open("r+b") as file:
        file.truncate(128 << 20)
    code = (
        "import mapexplorer, sys\n"
        "world = mapexplorer.World(mapexplorer.open_rom(sys.argv[1]))\n"
        "lines = open('/proc/self/status').read().splitlines()\n"
        "print(next(line.split()[1] for line in lines if line.startswith('VmHWM')))"
    )
    run = subprocess.run([sys.executable, "-c", code, str(padded)], capture_output=True, text=True, check=True)
    assert int(run.stdout) < 120 * 1024
