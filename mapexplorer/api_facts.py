"""What the public names `World` and `Place` say about a game beside its pictures: the named things and their uses, the
trainers, the textures; what happens on a map. The packages answer; these classes call them.
"""

from __future__ import annotations

from types import UnionType
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from mapexplorer.catalogue.uses import WhereUsed
    from mapexplorer.gameplay.items import ItemSource
    from mapexplorer.gameplay.meetings import Meeting
    from mapexplorer.gameplay.trainers import Trainers
    from mapexplorer.games.field_tables import Weather
    from mapexplorer.inspector.places.map_events import MapEvent, MapEvents
    from mapexplorer.inspector.script.script_listing import ScriptFacts
    from mapexplorer.inspector.things.thing import Thing
    from mapexplorer.world.place import FieldPlace
    from mapexplorer.world.save import Save
    from mapexplorer.world.subject import Subject
    from mapexplorer.world.world import FieldWorld


def check_kind(what: str, kind: type | UnionType, *values: object) -> None:
    """Raise TypeError for values that are not of a kind."""
    for value in values:
        if not isinstance(value, kind):
            raise TypeError(f"{value!r} is not {what}")


class GameFacts:
    """The named things of a ROM and what uses them, from its store, which is made and kept when it is first asked; its
    trainers and textures."""

    underlying: FieldWorld

    def find(self, words: str, kind: str | None = None) -> list[Thing]:
        """The things whose names have all words, in any order and inside of words, the best matches first; `kind`:
        only those of a kind (`item`, `species`, `trainer`, `flag`, `text` ...).

        Raises PlaceError for an unknown kind and for one without names, FormatError, RomError.

        Examples:
            >>> import mapexplorer
            >>> mapexplorer.World("demo").find("bread")
            [<Thing item:17 Loaf of Bread>]
        """
        from mapexplorer.inspector.things.thing import things

        check_kind("a text", str, words)
        return things(self.underlying, words, kind) if words.split() else []

    def things(self, kind: str) -> list[Thing]:
        """All named things of a kind by number. Raises as `find`; RomError where the names of a game are not known.

        Examples:
            >>> import mapexplorer
            >>> mapexplorer.World("demo").things("species")[0]
            <Thing species:1 Millmouse>
        """
        from mapexplorer.inspector.things.thing import things

        return things(self.underlying, "", kind)

    def thing(self, what: str | Subject) -> Thing:
        """The thing that a text means, an address (`item:17`, `item:Potion`, `flag:0x191`) or a name alone, or a
        subject.

        Raises PlaceError, with the candidates, when there is no such thing or more than one; FormatError, RomError.
        """
        from mapexplorer.inspector.things.thing import thing

        return thing(self.underlying, what)

    def uses(self, what: str | Subject) -> WhereUsed:
        """What uses a thing (see `thing`), on which maps it is, where was looked and what is not known. Raises as
        `thing`.

        Examples:
            >>> import mapexplorer
            >>> uses = mapexplorer.World("demo").uses("flag:300")
            >>> uses.known, "scripts" in uses.asked
            (True, True)
        """
        return self.thing(what).uses

    @property
    def trainers(self) -> Trainers:
        """The trainers by number, with names, messages and parties; each is read when it is asked for. Raises RomError
        in a game whose trainers are not known."""
        from mapexplorer.gameplay.trainers import Trainers

        return Trainers(self.underlying)

    def textures(self, kind: str, number: int) -> dict[str, npt.NDArray[np.uint8]]:
        """The textures of a set, of `kind` "terrain" or "prop" (or "terrain set"), by name: uint8
        (height, width, 4), 8-bit RGBA.

        Each has the palette that the first map gives it whose models use it, else that of its name. Raises PlaceError
        for a set that does not exist, FormatError, RomError.

        Examples:
            >>> import mapexplorer
            >>> mapexplorer.World("demo").textures("terrain", 0)["grass"].shape
            (32, 32, 4)
        """
        from mapexplorer.catalogue.kinds import KINDS, kind_of
        from mapexplorer.catalogue.resolve import possible_kind
        from mapexplorer.export.icons import set_pixels
        from mapexplorer.world.models.texture_sets import SetKey

        sets = ("terrain set", "prop set")
        kind = possible_kind(kind if kind_of(kind) in sets else f"{kind} set", sets)
        KINDS[kind].check(self.underlying, (number,))
        return set_pixels(self.underlying, SetKey(kind == "terrain set", number))


