"""The events of a map: people, signs, warps and triggers with what they say, what hides them and who sets that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.gameplay.flags import FlagUses, flag_name, flag_uses
from mapexplorer.gameplay.script_effects import EffectsReader
from mapexplorer.gameplay.script_listing import entry_texts
from mapexplorer.gameplay.script_names import ScriptNames, readable
from mapexplorer.gameplay.text_slots import TextSlots
from mapexplorer.gameplay.trainers import messages
from mapexplorer.inspector.name_index import NameIndex, Use, uses_text
from mapexplorer.inspector.name_sources import BY_SCRIPTS, Scripts, users_of_flag
from mapexplorer.inspector.script_meaning import script_meaning
from mapexplorer.world import FieldWorld, Header
from mapexplorer.world.damage import Damage
from mapexplorer.world.header import header_json
from mapexplorer.world.readable import readable_events, readable_warp_target
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.script_files import ScriptPlace, locate_script
from mapexplorer.world.wording import damage

_LISTS: Final = {"object": "objects", "sign": "background", "warp": "warps", "trigger": "triggers"}


@dataclass(frozen=True)
class HidingFlag:
    """The flag that hides an object while it is set: its number, name (empty: none), who sets, clears and checks it."""

    flag: int
    name: str
    users: tuple[Use, ...]


@dataclass(frozen=True)
class TriggerNeed:
    """The variable of a trigger, its name (empty: none) and the value with which the trigger runs."""

    variable: int
    name: str
    value: int


class Looks(NamedTuple):
    """The graphics id of an object, its name, and the name of its movement type; a name may be empty."""

    graphics: int
    name: str
    movement: str


@dataclass(frozen=True)
class MapEvent:
    """An event: its kind (`object`, `sign`, `warp`, `trigger`), its index among them, its matrix-wide tile; the script
    number (None: no script), what that is (empty: a script of the map), the texts that it can show; of an object the
    flag that hides it, its `looks`, whether it is `absent` with the save, and how many tiles a trainer sees; of a
    trigger its need; of a warp the map and the tile that it leads to (None: back), and whether the
    events there cannot be read."""

    kind: str
    index: int
    tile: tuple[int, int]
    script: int | None = None
    meaning: str = ""
    texts: tuple[str, ...] = ()
    hidden_by: HidingFlag | None = None
    need: TriggerNeed | None = None
    leads_to: tuple[Header, int, int] | None = None
    absent: bool = False
    sight: int | None = None
    looks: Looks | None = None
    target_damaged: bool = False


@dataclass(frozen=True)
class MapEvents:
    """The events of a header in file order; `damaged`: why they, a warp's target or the texts of a script are not
    known."""

    header: Header
    events: tuple[MapEvent, ...]
    damaged: tuple[str, ...]


UsersOfFlag = Callable[[int], tuple[Use, ...]]


def find_events(
    world: FieldWorld, header: int, save: Save | None = None, users: UsersOfFlag | None = None
) -> MapEvents:
    """The events of a map with a save, by default a new game. `users`: who sets, clears and checks a flag (see
    `indexed_users`); by default it is looked up in all script files."""
    lost: list[Damage] = []
    found = readable_events(world, header, lost)
    if found is None:
        return MapEvents(world.headers[header], (), tuple(map(damage, lost)))
    save = fresh_save(world.game) if save is None else save
    found = save.events(header, found)
    reader = _Reader(world, header, save, users)
    events = tuple(
        reader.event(kind, index, record)
        for kind, records in _LISTS.items()
        for index, record in enumerate(getattr(found, records))
    )
    return MapEvents(world.headers[header], events, tuple(dict.fromkeys(reader.damaged)))


class _Reader:
    """Reads the events of one header. The uses of flags are looked up in all script files when an object needs them."""

    def __init__(self, world: FieldWorld, header: int, save: Save, users: UsersOfFlag | None) -> None:
        self.damaged: list[str] = []
        self._world = world
        self._numbers = world.game.tables.script_numbers
        self._header = header
        self._save = save
        self._users = users
        self._scripts = ScriptTexts(world, header)

    def event(self, kind: str, index: int, record: Any) -> MapEvent:
        """A record as a value."""
        tile = int(record["x"]), int(record["z"])
        if kind == "warp":
            lost: list[Damage] = []
            target = readable_warp_target(self._world, self._header, index, lost)
            self.damaged += map(damage, lost)
            leads_to = None if target is None else (self._world.headers[target[0]], *target[1:])
            return MapEvent(kind, index, tile, leads_to=leads_to, target_damaged=bool(lost))
        number = int(record["script"])
        script = None if number in self._numbers.none else number
        texts: tuple[str, ...] = ()
        if script is not None:
            try:
                texts = self._scripts.of(script)
            except (FormatError, IndexError) as error:
                self.damaged.append(f"script {script}: {error}")
            except RomError:  # the ROM has no scripts, or no data of trainers
                pass
        meaning = script_meaning(self._world, number) if script is not None else ""
        flag = int(record["hidden_flag"]) if kind == "object" else 0
        need = self._need(record) if kind == "trigger" else None
        hidden_by = self._hidden_by(flag) if flag else None
        absent = self._save.hides(flag, number)
        sees = kind == "object" and int(record["trainer_type"]) and self._numbers.trainer(number) is not None
        sight = int(record["parameters"][0]) if sees else None
        looks = self._looks(record) if kind == "object" else None
        return MapEvent(kind, index, tile, script, meaning, texts, hidden_by, need, None, absent, sight, looks)

    def _looks(self, record: Any) -> Looks:
        graphics, tables = int(record["graphics"]), self._world.game.tables
        return Looks(graphics, tables.graphics_name(graphics), tables.movement_type_name(int(record["movement_type"])))

    def _need(self, record: Any) -> TriggerNeed:
        variable = int(record["variable"])
        known = self._world.game.tables.save_names.variables.get(variable, "")
        return TriggerNeed(variable, known, int(record["value"]))

    def _hidden_by(self, flag: int) -> HidingFlag:
        if self._users is None:
            self._users = _read_users(self._world)
        return HidingFlag(flag, flag_name(self._world.game.tables.save_names, flag), self._users(flag))


def _read_users(world: FieldWorld) -> UsersOfFlag:
    """Who sets, clears and checks flags, by all script files."""
    scripts = Scripts(world)
    uses = flag_uses(world, scripts.files)
    return lambda flag: users_of_flag(scripts, uses.get(flag, FlagUses()))


def indexed_users(index: NameIndex) -> UsersOfFlag:
    """The same by the index of names."""

    def users(flag: int) -> tuple[Use, ...]:
        entry = index.get("flag", flag)
        return tuple(use for use in entry.uses if use.how in BY_SCRIPTS) if entry is not None else ()

    return users


class ScriptTexts:
    """The texts that the scripts of a map can show, of trainers their messages; each script file is read once."""

    def __init__(self, world: FieldWorld, header: int) -> None:
        self._world = world
        self._header = header
        self._files: dict[int, _FileTexts] = {}

    def of(self, number: int) -> tuple[str, ...]:
        """Those of a script number. Raises FormatError, RomError, IndexError where there is no such script."""
        trainer = self._world.game.tables.script_numbers.trainer(number)
        if trainer is not None:
            return tuple(readable(message.text) for message in messages(self._world, trainer[0]))
        place = locate_script(self._world, self._header, number)
        if place is None:
            return ()
        if place.member not in self._files:
            self._files[place.member] = _FileTexts(self._world, place)
        return self._files[place.member].of(place.entry)


class _FileTexts:
    """The texts that the entries of a script file can show."""

    def __init__(self, world: FieldWorld, place: ScriptPlace) -> None:
        """Of the file with a script. Raises FormatError, RomError."""
        commands = world.game.tables.script_commands
        self._file = world.script_file(place.member)
        self._names = ScriptNames(world, place.bank)
        self._effects = EffectsReader(self._file, commands)
        self._slots = TextSlots(self._file, commands)

    def of(self, entry: int) -> tuple[str, ...]:
        """Those of an entry. Raises IndexError for one that does not exist."""
        texts = self._effects.effects(entry).numbers("text")
        return tuple(entry_texts(self._file, entry, texts, self._names, self._slots).values())


# --- text and JSON


def events_lines(found: MapEvents) -> list[str]:
    """The events of a map as lines of plain text."""
    lines = [found.header.title]
    for event in found.events:
        x, z = event.tile
        absent = " (absent)" if event.absent else ""
        lines += ["", f"{event.kind} {event.index} at {x},{z}{absent}{_of_event(event)}"]
        if event.hidden_by is not None:
            title = f" {event.hidden_by.name}" if event.hidden_by.name else ""
            users = uses_text(event.hidden_by.users) or "no script changes it"
            lines.append(f"  hidden while flag {event.hidden_by.flag}{title} is set: {users}")
        lines += [f'  "{" ".join(text.split())}"' for text in event.texts]
    return lines


def _of_event(event: MapEvent) -> str:
    parts = []
    if event.looks is not None:
        stands = event.looks.movement in ("", "none")
        parts += [event.looks.name or f"graphics {event.looks.graphics}", *([] if stands else [event.looks.movement])]
    if event.kind == "warp":
        if event.target_damaged:
            parts.append("leads to a map whose events cannot be read")
        elif event.leads_to is None:
            parts.append("leads back to where the player came from, or nowhere")
        else:
            header, x, z = event.leads_to
            symbol = f" {header.symbolic_name}" if header.symbolic_name else ""
            parts.append(f"leads to {header.title}{symbol} at {x},{z}")
    elif event.script is not None:
        parts.append(f"script {event.script}" + (f" ({event.meaning})" if event.meaning else ""))
    if event.sight is not None:
        parts.append(f"sees {event.sight} tiles")
    if event.need is not None:
        variable = event.need.name or f"0x{event.need.variable:X}"
        parts.append(f"while variable {variable} is {event.need.value}")
    return f": {', '.join(parts)}" if parts else ""


def events_json(found: MapEvents) -> dict[str, Any]:
    """The events of a map as JSON values."""
    return {
        **header_json(found.header),
        "events": [_event_json(event) for event in found.events],
        "damaged": list(found.damaged),
    }


def _event_json(event: MapEvent) -> dict[str, Any]:
    hidden, need, target = event.hidden_by, event.need, event.leads_to
    return {
        "kind": event.kind,
        "index": event.index,
        "tile": list(event.tile),
        "script": event.script,
        "meaning": event.meaning,
        "texts": list(event.texts),
        "graphics": None if event.looks is None else event.looks.graphics,
        "graphics_name": "" if event.looks is None else event.looks.name,
        "movement": "" if event.looks is None else event.looks.movement,
        "hidden_by": None
        if hidden is None
        else {"flag": hidden.flag, "name": hidden.name, "uses": [use._asdict() for use in hidden.users]},
        "need": None if need is None else {"variable": need.variable, "name": need.name, "value": need.value},
        "absent": event.absent,
        "sight": event.sight,
        "leads_to": None if target is None else {**header_json(target[0]), "tile": list(target[1:])},
    }
