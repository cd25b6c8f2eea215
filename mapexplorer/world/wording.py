"""The sentences about sources, such as `map_tex_set[3] because area 7 of header 411`. No other module makes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from formats.field.height_plates import HeightReason
from formats.fixed import ONE
from mapexplorer.games import Role
from mapexplorer.world.headers.leftovers import Leftover, LeftoverRule
from mapexplorer.world.sources.damage import Damage, LeftOut
from mapexplorer.world.sources.provenance import RETAIL, ProgramTable, Provenance, Resolved, SourceRule
from mapexplorer.world.subject import ReferencePart

if TYPE_CHECKING:
    from mapexplorer.world.models.textures import TextureReport, Unresolved
    from mapexplorer.world.terrain.terrain import TerrainHeight

_TABLES: Final = {
    ProgramTable.MAP_HEADERS: ("map headers", "", ""),
    ProgramTable.MACHINES: ("moves of machines", "", ""),
    ProgramTable.CAMERAS: ("cameras", "its camera table is there", "holds no camera table"),
    ProgramTable.OBJECT_GRAPHICS: ("object graphics", "its object graphics table is there", "holds no such table"),
    ProgramTable.YEARLY_WEATHER: ("weather of the year", "the table's first days are there", "holds no such table"),
    ProgramTable.HIDDEN_ITEMS: ("hidden items", "its table of hidden items is there", "holds no table of hidden items"),
    ProgramTable.COMMON_MART: (
        "common shops",
        "its table of the common shops is there",
        "holds no table of the common shops",
    ),
    ProgramTable.SPECIAL_MARTS: (
        "special shops",
        "its lists of the special shops are there",
        "holds no lists of the special shops",
    ),
}
"""Table -> its contents, the reason why it was found, and what a program without it holds."""

_LEFTOVERS = {
    LeftoverRule.NO_CELL: ("unused: no cell", "unused: no cell of matrix {0.matrix} names this header"),
    LeftoverRule.WHITE_TERRAIN: (
        "unfinished: white terrain",
        "unfinished: {0.materials} of the {0.of} materials of its terrain take textures that the area's set lacks, "
        "and are white",
    ),
    LeftoverRule.PLAIN_TERRAIN: (
        "unfinished: terrain without textures",
        "unfinished: no material of the terrain of cell {cells} takes a texture",
    ),
}
"""Rule -> a few words, and a sentence about its facts."""


def source(why: Provenance) -> str:
    """A source as a sentence: what was taken, and because of what."""
    return f"{origin(why)} because {reason(why)}"


def origin(why: Provenance) -> str:
    """What was taken: `map_tex_set[3]`, `area 7`, `arm9 at 0xE601C`."""
    if why.archive is None:
        return f"weather {why.member}"
    if why.archive == RETAIL:
        assert why.facts.table is not None
        return f"{RETAIL}'s {_TABLES[why.facts.table][0]}"
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


_REASONS: Final = {
    SourceRule.HEADER_NAMES: "header {0.header} names it",
    SourceRule.ENTRY_OF_HEADER: "it is the entry of header {0.header}",
    SourceRule.CHOSEN: "it was chosen",
    SourceRule.ENTERED: "it was entered",
    SourceRule.NEAREST_CELL: "header {0.header} of the nearest named cell {0.cell} names it; the cell itself is filler",
    SourceRule.AREA_NAMES: "{area}",
    SourceRule.CELL_OF_MATRIX: "cell {0.cell} of map_matrix[{0.matrix}]",
    SourceRule.PATCHED_CELL: "code puts it on cell {0.cell} of map_matrix[{0.matrix}] while {0.location} is {known}",
    SourceRule.PROP_OF_LAND: "prop {0.index} of land_data[{0.land}] names it",
    SourceRule.DUMMY_BOX: (
        "area_build[{0.prop_set}] does not list model {0.prop} of prop {0.index} of land_data[{0.land}] ({area})"
    ),
    SourceRule.FEATURE: "the {0.feature} of header {0.header} creates it at run time",
    SourceRule.SLOT_OF_LIST: "slot {0.slot} of bm_anime_list[{0.prop}] names it",
    SourceRule.YEARLY_WEATHER: "header {0.header} has weather {0.weather}, day {0.day} of the year's table",
    SourceRule.NO_YEARLY_WEATHER: "the program lacks the table of the year's weather",
    SourceRule.NAMED_ARCHIVE: "it was named as the place of the headers",
    SourceRule.HEADER_ROUTINE: "the program reads headers from there, by its routine at 0x{0.routine:X} in ARM9",
    SourceRule.ARCHIVE_FITS: "the program has no table of headers, and every member is within the limits",
    SourceRule.ONLY_FIT: "the only place in the program where every record is within the limits",
    SourceRule.PUBLISHED_OFFSET: "the published offset, one of {0.places} places where every record fits",
    SourceRule.MOSTLY_FITS: "{0.share:.1%} of the records there are within the limits",
    SourceRule.NO_OVERLAY: "the ROM has no overlay {0.overlay}",
}
"""Rule -> the sentence about its facts."""


def reason(why: Provenance) -> str:
    """The rule by which it was taken: `header 411 names it`."""
    facts = why.facts
    if why.rule in _REASONS:
        area = "" if facts.area is None else _area(facts.area)
        return _REASONS[why.rule].format(facts, area=area, known="known" if facts.known else "not known")
    assert facts.table is not None
    if why.rule is SourceRule.STATED:
        return f"the program's table of {_TABLES[facts.table][0]} is made of it"
    if why.rule is SourceRule.EXPANDED_TABLE:
        return f"a longer copy of the table of {_TABLES[facts.table][0]} is in code that a hack added"
    if why.rule is SourceRule.TABLE_FOUND:
        return _TABLES[facts.table][1]
    part = "the program" if facts.overlay is None else f"overlay {facts.overlay}"
    return f"{part} {_TABLES[facts.table][2]}"


def _area(area: Resolved[int]) -> str:
    """`area 7 of header 411`, or the area's own reason where it is not simply that."""
    words = _AREAS.get(area.why.rule)
    return source(area.why) if words is None else words.format(area.value, area.why.facts)


