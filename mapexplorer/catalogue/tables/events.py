"""The events of the maps of each header, with the scripts that they run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from formats.field.zone_event import RETURN_HEADER, ZoneEvents
from formats.fixed import ONE
from mapexplorer.catalogue.source import Row, Rows, Source
from mapexplorer.gameplay.activation import on_arrival
from mapexplorer.world.events.script_files import locate_script
from mapexplorer.world.save import CLONE


def fill_events(source: Source) -> Iterator[tuple[str, Rows]]:
    """Objects, background events, warps and triggers."""
    files = source.events
    yield "object", (row for header, events in files for row in _objects(source, header, events))
    yield "background", (row for header, events in files for row in _background(source, header, events))
    yield "warp", (row for header, events in files for row in _warps(source, header, events))
    yield "trigger_event", (row for header, events in files for row in _triggers(source, header, events))


def fill_initial_scripts(source: Source) -> Iterator[tuple[str, Rows]]:
    """The scripts that run on arrival."""
    yield "initial_script", _initial_scripts(source)


def _script(source: Source, header: int, number: int) -> tuple[int | None, int | None, int | None]:
    """Script number, member and entry; the last two are NULL for a number that means no script."""
    place = locate_script(source.world, header, number)
    return (number, None, None) if place is None else (number, place.member, place.entry)


def _objects(source: Source, header: int, events: ZoneEvents) -> Iterator[Row]:
    numbers = source.world.game.tables.script_numbers
    for index, event in enumerate(events.objects):
        script, flag = int(event["script"]), int(event["hidden_flag"])
        is_clone = script == CLONE
        trainer = numbers.trainer(script)
        yield (
            header,
            index,
            int(event["local_id"]),
            int(event["graphics"]),
            int(event["movement_type"]),
            int(event["trainer_type"]),
            None if is_clone or not flag else flag,
            *_script(source, header, script),
            None if trainer is None else trainer[0],
            flag if is_clone else None,
            int(event["direction"]),
            *event["parameters"].tolist(),
            int(event["range_x"]),
            int(event["range_z"]),
            int(event["x"]),
            int(event["z"]),
            int(event["y"]) / ONE,
        )


def _background(source: Source, header: int, events: ZoneEvents) -> Iterator[Row]:
    for index, event in enumerate(events.background.tolist()):
        script, kind, x, z, y, facing, _ = event
        yield header, index, *_script(source, header, script), kind, facing, x, z, y


def _warps(source: Source, header: int, events: ZoneEvents) -> Iterator[Row]:
    for index, (x, z, target, warp, _) in enumerate(events.warps.tolist()):
        there = source.part(partial(source.world.warp_target, header, index))
        tile = (None, None) if there is None else there[1:]
        back = target == RETURN_HEADER
        yield header, index, x, z, None if back else target, None if back else warp, *tile


def _triggers(source: Source, header: int, events: ZoneEvents) -> Iterator[Row]:
    for index, (script, x, z, width, length, y, value, variable) in enumerate(events.triggers.tolist()):
        yield header, index, *_script(source, header, script), variable, value, x, z, width, length, y


def _initial_scripts(source: Source) -> Iterator[Row]:
    for header, scripts in source.each(range(len(source.world.headers)), partial(on_arrival, source.world)):
        for number, script in enumerate(scripts):
            variable, value = script.conditions[0].numbers if script.conditions else (None, None)
            yield header, number, script.moment, *_script(source, header, script.script), variable, value
