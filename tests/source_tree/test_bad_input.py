"""What cannot be packed is said in one sentence with the file and its line, and nothing is written."""

from __future__ import annotations

import io
import json
import os
import re
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from mapexplorer.cli import main
from mapexplorer.errors import SourceError
from mapexplorer.games import Role
from mapexplorer.source_tree.documents import read_document
from mapexplorer.source_tree.pictures import text_colors
from mapexplorer.world import FieldWorld
from tests.source_tree.conftest import Tree, packed

ENCOUNTERS = "data/fielddata/encountdata/pl_enc_data.narc/0000.json"
EVENTS = "data/fielddata/eventdata/zone_event.narc/0003.json"
LAND = "data/fielddata/land_data/land_data.narc/0000.json"
SCRIPT = "data/fielddata/script/scr_seq.narc/0006.script"
TEXTS = "data/msgdata/pl_msg.narc/0001.json"
ARM9 = "image/arm9.bin"
FLOOR = "data/fielddata/script/scr_seq.narc/0404.script"
SPECIES = "data/poketool/personal/pl_personal.narc/0003.json"
PARTY = "data/poketool/trainer/trpoke.narc/0001.json"
GIFT = "data/fielddata/script/scr_seq.narc/0010.script"
TRAINER = "data/poketool/trainer/trdata.narc/0001.json"
AREA = "data/fielddata/areadata/area_data.narc/0001.json"
MATRIX = "data/fielddata/mapmatrix/map_matrix.narc/0000.json"
TEXTURES = "data/fielddata/areadata/area_map_tex/map_tex_set.narc/0000.json"
IMAGE = "image.json"

Refused = Callable[[str], str]


@pytest.fixture
def refused(tree: Tree, tmp_path: Path, capsys: pytest.CaptureFixture[str], all_compiled: None) -> Refused:
    """Packs; checks that one sentence about a file was printed and nothing was written, and returns the sentence."""

    def run(file: str) -> str:
        image = tmp_path / "packed" / "packed.nds"
        image.parent.mkdir()
        image.write_bytes(b"as before")
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main(["pack", str(tree.folder), str(image), "-j", "1"])
        out, err = capsys.readouterr()
        assert end.value.code == 1 and out == "" and err.count("\n") == 1, (out, err)
        assert err.startswith(file), err
        assert [path.name for path in image.parent.iterdir()] == ["packed.nds"] and image.read_bytes() == b"as before"
        return err.strip().removeprefix(file)

    return run


def _replaced(tree: Tree, name: str, old: str, new: str) -> int:
    """Replace a text, which a file must have, once; the line where it is."""
    text = tree.text(name)
    assert old in text
    tree.write(name, text.replace(old, new, 1))
    return text.count("\n", 0, text.index(old)) + 1


def _changed(tree: Tree, name: str, path: list[Any], value: object) -> None:
    """Set what is at a path of a document."""
    from formats.json_codec import layout

    document = json.loads(tree.text(name))
    place = document["value"]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    tree.write(name, layout(document))


def _line_with(tree: Tree, name: str, text: str) -> int:
    lines = [number for number, line in enumerate(tree.text(name).split("\n"), 1) if text in line]
    assert len(lines) == 1
    return lines[0]


# --- JSON


def test_wrong_json(tree: Tree, refused: Refused) -> None:
    line = _replaced(tree, EVENTS, '"warps": {', '"warps": [')
    assert re.match(rf", line {line + 1}: this is no JSON: ", refused(EVENTS))


def test_text_that_is_none(tree: Tree, refused: Refused) -> None:
    tree.write(EVENTS, b'{\n  "type": "\xff"\n}')
    assert refused(EVENTS) == ", line 2: this is no UTF-8 text (byte 13)"


def test_json_of_something_else(tree: Tree, refused: Refused) -> None:
    tree.write(EVENTS, "[1, 2]")
    assert refused(EVENTS) == ", line 1: an object with a type and a value is needed"


def test_an_unknown_type(tree: Tree, refused: Refused) -> None:
    line = _replaced(tree, EVENTS, "ZoneEvents", "NoEvents")
    assert refused(EVENTS).startswith(f", line {line}: 'formats.field.zone_event.NoEvents' is not a type")


def test_a_type_that_belongs_elsewhere(tree: Tree, refused: Refused) -> None:
    tree.write(AREA, tree.text("data/fielddata/areadata/area_build_model/area_build.narc/0000.json"))
    assert refused(AREA).startswith(", line 2: ")


