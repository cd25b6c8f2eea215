"""Small pictures of things: of species, items and objects on maps."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from formats.field.frame_sequence import FrameSequence
from formats.nds import texels
from formats.nds.colors import to_rgb8
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.export.texture_sets import palettes_of
from mapexplorer.export.textures import own_palette
from mapexplorer.gameplay.icons import Icon, item_icon, species_icon
from mapexplorer.games import Role
from mapexplorer.world.direction import SOUTH
from mapexplorer.world.models.texture_sets import SetKey
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.world import FieldWorld

_ICON_TILES: Final = 4
"""The width of the pictures of species and items in tiles."""

_SIDE: Final = 8 * _ICON_TILES

_SHEET: Final = (4, 3)
"""Columns and rows of the picture of a texture set."""

Pixels = npt.NDArray[np.uint8]


def thing_picture(world: FieldWorld, kind: str, number: int) -> Pixels | None:
    """The small picture of a thing, uint8 (height, width, 4); of an object as it stands looking south. None for one
    without. Raises FormatError, RomError."""
    if kind == "object graphics":
        return _standing(world, number)
    read = {"species": species_icon, "item": item_icon}.get(kind)
    if read is None:
        return None
    icon = read(world, number)
    colors = np.concatenate([to_rgb8(icon.colors), np.full((len(icon.colors), 1), 255, np.uint8)], 1)
    colors[0, 3] = 0
    picture: Pixels = colors[icon_texels(icon)[:_SIDE]]
    return picture


def icon_texels(icon: Icon) -> Pixels:
    """The texels (height, 32) of an icon; species have two frames one above the other."""
    tiles = icon.tiles.tiles()
    rows = tiles[: len(tiles) // _ICON_TILES * _ICON_TILES].reshape(-1, _ICON_TILES, 8, 8).swapaxes(1, 2)
    return np.asarray(rows.reshape(-1, _SIDE), np.uint8)


def _standing(world: FieldWorld, graphics: int) -> Pixels | None:
    tables = world.game.tables
    known, parts = tables.map_object_graphics.get(graphics), tables.sprite_parts.get(graphics)
    member = world.object_graphics.value.get(graphics)
    if known is None or parts is None or member is None or not world.has(Role.SPRITES):
        return None
    sequence = world.member(Role.SPRITES, parts[1], FrameSequence.from_bytes)
    pictures = world.member(Role.SPRITES, member, Nsbtx.from_bytes).textures
    if not len(sequence.starts) or not pictures.textures or not pictures.palettes:
        return None
    facing = known.animations[SOUTH if len(known.animations) > SOUTH else 0] if known.animations else None
    texture, palette = sequence.picture(0 if facing is None else facing.first)
    return texture_pixels(
        pictures.textures[min(texture, len(pictures.textures) - 1)],
        pictures.palettes[min(palette, len(pictures.palettes) - 1)],
    )


def texture_pixels(texture: Texture, palette: Palette | None) -> Pixels:
    """A texture as uint8 (height, width, 4)."""
    return texels.decode_rgba(
        texture.format,
        texture.width,
        texture.height,
        texture.texels,
        np.zeros(0, np.uint16) if palette is None else palette.colors,
        color0_transparent=texture.color0_transparent,
        indices=texture.indices,
    )


def set_pixels(world: FieldWorld, key: SetKey) -> dict[str, Pixels]:
    """Name -> picture of each texture of a set, uint8 (height, width, 4), with the palette that the first map gives it
    whose models use it, else with that of its name. Raises FormatError."""
    palettes = palettes_of(world, key)
    return {texture.name: texture_pixels(texture, palettes[texture.name]) for texture in key.read(world).textures}


def texture_set_picture(textures: Tex0) -> Pixels:
    """The last textures of a set in rows, uint8 (96, 128, 4), each with the palette that its name suggests. The first
    ones are those that many sets share."""
    columns, rows = _SHEET
    cells = np.zeros((rows * columns, _SIDE, _SIDE, 4), np.uint8)
    for cell, texture in zip(cells, textures.textures[-columns * rows :], strict=False):
        pixels = texture_pixels(texture, own_palette(textures, texture))
        step = max(1, -(-max(pixels.shape[:2]) // _SIDE))
        small = pixels[::step, ::step]
        cell[: small.shape[0], : small.shape[1]] = small
    grid = cells.reshape(rows, columns, _SIDE, _SIDE, 4).swapaxes(1, 2)
    return grid.reshape(rows * _SIDE, columns * _SIDE, 4)


def readable_picture(world: FieldWorld, kind: str, number: int) -> Pixels | None:
    """As `thing_picture`; None also for a thing that cannot be read."""
    return read_or(None, thing_picture, world, kind, number)
