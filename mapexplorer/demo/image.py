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
from mapexplorer.demo.catalogue import PROPS
from mapexplorer.demo.outdoor import Dress
from mapexplorer.demo.outdoor_cells import ALTITUDES, outdoor_cells
from mapexplorer.demo.place import Events, header
from mapexplorer.demo.prop_pictures import prop_pictures
from mapexplorer.demo.light import LIGHT_SETS
from mapexplorer.demo.mesh import Corner
from mapexplorer.demo.model import ModelBuilder, Paint
from mapexplorer.demo.picture import texture_set
from mapexplorer.demo.plates import build_bdhc
from mapexplorer.demo.program import arm9, overlay_5
from mapexplorer.demo.terrain import Style, Surface, add_terrain
from mapexplorer.rom import build_archive, build_image


class _Pictures(dict):
    """Pictures by name; the edge atlases are known by name and size before they are painted."""


def build_demo() -> bytes:
    """The image's bytes."""
    pictures = {p.name: p for p in [*ground_pictures(), *prop_pictures()]}
    dress = Dress(pictures)
    outdoor_cells({**pictures, **{n: pictures["grass"] for n in ("edge_path","edge_cobbles","edge_sand","edge_forest")}}, dress)
    for atlas in dress.atlases.values():
        pictures[atlas.name] = atlas.picture()
    cells = outdoor_cells(pictures, dress)
    terrain_names = {n for c in cells for n in c.builder.used_pictures}
    models = [e.build(pictures) for e in PROPS]
    prop_names = {n for m in models[1:] for n in m.used_pictures} | {"screen.2", "screen.3"}
    terrain_set = texture_set(pictures[n] for n in pictures if n in terrain_names)
    prop_set = texture_set(pictures[n] for n in pictures if n in prop_names)
    lands = [c.build() for c in cells]
    headers = [
        header(label_text=0), header(label_text=0),
        header(map_type=2, label_text=3, label_window=3),
        header(map_type=2, label_text=4, label_window=5),
        header(map_type=1, label_text=1, label_window=2, events=1),
        header(map_type=2, label_text=2, label_window=8),
    ]
    outdoor = MapMatrix("demo", frozen([[2, 3], [4, 5]], np.uint16), frozen(ALTITUDES, np.uint8), frozen([[0, 1], [2, 3]], np.uint16))
    zones = [Events().build(), Events().build()]
    banks = [MessageBank(0, ())] * PLACE_NAME_BANK + [MessageBank(7, ("Nowhere", "Millbrook", "Mirror Lake", "Windmill Hill", "Fernwood"))]
    names = ("EVERYWHERE", "NOTHING", "H01", "F01", "T01", "L01")
    built = [m.build() for m in models]
    matshp, lists, anims = [], [], []
    for e, m in zip(PROPS, built):
        if e.animation is None:
            pairs = []
            cur = 0
            for i in m.sbc:
                if i.opcode == 4: cur = i.operands[0]
                if i.opcode == 5: pairs.append((cur, i.operands[0]))
            pairs.sort()
            matshp.append(frozen(np.array(pairs, PAIR)))
            lists.append(PropAnimations(0xFF, 0xFF, 0, 0, (-1, -1, -1, -1)))
        else:
            matshp.append(None)
            ids = [len(anims) + i for i in range(len(e.animation.files))]
            anims += [f.to_bytes() for f in e.animation.files]
            lists.append(PropAnimations(1, e.animation.flags, 0, 0, tuple((ids + [-1] * 4)[:4])))
    model_files = [Nsbmd((built[0],), texture_set([pictures["mosaic"]]).textures).to_bytes()] + [Nsbmd((m,)).to_bytes() for m in built[1:]]
    files = {
        "fielddata/maptable/mapname.bin": MapNames(names).to_bytes(),
        "fielddata/mapmatrix/map_matrix.narc": build_archive([outdoor.to_bytes()]),
        "fielddata/land_data/land_data.narc": build_archive([l.to_bytes() for l in lands]),
        "fielddata/areadata/area_data.narc": build_archive([a.to_bytes() for a in [AreaData(0, 0, 0, 0)]]),
        "fielddata/areadata/area_build_model/area_build.narc": build_archive([AreaBuild(frozen(range(len(PROPS)), np.uint16)).to_bytes()]),
        "fielddata/areadata/area_build_model/areabm_texset.narc": build_archive([prop_set.to_bytes()]),
        "fielddata/areadata/area_map_tex/map_tex_set.narc": build_archive([terrain_set.to_bytes()]),
        "fielddata/areadata/area_move_model/move_model_list.narc": build_archive([MoveModelList(frozen([], np.uint16)).to_bytes()]),
        "data/arealight.narc": build_archive([s.to_bytes() for s in LIGHT_SETS]),
        "data/fldtanime.narc": build_archive([FieldTextureAnimations(()).to_bytes()]),
        "fielddata/build_model/build_model.narc": build_archive(model_files),
        "fielddata/build_model/build_model_matshp.dat": BuildModelMatshp(tuple(matshp)).to_bytes(),
        "arc/bm_anime_list.narc": build_archive([l.to_bytes() for l in lists]),
        "arc/bm_anime.narc": build_archive(anims),
        "fielddata/eventdata/zone_event.narc": build_archive([z.to_bytes() for z in zones]),
        "fielddata/script/scr_seq.narc": build_archive([b""]),
        "msgdata/pl_msg.narc": build_archive([b.to_bytes() for b in banks]),
    }
    return build_image(files, arm9=arm9(headers), overlays=[overlay_5({0: 90, 1: 0, 2: 1, 3: 2})], title="MAPEX DEMO", code="MXDE")
