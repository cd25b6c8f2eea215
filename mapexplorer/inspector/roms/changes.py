"""The differences between two ROMs as text, JSON and rows of a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from formats.fixed import ONE
from mapexplorer.catalogue.uses import references_to
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind, Comparison, SkipReason
from mapexplorer.compare.changed_places import (
    ChangedPlace,
    changed_places,
    changed_props,
    changed_tiles,
    of_no_place,
)
from mapexplorer.gameplay.script_listing import CommandLine, MovementLine, UnknownLine
from mapexplorer.gameplay.script_names import readable
from mapexplorer.games import Role
from mapexplorer.grouping import by_key
from mapexplorer.inspector.facts import ListedGroup, ListedThing
from mapexplorer.inspector.script.script_lines import line_text, quoted
from mapexplorer.inspector.things.common import clock_text
from mapexplorer.values import count
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.world import FieldWorld

TITLES: Final = {
    ChangedKind.HEADER: "Map headers",
    ChangedKind.MATRIX: "Matrices",
    ChangedKind.LAND: "Lands",
    ChangedKind.TILE: "Tiles",
    ChangedKind.PROP: "Props",
    ChangedKind.AREA: "Areas",
    ChangedKind.PROP_SET: "Prop sets",
    ChangedKind.MODEL: "Prop models",
    ChangedKind.TEXTURE: "Textures",
    ChangedKind.ANIMATION: "Animations",
    ChangedKind.LIGHT: "Lights",
    ChangedKind.CAMERA: "Cameras",
    ChangedKind.EVENT: "People, signs and triggers",
    ChangedKind.WARP: "Warps",
    ChangedKind.SCRIPT: "Scripts",
    ChangedKind.TEXT: "Texts",
    ChangedKind.ENCOUNTER: "Wild encounters",
    ChangedKind.TRAINER: "Trainers",
    ChangedKind.SPECIES: "Species",
    ChangedKind.ITEM: "Items",
    ChangedKind.FILE: "Other files",
    ChangedKind.PROGRAM: "Program",
}
"""Kind -> the title of its changes."""

_MAPS: Final = 3
_TILES: Final = 8
_MOST_MAPS: Final = 30
"""The most maps, and the most tiles, that a line names, and the most maps that a summary lists."""


def changes_json(before: FieldWorld, after: FieldWorld, comparison: Comparison) -> dict[str, Any]:
    """A comparison as JSON values."""
    return {
        "before": _release(before),
        "after": _release(after),
        "counts": {str(kind): number for kind, number in comparison.counts.items()},
        "changes": [_change_json(before, after, change) for change in comparison.changes],
        "skipped": [{"kind": str(kind), "why": skipped_text(kind, why)} for kind, why in comparison.skipped.items()],
    }


def _release(world: FieldWorld) -> dict[str, str]:
    return {"path": world.rom.path, "release": world.game.release(world.rom), "code": world.rom.code}


def _change_json(before: FieldWorld, after: FieldWorld, change: Change) -> dict[str, Any]:
    values = {"before": _plain(before, change.before), "after": _plain(after, change.after)}
    plain = vars(change) | values
    return {key: value for key, value in plain.items() if value or (key in values and value is not None)}


def _plain(world: FieldWorld, value: Any) -> Any:
    if isinstance(value, CommandLine | MovementLine | UnknownLine):
        return line_text(value, world.game.tables.script_commands)
    return list(value) if isinstance(value, tuple) else value


def changes_lines(before: FieldWorld, after: FieldWorld, comparison: Comparison) -> list[str]:
    """A comparison as lines of text: a line for each change under the title of its kind; tiles that changed alike
    share a line."""
    by_kind = changes_by_kind(before, after, comparison.changes)
    lines = [line for title, changes in by_kind for line in ("", title, *(f"  {change}" for change in changes))]
    lines += ["", *(skipped_text(*pair) for pair in comparison.skipped.items())] if comparison.skipped else []
    return lines[1:]


def changes_by_kind(
    before: FieldWorld, after: FieldWorld, changes: Iterable[Change]
) -> Iterator[tuple[str, Iterator[str]]]:
    """Differences as lines under the titles of their kinds."""
    for kind, alike in groupby(changes, lambda change: change.kind):
        yield TITLES[kind], _lines(before, after, list(alike))


def summary_lines(after: FieldWorld, comparison: Comparison) -> list[str]:
    """The number of changes of each kind, and of each map."""
    lines = [f"{TITLES[kind]}: {number:,}" for kind, number in comparison.counts.items()]
    maps = Counter(header for change in comparison.changes for header in change.headers)
    if maps:
        lines += ["", "Most changed maps"]
        lines += [f"  {after.headers[header].title}: {number:,}" for header, number in maps.most_common(_MOST_MAPS)]
    lines += ["", *(skipped_text(*pair) for pair in comparison.skipped.items())] if comparison.skipped else []
    return lines


def skipped_text(kind: ChangedKind, why: SkipReason) -> str:
    """Why a kind was not compared."""
    title = TITLES[kind].lower()
    if why is SkipReason.NOT_KNOWN:
        return f"Not compared: {title}, about which nothing is known in one of the games."
    return f"Not compared: {title}, which are others in another game."


ValueWords = Callable[[FieldWorld, Change, Any, str], str]
"""What makes words of a value of a difference in one of the ROMs, and its name."""
ChangeWords = tuple[Change, str, tuple[str, str, str]]
"""A difference in words, or the first of several tiles that changed alike: the thing, and what happened to it with the
values before and after, empty for none."""


def _alike(change: Change) -> tuple[Any, ...]:
    """What tiles that changed alike have in common."""
    tile = change.kind is ChangedKind.TILE
    return (change.key[0], change.field, change.before, change.after) if tile else (id(change),)


def change_words(
    before: FieldWorld, after: FieldWorld, changes: Iterable[Change], value: ValueWords
) -> Iterator[ChangeWords]:
    """Differences in words, in their order; tiles that changed alike share one. `value` makes values words."""
    for together in by_key((_alike(change), change) for change in changes).values():
        first = together[0]
        thing = _tiles(before, int(first.key[0]), together) if first.kind is ChangedKind.TILE else _named(first)
        was = value(before, first, first.before, first.before_name)
        now = value(after, first, first.after, first.after_name)
        verb = "" if first.action is ChangeAction.CHANGED else str(first.action)
        field = first.field.replace("_", " ").removesuffix(" percent") if was or now else first.field
        yield first, thing, (", ".join(filter(None, (verb, field))), was, now)


def in_a_line(what: str, was: str, now: str) -> str:
    """What happened to a thing, with the values before and after."""
    if what in (ChangeAction.ADDED, ChangeAction.REMOVED):
        return f"{what} {now or was}".rstrip()
    return f"{what} {was or 'none'} -> {now or 'none'}" if was or now else f"{what} changed"


def _lines(before: FieldWorld, after: FieldWorld, changes: list[Change]) -> Iterator[str]:
    """Differences as text: the maps, the thing, its name, what changed."""
    for first, thing, words in change_words(before, after, changes, _value):
        maps = "" if first.kind is ChangedKind.HEADER else _maps(after, first.headers)
        yield ": ".join(filter(None, (maps, thing, in_a_line(*words))))


def _named(change: Change) -> str:
    """A thing with its name."""
    thing = _thing(change)
    if change.kind in (ChangedKind.ENCOUNTER, ChangedKind.HEADER):
        return change.name or thing
    return f"{thing} {change.name}".strip()


def _maps(world: FieldWorld, headers: Iterable[int]) -> str:
    titles = [world.headers[header].title for header in headers]
    more = f" and {len(titles) - _MAPS} more maps" if len(titles) > _MAPS else ""
    return ", ".join(titles[:_MAPS]) + more


def _thing(change: Change) -> str:
    key = change.key
    if isinstance(key[0], str):
        return f"{key[0]}#{key[1]}" if len(key) > 1 and isinstance(key[1], int) else " ".join(map(str, key))
    words = _THINGS.get((change.kind, len(key)))
    if words is not None:
        return words.format(*key)
    return f"{change.kind.replace('_', ' ')} {', '.join(map(str, key))}"


_THINGS: Final = {
    (ChangedKind.MATRIX, 3): "matrix {}, cell ({}, {})",
    (ChangedKind.PROP, 2): "land {}, prop {}",
    (ChangedKind.PROP_SET, 2): "prop set {}, entry {}",
    (ChangedKind.EVENT, 3): "{1} {2}",
    (ChangedKind.WARP, 2): "warp {1}",
    (ChangedKind.SCRIPT, 1): "script file {},",
    (ChangedKind.SCRIPT, 2): "script file {}, item {},",
    (ChangedKind.ITEM, 1): "item record {}",
    (ChangedKind.TEXT, 1): "bank {}",
    (ChangedKind.TEXT, 2): "bank {}, text {}",
}
"""Kind of a difference and the number of parts of its key -> the thing in words; others are named by their kind."""


def _tiles(world: FieldWorld, land: int, changes: list[Change]) -> str:
    """The tiles of a land: matrix-wide where it is on one cell, else from the corner of the land."""
    cells = _cells(world, land)
    x, z = next(iter(cells)) if len(cells) == 1 else (0, 0)
    tiles = [(CELL_TILES * x + int(change.key[1]), CELL_TILES * z + int(change.key[2])) for change in changes]
    shown = " ".join(f"{x},{z}" for x, z in tiles[:_TILES])
    more = f" and {len(tiles) - _TILES} more" if len(tiles) > _TILES else ""
    where = f"land {land}" + (f", cell ({x}, {z})" if len(cells) == 1 else "")
    return f"{where}, {'tile' if len(tiles) == 1 else 'tiles'} {shown}{more}"


def _cells(world: FieldWorld, land: int) -> set[tuple[int, ...]]:
    """The cells with a land; none where a file that the references need is damaged."""
    parts = [use.part for use in read_or((), references_to, world, "land", land)]
    return {part.key for part in parts if part is not None and part.kind == "cell"}


def _value(world: FieldWorld, change: Change, value: Any, name: str) -> str:
    """A value as text, with its name; empty for None."""
    if value is None:
        return ""
    plain = _plain(world, value)
    if change.kind is ChangedKind.TEXT and isinstance(plain, str):
        return quoted(readable(plain))
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    if change.field.endswith(" percent"):
        return f"{plain} %"
    if change.field.endswith(" levels"):
        return "-".join(map(str, dict.fromkeys(plain)))
    if change.kind is ChangedKind.TILE and change.field == "behaviour":
        name = world.game.tables.behaviour_name(plain)
    if change.kind is ChangedKind.EVENT and change.field in ("graphics", "movement_type"):
        tables = world.game.tables
        name = (tables.graphics_name if change.field == "graphics" else tables.movement_type_name)(plain)
    if isinstance(plain, list):
        plain = f"({', '.join(f'{number:g}' if isinstance(number, float) else str(number) for number in plain)})"
    return f"{plain} ({name})" if name else str(plain)


def _in_words(world: FieldWorld, change: Change, value: Any, name: str) -> str:
    """A value as `_value` has it, a position or the target of a warp in words."""
    words = _IN_WORDS.get((change.kind, change.field.rpartition(".")[2]))
    return _value(world, change, value, name) if words is None or value is None else words(value, name)


def _prop_position(units: list[float], name: str) -> str:
    """The position of a prop in units from the middle of its land, as a tile of the land and a height."""
    x, z = ((value + CELL_UNITS / 2) / TILE_UNITS for value in units[::2])
    return f"tile ({x:.4g}, {z:.4g}) of the land at height {units[1]:.4g}"


_IN_WORDS: Final[dict[tuple[ChangedKind, str], Callable[[Any, str], str]]] = {
    (ChangedKind.PROP, ""): _prop_position,
    (ChangedKind.PROP, "position"): _prop_position,
    (ChangedKind.EVENT, "x, z, y"): lambda at, name: f"tile ({at[0]}, {at[1]}) at height {at[2] / ONE:g}",
    (ChangedKind.WARP, "target"): lambda to, name: f"{name or f'header {to[0]}'}, warp {to[1]}",
    (ChangedKind.LIGHT, "end"): lambda end, name: clock_text(2 * end),
}
"""Kind and field of a difference -> a value, with its name, in words."""


_COLOR: Final = "red", "green", "blue"
_FIELDS: Final[dict[str, tuple[str, Sequence[str]]]] = {
    "blocks": ("time block", ()),
    "lights": ("light", ()),
    "color": ("colour", _COLOR),
    "vector": ("direction", ("x", "y", "z")),
    **{name: (f"{name} colour", _COLOR) for name in ("diffuse", "ambient", "specular", "emission")},
}
"""Field of a record -> its name in words, and those of its items where they are not numbered."""


def field_words(path: str) -> str:
    """The path of a field in words: `blocks[6].diffuse[0]` as `time block 6, diffuse colour, red`."""
    words = []
    for part in path.split("."):
        field, _, index = part.removesuffix("]").partition("[")
        name, items = _FIELDS.get(field, (field, ()))
        words.append(f"{name}, {items[int(index)]}" if items and index else f"{name} {index}".rstrip())
    return ", ".join(words)


def changes_summary(comparison: Comparison) -> str:
    """The last line of a comparison."""
    if not comparison.changes:
        return "No differences."
    kinds = count(len(comparison.counts), "kind")
    return f"{count(len(comparison.changes), 'difference')} of {kinds}."


_SUBJECTS: Final = {
    ChangedKind.MATRIX: "matrix",
    ChangedKind.LAND: "land",
    ChangedKind.AREA: "area",
    ChangedKind.PROP_SET: "prop set",
    ChangedKind.MODEL: "prop",
    ChangedKind.LIGHT: "light set",
    ChangedKind.CAMERA: "camera",
    ChangedKind.SCRIPT: "scripts",
    ChangedKind.TEXT: "messages",
    ChangedKind.ENCOUNTER: "encounters",
    ChangedKind.TRAINER: "trainer",
    ChangedKind.SPECIES: "species",
}
"""Kind of a difference -> the kind of subject whose number its key begins with."""


_PICTURED: Final = {
    (ChangedKind.PROP, True): "prop",
    (ChangedKind.PROP, False): "prop",
    (ChangedKind.PROP_SET, True): "prop",
    (ChangedKind.MODEL, False): "prop",
    (ChangedKind.EVENT, True): "object graphics",
    (ChangedKind.SPECIES, False): "species",
}
"""Kind of a difference, and whether its values are numbers of things with pictures -> the kind of these, else of the
thing that differs."""


def listed_changes(before: FieldWorld, after: FieldWorld, comparison: Comparison) -> tuple[ListedGroup, ...]:
    """The rows of each changed place, then those of no single place by kind: the thing, what happened to it, the values
    before and after. Each leads to the thing in the second ROM, else to the file, else to the map."""
    groups = []
    for place in changed_places(before, after, comparison):
        here = subject("header", place.header)
        rows = read_or((), _of_place, before, after, place)
        shared = len(place.changes) - len(place.own)
        more = [ListedThing(here, count(shared, "difference") + " of many maps")] if shared else []
        groups.append(ListedGroup(after.headers[place.header].title, (*rows, *more), True, here))
    for kind, changes in groupby(of_no_place(comparison), lambda change: change.kind):
        groups.append(ListedGroup(TITLES[kind], tuple(_rows(before, after, changes, None, None)), True))
    return tuple(groups)


def _of_place(before: FieldWorld, after: FieldWorld, place: ChangedPlace) -> tuple[ListedThing, ...]:
    was = None if place.before is None else before.place(place.before)
    return tuple(_rows(before, after, place.own, was, after.place(place.header)))


def _rows(
    before: FieldWorld, after: FieldWorld, changes: Iterable[Change], was: FieldPlace | None, now: FieldPlace | None
) -> Iterator[ListedThing]:
    same_game = before.game.name == after.game.name
    for first, thing, words in change_words(before, after, changes, _in_words):
        named = first.name and first.kind in (ChangedKind.PROP, ChangedKind.EVENT)
        title = f"{first.name} ({_thing(first)})" if named else thing
        # The numbers of other things are those of the first ROM, which mean something else in another game.
        chosen = change_subject(first, was, now) if same_game or first.kind is ChangedKind.TILE else None
        chosen = chosen or _file(after, first) or (None if now is None else subject("header", now.header.id))
        old, new = pictured(before, after, first)
        yield ListedThing(chosen, title, (field_words(words[0]), *words[1:]), picture=new, before=old)


def _file(world: FieldWorld, change: Change) -> Subject | None:
    """The file that a difference is in, if its key names one."""
    name = str(change.key[0])
    path = world.path(Role(name)) if name in list(Role) else name
    return Subject("file", (path,)) if world.rom.has(path) else None


def pictured(before: FieldWorld, after: FieldWorld, change: Change) -> list[Subject | None]:
    """The things whose pictures show a difference, in both ROMs; None for none. Raises FormatError."""
    key: Any = change.key
    by_value = change.field in ("model", "graphics")
    kind, values = _PICTURED.get((change.kind, by_value)), [change.before, change.after]
    if kind is not None and not by_value:
        number = key[-1] if isinstance(key[-1], int) else None
        if change.kind is ChangedKind.PROP and number is not None:
            world = after if change.action is ChangeAction.ADDED else before
            number = world.placed_props(key[0])[number]["model"]
        values = [None if change.action is alone else number for alone in (ChangeAction.ADDED, ChangeAction.REMOVED)]
    return [None if kind is None or value is None else subject(kind, value) for value in values]


def change_subject(change: Change, was: FieldPlace | None, now: FieldPlace | None) -> Subject | None:
    """The thing of a difference in the second ROM, seen from a place there, None for none; of something that was
    removed the tile where it was. `was`: the place in the first ROM."""
    key: tuple[Any, ...] = change.key
    if now is not None and change.kind in (ChangedKind.TILE, ChangedKind.PROP, ChangedKind.EVENT, ChangedKind.WARP):
        if (
            change.kind in (ChangedKind.EVENT, ChangedKind.WARP)
            and change.action is not ChangeAction.REMOVED
            and isinstance(key[-1], int)
        ):
            return subject("warp" if change.kind is ChangedKind.WARP else key[1], now.header.id, key[-1])
        for kind, places in (("placed prop", changed_props(now, change)), ("tile", changed_tiles(was, now, change))):
            if places:
                return subject(kind, now.matrix_id.value, *places[-1])
        return None
    if change.kind is ChangedKind.MATRIX and len(key) == 3:
        return subject("cell", *key)
    numbers = [number for number in key if isinstance(number, int)]
    if change.kind is ChangedKind.TEXT and len(key) == 2:
        return subject("text", *key)
    if change.kind not in _SUBJECTS or not numbers or change.action is ChangeAction.REMOVED:
        return None
    renumbered = change.action is ChangeAction.MOVED and isinstance(change.after, int)
    return subject(_SUBJECTS[change.kind], change.after if renumbered else numbers[0])
