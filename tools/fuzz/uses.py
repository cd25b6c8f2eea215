"""Everything that the program does with the value of a file: writing it back, JSON, drawing, exporting, asking."""

from __future__ import annotations

import contextlib
import dataclasses
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import orjson

import formats
from formats.binary import same
from formats.field.land_data import LandData
from formats.field.script import ScriptFile
from formats.json_codec import from_json, to_json
from formats.nds import objects, tiles
from formats.nitro.model import Model
from formats.nitro.ncer import Ncer
from formats.nitro.ncgr import Ncgr
from formats.nitro.nsbca import Nsbca
from formats.nitro.nsbma import Nsbma
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbta import Nsbta
from formats.nitro.nsbtp import Nsbtp
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.nsbva import Nsbva
from formats.nitro.nscr import Nscr
from formats.nitro.tex0 import Tex0
from formats.save import SaveImage
from formats.save.sections import FOOTER_SIZE
from mapexplorer.export.gltf.animation import Clip
from mapexplorer.export.gltf.document import Document
from mapexplorer.export.gltf.nitro import model_document
from mapexplorer.export.loose import fits
from mapexplorer.export.textures import needs_palette, picture
from mapexplorer.features.saved_states import with_saved_states
from mapexplorer.g3d import draw_commands
from mapexplorer.gameplay.encounters import map_encounters
from mapexplorer.gameplay.gifts import GIFTS
from mapexplorer.gameplay.left import left_on
from mapexplorer.gameplay.saved_encounters import saved_meetings
from mapexplorer.gameplay.script_listing import joined_lines, list_script
from mapexplorer.gameplay.script_names import ScriptNames
from mapexplorer.gpu import render_frame
from mapexplorer.gpu.registers import COUNT, PALETTE_VRAM_SIZE, TEXTURE_VRAM_SIZE
from mapexplorer.inspector.saved import save_json, save_sections
from mapexplorer.world.events.script_effects import EffectsReader, constant_effects
from mapexplorer.world.events.script_paths import ScriptPaths
from mapexplorer.world.events.transition import entered_save
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import BERRY_PATCH
from mapexplorer.world.saved_game import SavedGame
from mapexplorer.world.world import FieldWorld

ANIMATIONS = (Nsbca, Nsbma, Nsbta, Nsbtp, Nsbva)
_JSON_BYTES = 20_000
_JSON_SHARE = 0.25
_PICTURE_SHARE = 0.15
_ENTRIES = 8
_PICTURES = 6
_FULL = (-1 << 31, (1 << 31) - 1, 0, 4096)