def test_an_unknown_field(tree: Tree, refused: Refused) -> None:
    _replaced(tree, EVENTS, '"warps": {', '"wraps": {')
    assert "'warps', 'wraps'" in refused(EVENTS)


def test_a_number_that_its_column_does_not_hold(tree: Tree, refused: Refused) -> None:
    _changed(tree, EVENTS, ["warps", "values", 1, 0], 70123)
    assert refused(EVENTS).startswith(f", line {_line_with(tree, EVENTS, '70123')}: not the values of an array")


def test_a_number_that_its_field_does_not_hold(tree: Tree, refused: Refused) -> None:
    _changed(tree, TRAINER, ["items", 0], 70123)
    assert refused(TRAINER).startswith(f", line {_line_with(tree, TRAINER, '70123')}: ")


def test_values_that_are_no_list(tree: Tree, refused: Refused) -> None:
    _changed(tree, MATRIX, ["headers", "values"], "")
    assert re.match(r", line \d+: not the values of an array: a list is needed", refused(MATRIX))


def test_a_character_that_the_game_does_not_have(tree: Tree, refused: Refused) -> None:
    _changed(tree, TEXTS, ["messages", 3], "a snowman: \U0001f600")
    line = _line_with(tree, TEXTS, "snowman")
    assert refused(TEXTS) == f", line {line}: the game has no character '\U0001f600'"


def test_a_file_that_is_too_large(tree: Tree, refused: Refused) -> None:
    tree.write(EVENTS, tree.text(EVENTS))
    os.truncate(tree.folder / EVENTS, 65 << 20)
    assert refused(EVENTS) == ": this file is too large: 68,157,440 bytes, at most 16,777,216 are read"


@pytest.mark.parametrize("text", ["[" * 200_000, "[" * 600 + "]" * 600, "9" * 5000], ids=("cut", "whole", "number"))
def test_deep_nesting_and_long_numbers(tree: Tree, refused: Refused, text: str) -> None:
    tree.write(EVENTS, f'{{"type": "[[{{@file", "value": {{\n"a": {text}}}}}')
    assert re.match(", line 2: this JSON ", refused(EVENTS))


def test_a_document_that_is_part_of_itself(tree: Tree, refused: Refused) -> None:
    model = LAND.replace(".json", ".model.json")
    tree.write(model, json.dumps({"type": "formats.nitro.nsbmd.Nsbmd", "value": {"@file": "0000.model.json"}}))
    assert refused(model) == ", line 1: 0000.model.json is part of itself"


def test_a_key_that_stands_twice(tree: Tree, refused: Refused) -> None:
    """What a merge leaves: the first of two lists would be lost."""
    text = tree.text(TEXTS)
    tree.write(TEXTS, text.replace('"messages": [', '"messages": ["a \\"messages\\": {"],\n"messages": [', 1))
    line = text.count("\n", 0, text.index('"messages"')) + 2
    assert refused(TEXTS) == f', line {line}: "messages" was there before; keep one of the two'


def test_a_key_of_the_image_that_stands_twice(tree: Tree, refused: Refused) -> None:
    line = _replaced(tree, IMAGE, '"fill"', '"fill": 255,\n  "fill"')
    assert refused(IMAGE) == f', line {line + 1}: "fill" was there before; keep one of the two'


# --- what is packed is what the text says


def test_a_party_in_another_form_than_its_trainer_says(tree: Tree, refused: Refused) -> None:
    line = _replaced(tree, TRAINER, '"own_moves": true', '"own_moves": false')
    assert refused(PARTY) == f", line {line}: poketool/trainer/trdata.narc[1] says that own_moves is false"


@pytest.mark.parametrize("text", ["", "12345678"])
def test_a_record_of_a_trainer_that_is_none(tree: Tree, refused: Refused, text: str) -> None:
    tree.write(TRAINER, None)
    tree.write(TRAINER.replace(".json", ".bin"), text)
    assert "trainer: " in refused(TRAINER.removesuffix(".json"))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_party_of_another_size_than_its_trainer_says(tree: Tree, refused: Refused, count: int) -> None:
    pokemon = json.loads(tree.text(PARTY))["value"]["pokemon"]
    _changed(tree, PARTY, ["pokemon"], (2 * pokemon)[:count])
    told = f"{16 * count} bytes are not the party that trdata[1] says"
    assert refused(PARTY) == f", line {_line_with(tree, PARTY, 'pokemon')}: {told}: 2 Pokémon of 16 bytes each"


