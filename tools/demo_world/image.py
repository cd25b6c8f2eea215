"""The image of the demo world: every archive that the game reads, filled with what the other modules describe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from formats.binary import frozen
from formats.field.area import AreaBuild, AreaData
from formats.field.bm_anime_list import PropAnimations
from formats.field.build_model_matshp import PAIR, BuildModelMatshp
from formats.field.fldtanime import FieldTextureAnimations, Step, TerrainAnimation
from formats.field.map_matrix import MapMatrix
from formats.field.mapname import MapNames
from formats.field.message import MessageBank
from formats.field.move_model_list import MoveModelList
from formats.nitro import sbc
from formats.nitro.model import Model
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtp import Nsbtp
from mapexplorer.games.name_bank import NameBank
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import build_archive, build_image
from tools.demo_world import creatures, people, room_props
from tools.demo_world.catalogue import PROPS, Entry
from tools.demo_world.edges import Atlas
from tools.demo_world.light import LIGHT_SETS
from tools.demo_world.model import ModelBuilder
from tools.demo_world.outdoor import Dress
from tools.demo_world.outdoor_cells import ALTITUDES, outdoor_cells
from tools.demo_world.picture import Picture, texture_set
from tools.demo_world.pictures import animated_grounds, indoor_pictures, outdoor_pictures
from tools.demo_world.place import Cell
from tools.demo_world.program import arm9, overlay_5
from tools.demo_world.room import build_room
from tools.demo_world.rooms import CAVE, COTTAGE, ICE, INN
from tools.demo_world.scripts import script_members
from tools.demo_world.weather import weather_pictures
from tools.demo_world.zones import FOREST, HILL, LAKE, PLACE_NAMES, SHARED_TEXTS, TEXTS, VILLAGE, ZONES

TITLE = "MAPEX DEMO"
CODE = "MXDE"

Pictures = dict[str, Picture]

_PERSON_MODEL, _PARCEL_MODEL, _WALK_SEQUENCE, _RUN_SEQUENCE = 421, 422, 445, 446
_SHADOWS = {17: (8.0, 6.0), 18: (12.0, 9.0), 19: (6.0, 5.0)}
_SIGN = 0x45
_ZONE_TEXTS = 1
"""The message bank that the headers name."""


def build_demo() -> bytes:
    """The image's bytes."""
    outdoors = {picture.name: picture for picture in outdoor_pictures()}
    indoors = {picture.name: picture for picture in indoor_pictures()}
    outdoor, houses, below = _cells(outdoors, indoors)
    builders = [entry.build(indoors if _is_indoor(entry) else outdoors) for entry in PROPS]
    outdoor_props = [number for number, entry in enumerate(PROPS) if not _is_indoor(entry)]
    indoor_props = [0] + [number for number, entry in enumerate(PROPS) if _is_indoor(entry)]
    terrain_sets = [
        _set(outdoors, [cell.builder for cell in outdoor]),
        _set(indoors, [cell.builder for cell in houses]),
        _set(indoors, [cell.builder for cell in below]),
    ]
    prop_sets = [
        _set(outdoors, [builders[number] for number in outdoor_props], _patterns(outdoor_props)),
        _set(indoors, [builders[number] for number in indoor_props[1:]], _patterns(indoor_props)),
    ]
    models = [builder.build() for builder in builders]
    own = [texture_set([outdoors["mosaic"]]).textures] + [None] * (len(models) - 1)
    areas = (AreaData(0, 0, 3, 0), AreaData(1, 1, 0, 1), AreaData(1, 2, 0, 2), AreaData(1, 2, 0, 3))
    scripts, script_numbers = script_members({zone.name: zone.events for zone in ZONES})
    files = {
        "fielddata/maptable/mapname.bin": MapNames(tuple(zone.name for zone in ZONES)).to_bytes(),
        "fielddata/mapmatrix/map_matrix.narc": _archive(_matrices()),
        "fielddata/land_data/land_data.narc": _archive(cell.build() for cell in (*outdoor, *houses, *below)),
        "fielddata/areadata/area_data.narc": _archive(areas),
        "fielddata/areadata/area_build_model/area_build.narc": _archive(
            AreaBuild(frozen(numbers, np.uint16)) for numbers in (outdoor_props, indoor_props)
        ),
        "fielddata/areadata/area_build_model/areabm_texset.narc": build_archive(prop_sets),
        "fielddata/areadata/area_map_tex/map_tex_set.narc": build_archive(terrain_sets),
        "fielddata/areadata/area_move_model/move_model_list.narc": _archive(
            MoveModelList(frozen(list(graphics), np.uint16)) for graphics in ((), people.CAST)
        ),
        "data/arealight.narc": _archive(LIGHT_SETS),
        "data/fldtanime.narc": _terrain_animations(),
        "data/weather_sys.narc": build_archive(weather_pictures()),
        "data/mmodel/mmodel.narc": _sprites(),
        "data/mmodel/fldeff.narc": _effects(outdoors),
        "fielddata/build_model/build_model.narc": _archive(
            Nsbmd((model,), textures) for model, textures in zip(models, own, strict=True)
        ),
        "fielddata/build_model/build_model_matshp.dat": _draw_lists(models).to_bytes(),
        **_prop_animations(),
        "fielddata/eventdata/zone_event.narc": _archive(zone.events.build() for zone in ZONES[1:]),
        "fielddata/script/scr_seq.narc": _archive(scripts),
        "msgdata/pl_msg.narc": _archive(_messages()),
        "fielddata/encountdata/pl_enc_data.narc": _archive(creatures.encounters()),
        "poketool/personal/pl_personal.narc": _archive(creatures.species()),
        "poketool/trainer/trdata.narc": _archive(creatures.trainers()),
        "poketool/trainer/trpoke.narc": _archive(creatures.parties()),
        "poketool/trmsg/trtbl.narc": _archive([creatures.trainer_messages()]),
        "poketool/trmsg/trtblofs.narc": _archive([creatures.trainer_message_offsets()]),
        "itemtool/itemdata/pl_item_data.narc": _archive(creatures.items()),
    }
    headers = [
        replace(zone.header, scripts=script_numbers[zone.name][0], init_scripts=script_numbers[zone.name][1])
        for zone in ZONES
    ]
    program = arm9(headers, creatures.hidden_items())
    graphics = people.MEMBERS | {people.PARCEL_GRAPHICS: people.PARCEL_MEMBER}
    return build_image(files, arm9=program, overlays=[overlay_5(graphics)], title=TITLE, code=CODE)


