"""The image of the demo world: every archive that the game reads, filled with what the other modules describe."""

from __future__ import annotations

import numpy as np

from formats.binary import frozen
from formats.field.area import AreaBuild, AreaData
from formats.field.bm_anime_list import PropAnimations
from formats.field.build_model_matshp import PAIR, BuildModelMatshp
from formats.field.fldtanime import FieldTextureAnimations
from formats.field.land_data import MAP_PROP, LandData
from formats.field.map_header import NO_WILD_ENCOUNTERS, MapHeader
from formats.field.map_matrix import MapMatrix
from formats.field.mapname import MapNames
from formats.field.message import PLACE_NAME_BANK, MessageBank
from formats.field.move_model_list import MoveModelList
from formats.field.zone_event import BACKGROUND_EVENT, COORD_EVENT, OBJECT_EVENT, WARP_EVENT, ZoneEvents
from formats.nitro.nsbmd import Nsbmd
from mapexplorer.demo.grid import Grid, Tile
from mapexplorer.demo.ground_pictures import ground_pictures
from mapexplorer.demo.light import LIGHT_SETS
from mapexplorer.demo.mesh import Corner
from mapexplorer.demo.model import ModelBuilder, Paint
from mapexplorer.demo.picture import texture_set
from mapexplorer.demo.plates import build_bdhc
from mapexplorer.demo.program import arm9, overlay_5
from mapexplorer.demo.terrain import Style, Surface, add_terrain
from mapexplorer.rom import build_archive, build_image

GRASS = Paint("grass", "grass")
PATH = Paint("path", "path")


def _box(builder, paint, low, high):
    (x0, y0, z0), (x1, y1, z1) = low, high
    w, h, d = x1 - x0, y1 - y0, z1 - z0
    def quad(a, b, c, e, s, t):
        builder.add(paint, (Corner(a, (0, 0)), Corner(b, (0, t)), Corner(c, (s, t)), Corner(e, (s, 0))))
    quad((x0, y1, z1), (x0, y0, z1), (x1, y0, z1), (x1, y1, z1), w, h)
    quad((x1, y1, z0), (x1, y0, z0), (x0, y0, z0), (x0, y1, z0), w, h)
    quad((x0, y1, z0), (x0, y0, z0), (x0, y0, z1), (x0, y1, z1), d, h)
    quad((x1, y1, z1), (x1, y0, z1), (x1, y0, z0), (x1, y1, z0), d, h)
    quad((x0, y1, z0), (x0, y1, z1), (x1, y1, z1), (x1, y1, z0), w, d)


def _header(**fields) -> MapHeader:
    base = dict(area=0, preload_list=0, matrix=0, scripts=0, init_scripts=0, message_bank=0, day_music=1000,
        night_music=1000, wild_encounters=NO_WILD_ENCOUNTERS, events=0, label_text=0, label_window=0, weather=0,
        camera_type=0, map_type=0, battle_background=0, bicycle=False, running=True, escape_rope=False, fly=False)
    return MapHeader(**{**base, **fields})


