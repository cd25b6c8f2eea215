"""Edits of the source tree: what changes, and what is refused in one sentence."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from mapexplorer.catalogue.contents import contents, written
from mapexplorer.compare.change import ChangedKind
from mapexplorer.compare.comparison import compare
from mapexplorer.decomp.tree import TreeRom, table_of
from mapexplorer.errors import SourceError
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.world.references.verification import verify
from mapexplorer.world.world import FieldWorld
from tests.catalogue.test_following import is_as_new, made
from tests.decomp.packed import PackedFiles

HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
ROLES = (Role.ZONE_EVENT, Role.ENCOUNTERS, Role.MAP_MATRIX, Role.LAND_DATA, Role.MESSAGES, Role.SCRIPTS)


def applied(files: PackedFiles, diff: str) -> PackedFiles:
    """A tree after a diff in git's form."""
    edited = files.copy()
    for part in diff.split("diff --git ")[1:]:
        before, after = re.match(r"a/(\S+) b/(\S+)", part).groups()  # type: ignore[union-attr]
        if "copy from" in part:
            edited.write(after, files.contents[before])
            continue
        old, new, at = files.contents[before].decode().splitlines(keepends=True), [], 0
        for line in part.splitlines(keepends=True):
            hunk = HUNK.match(line)
            if hunk:
                new += old[at : int(hunk[1]) - 1]
                at = int(hunk[1]) - 1
            elif new or at:
                new += [line[1:]] if line[0] in " +" else []
                at += line[0] in " -"
        edited.write(after, "".join(new + old[at:]).encode())
    return edited


def edits(vectors: Path) -> Path:
    return vectors / "tree" / "edits"


def hashes(rom: TreeRom, path: str, members: list[int]) -> list[str]:
    return [hashlib.sha1(rom.archive(path)[number]).hexdigest() for number in members]


def test_an_edit_changes_its_members(packed: PackedFiles, vectors: Path) -> None:
    expected = json.loads((edits(vectors) / "expected.json").read_text("utf-8"))
    before = TreeRom(packed, table_of(packed))
    for name, archives in expected.items():
        rom = TreeRom(applied(packed, (edits(vectors) / name).read_text("utf-8")), before.listing.table)
        for path, change in archives.items():
            numbers = [int(number) for number in change["sha1"]]
            if path == "map headers":
                table = rom.table("MAP_HEADERS")
                found = [hashlib.sha1(table.data[24 * number :][:24]).hexdigest() for number in numbers]
            else:
                found = hashes(rom, path, numbers)
                others = [number for number in range(0, len(before.archive(path)), 199) if number not in numbers]
                assert hashes(rom, path, others) == hashes(before, path, others)
                assert len(rom.archive(path)) == len(before.archive(path)) + len(change["added"])
            assert found == list(change["sha1"].values()), name


@pytest.mark.parametrize(
    ("name", "role", "member", "sentence"),
    [
        ("09-broken-json", Role.ZONE_EVENT, None, "res/field/events/events_route_202.json, line 16: this is no JSON: "),
        (
            "10-unknown-constant",
            Role.ENCOUNTERS,
            None,
            "res/field/encounters/encounters_route_203.json, line 6: SPECIES_NOT_A_STARLY is not in "
            "generated/species.txt",
        ),
        (
            "11-missing-ordered-file",
            Role.SCRIPTS,
            1124,
            "res/field/scripts/scripts.order, line 1125: there is no file scripts_new_place.s in res/field/scripts",
        ),
    ],
)
def test_an_error_costs_its_member(
    packed: PackedFiles, vectors: Path, name: str, role: Role, member: int | None, sentence: str
) -> None:
    rom = TreeRom(applied(packed, (edits(vectors) / f"{name}.diff").read_text("utf-8")), table_of(packed))
    archive = rom.archive(PLATINUM.path(role))
    if member is None:
        (file,) = [file for file in rom.tree.contents if sentence.startswith(file)]
        (member,) = [n for n, made in enumerate(rom.members.sources(archive.path)) if made.file == file]
    with pytest.raises(SourceError) as error:
        archive[member]
    assert str(error.value).startswith(sentence)
    assert archive[0] == TreeRom(packed, table_of(packed)).archive(archive.path)[0]


