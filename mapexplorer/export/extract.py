"""Things of a ROM as files: as they are stored, decoded as JSON, as pictures; one, or all of a kind in a folder."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any, Final

import numpy as np

from formats.binary import FormatError
from formats.nds.colors import to_rgb8
from formats.nitro import KINDS as NITRO_KINDS
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Texture
from mapexplorer.catalogue.kinds import KINDS, STORED
from mapexplorer.errors import RomError, no_number
from mapexplorer.export.dump import read_member
from mapexplorer.export.files import is_folder, safe_name, write_atomically
from mapexplorer.export.icons import Pixels, icon_texels, set_pixels, texture_pixels
from mapexplorer.export.images import encode_indexed_png, encode_png
from mapexplorer.export.options import SCENE_ENDINGS
from mapexplorer.export.request import ModelRequest
from mapexplorer.export.run import run
from mapexplorer.export.texture_sets import palettes_of
from mapexplorer.export.textures import own_palette, picture
from mapexplorer.gameplay.icons import Icon, item_files, item_icon, species_icon
from mapexplorer.games import Role
from mapexplorer.option import OptionError
from mapexplorer.system.progress import Outcome, Progress
from mapexplorer.values import count
from mapexplorer.world.events.script_files import locate_script
from mapexplorer.world.models.model_places import ModelPlaces
from mapexplorer.world.models.texture_sets import SetKey
from mapexplorer.world.world import FieldWorld

FORMS: Final = ("stored", "json", "png", "glb")
"""As a thing is stored, decoded as JSON, as a picture, as a model. Beside these: the `PARTS` of what is stored."""

_BY_ENDING: Final = {".png": "png", ".json": "json", **dict.fromkeys(SCENE_ENDINGS, "glb")}

_ROLES: Final = {kind.name: role for kind in KINDS.values() if (role := kind.records or kind.archive) is not None}
"""Kind -> the archive whose members are its things or their records."""

_NUMBER: Final = re.compile(r"\d+")

_GAP: Final = 1
"""Pixels between the textures of a sheet."""

PARTS: Final[Mapping[str, tuple[str, str, Callable[[FieldWorld, int], bytes | memoryview]]]] = {
    "model": ("land", ".nsbmd", lambda world, number: world.land_sections(number).model.data),
    "permissions": ("land", ".per", lambda world, number: world.land_sections(number).attributes.data),
    "props": ("land", ".bld", lambda world, number: world.land_sections(number).props.data),
    "bdhc": ("land", ".bdhc", lambda world, number: world.land_sections(number).bdhc.data),
    "textures": ("prop set", ".nsbtx", lambda world, number: world.members(Role.PROP_TEXTURES)[number]),
}
"""The parts that can be written alone: the kind of thing, the ending of a file (of those of a land the one that map
editors use), the bytes of a thing with a number."""

_ENDINGS: Final = {magic: f".{kind.lower()}" for magic, kind in NITRO_KINDS.items()}
"""What a file begins with -> its ending."""

_KNOWN: Final = {*_ENDINGS.values(), *(ending for _, ending, _ in PARTS.values())}


def extract(
    world: FieldWorld,
    kind: str,
    key: Sequence[int],
    name: str,
    output: Path,
    form: str | None = None,
    *,
    complete: bool = True,
) -> Outcome:
    """Write a thing, or with the kind `file` the file that `name` names, in one of `FORMS` or as one of `PARTS`, by
    default what the ending of `output` says; unless that name is `complete`, the ending is appended. Raises OptionError
    for the ending of something else and for a part of another kind; RomError, FormatError, PlaceError, OSError."""
    ending = output.suffix.lower() if complete else ""
    said = _BY_ENDING.get(ending) or next(
        (part for part, (owner, end, _) in PARTS.items() if (owner, end) == (kind, ending)), None
    )
    form = form or said or "stored"
    if form == "glb" and said in (form, None):
        return _glb(world, kind, key, output if complete else output.with_name(f"{output.name}.glb"))
    data = _data(world, kind, key, name, form)
    own = PARTS[form][1] if form in PARTS else _ENDINGS.get(data[:4], ".bin") if form == "stored" else f".{form}"
    if not complete:
        output = output.with_name(output.name + own)
    elif said not in (form, None) or (ending in _KNOWN and ending != own):
        offer = f", or --part {' or '.join(PARTS)}" if kind == "land" else ""
        raise OptionError("{0} would be the wrong name for what is written; choose another ending{1}.", output, offer)
    return Outcome(f"{len(data):,} bytes", [write_atomically(output, data)])


def extract_all(world: FieldWorld, kind: str, folder: Path, form: str | None, progress: Progress) -> Outcome:
    """Write all things of a kind with an archive into a folder, by default as they are stored, named by their numbers
    and models. What cannot be written is among the notices. Raises as `extract`."""
    if kind not in _ROLES:
        raise RomError(f"There is no archive of every {kind}; there is one of {', '.join(_ROLES)}.")
    if not is_folder(folder):
        raise OptionError("All of a kind need a folder, and {0} is the name of a file.", folder)
    total = len(world.members(_ROLES[kind]))
    done = Outcome("")
    for number in range(total):
        progress.report(number, total, f"{kind} {number}")
        output = folder / f"{number:04}{_model_name(world, kind, number)}"
        try:
            done.files += extract(world, kind, (number,), "", output, form, complete=False).files
        except (FormatError, RomError) as error:
            done.notices.append(f"{kind} {number}: {error}")
    done.sentence = f"{count(len(done.files), 'file')} in {folder}, {len(done.notices)} failed"
    return done


def _model_name(world: FieldWorld, kind: str, number: int) -> str:
    """The name of a prop's or land's model, behind an underscore; empty where it cannot be read, and of others."""
    with suppress(FormatError, LookupError):
        model = _data(world, kind, (number,), "", {"land": "model", "prop": "stored"}[kind])
        return f"_{safe_name(Nsbmd.read_names(model)[0])}"
    return ""


def _data(world: FieldWorld, kind: str, key: Sequence[int], name: str, form: str) -> bytes:
    if form == "png":
        return png(world, kind, key)
    if form in PARTS:
        owner, _, read = PARTS[form]
        if kind != owner:
            raise OptionError("A {0} has no part {1}; a {2} has.", kind, form, owner)
        return bytes(read(world, key[0]))
    stored = stored_name(world, kind, key) if kind != "file" else name
    if form != "json":
        return stored_bytes(world, stored)
    from formats.json_codec import to_json

    return to_json(read_member(world.rom, stored, [])).encode()


def forms_of(kind: str) -> tuple[str, ...]:
    """Those of `FORMS` that a thing of a kind can have; not every file can be decoded as JSON."""
    return tuple(
        form
        for form in FORMS
        if form in ("stored", "json") or (form == "png" and kind in _PICTURES) or (form == "glb" and kind == "prop")
    )


def member_kinds(world: FieldWorld) -> dict[str, str]:
    """Path of an archive -> the kind of the things that its members are or belong to, numbered alike."""
    return {world.path(role): kind.name for role, kind in STORED.items() if world.has(role)}


def _glb(world: FieldWorld, kind: str, key: Sequence[int], output: Path) -> Outcome:
    """A prop with the textures of its map."""
    if kind != "prop":
        raise RomError(f"A {kind} is no model; `export` writes maps as GLB.")
    return run(ModelRequest(place=ModelPlaces(world).of("prop", key[0]), model=key[0], output=output), world)


def stored_name(world: FieldWorld, kind: str, key: Sequence[int]) -> str:
    """PATH#INDEX of the archive member that a thing is stored in. Raises RomError for a thing without a file."""
    if kind in _ROLES:
        return world.members(_ROLES[kind]).name_of(key[0])
    if kind == "item":
        return f"{world.path(Role.ITEMS)}#{item_files(world, key[0]).data}"
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
        raise RomError(no_number("member", int(index), range(len(archive)), path))
    return bytes(archive[int(index)])