def test_a_value_that_is_another_one_when_it_is_read(tree: Tree) -> None:
    """As a reader that reads something else would have it."""
    files = {TRAINER: (tree.folder / TRAINER).read_bytes}
    line = _line_with(tree, TRAINER, '"battle_type"')
    with pytest.raises(SourceError, match=f"{TRAINER}, line {line}: when it is read back, this is 77"):
        read_document(TRAINER, files, lambda value, data: replace(value, battle_type=77))


def test_palettes_have_any_number_of_colors(tree: Tree, tmp_path: Path) -> None:
    """A palette is stored with black up to a multiple of 4 colours, of 8 before another one."""
    colors = json.loads(tree.text(TEXTURES))["value"]["textures"]["palettes"][0]["colors"]
    for count, stored in ((7, 8), (17, 24)):
        _changed(tree, TEXTURES, ["textures", "palettes", 0, "colors"], (3 * colors)[:count])
        packed(tree.folder, tmp_path / "demo.nds")
        read = FieldWorld.open(str(tmp_path / "demo.nds")).terrain_textures(0).textures.palettes[0].colors
        assert list(read) == [*text_colors((3 * colors)[:count]), *[0] * (stored - count)]


def test_texts_have_other_notations(tree: Tree, tmp_path: Path) -> None:
    """`{012D}` is the code of A."""
    _changed(tree, TEXTS, ["messages", 3], "{012B}b{command 0100 1}")
    packed(tree.folder, tmp_path / "demo.nds")
    bank = FieldWorld.open(tmp_path / "demo.nds").messages(1)
    assert bank is not None and bank.messages[3] == "Ab{command 0100 1}"


# --- files that are missing, or there twice


def test_a_member_is_missing(tree: Tree, refused: Refused) -> None:
    tree.write(EVENTS, None)
    assert "zone_event.narc[3] is missing" in refused(EVENTS)


def test_a_part_of_the_image_is_missing(tree: Tree, refused: Refused) -> None:
    tree.write("image/arm9.bin", None)
    assert refused("image/arm9.bin") == ": this file is missing"


def test_a_file_that_a_document_names_is_missing(tree: Tree, refused: Refused) -> None:
    line = _replaced(tree, LAND, "0000.model.json", "0000.modell.json")
    assert refused(LAND) == f", line {line}: there is no file 0000.modell.json"


def test_a_picture_is_missing(tree: Tree, refused: Refused) -> None:
    name = json.loads(tree.text(TEXTURES))["value"]["textures"]["textures"][2]["name"]
    tree.write(f"{TEXTURES.removesuffix('.json')}/{name}.png", None)
    assert refused(TEXTURES) == f", line {_line_with(tree, TEXTURES, f'/{name}.png')}: there is no file 0000/{name}.png"


def test_a_picture_with_more_than_its_name(tree: Tree, refused: Refused) -> None:
    picture = json.loads(tree.text(TEXTURES))["value"]["textures"]["textures"][2]["texels"]
    _changed(tree, TEXTURES, ["textures", "textures", 2, "texels"], picture | {"more": 1})
    assert ": bytes are needed, or the name of a file as @file" in refused(TEXTURES)


def test_a_member_in_two_forms(tree: Tree, refused: Refused) -> None:
    tree.write(EVENTS.replace(".json", ".bin"), b"1234")
    assert refused(EVENTS) == f": {EVENTS.replace('.json', '.bin')} is the same member; delete one of the two"


# --- references


def test_a_warp_to_a_header_that_does_not_exist(tree: Tree, refused: Refused) -> None:
    _changed(tree, EVENTS, ["warps", "values", 1, 2], 9123)
    assert refused(EVENTS) == f", line {_line_with(tree, EVENTS, '9123')}: there is no header 9123"


def test_a_warp_to_a_warp_that_does_not_exist(tree: Tree, refused: Refused) -> None:
    _changed(tree, EVENTS, ["warps", "values", 1, 3], 77)
    assert re.fullmatch(rf", line {_line_with(tree, EVENTS, '77, ')}: header \d+ has no warp 77", refused(EVENTS))


def test_an_area_with_a_prop_set_that_does_not_exist(tree: Tree, refused: Refused) -> None:
    _changed(tree, AREA, ["prop_set"], 612)
    assert refused(AREA).startswith(f", line {_line_with(tree, AREA, '612')}: prop set 612 is not one of the 2 members")