def test_forms_of_other_commits(packed: PackedFiles) -> None:
    """Another key, a list with another name, constants of a header in place of a list, an order file in a variable."""
    older = packed.copy()
    flags = older.contents["generated/vars_flags.txt"].decode()
    names = TreeRom(packed, table_of(packed)).listing.names.of("vars_flags")
    assert "FLAG_HIDE_TWINLEAF_TOWN_RIVAL" in flags
    header = "".join(f"#define {name} {number}\n" for name, number in names.items())
    older.write("include/constants/savedata/vars_flags.h", header.encode())
    older.write("generated/object_events.txt", older.contents["generated/object_events_gfx.txt"])
    for name in ("vars_flags.txt", "object_events_gfx.txt"):
        older.remove(f"generated/{name}")
    build = "res/field/area_data/meson.build"
    step = older.contents[build].decode().replace("files('area_data.order')", "area_data_order")
    older.write(build, f"area_data_order = files('area_data.order')\n\n{step}".encode())
    headers = "include/data/map_headers.h"
    older.write(headers, older.contents[headers].replace(b'.naix"', b'.naix.h"'))
    events = "res/field/events/events_twinleaf_town.json"
    older.write(events, older.contents[events].replace(b'"hidden_flag"', b'"flag"'))
    path, before, after = (
        PLATINUM.path(Role.ZONE_EVENT),
        TreeRom(packed, table_of(packed)),
        TreeRom(older, table_of(older)),
    )
    assert hashes(after, path, [0, 390]) == hashes(before, path, [0, 390])
    assert after.table("MAP_HEADERS") == before.table("MAP_HEADERS") is not None
    areas = PLATINUM.path(Role.AREA_DATA)
    assert hashes(after, areas, [0, 74]) == hashes(before, areas, [0, 74])
    for part in (("objects", 2, "hidden_flag"), ("objects", 2, "graphics")):
        assert after.origin(path, 390, part) == before.origin(path, 390, part)


def test_a_name_that_stands_twice_is_a_note(packed: PackedFiles, vectors: Path) -> None:
    rom = TreeRom(applied(packed, (edits(vectors) / "12-duplicate-enum.diff").read_text("utf-8")), table_of(packed))
    assert rom.notes == ["generated/vars_flags.txt, line 70: FLAG_UNK_0x0043 is named twice (first in line 69)"]
    names = rom.listing.names.of("vars_flags")
    assert names["FLAG_UNK_0x0044"] == 68
    with pytest.raises(SourceError, match="named twice"):
        names["FLAG_UNK_0x0043"]


def test_members_that_are_made_of_the_same_are_not_made(packed: PackedFiles, vectors: Path) -> None:
    """A script that includes the ids of edited texts is one that may differ; with a list, everything is."""
    rom = TreeRom(packed, table_of(packed))
    text, flag = (
        TreeRom(applied(packed, (edits(vectors) / f"{name}.diff").read_text("utf-8")), table_of(packed))
        for name in ("02-sign-text", "06-new-object-new-flag")
    )
    for role, same, edited in ((Role.MESSAGES, 400, 554), (Role.SCRIPTS, 1100, 1052), (Role.ZONE_EVENT, 400, None)):
        archives = [tree.archive(PLATINUM.path(role)) for tree in (rom, text, flag)]
        first = [archive.made_of(same) for archive in archives]
        assert first[0] is not None and first[0] == first[1] != first[2]
        assert edited is None or archives[0].made_of(edited) != archives[1].made_of(edited)
    assert not rom.members.made
    assert rom.archive(PLATINUM.path(Role.MESSAGES)).made_of(392) is not None, "names of items, some without a file"
    land = PLATINUM.path(Role.LAND_DATA)
    assert rom.archive(land).made_of(0) == text.archive(land).made_of(0) != rom.archive(land).made_of(1)