def png(world: FieldWorld, kind: str, key: Sequence[int]) -> bytes:
    """The picture of a thing. Raises RomError for a kind without pictures, FormatError."""
    if kind not in _PICTURES:
        raise RomError(f"A {kind} has no picture; a picture is made of {', '.join(_PICTURES)}.")
    return _PICTURES[kind](world, *key)


def _texture(world: FieldWorld, which: int, number: int, index: int) -> bytes:
    """A texture with the palette that the first map gives it whose models use it, else with that of its name."""
    key = SetKey(bool(which), number)
    texture = key.read(world).textures[index]
    return picture(texture, palettes_of(world, key)[texture.name]).png


def _sheet(terrain: bool, world: FieldWorld, number: int) -> bytes:
    """All textures of a set in rows, in their order, each with the palette of its picture."""
    key = SetKey(terrain, number)
    pictures = list(set_pixels(world, key).values())
    if not pictures:
        raise RomError(f"{key.title} has no textures.")
    limit = math.isqrt(2 * sum(pixels.shape[0] * pixels.shape[1] for pixels in pictures))
    places = accumulate((pixels.shape[1] for pixels in pictures), initial=0)
    rows = groupby(zip(places, pictures, strict=False), lambda placed: placed[0] // limit)
    return encode_png(_joined([_joined([pixels for _, pixels in row], 1, _GAP) for _, row in rows], 0, _GAP))


def _joined(pictures: Sequence[Pixels], axis: int, gap: int = 0) -> Pixels:
    """Pictures below (axis 0) or beside (1) each other."""
    most = max(pixels.shape[1 - axis] for pixels in pictures)
    after = [[(0, gap if side == axis else most - pixels.shape[side]) for side in (0, 1)] for pixels in pictures]
    return np.concatenate([np.pad(pixels, (*end, (0, 0))) for pixels, end in zip(pictures, after, strict=True)], axis)


def _icon(read: Callable[[Any, int], Icon], world: FieldWorld, number: int) -> bytes:
    """An icon, whose first colour is transparent."""
    icon = read(world, number)
    return encode_indexed_png(icon_texels(icon), to_rgb8(icon.colors), np.array([0], np.uint8))


def _sprite(world: FieldWorld, graphics: int) -> bytes:
    """The frames of an object's pictures, one below the other."""
    value = world.member(Role.SPRITES, _sprite_member(world, graphics), Nsbtx.from_bytes).textures
    frames = [texture_pixels(texture, own_palette(value, texture)) for texture in sorted(value.textures, key=_frame)]
    return encode_png(_joined(frames, 0))


def _sprite_member(world: FieldWorld, graphics: int) -> int:
    known = world.object_graphics.value
    if graphics not in known:
        raise RomError(f"Object graphics {graphics} has no pictures: it is a model, or a variable that scripts set.")
    return known[graphics]


def _frame(texture: Texture) -> tuple[list[int], str]:
    return [int(number) for number in _NUMBER.findall(texture.name.rpartition(".")[2])], texture.name


_PICTURES: Final[Mapping[str, Callable[..., bytes]]] = {
    "texture": _texture,
    "species": partial(_icon, species_icon),
    "item": partial(_icon, item_icon),
    "object graphics": _sprite,
    "terrain set": partial(_sheet, True),
    "prop set": partial(_sheet, False),
}