def test_a_matrix_with_a_land_that_does_not_exist(tree: Tree, refused: Refused) -> None:
    _changed(tree, MATRIX, ["land", "values", 0, 0], 612)
    assert refused(MATRIX).startswith(f", line {_line_with(tree, MATRIX, '612')}: land data 612 is not one of")


def test_a_warp_to_a_warp_that_was_deleted(tree: Tree, refused: Refused) -> None:
    other = EVENTS.replace("0003", "0007")
    _changed(tree, other, ["warps", "values"], [])
    assert re.search(r"narc/000\d.json, line \d+: header \d+ has no warp 0", refused("data/fielddata/eventdata/"))


def test_what_dangled_before_may_dangle(tree: Tree, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _changed(tree, AREA, ["prop_set"], 612)
    image = tmp_path / "packed.nds"
    with pytest.raises(SystemExit):
        main(["pack", str(tree.folder), str(image), "--unchecked", "-j", "1"])
    folder = tmp_path / "again"
    for words in (["unpack", str(image), str(folder)], ["pack", str(folder), str(tmp_path / "again.nds")]):
        with pytest.raises(SystemExit) as end:
            main([*words, "-j", "1"])
        assert end.value.code == 0, capsys.readouterr().err
    assert "area_data.narc[1]: 612" in (folder / IMAGE).read_text()
    assert (tmp_path / "again.nds").read_bytes() == image.read_bytes()


def test_references_need_not_be_checked(tree: Tree, tmp_path: Path) -> None:
    _changed(tree, AREA, ["prop_set"], 612)
    with pytest.raises(SystemExit) as end:
        main(["pack", str(tree.folder), str(tmp_path / "packed.nds"), "--unchecked", "-j", "1"])
    assert end.value.code == 0


# --- scripts

WRONG_SCRIPTS = {
    "an unknown command": ("LockAll", "LockEverything", "LockEverything is no command"),
    "a command with a typing error": ("ReleaseAll", "ReleasAll", "ReleasAll is no command; did you mean ReleaseAll?"),
    "too many arguments": ("LockAll", "LockAll 3", "LockAll has 0 arguments, not 1"),
    "a word in the place of a number": ("LockAll", "Message three", "a number is needed, not 'three'"),
    "a number that is too large": ("LockAll", "Message 256", "256 is larger than 255"),
    "a label that does not exist": ("LockAll", "GoTo script_999", "there is no label script_999"),
    "a label in the place of a number": ("LockAll", "Message script_1", "a number is needed, not 'script_1'"),
    "a number in the place of a label": ("LockAll", "GoTo 12", "a label is needed, not '12'"),
    "a label that exists": ("LockAll", "script_1:", "the label script_1 exists already"),
    "an unknown directive": ("LockAll", ".word 3", "'.word 3' is no known directive here"),
    "digits that are none": ("LockAll", ".bytes 0g", ".bytes needs hexadecimal digits, two for each byte"),
    "an entry among the commands": ("LockAll", ".entry script_1", ".entry belongs before everything else"),
    "a movement list without its end": ("LockAll", ".movement", "is no movement action"),
}


@pytest.mark.parametrize("name", WRONG_SCRIPTS)
def test_a_wrong_script(tree: Tree, refused: Refused, name: str) -> None:
    old, new, why = WRONG_SCRIPTS[name]
    line = _replaced(tree, SCRIPT, f"    {old}\n", f"    {new}\n")
    found = re.match(r", line (\d+): (.*)", refused(SCRIPT))
    assert found is not None and why in found[2]
    assert int(found[1]) == line + (name == "a movement list without its end")


def test_an_entry_behind_the_last_command(tree: Tree, refused: Refused) -> None:
    text = tree.text(SCRIPT)
    line = text.count("\n", 0, text.index(".entry script_1\n")) + 1
    tree.write(SCRIPT, text.replace(".entry script_1\n", ".entry behind\n", 1) + "behind:\n")
    assert refused(SCRIPT) == f", line {line}: nothing follows the label behind"


def test_a_movement_list_up_to_the_end_of_the_file(tree: Tree, refused: Refused) -> None:
    text = tree.text(SCRIPT)
    tree.write(SCRIPT, f"{text}    .movement\n    WalkNormalNorth 1\n")
    line = text.count("\n") + 1
    assert refused(SCRIPT) == f", line {line}: this movement list has no EndMovement"


# --- pictures


def _picture(tree: Tree, index: int) -> tuple[str, Image.Image]:
    textures = json.loads(tree.text(TEXTURES))["value"]["textures"]["textures"]
    name = f"{TEXTURES.removesuffix('.json')}/{textures[index]['name']}.png"
    return name, Image.open(io.BytesIO((tree.folder / name).read_bytes()))


def _png(image: Image.Image) -> bytes:
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


def test_a_picture_of_another_size(tree: Tree, refused: Refused) -> None:
    name, image = _picture(tree, 0)
    width, height = image.size
    tree.write(name, _png(image.resize((width * 2, height))))
    assert refused(name) == f": the picture has {2 * width} x {height} pixels, the texture {width} x {height}"


def test_a_picture_that_is_none(tree: Tree, refused: Refused) -> None:
    name, _ = _picture(tree, 0)
    tree.write(name, b"GIF89a" + bytes(100))
    assert refused(name) == ": this is no PNG picture"


def test_a_damaged_picture(tree: Tree, refused: Refused) -> None:
    name, _ = _picture(tree, 0)
    tree.write(name, (tree.folder / name).read_bytes()[:60])
    assert refused(name).startswith(": the PNG picture is damaged")


def test_a_color_number_that_the_format_does_not_have(tree: Tree, refused: Refused) -> None:
    name, image = _picture(tree, 0)
    numbers = np.array(image)
    numbers[1, 2] = 200
    wrong = Image.fromarray(numbers, "P")
    wrong.putpalette([0] * 768)
    tree.write(name, _png(wrong))
    assert refused(name).startswith(": pixel 2, 1 has colour number 200, the last of this texture is ")


def test_a_color_that_the_palette_does_not_have(tree: Tree, refused: Refused) -> None:
    name, image = _picture(tree, 0)
    pixels = np.array(image.convert("RGB"))
    pixels[1, 2] = (255, 0, 255)
    tree.write(name, _png(Image.fromarray(pixels)))
    assert refused(name) == ": pixel 2, 1 has the colour #ff00ff, which its palette does not have"


def test_a_color_that_is_none(tree: Tree, refused: Refused) -> None:
    _changed(tree, TEXTURES, ["textures", "palettes", 0, "colors", 1], "reddish")
    assert refused(TEXTURES) == f", line {_line_with(tree, TEXTURES, 'reddish')}: a colour is written #rrggbb"


# --- image.json


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"fill": 0', '"fill": 300', "a byte from 0 to 255 is needed"),
        ('"game": "platinum"', '"game": "emerald"', "there is no game emerald"),
        ('"version": 1', '"version": 9', "this program reads version 1, not 9"),
        ('"file": 3', '"file": 4', "4 was there before"),
        ('"name": "arm9"', '"name": "../arm9"', "'../arm9' is no path inside the folder"),
        ('"name": "arm9"', '"name": "arm9", "tail": "f"', "hexadecimal digits are needed, two for each byte"),
        ('"members": 9', '"members": "nine"', "expected a whole number"),
    ],
)
def test_a_wrong_image_document(tree: Tree, refused: Refused, old: str, new: str, why: str) -> None:
    line = _replaced(tree, IMAGE, old, new)
    found = re.match(r", line (\d+): (.*)", refused(IMAGE))
    assert found is not None and found[2] == why
    assert line - 3 <= int(found[1]) <= line + 4  # a part begins with its brace


