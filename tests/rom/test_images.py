"""Images: reading, building, what an overlay and a packed program become, and one sentence per refusal."""

from __future__ import annotations

import struct
from pathlib import Path

import ndspy.codeCompression
import ndspy.rom
import pytest

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Overlay, build_image
from mapexplorer.rom.rom import ARM9_ADDRESS
from mapexplorer.world.opening import open_rom


def write(folder: Path, data: bytes) -> Path:
    file = folder / "game.nds"
    file.write_bytes(data)
    return file


def test_the_tiny_image_reads_back(tmp_path: Path, tiny_image: bytes, tiny_files: dict[str, bytes]) -> None:
    with open_rom(write(tmp_path, tiny_image)) as rom:
        assert rom.files == tuple(sorted(tiny_files))
        assert {path: rom.file("/" + path) for path in rom.files} == tiny_files
        assert PLATINUM.release(rom) == "Pokémon Platinum, English (CPUE), revision 1"
        assert (rom.name, rom.code, rom.layout) == ("POKEMON PL", "CPUE", "image")
        assert rom.archive("data/arealight.narc") is rom.archive("/data/arealight.narc")
        overlay = rom.overlay(5)
        assert overlay == Overlay(5, bytes(range(200)) * 3, 0x021D0D80)
        assert rom.overlay(4) is None
        assert "msgdata/pl_msg.narc" in PLATINUM.missing(rom)
        with pytest.raises(RomError, match=r"has no file a/b\.bin"):
            rom.file("a/b.bin")


def test_building_is_reproducible_and_ndspy_reads_it(tiny_files: dict[str, bytes]) -> None:
    image = build_image(tiny_files, arm9=b"program!" * 8)
    assert build_image(dict(reversed(tiny_files.items())), arm9=b"program!" * 8) == image
    other = ndspy.rom.NintendoDSRom(image)
    assert {path: other.getFileByName(path) for path in tiny_files} == tiny_files


def test_packed_overlays_and_program_are_unpacked(tmp_path: Path, tiny_files: dict[str, bytes]) -> None:
    code = b"push {lr} " * 300
    program = bytearray(b"\0" * 0x1000 + code)
    packed = program[:0x1000] + ndspy.codeCompression.compress(code)
    struct.pack_into("<I", packed, 0xBB4, ARM9_ADDRESS + len(packed))
    stored = bytes(packed) + bytes.fromhex("2106C0DE0000000000000000")
    image = build_image(
        tiny_files,
        arm9=stored,
        overlays=[Overlay(5, code, 0x02200000)],
        compressed_overlays={5: ndspy.codeCompression.compress(code)},
        title="POKEMON PL",
        code="CPUE",
    )
    with open_rom(write(tmp_path, image)) as rom:
        assert rom.arm9()[0x1000:] == code
        assert rom.overlay(5) == Overlay(5, code, 0x02200000)
        assert rom.overlay_records()[0].compressed


def test_a_program_with_a_wrong_packing_mark_is_read_as_it_is(tmp_path: Path, tiny_files: dict[str, bytes]) -> None:
    arm9 = bytearray(b"\x55" * 0x1000)
    struct.pack_into("<I", arm9, 0xBB4, ARM9_ADDRESS + 0x1000)
    with open_rom(write(tmp_path, build_image(tiny_files, arm9=bytes(arm9), code="CPUE"))) as rom:
        assert rom.arm9() == bytes(arm9)
        assert len(rom.notes) == 1
        assert "cannot be unpacked" in rom.notes[0]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("ADAE", "Pokémon Diamond"),
        ("APAJ", "Pokémon Pearl"),
        ("IPKD", "Pokémon HeartGold"),
        ("IPGE", "Pokémon SoulSilver"),
        ("IRBO", "Pokémon Black"),
    ],
)
def test_other_pokemon_games_are_named(tmp_path: Path, tiny_files: dict[str, bytes], code: str, sentence: str) -> None:
    with pytest.raises(RomError) as caught:
        open_rom(write(tmp_path, build_image(tiny_files, arm9=b"x" * 64, code=code)))
    assert sentence in str(caught.value)


def test_another_game_is_named_by_its_title(tmp_path: Path) -> None:
    image = build_image({"a.bin": b"1"}, arm9=b"x" * 64, title="SOME RACER", code="AMCE")
    with pytest.raises(RomError, match=r"is another game: SOME RACER \(AMCE\)"):
        open_rom(write(tmp_path, image))


@pytest.mark.parametrize("code", ["CPUE", "CPUS", "CPUI", "CPUF", "CPUD", "CPUJ", "CPUK", "CPUX", "HACK"])
def test_every_release_opens_by_code_or_by_its_files(tmp_path: Path, tiny_files: dict[str, bytes], code: str) -> None:
    with open_rom(write(tmp_path, build_image(tiny_files, arm9=b"x" * 64, code=code, revision=10))) as rom:
        assert PLATINUM.release(rom).startswith("Pokémon Platinum") is code.startswith("CPU")
        assert code in PLATINUM.release(rom)
        assert rom.revision == 10