def build_demo() -> bytes:
    """The image's bytes."""
    pictures = {p.name: p for p in ground_pictures()}
    paints = {"grass": GRASS, "path": PATH}
    style = Style(lambda grid, x, z, tile: Surface(paints[tile.ground]), {"cliff": PATH})
    def tile(c, x, z):
        level = 32 if z < 8 else 0
        if 4 <= x < 8 and z == 8: return Tile("path", (32, 32, 16, 16))
        if 4 <= x < 8 and z == 9: return Tile("path", (16, 16, 0, 0))
        return Tile("path" if c == "p" else "grass", (level,) * 4)
    rows = ["." * 12 + "pppp" + "." * 16] * 32
    grid = Grid.drawn(rows, tile)
    builder = ModelBuilder("land_0", pictures)
    add_terrain(builder, grid, style, 0, 0)
    attributes = np.zeros((32, 32), np.uint16)
    attributes[7, :] = 0x8000
    attributes[7, 4:8] = 0
    attributes[15:18, 20:25] = 0x8000
    attributes[17, 22] = 0x8069
    props = np.zeros(2, MAP_PROP)
    props["scale"] = 4096
    props["model"] = [1, 2]
    props["position"] = [[(22.5 * 16 - 256) * 4096, 0, (16.5 * 16 - 256) * 4096], [(28 * 16 + 8 - 256) * 4096, 0, 0]]
    land = LandData(frozen(attributes), frozen(props), b"", Nsbmd((builder.build(),)), build_bdhc(grid.plates(0, 0)))
    room = Grid.drawn(["." * 32] * 32, lambda c, x, z: Tile("path", solid_ground=x < 10 and z < 8, hidden=not (x < 10 and z < 8)))
    room_builder = ModelBuilder("land_1", pictures)
    add_terrain(room_builder, room, style, 0, 0)
    room_attributes = np.full((32, 32), 0x8000, np.uint16)
    room_attributes[1:8, 1:9] = 0
    room_attributes[7, 5] = 0x65
    room_land = LandData(frozen(room_attributes), frozen(np.zeros(0, MAP_PROP)), b"", Nsbmd((room_builder.build(),)), build_bdhc(room.plates(0, 0)))

    models = []
    for name, paint, low, high in (("dummy", GRASS, (-8, 0, -8), (8, 16, 8)), ("house", PATH, (-40, 0, -24), (40, 48, 24)), ("tree", GRASS, (-8, 0, -8), (8, 40, 8))):
        b = ModelBuilder(name, pictures)
        _box(b, paint, low, high)
        models.append(b.build())
    headers = [
        _header(label_text=0), _header(label_text=0),
        _header(map_type=1, label_text=1, label_window=2, events=1),
        _header(map_type=4, label_text=1, matrix=1, events=2, area=1, camera_type=4),
    ]
    outdoor = MapMatrix("demo", frozen([[2]], np.uint16), frozen([[0]], np.uint8), frozen([[0]], np.uint16))
    indoor = MapMatrix("room", None, None, frozen([[1]], np.uint16))
    def events(warps=(), objects=()):
        return ZoneEvents(frozen(np.zeros(0, BACKGROUND_EVENT)), frozen(np.array(list(objects), OBJECT_EVENT)), frozen(np.array(list(warps), WARP_EVENT)), frozen(np.zeros(0, COORD_EVENT)))
    zones = [events(), events([(22, 17, 3, 0, 0)]), events([(5, 7, 2, 0, 0)])]
    banks = [MessageBank(0, ())] * PLACE_NAME_BANK + [MessageBank(7, ("Nowhere", "Millbrook"))]
    names = ("EVERYWHERE", "NOTHING", "V01", "V01R0101")
    matshp = [frozen(np.array([(0, 0)], PAIR)) for _ in models]
    textures = texture_set(pictures.values()).to_bytes()
    areas = [AreaData(0, 0, 0, 0), AreaData(0, 0, 0, 1)]
    none = PropAnimations(0xFF, 0xFF, 0, 0, (-1, -1, -1, -1))
    from formats.nitro.nsbmd import Nsbmd as N
    model_files = [N((models[0],), texture_set(pictures.values()).textures).to_bytes()] + [N((m,)).to_bytes() for m in models[1:]]
    files = {
        "fielddata/maptable/mapname.bin": MapNames(names).to_bytes(),
        "fielddata/mapmatrix/map_matrix.narc": build_archive([outdoor.to_bytes(), indoor.to_bytes()]),
        "fielddata/land_data/land_data.narc": build_archive([land.to_bytes(), room_land.to_bytes()]),
        "fielddata/areadata/area_data.narc": build_archive([a.to_bytes() for a in areas]),
        "fielddata/areadata/area_build_model/area_build.narc": build_archive([AreaBuild(frozen([0, 1, 2], np.uint16)).to_bytes()]),
        "fielddata/areadata/area_build_model/areabm_texset.narc": build_archive([textures]),
        "fielddata/areadata/area_map_tex/map_tex_set.narc": build_archive([textures]),
        "fielddata/areadata/area_move_model/move_model_list.narc": build_archive([MoveModelList(frozen([], np.uint16)).to_bytes()]),
        "data/arealight.narc": build_archive([s.to_bytes() for s in LIGHT_SETS]),
        "data/fldtanime.narc": build_archive([FieldTextureAnimations(()).to_bytes()]),
        "fielddata/build_model/build_model.narc": build_archive(model_files),
        "fielddata/build_model/build_model_matshp.dat": BuildModelMatshp(tuple(matshp)).to_bytes(),
        "arc/bm_anime_list.narc": build_archive([none.to_bytes()] * len(models)),
        "arc/bm_anime.narc": build_archive([]),
        "fielddata/eventdata/zone_event.narc": build_archive([z.to_bytes() for z in zones]),
        "fielddata/script/scr_seq.narc": build_archive([b""]),
        "msgdata/pl_msg.narc": build_archive([b.to_bytes() for b in banks]),
    }
    return build_image(files, arm9=arm9(headers), overlays=[overlay_5({0: 90, 1: 0, 2: 1, 3: 2})], title="MAPEX DEMO", code="MXDE")