def test_no_unpacked_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["pack", str(tmp_path), str(tmp_path / "packed.nds")])
    assert end.value.code == 1 and "has no image.json" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["/dev/zero", "outside.json"])
def test_a_link_out_of_the_folder_is_not_read(refused: Refused, tree: Tree, tmp_path: Path, target: str) -> None:
    text = tree.text(TEXTS)
    (tmp_path / "outside.json").write_text(text)
    tree.write(TEXTS, None)
    (tree.folder / TEXTS).symlink_to(tmp_path / target)
    assert refused(TEXTS) == ": this file is a link to a place outside the folder"
    (tree.folder / TEXTS).unlink()


def test_a_link_to_a_file_of_the_folder_is_read(tree: Tree, tmp_path: Path) -> None:
    tree.write(TEXTS, None)
    (tree.folder / "texts").write_text(tree.before[tree.folder / TEXTS].decode())  # type: ignore[union-attr]
    (tree.folder / TEXTS).symlink_to(tree.folder / "texts")
    try:
        packed(tree.folder, tmp_path / "demo.nds")
    finally:
        (tree.folder / TEXTS).unlink()
        (tree.folder / "texts").unlink()


@pytest.mark.parametrize(
    ("file", "path", "number", "sentence"),
    [
        (ENCOUNTERS, ["grass", 3, "species"], 9999, "species 9999 is not one of the 9 members of poketool/personal/"),
        (ENCOUNTERS, ["radar", 2], 9999, "species 9999 is not one of the 9 members of poketool/personal/"),
        (ENCOUNTERS, ["dual_slot", "ruby", 1], 9999, "species 9999 is not one of the 9 members of poketool/personal/"),
        (PARTY, ["pokemon", 1, "species"], 507, "species 507 is not one of the 9 members of poketool/personal/"),
        (PARTY, ["pokemon", 0, "moves", 3], 9999, "there is no move 9999"),
        (TRAINER, ["items", 2], 30, "there is no item 30"),
        (TRAINER, ["trainer_class"], 200, "there is no trainer class 200"),
        (SPECIES, ["held_items", 1], 9999, "there is no item 9999"),
    ],
)
def test_a_thing_that_does_not_exist(
    tree: Tree, refused: Refused, file: str, path: list[Any], number: int, sentence: str
) -> None:
    _changed(tree, file, path, number)
    assert refused(file).startswith(f", line {_line_with(tree, file, str(number))}: {sentence}")


