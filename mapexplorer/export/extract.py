"""A single thing of a ROM as a file: as it is stored, decoded as JSON, as a picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.nds.colors import to_rgb8
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Tex0, Texture
from mapexplorer.errors import RomError
from mapexplorer.export.dump import read_member
from mapexplorer.export.files import write_atomically
from mapexplorer.export.icons import icon_texels, texture_pixels
from mapexplorer.export.images import encode_indexed_png, encode_png
from mapexplorer.export.options import SCENE_ENDINGS
from mapexplorer.export.progress import Outcome
from mapexplorer.export.request import ModelRequest
from mapexplorer.export.run import run
from mapexplorer.export.texture_sets import models_of, own_palette
from mapexplorer.export.textures import needs_palette, picture
from mapexplorer.gameplay.icons import Icon, item_icon, species_icon
from mapexplorer.games import Role
from mapexplorer.world.references import ARCHIVES
from mapexplorer.world.script_files import locate_script
from mapexplorer.world.texture_sets import PropPlaces, SetKey
from mapexplorer.world.world import FieldWorld

FORMS: Final = ("stored", "json", "png", "glb")
"""As a thing is stored, decoded as JSON, as a picture, as a model."""

_BY_ENDING: Final = {".png": "png", ".json": "json", **dict.fromkeys(SCENE_ENDINGS, "glb")}

_RECORDS: Final = {"species": Role.SPECIES, "trainer": Role.TRAINERS}
"""Kind -> the archive whose members are the records of its things, beside those of `references.ARCHIVES`."""

_NUMBER: Final = re.compile(r"\d+")


def extract(
    world: FieldWorld, kind: str, key: Sequence[int], name: str, output: Path, form: str | None = None
) -> Outcome:
    """Write a thing, or with the kind `file` the file that `name` names, in one of `FORMS`, by default the one that the
    ending of `output` says. Raises RomError, FormatError, PlaceError, OSError."""
    form = form or _BY_ENDING.get(output.suffix.lower(), "stored")
    if form == "glb":
        return _glb(world, kind, key, output)
    if form == "png":
        data = png(world, kind, key)
    else:
        stored = stored_name(world, kind, key) if key else name
        data = decoded(world, stored).encode() if form == "json" else stored_bytes(world, stored)
    return Outcome(f"{len(data):,} bytes", [write_atomically(output, data)])


def forms_of(kind: str) -> tuple[str, ...]:
    """Those of `FORMS` that a thing of a kind can have; not every file can be decoded as JSON."""
    return tuple(
        form for form in FORMS
        if form in ("stored", "json") or (form == "png" and kind in _PICTURES) or (form == "glb" and kind == "prop")
    )  # fmt: skip


def member_kinds(world: FieldWorld) -> dict[str, str]:
    """Path of an archive -> the kind of the things that its members are or belong to, numbered alike."""
    roles = [*_RECORDS.items(), *ARCHIVES.items(), ("prop set", Role.PROP_TEXTURES)]
    return {world.path(role): kind for kind, role in roles if role is not None and world.has(role)}


def _glb(world: FieldWorld, kind: str, key: Sequence[int], output: Path) -> Outcome:
    """A prop with the textures of its map."""
    if kind != "prop":
        raise RomError(f"A {kind} is no model; `export` writes maps as GLB.")
    (number,) = key
    return run(ModelRequest(place=PropPlaces(world).of(number), model=number, output=output), world)


def stored_name(world: FieldWorld, kind: str, key: Sequence[int]) -> str:
    """PATH#INDEX of the archive member that a thing is stored in. Raises RomError for a thing without a file."""
    if kind in _RECORDS or kind in ARCHIVES:
        return f"{world.path(_RECORDS.get(kind) or ARCHIVES[kind])}#{key[0]}"
    if kind == "item":
        return f"{world.path(Role.ITEMS)}#{world.game.tables.icons.items[key[0]].data}"
    if kind == "script":
        place = locate_script(world, *key)
        if place is None:
            raise RomError(f"Number {key[1]} means no script.")
        return f"{world.path(Role.SCRIPTS)}#{place.member}"
    if kind == "texture":
        role = Role.TERRAIN_TEXTURES if key[0] else Role.PROP_TEXTURES
        return f"{world.path(role)}#{key[1]}"
    if kind == "object graphics":
        return f"{world.path(Role.SPRITES)}#{_sprite_member(world, key[0])}"
    raise RomError(f"A {kind} has no file of its own; `show` and `where-used` say what is known of it.")


