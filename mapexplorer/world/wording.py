"""The sentences about sources, such as `map_tex_set[3] because area 7 of header 411`. No other module makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from formats.field.height_plates import HeightReason
from formats.fixed import ONE
from mapexplorer.games import Role
from mapexplorer.world.damage import Damage, LeftOut
from mapexplorer.world.leftovers import Leftover, LeftoverRule
from mapexplorer.world.provenance import RETAIL, Facts, Provenance, Resolved, SourceRule, Table
from mapexplorer.world.subject import ReferencePart

if TYPE_CHECKING:
    from mapexplorer.world.terrain import TerrainHeight
    from mapexplorer.world.textures import TextureReport, Unresolved

_RETAIL_TABLES = {
    Table.CAMERAS: "cameras",
    Table.OBJECT_GRAPHICS: "object graphics",
    Table.HIDDEN_ITEMS: "hidden items",
    Table.COMMON_MART: "common shops",
    Table.SPECIAL_MARTS: "special shops",
}
_TABLES_FOUND = {
    Table.CAMERAS: "its camera table is there",
    Table.OBJECT_GRAPHICS: "its object graphics table is there",
    Table.YEARLY_WEATHER: "the table's first days are there",
    Table.HIDDEN_ITEMS: "its table of hidden items is there",
    Table.COMMON_MART: "its table of the common shops is there",
    Table.SPECIAL_MARTS: "its lists of the special shops are there",
}
_TABLES_LACKING = {
    Table.CAMERAS: "holds no camera table",
    Table.OBJECT_GRAPHICS: "holds no such table",
    Table.HIDDEN_ITEMS: "holds no table of hidden items",
    Table.COMMON_MART: "holds no table of the common shops",
    Table.SPECIAL_MARTS: "holds no lists of the special shops",
}

_LEFTOVERS = {
    LeftoverRule.NO_CELL: "unused: no cell",
    LeftoverRule.WHITE_TERRAIN: "unfinished: white terrain",
    LeftoverRule.PLAIN_TERRAIN: "unfinished: terrain without textures",
}


def source(why: Provenance) -> str:
    """A source as a sentence: what was taken, and because of what."""
    return f"{origin(why)} because {reason(why)}"


def origin(why: Provenance) -> str:
    """What was taken: `map_tex_set[3]`, `area 7`, `arm9 at 0xE601C`."""
    if why.archive is None:
        return f"weather {why.member}"
    if why.archive == RETAIL:
        assert why.facts.table is not None
        return f"{RETAIL}'s {_RETAIL_TABLES[why.facts.table]}"
    if why.offset is not None:
        return f"{why.archive} at 0x{why.offset:X}"
    if why.archive == Role.AREA_DATA:
        return f"area {why.member}"
    if why.member is None:
        return why.archive
    box = ", the dummy box," if why.rule is SourceRule.DUMMY_BOX else ""
    return f"{member(why.archive, why.member)}{box}"


def member(archive: str, number: int) -> str:
    """A member of an archive by the archive's short name: `land_data[7]`."""
    return f"{archive}[{number}]"