def _archive(values: Iterable[object]) -> bytes:
    return build_archive(value.to_bytes() for value in values)  # type: ignore[attr-defined]


def _is_indoor(entry: Entry) -> bool:
    return entry.build.__module__ == room_props.__name__


def _cells(outdoors: Pictures, indoors: Pictures) -> tuple[list[Cell], list[Cell], list[Cell]]:
    """The cells outdoors, in houses and below ground; the edge tiles they need are added to the pictures.

    Faces need only an atlas's name, so the cells are put together while the atlases grow, and built afterwards.
    """
    dress = Dress(outdoors)
    outdoor = outdoor_cells(outdoors, dress)
    atlases: dict[str, Atlas] = {}
    houses = [build_room(room, indoors, atlases) for room in (COTTAGE, INN)]
    below = [build_room(room, indoors, atlases) for room in (CAVE, ICE)]
    outdoors.update((atlas.name, atlas.picture()) for atlas in dress.atlases.values())
    indoors.update((atlas.name, atlas.picture()) for atlas in atlases.values())
    return outdoor, houses, below


def _patterns(numbers: Sequence[int]) -> set[str]:
    """The pictures that pattern animations of these props show, palettes counted as the pictures they come with."""
    names: set[str] = set()
    for number in numbers:
        animation = PROPS[number].animation
        for file in animation.files if animation else ():
            if isinstance(file, Nsbtp):
                for pattern in file.animations:
                    names.update(pattern.textures)
                    names.update(palette.removesuffix("_pl") for palette in pattern.palettes)
    return names


def _set(pictures: Mapping[str, Picture], builders: Iterable[ModelBuilder], more: Iterable[str] = ()) -> bytes:
    """The texture set of everything that `builders` show, in the order of the pictures."""
    wanted = set(more).union(*(builder.used_pictures for builder in builders))
    return texture_set(picture for name, picture in pictures.items() if name in wanted).to_bytes()