def stored_bytes(world: FieldWorld, name: str) -> bytes:
    """The bytes of PATH or PATH#INDEX. Raises RomError, FormatError."""
    path, mark, index = name.rpartition("#")
    if not mark:
        return world.rom.file(name)
    archive = world.rom.archive(path)
    if int(index) >= len(archive):
        raise RomError(f"{path} has {len(archive):,} members, the last is {len(archive) - 1}; there is no {index}.")
    return bytes(archive[int(index)])


def decoded(world: FieldWorld, name: str) -> str:
    """The value of PATH or PATH#INDEX as JSON. Raises RomError, FormatError."""
    from formats.json_codec import to_json

    return to_json(read_member(world.rom, name, []))


def png(world: FieldWorld, kind: str, key: Sequence[int]) -> bytes:
    """The picture of a thing. Raises RomError for a kind without pictures, FormatError."""
    if kind not in _PICTURES:
        raise RomError(f"A {kind} has no picture; a picture is made of {', '.join(_PICTURES)}.")
    return _PICTURES[kind](world, *key)


def _texture(world: FieldWorld, which: int, number: int, index: int) -> bytes:
    """A texture with the palette that the first map gives it whose models use it, else with that of its name."""
    key = SetKey(bool(which), number)
    textures = key.read(world)
    texture = textures.textures[index]
    if not needs_palette(texture):
        return picture(texture, None).png
    for header in world.uses.places(key.kind, number):
        for model in models_of(world, world.place(header), key):
            for material in range(len(model.materials)):
                name = model.palette_name(material) if model.texture_name(material) == texture.name else None
                palette = textures.palette(name) if name is not None else None
                if palette is not None:
                    return picture(texture, palette).png
    name = own_palette(textures, texture)
    return picture(texture, textures.palette(name) if name is not None else None).png


def _icon(read: Callable[[Any, int], Icon]) -> Callable[[FieldWorld, int], bytes]:
    def made(world: FieldWorld, number: int) -> bytes:
        icon = read(world, number)
        transparent_first = np.array([0], np.uint8)
        return encode_indexed_png(icon_texels(icon), to_rgb8(icon.colors), transparent_first)

    return made


def _sprite(world: FieldWorld, graphics: int) -> bytes:
    """The frames of an object's pictures, one below the other."""
    value = world.member(Role.SPRITES, _sprite_member(world, graphics), Nsbtx.from_bytes).textures
    frames = [_pixels(value, texture) for texture in sorted(value.textures, key=_frame)]
    width = max(frame.shape[1] for frame in frames)
    return encode_png(np.concatenate([np.pad(one, ((0, 0), (0, width - one.shape[1]), (0, 0))) for one in frames]))


def _sprite_member(world: FieldWorld, graphics: int) -> int:
    known = world.object_graphics.value
    if graphics not in known:
        raise RomError(f"Object graphics {graphics} has no pictures: it is a model, or a variable that scripts set.")
    return known[graphics]


def _frame(texture: Texture) -> tuple[list[int], str]:
    return [int(number) for number in _NUMBER.findall(texture.name.rpartition(".")[2])], texture.name


def _pixels(textures: Tex0, texture: Texture) -> npt.NDArray[np.uint8]:
    name = own_palette(textures, texture)
    return texture_pixels(texture, textures.palette(name) if name is not None else None)


_PICTURES: Final[Mapping[str, Callable[..., bytes]]] = {
    "texture": _texture, "species": _icon(species_icon), "item": _icon(item_icon), "object graphics": _sprite,
}  # fmt: skip
