"""Script files and initial script files: the vectors, writing, edits, damage."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import FormatError, same
from formats.binary import Notes
from formats.field import InitScriptFile, ScriptFile, ScriptMember
from formats.field.init_script import FrameRow, FrameTable, InitScript
from formats.field.script import Command, MovementList, Target, Unknown
from formats.field.script_commands import CommandSet
from mapexplorer.rom import Archive, Rom
from tests.conftest import Cases

GO_TO, END, MESSAGE = 22, 2, 44
FACE = ((1, 2), (254, 0))
FILE = ScriptFile(
    (Target(2), Target(0)),
    (
        Command(MESSAGE, (7,)),
        Command(GO_TO, (Target(3),)),
        Command(94, (255, Target(4))),
        Command(END),
        MovementList(FACE),
        MovementList(FACE),
    ),
)


@pytest.fixture(scope="module")
def archive(rom: Rom) -> Archive:
    return rom.archive("fielddata/script/scr_seq.narc")


def test_every_script_file_of_the_vectors(archive: Archive, cases: Cases) -> None:
    for row in cases("scripts"):
        data = archive[row["member"]]
        assert hashlib.sha1(data).hexdigest() == row["sha1"] and len(data) == row["size"]
        notes: Notes = []
        file = ScriptFile.from_bytes(data, notes=notes)
        assert notes == []
        assert file.to_bytes() == data
        offsets = file.offsets()

        def place(value: int | Target, offsets: tuple[int, ...] = offsets) -> int:
            if isinstance(value, Target):
                assert value.offset == 0
                return offsets[value.item]
            return value

        commands: list[list[int]] = []
        movement: list[list[int]] = []
        for offset, item in zip(offsets, file.items, strict=False):
            assert not isinstance(item, Unknown)
            if isinstance(item, Command):
                commands.append([offset, item.number, *map(place, item.arguments)])
            else:
                movement += [[offset + 4 * index, *step] for index, step in enumerate(item.steps)]
        found = {"entries": list(map(place, file.entries)), "commands": commands, "movement": movement}
        assert found == {key: row[key] for key in found}, row["member"]
        assert file.end_mark == row["end_mark"]


def test_every_initial_script_file_of_the_vectors(archive: Archive, cases: Cases) -> None:
    for row in cases("init_scripts"):
        data = archive[row["member"]]
        assert hashlib.sha1(data).hexdigest() == row["sha1"]
        file = InitScriptFile.from_bytes(data)
        assert file.to_bytes() == data
        found = [
            [record.type, record.script]
            if isinstance(record, InitScript)
            else [1, [[line.variable, line.value, line.script] for line in record.rows]]
            for record in file.records
        ]
        assert found == row["entries"], row["member"]


def test_contents_tell_the_two_kinds_apart(archive: Archive, cases: Cases) -> None:
    kinds = [type(ScriptMember.from_bytes(archive.reader(index))) for index in range(len(archive))]
    assert (kinds.count(ScriptFile), kinds.count(InitScriptFile)) == (575, 549)
    for name, kind in (("scripts", ScriptFile), ("init_scripts", InitScriptFile)):
        assert {kinds[row["member"]] for row in cases(name)} == {kind}


def test_a_script_file_is_its_entries_then_its_items() -> None:
    data = FILE.to_bytes()
    assert data[:10] == bytes((15, 0, 0, 0, 2, 0, 0, 0, 0x13, 0xFD))
    assert data[10:13] == bytes((MESSAGE, 0, 7))
    assert data[13:19] == bytes((GO_TO, 0, 8, 0, 0, 0))  # from 19 to 27
    assert data[19:27] == bytes((94, 0, 255, 0, 5, 0, 0, 0))  # from 27 to 32
    assert data[27:32] == bytes((END, 0, 0, 0, 0))
    assert data[32:] == bytes((1, 0, 2, 0, 254, 0, 0, 0)) * 2
    assert same(ScriptFile.from_bytes(data), FILE)


@pytest.mark.parametrize(
    "edited, growth",
    [
        (replace(FILE, items=(*FILE.items, Command(END))), 4),
        (replace(FILE, items=FILE.items[:5]), -8),
        (replace(FILE, items=(replace(FILE.items[0], arguments=(8,)), *FILE.items[1:])), 0),
        (replace(FILE, items=(*FILE.items[:4], MovementList(((12, 9), *FACE)), FILE.items[5])), 4),
        (replace(FILE, end_mark=False), -4),
        (replace(FILE, entries=(*FILE.entries, Target(3))), 4),
        (replace(FILE, entries=FILE.entries[:1]), -4),
        (replace(FILE, items=(*FILE.items, Command(END)), padded=False), 2),
        (replace(FILE, items=(*FILE.items, Unknown(b"\xff\xff\xff\xff"))), 4),
    ],
)
def test_edited_scripts_are_written_and_read_back(
    edited: ScriptFile, growth: int, rewritten: Callable[[Any], Any]
) -> None:
    assert len(edited.to_bytes()) - len(FILE.to_bytes()) == growth
    assert same(rewritten(edited), edited)


def test_targets_follow_their_items_when_commands_are_inserted() -> None:
    """One command more in front: the same jumps lead to the same commands."""

    def moved(target: Target) -> Target:
        return Target(target.item + 1)

    items = [
        replace(item, arguments=tuple(moved(one) if isinstance(one, Target) else one for one in item.arguments))
        if isinstance(item, Command)
        else item
        for item in FILE.items
    ]
    longer = replace(FILE, entries=tuple(map(moved, FILE.entries)), items=(Command(END), *items))
    again = ScriptFile.from_bytes(longer.to_bytes())
    assert same(again, longer)
    jump = again.items[2]
    assert isinstance(jump, Command) and isinstance(jump.arguments[0], Target)
    assert again.items[jump.arguments[0].item] == Command(END)


@pytest.mark.parametrize(
    "wrong",
    [
        Command(840),
        Command(GO_TO),
        Command(GO_TO, (3,)),
        Command(GO_TO, (Target(9),)),
        Command(MESSAGE, (256,)),
        Command(MESSAGE, (Target(0),)),
        Command(463, (2,)),
        MovementList(((0x10000, 0),)),
    ],
)
def test_a_command_without_bytes_is_refused(wrong: Command | MovementList) -> None:
    with pytest.raises(ValueError):
        replace(FILE, items=(*FILE.items, wrong)).to_bytes()


@pytest.mark.parametrize(
    "code, offset, words",
    [
        ((0x48, 3), 6, "840 is not a known command"),
        ((GO_TO, 0, 0, 1, 0, 0), 268, "outside the file"),
        ((GO_TO, 0, 0xF6, 0xFF, 0xFF, 0xFF), 2, "a part of something else"),
        ((MESSAGE, 0, 7, MESSAGE, 0), 9, "ends in a command"),
        ((94, 0, 255, 0, 0, 0, 0, 0, END, 0), 14, "does not end"),
        ((94, 0, 255, 0, 2, 0, 0, 0, END, 0, 200, 0, 1, 0), 16, "200 is not a known movement action"),
    ],
)
def test_where_reading_stops_is_a_note(code: tuple[int, ...], offset: int, words: str) -> None:
    data = bytes((2, 0, 0, 0, 0x13, 0xFD, *code))
    notes: Notes = []
    file = ScriptFile.from_bytes(data, notes=notes)
    assert file.to_bytes() == data
    assert [note.offset for note in notes] == [offset] and words in notes[0].sentence


@pytest.mark.parametrize("data", [b"", bytes(3), b"\0\1\0\0\x13\xfd", b"\xf0\xff\xff\xff\x13\xfd"])
def test_a_damaged_table_of_entries_is_a_format_error(data: bytes) -> None:
    with pytest.raises(FormatError):
        ScriptFile.from_bytes(data)


def test_a_file_without_scripts() -> None:
    assert same(ScriptFile.from_bytes(b"\x13\xfd\0\0"), ScriptFile((), ()))
    assert ScriptFile((), ()).to_bytes() == b"\x13\xfd\0\0"


@given(st.binary(min_size=1, max_size=120), st.booleans())
def test_whatever_is_read_is_written_to_the_same_bytes(body: bytes, mark: bool) -> None:
    data = bytes((2, 0, 0, 0, 0x13, 0xFD)) + body if mark else bytes(4) + body
    assert ScriptFile.from_bytes(data).to_bytes() == data


def test_a_large_file_of_almost_commands_is_read_in_linear_time() -> None:
    """No call of the search may read again what failed before: a megabyte would take hours."""
    for unit in (bytes(2), b"\1\0\0\0"):  # commands, steps; neither comes to an end
        data = bytes((2, 0, 0, 0, 0x13, 0xFD, END, 0)) + unit * (100_000 // len(unit)) + b"\xff\xff\xff"
        assert ScriptFile.from_bytes(data).to_bytes() == data


def test_another_game_has_another_command_set() -> None:
    commands = CommandSet("- b w -", {1: {5: "h"}}, end=3, no_return=frozenset({3}), actions=2, movement_end=9)
    file = ScriptFile((Target(0),), (Command(1, (5, 300)), Command(1, (4,)), Command(2, (70000,)), Command(3)))
    data = file.to_bytes(commands=commands)
    assert len(data) == 4 + 2 + 5 + 3 + 6 + 2 + 2
    assert same(ScriptFile.from_bytes(data, commands=commands), file)


INITIAL = InitScriptFile(
    (FrameTable((FrameRow(0x4055, 1, 9), FrameRow(0x4056, 0, 10))), InitScript(2, 3), FrameTable(())), None
)


def test_the_tables_of_initial_scripts_lie_behind_the_records() -> None:
    data = INITIAL.to_bytes()
    assert data[:16] == bytes((1, 11, 0, 0, 0, 2, 3, 0, 0, 0, 1, 15, 0, 0, 0, 0))
    assert data[16:] == bytes((0x55, 0x40, 1, 0, 9, 0, 0x56, 0x40, 0, 0, 10, 0, 0, 0, 0, 0))
    assert same(InitScriptFile.from_bytes(data), INITIAL)


@pytest.mark.parametrize(
    "edited",
    [
        replace(INITIAL, records=()),
        replace(INITIAL, records=INITIAL.records[::-1]),
        replace(INITIAL, records=(*INITIAL.records, InitScript(4, 0xFFFF))),
        replace(INITIAL, zeros=5),
        replace(INITIAL, zeros=0, records=(InitScript(3, 1),)),
    ],
)
def test_edited_initial_scripts_are_written_and_read_back(
    edited: InitScriptFile, rewritten: Callable[[Any], Any]
) -> None:
    assert same(rewritten(edited), edited)


@pytest.mark.parametrize(
    "wrong", [InitScript(1, 1), InitScript(5, 1), InitScript(2, 0x10000), FrameTable((FrameRow(0, 1, 1),))]
)
def test_an_initial_script_without_bytes_is_refused(wrong: InitScript | FrameTable) -> None:
    with pytest.raises(ValueError):
        InitScriptFile((wrong,)).to_bytes()


@pytest.mark.parametrize(
    "data", [b"", b"\5\0\0\0\0\0", b"\2\1\0\1\0\0", b"\1\0\0\0\0\0", b"\1\1\0\0\0\0", bytes(9), b"\0\0\1"]
)
def test_damaged_initial_scripts_are_a_format_error(data: bytes) -> None:
    with pytest.raises(FormatError):
        InitScriptFile.from_bytes(data)


def test_a_variable_with_a_zero_low_byte_and_a_long_file_are_notes() -> None:
    table = FrameTable((FrameRow(0x4100, 1, 1),) * 50)
    notes: Notes = []
    assert same(InitScriptFile.from_bytes(InitScriptFile((table,)).to_bytes(), notes=notes).records, (table,))
    assert len(notes) == 51
