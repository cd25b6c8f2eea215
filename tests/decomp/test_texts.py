"""Texts of a tree: the character map, banks that are files, banks that the build makes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from formats.field.message import MessageBank
from mapexplorer.decomp.files import FolderFiles
from mapexplorer.decomp.tree import TreeRom
from mapexplorer.errors import SourceError

Write = Callable[[Mapping[str, str | bytes]], FolderFiles]

CHARACTERS = r"""// letters
  0121=0// the first digit
0122=1
012B=A
012C=B
0145=a
0146=b
0147=x
01AB=!
01AD=,
01AE=.
00F5=？
0300=ab
0301=PM
01B3=’
01DE= """ + "\n".join(
    ["", "E000=\\n", "25BC=\\r", "25BD=\\f", "0100={STRVAR_1}", "FF00={COLOR}", "0201={PAUSE}", "0001=\u3000"]
)
LISTS = {
    "generated/map_headers.txt": "MAP_HEADER_A\n",
    "platinum.us/filesys.csv": "Source File,Target File\n"
    + "".join(
        f"{source},/{target}\n"
        for source, target in {
            "res/text/pl_msg.narc": "msgdata/pl_msg.narc",
            "res/items/pl_item_data.narc": "itemtool/itemdata/pl_item_data.narc",
            "res/moves/move_data.narc": "poketool/waza/pl_waza_tbl.narc",
            "res/pokemon/pl_personal.narc": "poketool/personal/pl_personal.narc",
            "res/trainers/trdata.narc": "poketool/trainer/trdata.narc",
            "res/trades.narc": "fielddata/pokemon_trade/fld_trade.narc",
            "res/town_map/blocks.dat": "data/tmap_block.dat",
        }.items()
    ),
    "tools/msgenc/charmap.txt": CHARACTERS,
}


def banks(tree: Write, files: Mapping[str, Any], *names: str) -> Callable[[str], MessageBank]:
    """Gives the banks of a tree by name; they are encoded and read again."""
    lists = {"generated/text_banks.txt": "".join(f"TEXT_BANK_{name.upper()}\n" for name in names)}
    texts = {path: value if isinstance(value, str) else json.dumps(value, indent=1) for path, value in files.items()}
    archive = TreeRom(tree(LISTS | lists | texts), "platinum.us/filesys.csv").archive("msgdata/pl_msg.narc")
    return lambda name: MessageBank.from_bytes(archive[names.index(name)])


def bank(tree: Write, *texts: Any) -> MessageBank:
    rows = [{"id": f"Town_{number}", "en_US": text} for number, text in enumerate(texts)]
    return banks(tree, {"res/text/town.json": {"key": 7, "messages": rows}}, "town")("town")


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("Aab! 0", "Aab! 0"),
        (["A\n", "b\r", "a\f"], "A\nb\ra\f"),
        ("A\\nb", "A\nb"),
        ("PMa", "{0301}a"),
        ("？\u3000", "{00F5}\u3000"),
        ("{STRVAR_1 3, 0, 5} {COLOR 1}{PAUSE}", "{command 0103 0 5} {command FF00 1}{command 0201}"),
        ("{TRNAME}AB", "{packed}AB"),
        ("{1f3}{E0}", "{01F3}{00E0}"),
        ("", ""),
    ],
)
def test_a_text_has_the_units_of_the_character_map(tree: Write, text: str | list[str], notation: str) -> None:
    assert list(bank(tree, text).messages) == [notation]


def test_a_bank_has_its_key_and_blanks_where_a_text_is_unused(tree: Write) -> None:
    rows = [{"id": "A", "garbage": 3}, {"id": "B", "en_US": "b"}]
    town = banks(tree, {"res/text/town.json": {"key": 513, "messages": rows}}, "town")("town")
    assert (town.seed, town.messages) == (513, ("   ", "b"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("aé", "line 5: Town_0: the character map has no 'é'"),
        ("{NOTHING 1}", "line 5: Town_0: {NOTHING 1} is no command of the character map, and no code"),
        ("a {TRNAME}", "line 5: Town_0: {TRNAME} is no command of the character map, and no code"),
        ("{PAUSE", "line 5: Town_0: {PAUSE is no command of the character map, and no code"),
        (5, "line 6: a text is needed"),
        ([5], "line 7: a text is needed"),
        ("{TRNAME}" + "\u3000？\n", "a packed string holds only characters below 0x1FF"),
    ],
)
def test_what_is_wrong_has_a_file_and_a_line(tree: Write, text: Any, why: str) -> None:
    with pytest.raises(SourceError) as error:
        bank(tree, text)
    assert str(error.value).startswith("res/text/town.json")
    assert str(error.value).endswith(why)


@pytest.mark.parametrize("row", ["no line", "XYZ=a", "10000=a"])
def test_a_character_map_that_cannot_be_read(tree: Write, row: str) -> None:
    rows = [{"id": "A", "en_US": "0"}]
    text = {"tools/msgenc/charmap.txt": f"0121=0\n{row}\n", "res/text/town.json": {"key": 7, "messages": rows}}
    with pytest.raises(SourceError, match=r"charmap.txt, line 2: this is no line HEX=LETTERS"):
        banks(tree, text, "town")("town")


def test_banks_of_items_and_moves(tree: Write) -> None:
    program = 'banks[] = {\n [T] = { .key = %d, .out_filename = "%s.json" },\n};\n'
    files = {
        "generated/items.txt": "ITEM_NONE\nITEM_BALL\nITEM_UNUSED_2\nMAX_ITEMS\n",
        "res/items/data/none.json": {"name": "0", "plural": "???", "article": None, "description": "?"},
        "res/items/data/ball.json": {"name": "Ab", "plural": "Abb", "article": "a", "description": ["A\n", "b"]},
        "tools/dataproc/src/items.c": program % (5, "item_names_with_articles") + program % (6, "item_descriptions"),
        "generated/moves.txt": "MOVE_NONE\nMOVE_A_B\n",
        "res/moves/none/data.json": {"name": "0", "description": "b"},
        "res/moves/a_b/data.json": {"name": "A,b", "description": "a"},
        "tools/dataproc/src/moves.c": program % (7, "moves_used_in_battle")
        + program % (8, "move_names_uppercase")
        + "if (i == MOVE_A_B) {\n line[2] = 'B';\n }",
        "tools/msgenc/charmap.txt": CHARACTERS
        + "\n"
        + "\n".join(f"{0x145 + n:04X}={chr(97 + n)}" for n in range(26))
        + "\n013E=T\n01AC=?",
    }
    names = ("item_names_with_articles", "item_descriptions", "moves_used_in_battle", "move_names_uppercase")
    made = banks(tree, files, *names)
    assert made(names[0]).messages == ("???", "a {command FF00 255}Ab{command FF00 0}", "???")
    assert made(names[1]).messages == ("?", "A\nb", "")
    used = "{command 0101 0 0} used\nA,B!"
    assert made(names[2]).messages == ("!", "!", "!", used, f"The wild {used}", f"The foe’s {used}")
    assert [made(name).seed for name in names] == [5, 6, 7, 8]
    assert made(names[3]).messages == ("0", "A,B")


def test_a_bank_that_is_made_in_an_unknown_way(tree: Write) -> None:
    made = banks(tree, {}, "item_names", "absent")
    with pytest.raises(
        SourceError, match=r"^generated/text_banks.txt, line 2: there is no res/text/absent.json, and this version"
    ):
        made("absent")
    with pytest.raises(SourceError, match=r"^res/items/none.json: there is no such file"):
        made("item_names")