@pytest.mark.slow
def test_edits_are_said_in_the_terms_of_the_game(packed: PackedFiles, vectors: Path) -> None:
    edited = packed
    for number in range(1, 8):
        (diff,) = edits(vectors).glob(f"0{number}-*.diff")
        edited = applied(edited, diff.read_text("utf-8"))
    before, after = (FieldWorld(TreeRom(files, table_of(files))) for files in (packed, edited))
    changes = compare(before, after).changes
    assert {change.kind for change in changes} == {
        ChangedKind.HEADER,
        ChangedKind.MATRIX,
        ChangedKind.EVENT,
        ChangedKind.SCRIPT,
        ChangedKind.TEXT,
        ChangedKind.ENCOUNTER,
    }
    header, matrix = changes[:2]
    assert (header.headers, header.field, header.before, header.after) == ((411,), "day_music", 1004, 1008)
    assert (matrix.before, matrix.after) == (0xFFFF, 173)
    (diff,) = edits(vectors).glob("09-*.diff")
    broken = TreeRom(applied(packed, diff.read_text("utf-8")), table_of(packed))
    changes = compare(before, FieldWorld(broken)).changes  # a script includes the events
    scripts = PLATINUM.path(Role.SCRIPTS)
    assert sum(path == scripts for path, _ in broken.members.made) < 5
    why = "res/field/events/events_route_202.json, line 16: this is no JSON: "
    assert [(change.kind, change.field) for change in changes] == [
        (ChangedKind.EVENT, "error"),
        (ChangedKind.SCRIPT, "error"),
    ]
    sentences = [change.after for change in changes] + verify(broken, jobs=1).problems
    assert [sentence.startswith(why) for sentence in sentences] == [True] * 4


RENAMES = (
    ("Text_TooSlow", "Text_Hurry", "res/text/route_201.json", "res/field/scripts/scripts_route_201.s"),
    ('"name": "Tristan"', '"name": "Tester"', "res/trainers/data/youngster_tristan.json"),
    ('"name": "Potion"', '"name": "Tonic"', "res/items/data/potion.json"),
    (
        "LOCALID_GUITARIST",
        "LOCALID_MUSICIAN",
        "res/field/events/events_twinleaf_town.json",
        "res/field/scripts/scripts_twinleaf_town.s",
    ),
    ("LetsGetMovingX", "GoingX", "res/field/scripts/scripts_route_201.s"),
)
"""Words, other words, and the files that have them: of a text, a trainer, an item, an event, labels of a script."""


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_store_follows_edits_of_a_tree(packed: PackedFiles, vectors: Path) -> None:
    """The store of each edited tree is made of that before. Lists of names and C sources have all rows made anew."""
    files, rom = packed, TreeRom(packed, table_of(packed))
    store = made(FieldWorld(rom))
    diffs = [path.read_text("utf-8") for path in sorted(edits(vectors).glob("0[1-7]*.diff"))]
    followed = 0
    for edit in (*diffs, *RENAMES):
        edited = applied(files, edit) if isinstance(edit, str) else files.copy()
        if not isinstance(edit, str):
            before, after, *paths = edit
            for path in paths:
                text = files.contents[path].decode()
                assert before in text, path
                edited.write(path, text.replace(before, after).encode())
        changed = {path for path, data in edited.contents.items() if files.contents.get(path) != data}
        edited.changed = frozenset(changed)
        rom = TreeRom(edited, rom.listing.table, rom)
        world = FieldWorld(rom)
        followed += written(world, store, contents(world)) is not None
        store = made(world, store)
        if edit in (diffs[2], diffs[-1], RENAMES[-1]):  # each takes seconds
            assert is_as_new(store, FieldWorld(TreeRom(edited, rom.listing.table)))
        files = edited
    (diff,) = edits(vectors).glob("09-*.diff")  # the events, and a script that includes their names
    edited = applied(files, diff.read_text("utf-8"))
    edited.changed = frozenset({"res/field/events/events_route_202.json"})
    world = FieldWorld(TreeRom(edited, rom.listing.table, rom))
    broken = written(world, store, contents(world))
    assert broken is not None and broken.keys() == {Role.ZONE_EVENT, Role.SCRIPTS} and len(world.rom.problems) == 1
    assert made(world, store).rows("SELECT * FROM object") == store.rows("SELECT * FROM object")
    assert followed == len(diffs) + len(RENAMES) - 2  # a header, and a list of flags