class MapFacts:
    """What happens on a map."""

    world: GameFacts
    underlying: FieldPlace

    @overload
    def weather(self, day: int) -> Weather: ...

    @overload
    def weather(self, day: None = None) -> dict[Weather, int]: ...

    def weather(self, day: int | None = None) -> Weather | dict[Weather, int]:
        """The weather on a day of a leap year, 0 (1 January) to 365; without a day, each weather and on how many days
        it is.

        It is that of the header or of the table of the year; a flag of the save may end it (Flash, Defog). Raises
        ValueError for a day outside the year.

        Examples:
            >>> import mapexplorer
            >>> place = mapexplorer.World("demo").place("L01")
            >>> place.weather(59).name, {weather.name: days for weather, days in place.weather().items()}
            ('clear', {'clear': 366})
        """
        from mapexplorer.scene.view import View
        from mapexplorer.world.sources.weather_maps import days_by_weather

        world, header = self.world.underlying, self.underlying.header
        if day is None:
            days_by_number = days_by_weather(world, header)
            return {world.game.tables.weather(number): days for number, days in days_by_number.items()}
        return world.game.tables.weather(world.weather(header, View(day=day).day).value)

    def encounters(self) -> list[Meeting]:
        """The wild Pokémon by condition: how and when each is met, its chance in percent and its levels. Raises
        RomError in a game whose encounters are not known.

        Examples:
            >>> import mapexplorer
            >>> mapexplorer.World("demo").place("H01").encounters()[0]
            Meeting(how='grass', when='always', species=1, percent=40, lowest=3, highest=5)
        """
        from mapexplorer.gameplay.meetings import find_encounters, meetings
        from mapexplorer.games import Topic

        self.world.underlying.game.require(Topic.ENCOUNTERS)
        return meetings(find_encounters(self.world.underlying, self.underlying.header.id))

    def map_events(self, save: Save | str = "entered") -> MapEvents:
        """The people, signs, warps and triggers with what they say, what hides them, who sets that; `save` as in
        `scene`. `damaged` says what could not be read. Raises FormatError, RomError."""
        from mapexplorer.inspector.places.map_events import find_events
        from mapexplorer.scene.conditions import shown_save
        from mapexplorer.scene.saves import saved_moment
        from mapexplorer.scene.view import View
        from mapexplorer.world.save import Save

        given = save if isinstance(save, Save) else shown_save(self.underlying, View(save=save, **saved_moment(save)))
        return find_events(self.world.underlying, self.underlying.header.id, given)

    def people(self, save: Save | str = "entered") -> list[MapEvent]:
        """The people and things among the `map_events`.

        Examples:
            >>> import mapexplorer
            >>> person = mapexplorer.World("demo").place("T01").people()[0]
            >>> person.tile, person.script, person.looks.name
            ((6, 50), 1, 'twin')
        """
        return [event for event in self.map_events(save).events if event.kind == "object"]

    def items(self) -> list[ItemSource]:
        """The items of the map: those on the floor, the berries, those hidden, each with its tile, and what the scripts
        of the map hand over and its special shops sell. Raises FormatError, RomError."""
        from mapexplorer.gameplay.items import Items, script_effects
        from mapexplorer.games import Topic

        world, file = self.world.underlying, self.underlying.header.scripts
        world.game.require(Topic.ITEMS)
        items, effects = Items(world), script_effects(world, [(file, world.script_file(file))])
        return [*items.on_map(self.underlying.header.id), *items.script_sources(effects)]

    def scripts(self) -> ScriptFacts:
        """The scripts of the map: what each entry can do over all paths (`effects`) and say (`texts`), its commands
        (`listing`), what runs it (`runs`).

        Raises RomError in a game whose scripts are not known, FormatError.

        Examples:
            >>> import mapexplorer
            >>> mapexplorer.World("demo").place("T01").scripts().effects[0].numbers("text")
            (0,)
        """
        from mapexplorer.inspector.script.script_listing import map_facts

        return map_facts(self.world.underlying, self.underlying.header.id)