def reason(why: Provenance) -> str:
    """The rule by which it was taken: `header 411 names it`."""
    facts = why.facts
    match why.rule:
        case SourceRule.HEADER_NAMES:
            return f"header {facts.header} names it"
        case SourceRule.ENTRY_OF_HEADER:
            return f"it is the entry of header {facts.header}"
        case SourceRule.CHOSEN:
            return "it was chosen"
        case SourceRule.ENTERED:
            return "it was entered"
        case SourceRule.NEAREST_CELL:
            return f"header {facts.header} of the nearest named cell {facts.cell} names it; the cell itself is filler"
        case SourceRule.AREA_NAMES:
            return _area(facts.area)
        case SourceRule.CELL_OF_MATRIX:
            return f"cell {facts.cell} of map_matrix[{facts.matrix}]"
        case SourceRule.PATCHED_CELL:
            state = "known" if facts.known else "not known"
            return f"code puts it on cell {facts.cell} of map_matrix[{facts.matrix}] while {facts.location} is {state}"
        case SourceRule.PROP_OF_LAND:
            return f"prop {facts.index} of land_data[{facts.land}] names it"
        case SourceRule.DUMMY_BOX:
            return (
                f"area_build[{facts.prop_set}] does not list model {facts.prop} of prop {facts.index} of "
                f"land_data[{facts.land}] ({_area(facts.area)})"
            )
        case SourceRule.FEATURE:
            return f"the {facts.feature} of header {facts.header} creates it at run time"
        case SourceRule.SLOT_OF_LIST:
            return f"slot {facts.slot} of bm_anime_list[{facts.prop}] names it"
        case SourceRule.YEARLY_WEATHER:
            return f"header {facts.header} has weather {facts.weather}, day {facts.day} of the year's table"
        case SourceRule.NO_YEARLY_WEATHER:
            return "the program lacks the table of the year's weather"
        case _:
            return _table_reason(why.rule, facts)


def _table_reason(rule: SourceRule, facts: Facts) -> str:
    """Where a table was found in the program."""
    match rule:
        case SourceRule.NAMED_ARCHIVE:
            return "it was named as the place of the headers"
        case SourceRule.ONLY_FIT:
            return "the only place in the program where every record is within the limits"
        case SourceRule.PUBLISHED_OFFSET:
            return f"the published offset, one of {facts.places} places where every record fits"
        case SourceRule.MOSTLY_FITS:
            return f"{facts.share:.1%} of the records there are within the limits"
    assert facts.table is not None
    if rule is SourceRule.TABLE_FOUND:
        return _TABLES_FOUND[facts.table]
    if rule is SourceRule.NO_OVERLAY:
        return f"the ROM has no overlay {facts.overlay}"
    part = "the program" if facts.overlay is None else f"overlay {facts.overlay}"
    return f"{part} {_TABLES_LACKING[facts.table]}"


def _area(area: Resolved[int] | None) -> str:
    """`area 7 of header 411`, or the area's own reason where it is not simply that."""
    assert area is not None
    match area.why.rule:
        case SourceRule.HEADER_NAMES:
            return f"area {area.value} of header {area.why.facts.header}"
        case SourceRule.CHOSEN:
            return f"area {area.value} was chosen"
        case SourceRule.ENTERED:
            return f"area {area.value} was entered"
    return source(area.why)


_REPLACED: Final = {"cell if known": "known", "cell if unknown": "not known"}


def part(held: ReferencePart | None) -> str:
    """The part of a thing that holds a reference: `cell (3, 27)`, `warp 4`, `texture grass`; empty for the whole."""
    if held is None:
        return ""
    if held.kind == "field":
        shown = held.path[:-1] if len(held.path) > 1 and isinstance(held.path[-1], str) else held.path
        return " ".join(map(str, shown)).replace("_", " ")
    if held.kind == "command":
        return f"{held.name} at byte 0x{held.key[0]:X}"
    if held.kind in _REPLACED:
        return f"cell {held.key} while {held.name} is {_REPLACED[held.kind]}"
    key = str(held.key) if len(held.key) > 1 else "".join(map(str, held.key))
    return " ".join(word for word in (held.kind, key, held.name) if word)


def height_reason(answer: TerrainHeight) -> str:
    """The reason of a height query's result."""
    match answer.reason:
        case HeightReason.NO_LAND:
            return "there is no land here; the game returns 0"
        case HeightReason.NO_PLATE:
            return f"no plate of land {answer.land} contains this point; the game returns 0"
        case HeightReason.ONLY_PLATE:
            return f"the only plate of strip {answer.strip} here"
        case HeightReason.NEAREST_PLATE:
            count = len(answer.candidates)
            return f"the nearest to height {answer.near_fx32 / ONE:g} of {count} plates of strip {answer.strip} here"


