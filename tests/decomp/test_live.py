"""A tree whose files are edited while it is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mapexplorer.decomp.files import FolderFiles
from mapexplorer.decomp.listing import TreeListing
from mapexplorer.decomp.tree import TreeRom, open_tree
from mapexplorer.errors import SourceError
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import build_archive

Tree = Callable[[Mapping[str, str | bytes]], FolderFiles]

AREAS = PLATINUM.path(Role.AREA_DATA)
ROLES = {Role.AREA_DATA: "areas", Role.AREA_BUILD: "props", Role.TERRAIN_TEXTURES: "ground", Role.AREA_LIGHT: "lights"}


def files_of_roles() -> dict[str, str | bytes]:
    """A tree with two areas."""
    files: dict[str, str | bytes] = {"generated/map_headers.txt": "MAP_HEADER_A\n", "game.us/a.ini": "serial = CPUE\n"}
    rows = ["Source File,Target File"]
    for role, name in ROLES.items():
        rows.append(f"res/{name}/{name}.narc,/{PLATINUM.path(role)}")
        files[f"res/{name}/meson.build"] = (
            f"x = custom_target('{name}.narc',\n    command: ['--files-from', files('{name}.order')],\n)\n"
        )
        files[f"res/{name}/{name}.order"] = f"{name}_0\n{name}_1\n"
    files["game.us/filesys.csv"] = "\n".join(rows)
    for number in range(2):
        files[f"res/areas/areas_{number}.json"] = area(number)
    return files


def area(number: int) -> str:
    return f'{{"mapPropSet": "props_{number}",\n "mapTextureSet": "ground_1",\n "lightingSet": "lights_0"}}'


def test_an_area_is_made_of_names(tree: Tree) -> None:
    rom = TreeRom(tree(files_of_roles()), "game.us/filesys.csv")
    assert [bytes(member).hex() for member in rom.archive(AREAS)] == ["0000010000000000", "0100010000000000"]
    assert (rom.code, rom.has(PLATINUM.path(Role.ZONE_EVENT))) == ("CPUE", False)


def test_a_file_that_cannot_be_read_any_more_is_as_it_was(tree: Tree, tmp_path: Path) -> None:
    tree(files_of_roles())
    before = open_tree(tmp_path, "tree")
    assert before is not None and len(list(before.archive(AREAS))) == 2
    assert tmp_path / "res/areas/areas_1.json" in before.opened_stamps
    edited = tmp_path / "res/areas/areas_1.json"
    edited.write_text(area(0).replace('"ground_1"', "ground"))
    after = open_tree(tmp_path, "tree", before)
    assert after is not None
    assert after.problems == ("res/areas/areas_1.json, line 2: this is no JSON: Expecting value",)
    assert after.archive(AREAS)[1].hex() == "0100010000000000"
    edited.write_text(area(0))
    repaired = open_tree(tmp_path, "tree", after)
    assert repaired is not None and repaired.problems == ()
    assert repaired.archive(AREAS)[1].hex() == "0000010000000000"


def test_a_script_that_cannot_be_assembled_any_more_is_as_it_was(tree: Tree, tmp_path: Path) -> None:
    files, path = files_of_roles(), PLATINUM.path(Role.SCRIPTS)
    files["game.us/filesys.csv"] = f"{files['game.us/filesys.csv']}\nres/scripts/scr_seq.narc,/{path}"
    step = "x = custom_target('scr_seq.narc',\n    command: ['--files-from', files('scripts.order')],\n)\n"
    scripts = {"res/scripts/meson.build": step, "res/scripts/scripts.order": "a\n", "res/scripts/a.s": ".byte 1\n"}
    tree(files | scripts)
    before = open_tree(tmp_path, "tree")
    assert before is not None and before.archive(path)[0] == b"\1"
    (tmp_path / "res/scripts/a.s").write_text("\nNop\n")
    after = open_tree(tmp_path, "tree", before)
    assert after is not None and after.archive(path)[0] == b"\1"
    assert after.problems == ("res/scripts/a.s, line 2: Nop is no macro",)


def test_a_file_that_was_never_read_is_refused(tree: Tree) -> None:
    files = files_of_roles() | {"res/areas/areas_1.json": area(7)}
    rom = TreeRom(tree(files), "game.us/filesys.csv")
    why = "res/areas/areas_1.json, line 1: props_7 is not in res/props/props.order"
    with pytest.raises(SourceError, match=f"^{why}"):
        rom.archive(AREAS)[1]
    assert rom.archive(AREAS)[0].hex() == "0000010000000000"


def test_what_files_are_made_of(tree: Tree, tmp_path: Path) -> None:
    head = {".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": f"# pack-refs\n{'ab' * 20} refs/heads/main\n"}
    tree(files_of_roles() | head | {"build/res/lights/lights.narc": "NARC"})
    rom = open_tree(tmp_path, "tree")
    assert rom is not None and rom.layout == "source tree, commit ababababa"
    assert rom.made_of(AREAS) == "2 sources that res/areas/areas.order names"
    assert rom.made_of(PLATINUM.path(Role.AREA_BUILD)) == ""
    built = rom.listing.built_file(PLATINUM.path(Role.AREA_LIGHT))
    assert built == "build/res/lights/lights.narc"
    before = rom.state()
    (tmp_path / "res/areas/areas_1.json").write_text(area(0) + "\n")
    after = open_tree(tmp_path, "tree")
    assert after is not None and before and after.state() != before


def test_members_of_other_files_are_not_made_again(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(files_of_roles())
    before = open_tree(tmp_path, "tree")
    assert before is not None and len(list(before.archive(AREAS))) == 2
    (tmp_path / "res/areas/areas_1.json").write_text(area(0))
    after = open_tree(tmp_path, "tree", before)
    assert after is not None
    with monkeypatch.context() as patch:
        patch.setattr(after.members, "make", None)
        assert after.archive(AREAS)[0].hex() == "0000010000000000"
    assert after.archive(AREAS)[1].hex() == "0000010000000000"
    assert tmp_path / "res/areas/areas_0.json" in after.opened_stamps
    (tmp_path / "res/props/props.order").write_text("other\nprops_0\nprops_1\n")
    renamed = open_tree(tmp_path, "tree", after)
    assert renamed is not None and renamed.archive(AREAS)[0].hex() == "0100010000000000"


def test_lists_are_kept_while_contents_change(tree: Tree, tmp_path: Path) -> None:
    texts = {f"res/texts/{name}.json": f'{{"messages": [{{"id": "{name}_0"}}]}}' for name in ("a", "b")}
    tree(files_of_roles() | texts)
    before = open_tree(tmp_path, "tree")
    assert before is not None and len(list(before.archive(AREAS))) == 2
    names = [before.listing.names.header(f"res/texts/bank/{name}.h") for name in ("a", "b")]
    (tmp_path / "res/texts/a.json").write_text('{"messages": [{"id": "other"}, {"id": "a_0"}]}')
    after = open_tree(tmp_path, "tree", before)
    assert after is not None and after.listing is before.listing
    assert dict(after.listing.names.header("res/texts/bank/a.h")) == {"other": 0, "a_0": 1}
    assert after.listing.names.header("res/texts/bank/b.h") is names[1]
    (tmp_path / "res/areas/areas.order").write_text("areas_1\n")
    ordered = open_tree(tmp_path, "tree", after)
    assert ordered is not None and ordered.listing is not after.listing
    assert [member.hex() for member in ordered.archive(AREAS)] == ["0100010000000000"]


def test_files_beside_those_that_are_edited_are_no_changes(tree: Tree, tmp_path: Path) -> None:
    files = tree(files_of_roles())
    folder = tmp_path / "res/areas"
    assert "areas_0.json" in files.names("res/areas")
    for name in (".areas_0.json.swp", "areas_0.json~", "#areas_0.json#"):
        (folder / name).touch()
    assert not files.changes([folder, folder / "areas_0.json"])
    (folder / "areas_2.json").touch()
    assert [*files.changes([folder])] == [folder]
    assert FolderFiles(tmp_path, "tree", files).changed == {"res/areas"}


TRAINERS = PLATINUM.path(Role.TRAINERS)


def test_a_form_that_is_not_read_is_one_sentence_for_its_role(tree: Tree) -> None:
    """Trainers in a table; what a build has made of it is read where there is one."""
    others: dict[str, str | bytes] = {
        "generated/trainers.txt": "TRAINER_NONE\nTRAINER_A\n",
        "res/trainers/trainers.csv": "name,class\n",
    }
    files = files_of_roles() | others
    files["game.us/filesys.csv"] = f"{files['game.us/filesys.csv']!s}\nres/trainers/trdata.narc,/{TRAINERS}"
    rom = TreeRom(tree(files), "game.us/filesys.csv")
    assert (rom.has(TRAINERS), TRAINERS in rom.unmade, AREAS in rom.files) == (False, True, True)
    why = "this version does not read what it is made of. res/trainers/none.json: there is no such file"
    assert rom.notes == [f"{TRAINERS}: {why}"]
    built = TreeRom(tree({"build/res/trainers/trdata.narc": build_archive([bytes(20)])}), "game.us/filesys.csv")
    assert built.made_of(TRAINERS) == "build/res/trainers/trdata.narc, as the build made it"
    assert list(built.archive(TRAINERS)) == [bytes(20)]


def test_a_list_may_be_a_header_of_constants(tree: Tree) -> None:
    files = tree({"include/constants/species.h": "#define SPECIES_NONE 0\n#define SPECIES_A (SPECIES_NONE + 1)\n"})
    names = TreeListing(files, PLATINUM, "game.us/filesys.csv").names.of("species")
    assert (dict(names), names.origin("SPECIES_A")) == (
        {"SPECIES_NONE": 0, "SPECIES_A": 1},
        ("include/constants/species.h", 2),
    )


def test_names_of_a_list_that_is_gone_are_the_usual_ones(tree: Tree) -> None:
    rom = TreeRom(tree(files_of_roles()), "game.us/filesys.csv")
    assert rom.listing.names.of("movement_types")["MOVEMENT_TYPE_LOOK_AROUND"] == 2
    assert not rom.listing.names.of("bg_event_types")
    assert (rom.name_origin("MAP_HEADER_A"), rom.name_origin("SPECIES_PIKACHU")) == (
        ("generated/map_headers.txt", 1),
        None,
    )
