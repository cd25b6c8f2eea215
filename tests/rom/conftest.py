"""A tiny ROM of our own that has every needed file, and the same as unpacked folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Overlay, build_archive, build_image

ARM9 = bytes(range(256)) * 24
OVERLAYS = (Overlay(0, b"zero" * 16, 0x021D0000), Overlay(5, bytes(range(200)) * 3, 0x021D0D80))


@pytest.fixture
def tiny_files() -> dict[str, bytes]:
    """Path -> bytes: each needed archive with two members that name it, and one more file."""
    files = {
        path: build_archive([path.encode(), b"second"]) if path.endswith(".narc") else b"MAPNAME".ljust(16, b"\0") * 2
        for path in PLATINUM.needed
    }
    files["data/deep/er/file.bin"] = b"\x01\x02\x03"
    return files


@pytest.fixture
def tiny_image(tiny_files: dict[str, bytes]) -> bytes:
    return build_image(
        tiny_files, arm9=plain_arm9(), overlays=OVERLAYS, title="POKEMON PL", code="CPUE", maker="01", revision=1
    )


def plain_arm9() -> bytes:
    """A program that says it is not packed."""
    return ARM9[:0xBB4] + bytes(4) + ARM9[0xBB8:]


@pytest.fixture
def write_folder(tmp_path: Path, tiny_files: dict[str, bytes]):  # type: ignore[no-untyped-def]
    """A function that unpacks the tiny ROM in the layout `ndstool` or `ds-rom` into a folder of the given name."""

    def write(layout: str, name: str = "unpacked-rom") -> Path:
        root = tmp_path / name
        ndstool = layout == "ndstool"
        for path, data in tiny_files.items():
            file = root / ("data" if ndstool else "files") / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        overlays = root / ("overlay" if ndstool else "arm9_overlays")
        overlays.mkdir()
        for overlay in OVERLAYS:
            file = f"overlay_{overlay.number:04d}.bin" if ndstool else f"ov{overlay.number:03d}.bin"
            (overlays / file).write_bytes(overlay.data)
        image = build_image(
            tiny_files, arm9=plain_arm9(), overlays=OVERLAYS, title="POKEMON PL", code="CPUD", maker="01"
        )
        if ndstool:
            (root / "arm9.bin").write_bytes(plain_arm9())
            (root / "header.bin").write_bytes(image[:0x200])
            table = int.from_bytes(image[0x50:0x54], "little")
            (root / "y9.bin").write_bytes(image[table : table + 32 * len(OVERLAYS)])
            return root
        (root / "arm9").mkdir()
        (root / "arm9" / "arm9.bin").write_bytes(plain_arm9())
        (root / "config.yaml").write_text(
            "header: header.yaml\narm9_bin: arm9/arm9.bin\nitcm:\n  bin: arm9/itcm.bin\n"
            "arm9_overlays: arm9_overlays/overlays.yaml\nfiles_dir: files/\n"
        )
        (root / "header.yaml").write_text("title: POKEMON PL\ngamecode: CPUD\nmakercode: '01'\nunitcode: 0\n")
        (overlays / "overlays.yaml").write_text(
            "table_signed: false\noverlays:\n"
            + "".join(
                f"- id: {overlay.number}\n  base_address: {overlay.load_address}\n  code_size: {len(overlay.data)}\n"
                f"  bss_size: 0\n  file_id: {index}\n  compressed: true\n  file_name: ov{overlay.number:03d}.bin\n"
                for index, overlay in enumerate(OVERLAYS)
            )
        )
        return root

    return write