class Uses:
    """Uses values; `pool` are whole values by their type, for what needs several files."""

    def __init__(self, pool: Mapping[type, list[Any]]) -> None:
        self.models: list[Nsbmd] = pool.get(Nsbmd, [])
        self.sets: list[Tex0] = [one.textures for one in pool.get(Nsbtx, [])]
        files = [value for kind in ANIMATIONS for value in pool.get(kind, [])]
        self.animations: list[Any] = [one for file in files for one in file.animations]
        named = {kind.__name__: found for kind, found in pool.items()}
        self.j3d_models: list[Any] = named.get("Bmd", [])
        self.j3d_animations: list[Any] = named.get("Bck", [])
        self._palettes = [value.colors for value in named.get("Nclr", [])]
        self._world = FieldWorld(open_rom("demo"))
        self._names = ScriptNames(self._world, None)
        self._ways: dict[str, Callable[[random.Random, Any], None]] = {
            "Nsbmd": self._models,
            "Nsbtx": self._textures,
            "LandData": self._land,
            "Bdhc": self._heights,
            "ScriptFile": self._scripts,
            "SaveImage": self._save,
            "Ncgr": self._tiles,
            "Nscr": self._screen,
            "Ncer": self._cells,
            "Bmd": self._j3d,
            "Bck": self._j3d_animation,
            "Msh": self._msh,
            "NRes": self._archive,
            **dict.fromkeys((kind.__name__ for kind in ANIMATIONS), self._animations),
        }

    def use(self, source: random.Random, value: Any, size: int) -> None:
        """Use a value that was read from `size` bytes. Raises FormatError for what is refused on the way."""
        self._write(value)
        if dataclasses.is_dataclass(value) and size <= _JSON_BYTES and source.random() < _JSON_SHARE:
            again = from_json(to_json(value))
            assert same(again, value), "JSON gives another value"
        use = self._ways.get(type(value).__name__)
        if use is not None:
            use(source, value)

    def _write(self, value: Any) -> None:
        if not hasattr(value, "to_bytes"):
            return
        data = None
        with contextlib.suppress(ValueError):
            data = value.to_bytes()
        if data is not None:
            assert same(type(value).from_bytes(data), value), "written and read again it is another value"

    # -- NITRO G3D -------------------------------------------------------------------------------------------------

    def _models(self, source: random.Random, value: Nsbmd) -> None:
        for model in value.models[:2]:
            textures = value.textures or (source.choice(self.sets) if self.sets and source.random() < 0.5 else None)
            fitting = [one for one in self.animations if fits(one, model)]
            chosen = source.sample(fitting, min(2, len(fitting)))
            self._draw(source, model, textures, chosen)
            self._convert(model, textures, chosen)
        if value.textures is not None:
            self._pictures(value.textures)

    def _animations(self, source: random.Random, value: Any) -> None:
        for animation in value.animations[:2]:
            fitting = [model for file in self.models for model in file.models if fits(animation, model)]
            if fitting:
                model = source.choice(fitting)
                textures = source.choice(self.sets) if self.sets else None
                self._draw(source, model, textures, [animation])
                self._convert(model, textures, [animation])

    def _textures(self, source: random.Random, value: Nsbtx) -> None:
        self._pictures(value.textures)
        if self.models:
            file = source.choice(self.models)
            if file.models:
                self._draw(source, file.models[0], value.textures, [])

    def _pictures(self, textures: Tex0) -> None:
        for texture in textures.textures[:_PICTURES]:
            palettes = textures.palettes[:2] if needs_palette(texture) else (None,)
            for palette in palettes:
                picture(texture, palette)

    def _draw(self, source: random.Random, model: Model, textures: Tex0 | None, animations: list[Any]) -> None:
        frames = [source.choice((0, 4096, 2048, 1 << 20, -4096, source.getrandbits(28))) for _ in animations]
        try:
            words = draw_commands(model, textures=textures, animations=animations, frames=frames)
        except ValueError:
            return  # its script names what the model does not have
        if source.random() < _PICTURE_SHARE:
            registers = np.zeros(COUNT, np.uint32)
            registers[0] = source.getrandbits(15)
            texels = np.frombuffer(source.randbytes(4096) * (TEXTURE_VRAM_SIZE // 4096), np.uint8)
            colors = np.frombuffer(source.randbytes(4096) * (PALETTE_VRAM_SIZE // 4096), np.uint8)
            begin = np.array([0x10, 1, 0x29, 0x1F00C0, 0x60, 0xBFFF0000], np.uint32)
            render_frame(np.concatenate([begin, words, np.array([0x50, 0], np.uint32)]), registers, texels, colors)

    def _convert(self, model: Model, textures: Tex0 | None, animations: list[Any]) -> None:
        clips = [Clip(f"clip {number}", animation) for number, animation in enumerate(animations)]
        document, _ = model_document(model, *([textures] if textures is not None else []), clips=clips)
        write_document(document)

    # -- field data ------------------------------------------------------------------------------------------------

    def _land(self, source: random.Random, value: LandData) -> None:
        self._heights(source, value.bdhc)
        if value.model.models:
            self._draw(source, value.model.models[0], None, [])
            self._convert(value.model.models[0], None, [])

    def _heights(self, source: random.Random, value: Any) -> None:
        for _ in range(6):
            x, z, y = (source.choice((*_FULL, source.getrandbits(24) - (1 << 23))) for _ in range(3))
            value.query(x, z, y)
            value.height_at(x, z, y)

    def _scripts(self, source: random.Random, value: ScriptFile) -> None:
        commands = self._world.game.tables.script_commands
        reader = EffectsReader(value, commands)
        for entry in range(min(_ENTRIES, len(value.entries))):
            reader.effects(entry)
        paths = ScriptPaths(value, commands, GIFTS, {entry: entry for entry in range(_ENTRIES)})
        for entry in range(min(_ENTRIES, len(value.entries))):
            with contextlib.suppress(OverflowError):
                paths.after(("give", (17, 1)), entry, ({}, {108: 0}), {16519: 1})
        list(constant_effects(value, commands))
        joined_lines(list_script(value, commands, self._names), commands)

    def _save(self, source: random.Random, value: SaveImage) -> None:
        block = value.small
        assert SaveImage.of(block).small.tobytes()[:-FOOTER_SIZE] == block.tobytes()[:-FOOTER_SIZE]
        saved, world = SavedGame(Path("my.sav"), None, value, ()), self._world
        assert save_sections(world, save_json(world, saved))
        header = source.randrange(len(world.headers))
        save = entered_save(world, header, with_saved_states(saved.save(world.game), header))
        for patch in range(0, 256, 16):
            save.graphics(BERRY_PATCH, patch, header)
        left_on(world, header, save)
        list(saved_meetings(map_encounters(world, header), save))

    # -- NITRO G2D -------------------------------------------------------------------------------------------------

    def _colors(self, source: random.Random, pixels: np.ndarray[Any, Any]) -> None:
        if self._palettes:
            colors = source.choice(self._palettes)
            np.take(colors, pixels, mode="clip")

    def _tiles(self, source: random.Random, value: Ncgr) -> None:
        self._colors(source, tiles.decode(value.data, value.depth))

    def _screen(self, source: random.Random, value: Nscr) -> None:
        if len(value.entries):
            tiles.arrange(np.zeros((1024, 8, 8), np.uint8), value.entries[:4096].astype(np.uint16).reshape(1, -1))

    def _cells(self, source: random.Random, value: Ncer) -> None:
        for cell in value.cells[:_PICTURES]:
            objects.draw(cell.objects, np.zeros((1024, 8, 8), np.uint8))

    # -- other formats ---------------------------------------------------------------------------------------------

    def _j3d(self, source: random.Random, value: Any) -> None:
        from mapexplorer.export.gltf.j3d import j3d_document

        animations = [("wave", source.choice(self.j3d_animations))] if self.j3d_animations else []
        write_document(j3d_document(value, animations, name="model", notes=[]))

    def _j3d_animation(self, source: random.Random, value: Any) -> None:
        from mapexplorer.export.gltf.j3d import j3d_document

        if self.j3d_models:
            model = source.choice(self.j3d_models)
            write_document(j3d_document(model, [("wave", value)], name="model", notes=[]))

    def _msh(self, source: random.Random, value: Any) -> None:
        from mapexplorer.export.gltf.msh import msh_document

        write_document(msh_document(value, name="model"))

    def _archive(self, source: random.Random, value: Any) -> None:
        for _, model in formats.parkan.models(value, notes=[]):
            self._msh(source, model)


def write_document(document: Document) -> None:
    """Make the GLB. Raises AssertionError for a number that is not finite, which is null in its JSON."""
    data = document.to_bytes()
    size = int.from_bytes(data[12:16], "little")
    assert not _has_null(orjson.loads(data[20 : 20 + size])), "a GLB has null as a value"


def _has_null(value: Any) -> bool:
    """Whether JSON has null, except in extras, where it may be the value of a fact."""
    if isinstance(value, dict):
        return any(_has_null(item) for name, item in value.items() if name != "extras")
    if isinstance(value, list):
        return any(map(_has_null, value))
    return value is None
