"""What map objects look like on their tiles, against the vectors: placement and field effects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from mapexplorer.map_objects.drawn import EffectBillboard, EffectModel
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.manager import MapObjectManager
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import SOUTH
from mapexplorer.world.save import Save
from mapexplorer.world.terrain.terrain import Terrain, centre
from tests.map_objects.conftest import TABLES, Load, Row, populated, standing

_SPRITE_TEXTURE, _SPRITE_SEQUENCE = 28672, 8192
"""How the vectors write that a billboard has the texture and sequence of its object."""
_WITHOUT_SHADOWS = (1, 1)
"""The tile whose shadows the vectors of placement leave out."""
_TIMES = ("morning", "day", "twilight", "night", "late night")


def model_row(model: EffectModel) -> list[int]:
    alpha = -1 if model.alpha is None else model.alpha
    animation = -1 if model.animation is None else model.animation
    return [model.member, *model.position, *model.scale, alpha, animation, model.frame]


def billboard_row(board: EffectBillboard) -> list[int]:
    texture = _SPRITE_TEXTURE + (board.graphics or 0) if board.texture is None else board.texture
    sequence = _SPRITE_SEQUENCE if board.sequence is None else board.sequence
    return [board.model, texture, sequence, *board.position, *board.scale, board.animation, board.frame]


def models(manager: MapObjectManager) -> list[list[int]]:
    """Those of all but the player, whose shadow the vectors leave out."""
    return [model_row(model) for mover, model in manager.effect_models() if mover is not manager.player]


def billboards(manager: MapObjectManager) -> list[list[int]]:
    return [billboard_row(board) for _, board in manager.effect_billboards()]


def by_tick(scenarios: Any, rows: Any) -> dict[tuple[int, int], list[list[int]]]:
    grouped: dict[tuple[int, int], list[list[int]]] = defaultdict(list)
    for scenario, row in zip(scenarios.tolist(), rows.tolist(), strict=True):
        grouped[scenario, row[0]].append(row[1:])
    return grouped


def test_field_effects(terrain: Callable[[int], Terrain], load: Load) -> None:
    vectors, count = load("object_effects")
    model_rows = by_tick(vectors["model_scenario"], vectors["model"])
    billboard_rows = by_tick(vectors["billboard_scenario"], vectors["billboard"])
    objects = by_tick(vectors["object_scenario"], vectors["object"])
    actions = dict(vectors["actions"].tolist())
    times = {time.name: time for time in TABLES.times_of_day}
    ran = 0
    for index, header in enumerate(vectors["header"].tolist()):
        manager = MapObjectManager(terrain(header), TABLES)
        manager.time = times[_TIMES[int(vectors["time_of_day"][index])]]
        (manager.player,) = manager.add([standing(0, 0, 0, SOUTH)])
        x, z = vectors["tile"][index].tolist()
        height = objects[index, 0][0][1]
        [mover] = manager.add([standing(int(vectors["graphics"][index]), x, z, 3, height)])
        for tick in range(int(vectors["ticks"][index]) + 1):
            if tick in actions:
                manager.command(mover, actions[tick])
            if tick:
                manager.step()
            if (index, tick) not in objects:
                continue
            assert mover.picture is not None
            state = [[*mover.position, mover.jump, mover.sink, mover.picture.frame]]
            assert state == objects[index, tick], (index, tick)
            assert models(manager) == model_rows.get((index, tick), []), (index, tick)
            assert billboards(manager) == billboard_rows.get((index, tick), []), (index, tick)
        ran += 1
    assert ran == count


def placed(mover: FieldObject, trace: list[int], terrain: Terrain) -> dict[str, int]:
    """The columns of placement that follow from a run."""
    found = {
        "x": mover.x,
        "y": mover.level,
        "z": mover.z,
        "facing": mover.facing,
        "behaviour": terrain.behaviour(mover.x, mover.z),
        "sink_y": mover.sink,
        "gfx": -1,
        "draw": trace[9],
        "pos_x": mover.position_x,
        "pos_y": mover.position_y,
        "pos_z": mover.position_z,
    }
    if mover.picture is not None:
        x, y, z = mover.billboard_position
        found |= {
            "gfx": mover.setting.graphics.id,
            "anim": mover.picture.animation,
            "frame": mover.picture.frame,
            "draw_x": x,
            "draw_y": y,
            "draw_z": z,
            "texture": trace[11],
            "palette": trace[12],
        }
    return found


def status_bits(mover: FieldObject) -> dict[int, bool]:
    """The bits of the status word that FORMAT.md names, as far as a lone header has them."""
    return {
        9: mover.hidden,
        12: not mover.has_height,
        15: mover.shadow_made,
        20: mover.shadow_hidden,
        25: mover.setting.clone,
    }


def test_placement(
    world: FieldWorld, terrain: Callable[[int], Terrain], load: Load, new_save: Save, trace_row: Row
) -> None:
    """Every object of every header: whether it exists, where it stands, its picture and effects after two ticks."""
    vectors, count = load("object_placement")
    columns = vectors["columns"].tolist()
    rows_of: dict[int, list[tuple[int, dict[str, int]]]] = defaultdict(list)
    for index, row in enumerate(vectors["rows"].tolist()):
        rows_of[row[0]].append((index, dict(zip(columns, row, strict=True))))
    ran = 0
    for header, rows in rows_of.items():
        present, manager = populated(world, terrain, header, new_save)
        made: dict[int, list[list[int]]] = defaultdict(list)
        for tick in range(3):
            if tick:
                manager.step()
            for number, mover, numbers in manager.created:
                made[id(mover)].append([tick, number, *(numbers + (0, 0, 0))[:3]])
        for index, row in rows:
            ran += 1
            assert bool(row["hidden"]) == (row["event"] not in present), (header, row["event"])
            if row["hidden"]:
                continue
            mover = present[row["event"]]
            found = placed(mover, trace_row(mover), terrain(header))
            assert {name: row[name] for name in found} == found, (header, row["event"])
            expected = {bit: bool(row["status"] >> bit & 1) for bit in status_bits(mover)}
            assert status_bits(mover) == expected, (header, row["event"])
            first, last = vectors["effect_start"][index : index + 2].tolist()
            assert made[id(mover)] == vectors["effects"][first:last].tolist(), (header, row["event"])
        x, z = (centre(tile) for tile in _WITHOUT_SHADOWS)
        others = [
            model_row(model)
            for mover, model in manager.effect_models()
            if mover is not manager.player and (model.alpha is None or mover.position[::2] != (x, z))
        ]
        assert others == vectors["model"][vectors["model_header"] == header].tolist(), header
        assert billboards(manager) == vectors["billboard"][vectors["billboard_header"] == header].tolist(), header
    assert ran == count
