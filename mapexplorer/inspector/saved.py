"""A saved game as facts and JSON: the player, where they are, what happened between two saves, what is left."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from formats.field.charmap import text_of
from formats.save.sections import POCKETS, species
from mapexplorer.gameplay.flags import flag_meaning, flag_name
from mapexplorer.gameplay.items import Items
from mapexplorer.gameplay.left import Left, left_name, left_on
from mapexplorer.gameplay.names import name, species_name
from mapexplorer.games import NameBank
from mapexplorer.grouping import by_key
from mapexplorer.inspector.facts import Fact, ListedGroup, ListedThing, Section, filled, section
from mapexplorer.values import ClockTime, capital, count
from mapexplorer.world import FieldWorld
from mapexplorer.world.headers.header import header_json
from mapexplorer.world.save import Save
from mapexplorer.world.saved_game import SavedGame
from mapexplorer.world.subject import subject

BADGES: Final = ("Coal", "Forest", "Cobble", "Fen", "Relic", "Mine", "Icicle", "Beacon")
_LANGUAGES: Final = {1: "Japanese", 2: "English", 3: "French", 4: "Italian", 5: "German", 7: "Spanish", 8: "Korean"}
_MODES: Final = {0: "on foot", 1: "on the bicycle", 2: "surfing"}
_DIRECTIONS: Final = ("north", "south", "west", "east")
_FIRST_DAY: Final = datetime.datetime(2000, 1, 1)
_STORY: Final = ("event", "system", "first arrival")
"""Kinds of flags, see `flag_meaning`, that tell the story; people and items that are hidden are not told by name."""
_HIDES: Final = "hide_"

LEFT_COLUMNS: Final = ("kind", "header", "place", "x", "z", "name", "count", "flag", "variable")


def save_json(world: FieldWorld, saved: SavedGame) -> dict[str, Any]:
    """A saved game as JSON values."""
    small, save, use = saved.small, saved.save(world.game), saved.image.in_use
    player, field, clock = small["player"], small["field"], small["system"]
    here, names, dex = field["player"], world.game.tables.save_names, small["pokedex"]
    header = int(here["map"])
    return {
        "file": saved.name,
        "result": use.result,
        "halves": [None if block is None else block.half for block in (use.small, use.box)],
        "saves": None if use.small is None else int(use.small.footer["save_counter"]),
        "notes": [note.sentence for note in saved.notes],
        "player": {
            "name": text_of(player["name"]),
            "rival": text_of(small["misc"]["rival_name"]),
            "gender": "girl" if player["gender"] else "boy",
            "language": _LANGUAGES.get(int(player["language"]), ""),
            "trainer": int(player["trainer_id"]) & 0xFFFF,
            "secret": int(player["trainer_id"]) >> 16,
            "money": int(player["money"]),
            "coins": int(player["coins"]),
            "badges": [badge for bit, badge in enumerate(BADGES) if player["badges"] >> bit & 1],
            "played": [int(player[part]) for part in ("hours", "minutes", "seconds")],
            "story_finished": bool(player["story"] & 1),
        },
        "position": {
            "map": header_json(world.headers[header]) if 0 <= header < len(world.headers) else None,
            "tile": None if saved.image.memory is not None else [int(here["x"]), int(here["z"])],
            "direction": dict(enumerate(_DIRECTIONS)).get(int(here["direction"]), ""),
            "mode": _MODES.get(int(field["player_state"]), ""),
        },
        "clock": {
            "started": _moment(clock["start_second"]),
            "finished": _moment(clock["first_completion_second"]),
            "day": save.day,
            "second": save.second,
            "weekday": save.weekday,
        },
        "pokedex": {
            "had": bool(dex["obtained"]),
            "national": bool(dex["national"]),
            "seen": species(dex["seen"]),
            "caught": species(dex["caught"]),
        },
        "bag": [
            {"pocket": pocket, "item": item, "name": name(world, NameBank.ITEMS, item), "count": number}
            for _, pocket, _ in POCKETS
            for item, number in small["bag"][pocket].tolist()
            if item
        ],
        "flags": [
            {"flag": flag, "name": flag_name(names, flag), "kind": flag_meaning(names, flag)[0]}
            for flag in sorted(save.flags)
        ],
        "variables": [
            {"variable": number, "name": names.variables.get(number, ""), "value": value}
            for number, value in sorted(save.variables.items())
        ],
    }


def _moment(second: Any) -> str | None:
    """A second from 2000 on as a date and a time; None for 0 and where there is no such date."""
    try:
        return str(_FIRST_DAY + datetime.timedelta(seconds=int(second))) if second else None
    except OverflowError:
        return None


def save_sections(world: FieldWorld, facts: Mapping[str, Any]) -> tuple[Section, ...]:
    """The JSON values of a saved game as facts: who, where, what was reached."""
    player, position, clock, dex = facts["player"], facts["position"], facts["clock"], facts["pokedex"]
    hours, minutes, seconds = player["played"]
    tile = "" if position["tile"] is None else f" on tile ({position['tile'][0]}, {position['tile'][1]})"
    facing = f", facing {position['direction']}" if position["direction"] and tile else ""
    badges = ", ".join(player["badges"])
    kinds = [flag["kind"] for flag in facts["flags"]]
    story = [flag for flag in facts["flags"] if flag["kind"] in _STORY and not flag["name"].startswith(_HIDES)]
    dates = (("Started", clock["started"]), ("Champion", clock["finished"]))
    return filled(
        section(
            "Player",
            Fact("Name", f"{player['name']}, {player['gender']}, {player['language']}"),
            Fact("Rival", player["rival"]),
            Fact("Trainer id", f"{player['trainer']:05}"),
            Fact("Money", f"{player['money']:,}, {count(player['coins'], 'coin')}"),
            Fact("Badges", f"{len(player['badges'])}{f': {badges}' if badges else ''}"),
            Fact("Played", f"{hours}:{minutes:02}:{seconds:02}"),
            *(Fact(title, date) for title, date in dates if date is not None),
            Fact("Pokédex", f"{len(dex['seen'])} seen, {len(dex['caught'])} caught"),
        ),
        section(
            "Where",
            Fact("Place", f"{_place(world, position)}{tile}{facing}"),
            Fact("Moves", position["mode"]),
            Fact("Time", f"{ClockTime().text(clock['second'])}, day {clock['day']} of the year"),
        ),
        section("Set flags", *(Fact(kind, f"{kinds.count(kind)}") for kind in dict.fromkeys(kinds))),
        section("Story", *(Fact(str(flag["flag"]), flag["name"]) for flag in story if flag["name"])),
    )


def _place(world: FieldWorld, position: Mapping[str, Any]) -> str:
    """The map of a position."""
    known = position["map"]
    return "a map that this ROM does not have" if known is None else world.headers[known["header"]].title


# --- what is left


def left_in(world: FieldWorld, save: Save, headers: Iterable[int]) -> list[Left]:
    """What a save has left on some maps."""
    items = Items(world)
    return [left for header in headers for left in left_on(world, header, save, items)]


def left_rows(world: FieldWorld, left: Iterable[Left]) -> list[tuple[Any, ...]]:
    """The rows of LEFT_COLUMNS."""

    def decides(each: Left, kind: str) -> int | None:
        return each.decides.key[0] if each.decides is not None and each.decides.kind == kind else None

    return [
        (
            str(each.kind),
            each.header,
            world.headers[each.header].title,
            *(each.tile or (None, None)),
            left_name(world, each),
            each.amount,
            *(decides(each, kind) for kind in ("flag", "variable")),
        )
        for each in left
    ]


def listed_left(world: FieldWorld, left: Iterable[Left]) -> tuple[ListedGroup, ...]:
    """What is left as rows of a list, by kind; they lead to the tiles."""
    kinds = by_key((each.kind, each) for each in left)

    def row(each: Left) -> ListedThing:
        matrix = world.headers[each.header].matrix
        goal = each.thing if each.tile is None else subject("tile", matrix, *each.tile)
        side = "" if each.tile is None else f"{each.tile[0]}, {each.tile[1]}"
        return ListedThing(goal, left_name(world, each), (), side, each.thing, needs=each.decides)

    return tuple(ListedGroup(f"{capital(kind)}s", tuple(map(row, each))) for kind, each in kinds.items())


# --- what happened between two saves


def happened(world: FieldWorld, old: SavedGame, new: SavedGame) -> list[tuple[str, str]]:
    """What happened between two saves in the game's terms: kind, and what."""
    before, after = save_json(world, old), save_json(world, new)
    return list(_happened(world, (old.save(world.game), new.save(world.game)), before, after))