@pytest.mark.parametrize("path", sorted(PLATINUM.needed))
def test_a_missing_needed_file_is_named(tmp_path: Path, tiny_files: dict[str, bytes], path: str) -> None:
    del tiny_files[path]
    with pytest.raises(RomError) as caught:
        open_rom(write(tmp_path, build_image(tiny_files, arm9=b"x" * 64, code="CPUE")))
    assert f"lacks {path} ({PLATINUM.needed[path]})" in str(caught.value)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is not a DS ROM: it is only 0 bytes long"),
        (b"\x7fELF" + bytes(4000), "is not a DS ROM: its first bytes are no cartridge header"),
        (b"PK\x03\x04" + bytes(4000), "is not a DS ROM: it is a ZIP archive"),
        (b"\x1f\x8b" + bytes(4000), "is not a DS ROM: it is packed with gzip"),
        (b"NARC" + bytes(4000), "is not a DS ROM: it is a NARC archive"),
        (bytes(0x100) + b"NCSD" + bytes(4000), "is not a DS ROM: it is a Nintendo 3DS ROM"),
        (b"POKEMON PL" + bytes(40), "is truncated: it is 50 bytes long"),
    ],
)
def test_files_that_are_no_rom(tmp_path: Path, data: bytes, sentence: str) -> None:
    with pytest.raises(RomError) as caught:
        open_rom(write(tmp_path, data))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_truncated_images(tmp_path: Path, tiny_image: bytes, part: float) -> None:
    with pytest.raises(RomError, match=r"is truncated: it is \d+ bytes long, but its .* reach"):
        open_rom(write(tmp_path, tiny_image[: 0x4000 + int((len(tiny_image) - 0x4000) * part)]))


def test_a_damaged_name_table_is_said(tmp_path: Path, tiny_image: bytes) -> None:
    image = bytearray(tiny_image)
    offset = int.from_bytes(image[0x40:0x44], "little")
    image[offset : offset + 4] = b"\xff\xff\xff\x7f"
    with pytest.raises(RomError, match="file name table cannot be read"):
        open_rom(write(tmp_path, bytes(image)))


def test_an_inverted_file_span_is_a_format_error(tmp_path: Path, tiny_image: bytes) -> None:
    image = bytearray(tiny_image)
    fat, size = struct.unpack_from("<II", image, 0x48)
    start, end = struct.unpack_from("<II", image, fat + size - 8)
    struct.pack_into("<II", image, fat + size - 8, end, start)
    with open_rom(write(tmp_path, bytes(image))) as rom, pytest.raises(FormatError, match="a start before its end"):
        for path in rom.files:
            rom.file(path)


def test_a_path_that_does_not_exist_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"nowhere\.nds"):
        open_rom(tmp_path / "nowhere.nds")


def test_the_real_rom_opens(rom_path: Path) -> None:
    with open_rom(rom_path) as rom:
        assert PLATINUM.release(rom) == "Pokémon Platinum, English (CPUE), revision 1"
        assert len(rom.archive("fielddata/land_data/land_data.narc")) == 666
        overlay = rom.overlay(5)
        assert overlay is not None
        assert (len(overlay.data), overlay.load_address) == (0x2E000, 0x021D0D80)


def test_a_trimmer_may_cut_the_end_of_the_last_file(tmp_path: Path, tiny_files: dict[str, bytes]) -> None:
    tiny_files["zzz/last.bin"] = b"end" + b"\xff" * 40
    image = build_image(tiny_files, arm9=b"x" * 64, code="CPUE")
    with open_rom(write(tmp_path, image[: image.rindex(b"end") + 3])) as rom:
        assert (rom.trimmed, rom.file("zzz/last.bin")) == (40, tiny_files["zzz/last.bin"])
    with open_rom(write(tmp_path, image)) as rom:
        assert rom.trimmed == 0


@pytest.mark.parametrize("more", [0, 40])
def test_an_overlay_that_is_called_packed_and_is_not(tmp_path: Path, tiny_files: dict[str, bytes], more: int) -> None:
    code = bytes(range(1, 200)) * 3
    stored = {5: code + bytes(range(100, 100 + more))}
    overlays = [Overlay(5, code, 0x02200000), Overlay(6, code, 0x02200000)]
    image = build_image(tiny_files, arm9=b"x" * 64, overlays=overlays, compressed_overlays=stored, code="CPUE")
    with open_rom(write(tmp_path, image)) as rom:
        overlay = rom.overlay(5)
        assert overlay is not None and overlay.data == stored[5]
        assert rom.unpacked_overlays == (5,)