_AREAS: Final = {
    SourceRule.HEADER_NAMES: "area {0} of header {1.header}",
    SourceRule.CHOSEN: "area {0} was chosen",
    SourceRule.ENTERED: "area {0} was entered",
}


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


_HEIGHTS: Final = {
    HeightReason.NO_LAND: "there is no land here; the game returns 0",
    HeightReason.NOT_READ: "the height plates of land {0.land} cannot be read, so the height is not known",
    HeightReason.NO_PLATE: "no plate of land {0.land} contains this point; the game returns 0",
    HeightReason.ONLY_PLATE: "the only plate of strip {0.strip} here",
    HeightReason.NEAREST_PLATE: "the nearest to height {near:g} of {count} plates of strip {0.strip} here",
}


def height_reason(answer: TerrainHeight) -> str:
    """The reason of a height query's result."""
    return _HEIGHTS[answer.reason].format(answer, near=answer.near_fx32 / ONE, count=len(answer.candidates))


def unresolved_names(item: Unresolved) -> str:
    """The names that a material lacks: `material 'mat' lacks texture 'grass'`."""
    lacking = [f"texture {item.texture!r}"] if item.texture else []
    lacking += [f"palette {item.palette!r}"] if item.palette else []
    return f"material {item.material!r} lacks {' and '.join(lacking) or 'a palette and names none'}"


def texture_remarks(report: TextureReport) -> list[str]:
    """The textures that are not found, a line for each material and each dummy box; empty if all are found."""
    lines = [
        f"{part.of}: {unresolved_names(item)} in {source(part.set.why)}"
        for part in report.terrain
        for item in part.white
    ]
    for part in report.props:
        name = f"{part.of.cell}, prop {part.of.index}"
        lines += [
            f"{name} (model {part.of.model}): {unresolved_names(item)} in {source(part.set.why)}" for item in part.white
        ]
        if part.of.substituted:
            lines.append(f"{name}: {source(part.of.why)}")
    return lines


def damage(lost: Damage) -> str:
    """What is left out because a file cannot be read, and the error of the file."""
    return f"{_LEFT_OUT[lost.what].format(lost)} left out: {lost.error}"


_LEFT_OUT: Final = {
    LeftOut.EVENTS: "the events of header {0.number} are",
    LeftOut.TRANSITION: "what entering header {0.number} changes is",
    LeftOut.AREA: "the texture sets, props and lights of area {0.number} are",
    LeftOut.PROP_LIST: "the list of the models of prop set {0.number}, and with it all dummy boxes, is",
    LeftOut.PROP_TEXTURES: "the textures of prop set {0.number} are",
    LeftOut.TERRAIN_TEXTURES: "the textures of terrain set {0.number} are",
    LeftOut.LIGHT: "light set {0.number} is",
    LeftOut.DRAW_LISTS: "the draw lists of props are",
    LeftOut.LAND: "the tiles, height plates and props of land {0.number} are",
    LeftOut.PLATES: "the height plates of land {0.number} are",
    LeftOut.PROPS: "the props of land {0.number} are",
    LeftOut.TERRAIN_MODEL: "the terrain model of land {0.number} is",
    LeftOut.PROP_MODEL: "prop model {0.number} is",
    LeftOut.PROP_ANIMATIONS: "the animations of prop model {0.number} are",
    LeftOut.PROP_ANIMATION: "animation {0.slot} of prop model {0.number} is",
    LeftOut.TERRAIN_ANIMATIONS: "the terrain animations are",
    LeftOut.TERRAIN_ANIMATION: "the animation of terrain texture {0.name!r} is",
    LeftOut.TERRAIN_SRT_ANIMATION: "the movement of the textures of land {0.number} is",
    LeftOut.OBJECT_PICTURES: "the people and things drawn with it are",
    LeftOut.WEATHER_PICTURES: "the sprites and the background of the weather are",
    LeftOut.SKY: "the sky is",
    LeftOut.FEATURE_FILES: "what the files of the {0.name} hold is",
}
"""What is left out -> its sentence up to the verb."""


def leftover_label(rule: Leftover) -> str:
    """Why a map header counts as left over, in a few words."""
    return _LEFTOVERS[rule.rule][0]


def leftover(rule: Leftover) -> str:
    """Why a map header counts as left over."""
    return _LEFTOVERS[rule.rule][1].format(rule, cells=", ".join(map(str, rule.cells)))


def notices(rules: Iterable[Leftover], unknown: str) -> list[str]:
    """Why a map header counts as left over, as one line, and what of it is not known, as another; none for a header in
    use of which everything is known."""
    lines = ("Left over", "; ".join(map(leftover, rules))), ("Not known", unknown)
    return [f"{title}: {words}." for title, words in lines if words]
