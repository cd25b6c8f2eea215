"""Whole images and unpacked folders of the demo world, damaged, and given to the verbs of the command line."""

from __future__ import annotations

import contextlib
import io
import random
import shutil
from importlib import resources
from pathlib import Path

from mapexplorer.cli import main
from mapexplorer.rom import Rom
from mapexplorer.system import kept_data
from mapexplorer.world.opening import open_rom

_VERBS = (
    ("info",),
    ("maps",),
    ("dump",),
    ("show", "2"),
    ("show", "prop:5"),
    ("show", "texture:1/0/0"),
    ("height", "2", "10.5", "10.5"),
    ("where-used", "prop:5"),
    ("encounters", "2"),
    ("events", "2"),
    ("tile", "2", "10,10"),
    ("script", "2"),
    ("table", "tiles", "2"),
    ("table", "maps"),
    ("table", "trainers"),
    ("walk", "2", "uurr"),
    ("find", "narc"),
    ("export", "3", "-o", "OUT/out.glb"),
    ("extract", "prop:5", "-o", "OUT/prop.glb"),
)
_VERBS_OF_A_CASE = 2
_TEXTS = (
    "id: abc",
    "../../etc/passwd",
    "/dev/zero",
    "- ",
    "\t",
    "0x80000000",
    "-1",
    "\0",
    "{",
    "? :",
    "&a *a",
    "file_name: ..",
    "99999999999999999999",
)


class WholeImages:
    """Makes damaged images and folders in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "whole"
        shutil.rmtree(self._folder, ignore_errors=True)
        (self._folder / "OUT").mkdir(parents=True)
        kept_data.folder = lambda: self._folder / "kept"
        self._image = resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes()
        with open_rom("demo") as rom:
            self._layouts = [self._unpacked(rom, layout) for layout in ("ndstool", "ds-rom")]
        self.size = len(self._image)

    def warm_up(self) -> None:
        """Give the whole image to every verb."""
        path = self._folder / "image.nds"
        path.write_bytes(self._image)
        for verb in _VERBS:
            self._call(verb, path)

    def use(self, source: random.Random) -> None:
        """Damage an image or a folder, and give it to some verbs. Raises what is no sentence."""
        if source.random() < 0.6:
            path = self._folder / "image.nds"
            path.write_bytes(self._damaged_image(source))
            self._run(source, path)
            return
        root = source.choice(self._layouts)
        files = sorted(file for file in root.rglob("*") if file.is_file())
        # The files that describe the others are few.
        described = [
            file for file in files if file.suffix in (".yaml", ".bin") and file.parent in (root, *root.iterdir())
        ]
        file = source.choice(described if described and source.random() < 0.7 else files)
        before = file.read_bytes()
        try:
            self._damage(source, file, before)
            self._run(source, root)
        finally:
            if file.is_symlink() or file.is_file():
                file.unlink()
            elif file.is_dir():
                shutil.rmtree(file)
            file.write_bytes(before)

    def _damaged_image(self, source: random.Random) -> bytes:
        data = bytearray(self._image)
        table = int.from_bytes(data[0x48:0x4C], "little")
        names = int.from_bytes(data[0x40:0x44], "little")
        overlays = int.from_bytes(data[0x50:0x54], "little")
        for _ in range(source.choice((1, 1, 2, 4))):
            start, size = source.choice(((0, 0x200), (table, 600), (names, 1200), (overlays, 64), (0, len(data))))
            place = min(start + source.randrange(size), len(data) - 4)
            word = source.choice((0, 1, 0xFF, 0xFFFF, 0xFFFFFFFF, 1 << 31, source.getrandbits(32), len(data)))
            width = source.choice((1, 2, 4))
            data[place : place + width] = word.to_bytes(8, "little")[:width]
        if source.random() < 0.15:
            del data[source.randrange(len(data)) :]
        return bytes(data)

    def _damage(self, source: random.Random, file: Path, before: bytes) -> None:
        way = source.random()
        if way < 0.1:
            file.unlink()
        elif way < 0.15:
            file.unlink()
            file.mkdir()
        elif way < 0.25:
            file.unlink()
            file.symlink_to(source.choice(("/etc/passwd", "..", "/dev/zero", "missing", str(file))))
        elif way < 0.35:
            file.write_bytes(before[: source.randrange(len(before) + 1)])
        elif file.suffix == ".yaml":
            lines = before.decode().splitlines(keepends=True)
            index = source.randrange(len(lines)) if lines else 0
            name = lines[index].partition(":")[0] if lines else "x"
            lines[index : index + 1] = [
                source.choice((f"{name}: {source.choice(_TEXTS)}\n", f"{source.choice(_TEXTS)}\n"))
            ]
            file.write_bytes("".join(lines).encode())
        elif before:
            data = bytearray(before)
            for _ in range(source.choice((1, 2, 8))):
                data[source.randrange(min(len(data), source.choice((64, len(data)))))] = source.randrange(256)
            file.write_bytes(bytes(data))

    def _run(self, source: random.Random, path: Path) -> None:
        for _ in range(_VERBS_OF_A_CASE):
            self._call(source.choice(_VERBS), path)

    def _call(self, verb: tuple[str, ...], path: Path) -> None:
        words = [verb[0], str(path), *(word.replace("OUT", str(self._folder / "OUT")) for word in verb[1:])]
        told = io.StringIO()
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
            try:
                main(words)
            except SystemExit as end:
                status = end.code
            else:
                status = 0
        assert status in (0, 1, 2), f"status {status}"
        assert status != 1 or told.getvalue(), f"{verb[0]} says nothing"

    def _unpacked(self, rom: Rom, layout: str) -> Path:
        root, ndstool = self._folder / layout, layout == "ndstool"
        for path in rom.files:
            file = root / ("data" if ndstool else "files") / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(rom.file(path))
        overlays = root / ("overlay" if ndstool else "arm9_overlays")
        overlays.mkdir()
        records = rom.overlay_records()
        lines = ["table_signed: false\n", "overlays:\n"]
        for number, record in enumerate(records):
            found = rom.overlay(record.number)
            assert found is not None
            name = f"overlay_{record.number:04d}.bin" if ndstool else f"ov{record.number:03d}.bin"
            (overlays / name).write_bytes(found.data)
            lines.append(
                f"- id: {record.number}\n  base_address: {record.load_address}\n  code_size: {len(found.data)}\n"
                f"  bss_size: 0\n  file_id: {number}\n  compressed: false\n  file_name: {name}\n"
            )
        if ndstool:
            (root / "arm9.bin").write_bytes(rom.arm9())
            (root / "header.bin").write_bytes(self._image[:0x200])
            place = int.from_bytes(self._image[0x50:0x54], "little")
            (root / "y9.bin").write_bytes(self._image[place : place + 32 * len(records)])
            return root
        (root / "arm9").mkdir()
        (root / "arm9" / "arm9.bin").write_bytes(rom.arm9())
        (root / "config.yaml").write_text(
            "header: header.yaml\narm9_bin: arm9/arm9.bin\narm9_overlays: arm9_overlays/overlays.yaml\n"
            "files_dir: files/\n"
        )
        (root / "header.yaml").write_text(f"title: {rom.name}\ngamecode: {rom.code}\nmakercode: '00'\nunitcode: 0\n")
        (overlays / "overlays.yaml").write_text("".join(lines))
        return root