def _happened(
    world: FieldWorld, saves: Sequence[Save], before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    was, now = before["player"], after["player"]
    if (was["name"], was["trainer"], was["secret"]) != (now["name"], now["trainer"], now["secret"]):
        yield "another game", f"{was['name']} before, {now['name']} now"
    start, end = ((hours * 60 + minutes) * 60 + seconds for hours, minutes, seconds in (was["played"], now["played"]))
    yield "played", f"{(end - start) / 3600:.2f} hours more" if end >= start else "less than before"
    places = [f"{_place(world, each['position'])} {each['position']['tile'] or ''}" for each in (before, after)]
    if places[0] != places[1]:
        yield "went", f"from {places[0]} to {places[1]}"
    owned = [key for key in ("money", "coins") if was[key] != now[key]]
    yield from ((key, f"{now[key] - was[key]:+,}, now {now[key]:,}") for key in owned)
    yield from (("badge", badge) for badge in now["badges"] if badge not in was["badges"])
    for how in ("seen", "caught"):
        new = sorted({*after["pokedex"][how]} - {*before["pokedex"][how]})
        yield from ((how, species_name(world, number)) for number in new)
    had, have = ({entry["item"]: entry["count"] for entry in facts["bag"]} for facts in (before, after))
    more = {item: have.get(item, 0) - had.get(item, 0) for item in sorted({*had, *have})}
    yield from (("bag", f"{name(world, NameBank.ITEMS, item)} {number:+}") for item, number in more.items() if number)
    done = [left for left in left_in(world, saves[0], range(len(world.headers))) if left.is_done(saves[1])]
    for left in done:
        tile = "" if left.tile is None else f" ({left.tile[0]}, {left.tile[1]})"
        yield f"{left.kind} done", f"{left_name(world, left)}, {world.headers[left.header].title}{tile}"
    names, told = world.game.tables.save_names, {left.decides for left in done}
    for word, flags in (("set", saves[1].flags - saves[0].flags), ("cleared", saves[0].flags - saves[1].flags)):
        untold = sorted(flag for flag in flags if subject("flag", flag) not in told)
        yield from ((f"flag {word}", f"{flag} {flag_name(names, flag)}".rstrip()) for flag in untold)
    for number in sorted({*saves[0].variables, *saves[1].variables}):
        first, last = (save.variables.get(number, 0) for save in saves)
        if first != last:
            yield "variable", f"{names.variable(number)}: {first} before, {last} now"