def _matrices() -> list[MapMatrix]:
    outdoor = MapMatrix(
        "demo",
        frozen([[HILL, FOREST], [VILLAGE, LAKE]], np.uint16),
        frozen(ALTITUDES, np.uint8),
        frozen([[0, 1], [2, 3]], np.uint16),
    )
    rooms = [MapMatrix("room", None, None, frozen([[land]], np.uint16)) for land in range(4, 8)]
    return [outdoor, *rooms]


def _draw_lists(models: Sequence[Model]) -> BuildModelMatshp:
    """Pairs of material and shape, sorted by material, for the models without animations."""
    lists: list[np.ndarray | None] = []
    for entry, model in zip(PROPS, models, strict=True):
        if entry.animation is not None:
            lists.append(None)
            continue
        pairs, material = [], 0
        for instruction in model.sbc:
            if instruction.opcode == sbc.MAT:
                material = instruction.operands[0]
            elif instruction.opcode == sbc.SHP:
                pairs.append((material, instruction.operands[0]))
        lists.append(frozen(np.array(sorted(pairs), PAIR)))
    return BuildModelMatshp(tuple(lists))


def _prop_animations() -> dict[str, bytes]:
    lists: list[PropAnimations] = []
    files: list[object] = []
    for entry in PROPS:
        if entry.animation is None:
            lists.append(PropAnimations(0xFF, 0xFF, 0, 0, (-1, -1, -1, -1)))
            continue
        slots = [-1] * 4
        for place, file in enumerate(entry.animation.files):
            slots[place] = len(files)
            files.append(file)
        lists.append(PropAnimations(1, entry.animation.flags, 0, 0, (slots[0], slots[1], slots[2], slots[3])))
    return {"arc/bm_anime_list.narc": _archive(lists), "arc/bm_anime.narc": _archive(files)}


def _terrain_animations() -> bytes:
    records, frames = [], []
    for name, (pictures, steps) in animated_grounds().items():
        records.append(TerrainAnimation(name, tuple(Step(frame, duration) for frame, duration in steps)))
        textures = texture_set(pictures)
        frames.append(type(textures)(type(textures.textures)(textures.textures.textures, ())))
    return _archive([FieldTextureAnimations(tuple(records)), *frames])


def _sprites() -> bytes:
    """mmodel: the sheets, the model and the sequences at the numbers where a real archive has them, others empty."""
    members = [b""] * (_RUN_SEQUENCE + 1)
    for graphics, looks in people.CAST.items():
        members[people.MEMBERS[graphics]] = people.sheet(looks, running=graphics == 0).to_bytes()
    members[people.PARCEL_MEMBER] = people.parcel().to_bytes()
    members[_PERSON_MODEL] = people.billboard(32).to_bytes()
    members[_PARCEL_MODEL] = people.billboard(16).to_bytes()
    members[_WALK_SEQUENCE] = people.sequence(running=False).to_bytes()
    members[_RUN_SEQUENCE] = people.sequence(running=True).to_bytes()
    return build_archive(members)


def _effects(pictures: Pictures) -> bytes:
    """fldeff: foot shadows and a sign, at the numbers where a real archive has them, others empty."""
    members = [b""] * (_SIGN + 1)
    for number, (half_width, half_depth) in _SHADOWS.items():
        members[number] = people.foot_shadow(pictures, half_width, half_depth).to_bytes()
    members[_SIGN] = people.field_sign(pictures).to_bytes()
    return build_archive(members)


def _messages() -> list[MessageBank]:
    """The banks where the game has them, the others empty: names, texts of the zones and of shared scripts."""
    texts: dict[int, Sequence[str]] = {_ZONE_TEXTS: TEXTS, PLATINUM.name_banks[NameBank.PLACES].western: PLACE_NAMES}
    texts |= {PLATINUM.name_banks[bank].western: names for bank, names in creatures.name_banks().items()}
    banks = {band.first: band.bank for band in PLATINUM.tables.script_numbers.bands}
    texts |= {banks[first]: shared for first, shared in SHARED_TEXTS.items()}
    return [MessageBank(number, tuple(texts.get(number, ()))) for number in range(max(texts) + 1)]
