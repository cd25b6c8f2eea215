"""Edits of the text of an unpacked folder, each with the changes that a comparison of the ROMs must find."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np
from PIL import Image

from formats.json_codec import layout
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind
from mapexplorer.gameplay.script_listing import CommandLine
from mapexplorer.games import Role
from mapexplorer.world.world import FieldWorld
from tests.source_tree.conftest import Tree

_TILE_UNITS: Final = 16 << 12
_FREE_FLAG: Final = 2900

Check = Callable[[tuple[Change, ...]], bool]
"""Whether these are the changes that an edit makes, and no others."""
Edit = Callable[[Tree, FieldWorld, random.Random], Check | None]
"""Makes an edit; None: it found nothing to edit there."""


def told(change: Change) -> tuple[ChangedKind, ChangeAction, tuple[int | str, ...], str]:
    return change.kind, change.action, change.key, change.field


def _only(kind: ChangedKind, action: ChangeAction, key: tuple[int | str, ...], field: str) -> Check:
    return lambda changes: [told(one) for one in changes] == [(kind, action, key, field)]


def _stem(world: FieldWorld, role: Role, number: int) -> str:
    return f"data/{world.path(role)}/{number:04}"


def _number(world: FieldWorld, role: Role, chance: random.Random) -> int:
    return chance.randrange(len(world.members(role)))


def edit_json(tree: Tree, name: str, change: Callable[[Any], None], most_lines: int = 1) -> None:
    """Change a document; as text, only a few lines become others."""
    before = tree.text(name)
    document = json.loads(before)
    change(document["value"])
    after = layout(document)
    pairs = zip(before.splitlines(), after.splitlines(), strict=True)
    assert 1 <= sum(one != other for one, other in pairs) <= most_lines
    tree.write(name, after)


def _prop_moved(tree: Tree, world: FieldWorld, chance: random.Random) -> Check | None:
    land = _number(world, Role.LAND_DATA, chance)
    props = world.placed_props(land)
    if not len(props):
        return None
    index, axis = chance.randrange(len(props)), chance.randrange(3)

    def change(value: Any) -> None:
        value["props"]["values"][index][1][axis] += 4096

    edit_json(tree, f"{_stem(world, Role.LAND_DATA, land)}.json", change)
    return _only(ChangedKind.PROP, ChangeAction.MOVED, (land, index), "position")


def _tile_blocked(tree: Tree, world: FieldWorld, chance: random.Random) -> Check | None:
    land, x, z = _number(world, Role.LAND_DATA, chance), chance.randrange(32), chance.randrange(32)

    def change(value: Any) -> None:
        value["attributes"]["values"][z][x] ^= 0x8000

    edit_json(tree, f"{_stem(world, Role.LAND_DATA, land)}.json", change)
    return _only(ChangedKind.TILE, ChangeAction.CHANGED, (land, x, z), "collision")


def _plate_raised(tree: Tree, world: FieldWorld, chance: random.Random) -> Check | None:
    land = _number(world, Role.LAND_DATA, chance)
    plates = world.land(land).bdhc
    rows = json.loads(tree.text(f"{_stem(world, Role.LAND_DATA, land)}.json"))["value"]["bdhc"]
    points = rows["points"]["values"]
    large = []
    for index, (first, second, *_) in enumerate(rows["plates"]["values"]):
        size = [abs(one - other) for one, other in zip(points[first], points[second], strict=True)]
        if min(size) >= 2 * _TILE_UNITS and any(index in strip["plates"]["values"] for strip in rows["strips"]):
            large.append(index)
    if plates is None or not large:
        return None
    plate = chance.choice(large)

    def change(value: Any) -> None:
        bdhc = value["bdhc"]
        row, constants = bdhc["plates"]["values"][plate], bdhc["constants"]["values"]
        constants.append(constants[row[3]] - 3 * 4096)
        row[3] = len(constants) - 1

    edit_json(tree, f"{_stem(world, Role.LAND_DATA, land)}.json", change, 2)

    def check(changes: tuple[Change, ...]) -> bool:
        rises = [set(one.after) - set(one.before) for one in changes]
        return (
            bool(changes)
            and all(rises)
            and {(one.kind, one.key[0], one.field) for one in changes} == {(ChangedKind.TILE, land, "height")}
        )

    return check


def _warp_redirected(tree: Tree, world: FieldWorld, chance: random.Random) -> Check | None:
    header = chance.choice([one for one in world.headers if world.events(one.id) is not None])
    events = world.events(header.id)
    targets = [one.id for one in world.headers if len(getattr(world.events(one.id), "warps", ()))]
    if events is None or not len(events.warps):
        return None
    index = chance.randrange(len(events.warps))
    there = [one for one in targets if one != int(events.warps[index]["header"])]

    def change(value: Any) -> None:
        value["warps"]["values"][index][2:4] = [chance.choice(there), 0]

    edit_json(tree, f"{_stem(world, Role.ZONE_EVENT, header.events)}.json", change)
    return _only(ChangedKind.WARP, ChangeAction.CHANGED, (header.events, index), "target")


def _text_longer(tree: Tree, world: FieldWorld, chance: random.Random) -> Check | None:
    number = _number(world, Role.MESSAGES, chance)
    bank = world.messages(number)
    if bank is None or not len(bank):
        return None
    index = chance.randrange(len(bank))
    if "{packed}" in bank[index] or "{no end}" in bank[index]:
        return None

    def change(value: Any) -> None:
        value["messages"][index] += " And more!"

    edit_json(tree, f"{_stem(world, Role.MESSAGES, number)}.json", change)
    return _only(ChangedKind.TEXT, ChangeAction.CHANGED, (number, index), "text")


def _encounter_changed(tree: Tree, world: FieldWorld, chance: random.Random) -> Check | None:
    number, slot = _number(world, Role.ENCOUNTERS, chance), chance.randrange(12)

    def change(value: Any) -> None:
        value["grass"][slot]["level"] += 1

    edit_json(tree, f"{_stem(world, Role.ENCOUNTERS, number)}.json", change)

    def check(changes: tuple[Change, ...]) -> bool:
        """The levels of the species of the slot, or, where these are those of another one, of the slot."""
        found = [(one.kind, one.action, one.key[0], one.field) for one in changes]
        return found in [
            [(ChangedKind.ENCOUNTER, ChangeAction.CHANGED, number, field)]
            for field in (f"grass[{slot}].level", "grass levels")
        ]

    return check


def _texture_repainted(tree: Tree, world: FieldWorld, chance: random.Random) -> Check | None:
    role = chance.choice([Role.TERRAIN_TEXTURES, Role.PROP_TEXTURES])
    number = _number(world, role, chance)
    read = world.terrain_textures if role is Role.TERRAIN_TEXTURES else world.prop_textures
    texture = chance.choice(read(number).textures.textures)
    name = f"{_stem(world, role, number)}/{texture.name}.png"
    image = Image.open(io.BytesIO((tree.folder / name).read_bytes()))
    numbers = np.array(image)
    x, y = chance.randrange(texture.width), chance.randrange(texture.height)
    numbers[y, x] ^= 1
    painted = Image.fromarray(numbers, "P")
    palette = image.getpalette()
    assert palette is not None
    painted.putpalette(palette)
    data = io.BytesIO()
    painted.save(data, "PNG", bits=8)
    tree.write(name, data.getvalue())
    return _only(ChangedKind.TEXTURE, ChangeAction.CHANGED, (str(role), number, texture.name), "texels")


def _script_line_inserted(tree: Tree, world: FieldWorld, chance: random.Random) -> Check | None:
    member = chance.choice(world.headers).scripts
    name = f"{_stem(world, Role.SCRIPTS, member)}.script"
    lines = tree.text(name).split("\n")
    labels = [at for at, line in enumerate(lines) if line.startswith("script_") and "movement" not in line]
    if not labels:
        return None
    at, flag = chance.choice(labels) + 1, _FREE_FLAG + chance.randrange(9)
    while lines[at].endswith(":"):
        at += 1
    tree.write(name, "\n".join([*lines[:at], f"    SetFlag {flag}", *lines[at:]]))

    def check(changes: tuple[Change, ...]) -> bool:
        """The command was added. A label in front of it leads to it now."""
        added = [one for one in changes if one.action is ChangeAction.ADDED]
        others = {(one.kind, one.action, one.key[0]) for one in changes if one.action is not ChangeAction.ADDED}
        after = added[0].after if len(added) == 1 else None
        return (
            isinstance(after, CommandLine)
            and (after.name, after.arguments[0].number) == ("SetFlag", flag)
            and others <= {(ChangedKind.SCRIPT, ChangeAction.CHANGED, member)}
        )

    return check


EDITS: Final[dict[str, Edit]] = {
    "prop": _prop_moved,
    "tile": _tile_blocked,
    "plate": _plate_raised,
    "warp": _warp_redirected,
    "text": _text_longer,
    "encounter": _encounter_changed,
    "texture": _texture_repainted,
    "script": _script_line_inserted,
}
"""The kinds of edits that hackers make."""


def make(edit: Edit, tree: Tree, world: FieldWorld, chance: random.Random) -> Check:
    """Make an edit where there is something to edit."""
    for _ in range(200):
        check = edit(tree, world, chance)
        if check is not None:
            return check
    raise AssertionError("nothing to edit was found")


def kinds(count: int) -> Iterable[str]:
    """So many edits, of all kinds in turn."""
    names = list(EDITS)
    return (names[index % len(names)] for index in range(count))