def unresolved_names(item: Unresolved) -> str:
    """The names that a material lacks: `material 'mat' lacks texture 'grass'`."""
    lacking = [f"texture {item.texture!r}"] if item.texture else []
    lacking += [f"palette {item.palette!r}"] if item.palette else []
    return f"material {item.material!r} lacks {' and '.join(lacking) or 'a palette and names none'}"


def texture_remarks(report: TextureReport) -> list[str]:
    """The textures that are not found, a line for each material and each dummy box; empty if all are found."""
    lines = [
        f"{part.cell}: {unresolved_names(item)} in {source(part.terrain_set.why)}"
        for part in report.terrain
        for item in part.white
    ]
    for part in report.props:
        name = f"{part.placement.cell}, prop {part.placement.index}"
        lines += [
            f"{name} (model {part.placement.model}): {unresolved_names(item)} in {source(part.prop_set.why)}"
            for item in part.white
        ]
        if part.placement.substituted:
            lines.append(f"{name}: {source(part.placement.why)}")
    return lines


def damage(one: Damage) -> str:
    """What is left out because a file cannot be read, and the error of the file."""
    return f"{_left_out(one)} left out: {one.error}"


def _left_out(one: Damage) -> str:
    """What is left out, with its verb."""
    number = one.number
    match one.what:
        case LeftOut.EVENTS:
            return f"the events of header {number} are"
        case LeftOut.TRANSITION:
            return f"what entering header {number} changes is"
        case LeftOut.AREA:
            return f"the texture sets, props and lights of area {number} are"
        case LeftOut.PROP_LIST:
            return f"the list of the models of prop set {number}, and with it all dummy boxes, is"
        case LeftOut.PROP_TEXTURES:
            return f"the textures of prop set {number} are"
        case LeftOut.TERRAIN_TEXTURES:
            return f"the textures of terrain set {number} are"
        case LeftOut.LIGHT:
            return f"light set {number} is"
        case LeftOut.DRAW_LISTS:
            return "the draw lists of props are"
        case LeftOut.LAND:
            return f"the tiles, height plates and props of land {number} are"
        case LeftOut.PLATES:
            return f"the height plates of land {number} are"
        case LeftOut.PROPS:
            return f"the props of land {number} are"
        case LeftOut.TERRAIN_MODEL:
            return f"the terrain model of land {number} is"
        case LeftOut.PROP_MODEL:
            return f"prop model {number} is"
        case LeftOut.PROP_ANIMATIONS:
            return f"the animations of prop model {number} are"
        case LeftOut.PROP_ANIMATION:
            return f"animation {one.slot} of prop model {number} is"
        case LeftOut.TERRAIN_ANIMATIONS:
            return "the terrain animations are"
        case LeftOut.TERRAIN_ANIMATION:
            return f"the animation of terrain texture {one.name!r} is"
        case LeftOut.TERRAIN_SRT_ANIMATION:
            return f"the movement of the textures of land {number} is"
        case LeftOut.OBJECT_PICTURES:
            return "the people and things drawn with it are"
        case LeftOut.WEATHER_PICTURES:
            return "the sprites and the background of the weather are"
        case LeftOut.SKY:
            return "the sky is"
        case LeftOut.FEATURE_FILES:
            return f"what the files of the {one.name} hold is"


def leftover_label(found: Leftover) -> str:
    """Why a map header counts as left over, in a few words."""
    return _LEFTOVERS[found.rule]


def leftover(found: Leftover) -> str:
    """Why a map header counts as left over."""
    match found.rule:
        case LeftoverRule.NO_CELL:
            return f"unused: no cell of matrix {found.matrix} names this header"
        case LeftoverRule.WHITE_TERRAIN:
            return (
                f"unfinished: {found.materials} of the {found.of} materials of its terrain take textures that the "
                "area's set lacks, and are white"
            )
        case LeftoverRule.PLAIN_TERRAIN:
            cells = ", ".join(map(str, found.cells))
            return f"unfinished: no material of the terrain of cell {cells} takes a texture"
