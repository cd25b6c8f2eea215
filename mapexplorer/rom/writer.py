"""Writing `.nds` images: for the demo world and for tests. The same files give the same bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from formats.binary import require
from mapexplorer.rom.rom import ARM9_ADDRESS, Overlay

if TYPE_CHECKING:
    from ndspy.fnt import Folder

_BLANK_LOGO = bytes(0x9C)


def build_image(
    files: Mapping[str, bytes],
    *,
    arm9: bytes,
    overlays: Iterable[Overlay] = (),
    title: str = "DEMO",
    code: str = "####",
    maker: str = "00",
    revision: int = 0,
    compressed_overlays: Mapping[int, bytes] | None = None,
) -> bytes:
    """An image with `files` (path -> bytes), the ARM9 program and overlays; without boot logo and ARM7 program.

    `compressed_overlays` gives, per overlay number, the packed bytes to store instead of the overlay's data.
    Raises ValueError when a name does not fit the header.
    """
    import ndspy.fnt
    import ndspy.rom

    require(
        len(code) == 4 and len(title.encode("ascii")) <= 12 and len(maker) == 2,
        "a ROM has a title of at most 12, a code of 4 and a maker of 2 ASCII characters",
    )
    rom = ndspy.rom.NintendoDSRom()
    rom.name = title.encode("ascii")
    rom.idCode = code.encode("ascii")
    rom.developerCode = maker.encode("ascii")
    rom.version = revision
    rom.nintendoLogo = _BLANK_LOGO
    rom.arm9 = arm9
    rom.arm9RamAddress = ARM9_ADDRESS
    packed = compressed_overlays or {}
    table = bytearray()
    contents: list[bytes] = []
    for overlay in sorted(overlays, key=lambda overlay: overlay.number):
        stored = packed.get(overlay.number, overlay.data)
        flags = len(stored) | (1 << 24 if overlay.number in packed else 0)
        table += struct.pack(
            "<8I", overlay.number, overlay.load_address, len(overlay.data), 0, 0, 0, len(contents), flags
        )
        contents.append(stored)
    rom.arm9OverlayTable = bytes(table)

    tree: dict[str, object] = {}
    for path, data in files.items():
        *folders, name = path.strip("/").split("/")
        branch = tree
        for folder in folders:
            branch = branch.setdefault(folder, {})  # type: ignore[assignment]
        branch[name] = data
    rom.filenames = _folder(tree, contents)
    rom.files = contents
    return bytes(rom.save())


def _folder(tree: Mapping[str, object], contents: list[bytes]) -> Folder:
    import ndspy.fnt

    result = ndspy.fnt.Folder(firstID=len(contents))
    for name in sorted(tree):
        entry = tree[name]
        if not isinstance(entry, dict):
            result.files.append(name)
            contents.append(bytes(entry))  # type: ignore[call-overload]
    for name in sorted(tree):
        entry = tree[name]
        if isinstance(entry, dict):
            result.folders.append((name, _folder(entry, contents)))
    return result
