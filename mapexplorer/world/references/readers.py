"""Readers of the numbers that fields of records and arguments of scripts hold. They raise FormatError and RomError."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from formats.field.script import ScriptFile, read_commands
from mapexplorer.games import Role
from mapexplorer.games.script_tables import FIRST_SCRIPT_VARIABLE, FIRST_VARIABLE, IN_VARIABLE, Access
from mapexplorer.world.events.script_effects import NOT_CONSTANT, EffectsReader, ScriptEffects
from mapexplorer.world.events.script_files import script_member
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.matrix_patches import hidden_location_table
from mapexplorer.world.subject import ReferencePart

Found = tuple[int, ReferencePart | None]
"""A number that a field holds, and the part of the thing that holds it."""


@dataclass(frozen=True)
class FieldReader:
    """Reads the number that a field of a record holds."""

    name: str
    read: Callable[[WorldFiles, int], int]
    part: ReferencePart | None = None

    def __call__(self, world: WorldFiles, number: int) -> list[Found]:
        return [(self.read(world, number), self.part)]


def of_header(name: str, part: ReferencePart | None = None) -> FieldReader:
    """Reads a field of a map header."""
    return FieldReader(name, lambda world, header: getattr(world.headers[header], name), part)


def of_area(name: str) -> FieldReader:
    """Reads a field of an area."""
    return FieldReader(name, lambda world, area: getattr(world.area(area), name))


def name_window(world: WorldFiles, header: int) -> Iterator[Found]:
    """The members of area_win_gra with the tiles and the palette of a header's window; 0 or None: no window."""
    window = world.headers[header].label_window
    return ((member, None) for member in ((2 * window - 2, 2 * window - 1) if window else ()))


def cells(world: WorldFiles, header: int) -> Iterator[Found]:
    """The lands of a header's own cells."""
    matrix = world.matrix(world.headers[header].matrix)
    for z, x in np.argwhere(matrix.cells_of(header)).tolist():
        yield int(matrix.land[z, x]), ReferencePart("cell", (x, z))


def replaced_cells(world: WorldFiles, header: int) -> Iterator[Found]:
    """The lands that code puts on cells of a header (`matrix_patches`)."""
    number = world.headers[header].matrix
    matrix = world.matrix(number)
    for patch in hidden_location_table(world.game.tables).patches:
        kind = "cell if known" if patch.when_known else "cell if unknown"
        for (x, z), land in patch.lands.items() if patch.matrix == number else ():
            inside = x < matrix.width and z < matrix.height
            if inside and (matrix.headers is None or matrix.headers[z, x] == header):
                yield land, ReferencePart(kind, (x, z), patch.location)


def lands(world: WorldFiles, matrix: int) -> Iterator[Found]:
    """The lands that the cells of a matrix name, each once."""
    return ((land, None) for land in np.unique(world.matrix(matrix).land).tolist())


def headers(world: WorldFiles, matrix: int) -> Iterator[Found]:
    """The headers that the cells of a matrix name, each once; none without a header section."""
    named = world.matrix(matrix).headers
    return ((header, None) for header in (np.unique(named).tolist() if named is not None else ()))


def of_events(records: str, field: str, part: str) -> Callable[[WorldFiles, int], Iterable[Found]]:
    """Reads a field of all events of a kind."""

    def read(world: WorldFiles, header: int) -> Iterator[Found]:
        events = getattr(world.events(header), records, None)
        for index, number in enumerate(events[field].tolist() if events is not None else ()):
            yield number, ReferencePart(part, (index,), path=(records, index))

    return read


def listed(world: WorldFiles, prop_set: int) -> Iterator[Found]:
    """The models that a prop set loads."""
    return ((model, ReferencePart("listed")) for model in world.prop_list(prop_set).models.tolist())


def props(world: WorldFiles, land: int) -> Iterator[Found]:
    """The models of the props of a land."""
    models = world.placed_props(land)["model"].tolist()
    return ((model, ReferencePart("prop", (index,))) for index, model in enumerate(models))


def animations(world: WorldFiles, model: int) -> Iterator[Found]:
    """The animations of a prop model."""
    entry = world.prop_animations(model)
    return ((animation, None) for animation in (entry.used if entry is not None else ()))