def test_the_line_is_that_of_the_field(tree: Tree, refused: Refused) -> None:
    """The level before the species has its number, too."""
    _changed(tree, ENCOUNTERS, ["grass", 0, "level"], 9999)
    _changed(tree, ENCOUNTERS, ["grass", 5, "species"], 9999)
    lines = [number for number, line in enumerate(tree.text(ENCOUNTERS).split("\n"), 1) if "9999" in line]
    assert refused(ENCOUNTERS).startswith(f", line {lines[1]}: species 9999")


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        (SCRIPT, "Message 5 ", "Message 250 ", "text 250 is not one of the"),
        (SCRIPT, "Message 5 ", "Message 0xFA ", "text 250 is not one of the"),
        (GIFT, "0x8004, 17", "0x8004, 9999", "there is no item 9999"),
        (GIFT, "Message 2 ", "AddItem 9999, 1, 0x800C\n    Message 2 ", "there is no item 9999"),
        (
            GIFT,
            "Message 2 ",
            "StartWildBattle 9999, 5\n    Message 2 ",
            "species 9999 is not one of the 9 members of",
        ),
        (GIFT, "Message 2 ", "Command_123 9999, 1, 0x800C\n    Message 2 ", "there is no item 9999"),
        (FLOOR, "0x8008, 5", "0x8008, 9999", "there is no item 9999"),
    ],
)
def test_a_script_with_a_thing_that_does_not_exist(
    tree: Tree, refused: Refused, file: str, old: str, new: str, sentence: str
) -> None:
    line = _replaced(tree, file, old, new)
    assert refused(file).startswith(f", line {line}: {sentence}")


def test_a_number_of_a_variable_that_means_nothing(tree: Tree, repack: Callable[[], Path]) -> None:
    """It is no item: nothing takes it as one."""
    _replaced(tree, GIFT, "0x8005, 1", "0x8006, 9999\n    SetVarFromValue 0x8005, 1")
    repack()


def test_a_hidden_item_in_the_program(tree: Tree, refused: Refused) -> None:
    program = bytearray((tree.folder / ARM9).read_bytes())
    first = struct.pack("<HBBHHHBBHH", 7, 1, 2, 0, 0, 9, 1, 4, 0, 1)
    assert program.count(first) == 1
    struct.pack_into("<H", program, program.index(first) + 8, 9999)
    tree.write(ARM9, bytes(program))
    assert refused(ARM9) == ": hidden item 1: there is no item 9999"


def test_what_is_not_used_is_not_followed(tree: Tree, repack: Callable[[], Path]) -> None:
    """Slots without a rate, and an empty slot."""
    for path in (["surf", "slots", 0, "species"], ["grass", 0, "species"]):
        _changed(tree, ENCOUNTERS, path, 9999)
    for path in (["surf", "rate"], ["grass_rate"]):
        _changed(tree, ENCOUNTERS, path, 0)
    repack()


def test_a_member_as_bytes(tree: Tree, refused: Refused) -> None:
    """It has no lines."""
    stored = FieldWorld.open("demo").members(Role.ENCOUNTERS)[0]
    tree.write(ENCOUNTERS, None)
    file = ENCOUNTERS.replace(".json", ".bin")
    tree.write(file, stored[:8] + struct.pack("<I", 9999) + stored[12:])
    assert refused(file).startswith(": species 9999 is not one of")