def animated(world: WorldFiles, terrain_set: int) -> Iterator[Found]:
    """The terrain animations whose texture the set holds."""
    if world.terrain_animations is None:
        return
    textures = world.terrain_textures(terrain_set).textures
    for index, animation in enumerate(world.terrain_animations.animations):
        if textures.texture(animation.texture) is not None:
            yield index, ReferencePart("texture", name=animation.texture)


def pictures(world: WorldFiles, graphics: int) -> Iterator[Found]:
    """The member of the sprite archive with the pictures of an object graphics id."""
    yield world.object_graphics.value[graphics], None


def fields(read: Callable[[WorldFiles, int], Any], *paths: str) -> Callable[[WorldFiles, int], Iterable[Found]]:
    """Reads the numbers at paths of a record (`grass.species`: of all slots)."""
    return lambda world, number: [
        held
        for record in [read(world, number)]
        for path in paths
        for held in _numbers(record, path.split(".") if path else [], ())
    ]


def _numbers(value: Any, names: list[str], path: tuple[str | int, ...]) -> list[Found]:
    """The numbers at a path below a value, which has the path `path` itself; none in what is absent or has a rate of
    0."""
    if names and hasattr(value, names[0]):
        element = getattr(value, names[0]) if getattr(value, "rate", True) else None
        return _numbers(element, names[1:], (*path, names[0]))
    if isinstance(value, tuple | np.ndarray):
        return [held for index, element in enumerate(value) for held in _numbers(element, names, (*path, index))]
    return [] if value is None else [(int(value), ReferencePart("field", path=path))]


def member_of(role: Role, kind: type[Any]) -> Callable[[WorldFiles, int], Any]:
    """Reads a member of an archive as a record."""
    return lambda world, number: world.member(role, number, kind.from_bytes)


def row_of(table: str) -> Callable[[WorldFiles, int], Any]:
    """Reads a row of a table of the program."""
    return lambda world, number: getattr(world, table).value[number]


def arguments(meaning: str) -> Callable[[WorldFiles, int], Iterable[Found]]:
    """Reads the arguments with a meaning of the commands of a script file."""
    return lambda world, member: world.script_arguments.get(member, _read_arguments, world, member).get(meaning, ())


def _read_arguments(world: WorldFiles, member: int) -> Mapping[str, list[Found]]:
    """Meaning -> the numbers with it among the arguments of a script file's commands; `IN_VARIABLE`: those that are put
    into variables of the running script."""
    by_meaning: dict[str, list[Found]] = defaultdict(list)
    if (world.script_kinds.get(member) or type(script_member(world, member))) is not ScriptFile:
        return by_meaning
    names = world.game.tables.script_commands
    code, meanings = read_commands(world.members(Role.SCRIPTS).reader(member)), names.meanings
    for at in sorted(at for at, command in code.items() if meanings[command[0]]):
        number, arguments, _ = code[at]
        for index, meaning, access in meanings[number]:
            is_number = access is Access.NUMBER or arguments[index] < FIRST_VARIABLE
            if is_number and (meaning != IN_VARIABLE or arguments[0] >= FIRST_SCRIPT_VARIABLE):
                part = ReferencePart("command", (at, index), names.names[number].name)
                by_meaning[meaning].append((arguments[index], part))
    return by_meaning


def effects(*effects: str) -> Callable[[WorldFiles, int], Iterable[Found]]:
    """Reads what some effects of the entries of a script file are about, also by variables."""
    return lambda world, member: [
        (number, ReferencePart("entry", (entry,), effect))
        for entry, effects_of_entry in enumerate(effects_of_entries(world, member))
        for effect in effects
        for number in effects_of_entry.numbers(effect)
        if number != NOT_CONSTANT
    ]


def effects_of_entries(world: WorldFiles, member: int) -> tuple[ScriptEffects, ...]:
    """The effects of the entries of a script file; none for another member. Raises FormatError, RomError."""
    known: tuple[ScriptEffects, ...] = world.script_effects.get(member, _read_effects, world, member)
    return known


def _read_effects(world: WorldFiles, member: int) -> tuple[ScriptEffects, ...]:
    file = script_member(world, member)
    if not isinstance(file, ScriptFile):
        return ()
    reader = EffectsReader(file, world.game.tables.script_commands)
    return tuple(map(reader.effects, range(len(file.entries))))
