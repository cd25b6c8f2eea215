"""The events of a map: people, signs, warps and triggers with what they say, what hides them and who sets that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

from formats.binary import FormatError
from formats.remembered import remembered
from mapexplorer.catalogue.kinds import EVENT_LISTS
from mapexplorer.catalogue.store import open_store
from mapexplorer.catalogue.uses import Use, used_by
from mapexplorer.catalogue.wording import line
from mapexplorer.errors import RomError
from mapexplorer.gameplay.flags import flag_name
from mapexplorer.gameplay.script_listing import entry_texts
from mapexplorer.gameplay.script_names import ScriptNames, readable
from mapexplorer.gameplay.text_slots import TextSlots
from mapexplorer.gameplay.trainers import messages, object_name
from mapexplorer.games import Topic
from mapexplorer.inspector.origins import origin_json, origin_text, thing_origin
from mapexplorer.inspector.script.script_meaning import script_meaning
from mapexplorer.inspector.things.found import uses_json
from mapexplorer.rom.rom import Origin
from mapexplorer.values import count
from mapexplorer.world import FieldWorld, Header
from mapexplorer.world.events.script_effects import EffectsReader
from mapexplorer.world.events.script_files import locate_script
from mapexplorer.world.headers.header import header_json
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.readable import readable_events, readable_original, readable_warp_target
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.wording import damage

_BY_SCRIPTS: Final = ("set by", "cleared by", "checked by")
"""How scripts use a flag."""


@dataclass(frozen=True)
class HidingFlag:
    """The flag that hides an object while it is set: its number, name (empty: none), who sets, clears and checks it;
    `known`: whether the scripts of the game are known."""

    flag: int
    name: str
    users: tuple[Use, ...]
    known: bool = True

    @property
    def text(self) -> str:
        """The flag and its users in words."""
        title = f" {self.name}" if self.name else ""
        nobody = "no use in scripts" if self.known else "which scripts change it is not known"
        return f"hidden while flag {self.flag}{title} is set: {line(self.users) or nobody}"


@dataclass(frozen=True)
class TriggerNeed:
    """The variable of a trigger, its name (empty: none) and the value with which the trigger runs."""

    variable: int
    name: str
    value: int

    @property
    def text(self) -> str:
        """When the trigger runs."""
        name = f" ({self.name})" if self.name else ""
        return f"while variable 0x{self.variable:X}{name} is {self.value}"


class Looks(NamedTuple):
    """The graphics id of an object, its name, and the name of its movement type; a name may be empty."""

    graphics: int
    name: str
    movement: str


@dataclass(frozen=True)
class MapEvent:
    """An event of a map."""

    kind: str
    """`object`, `sign`, `warp` or `trigger`."""
    index: int
    """Its number among the events of its kind."""
    tile: tuple[int, int]
    """Matrix-wide."""
    script: int | None = None
    """The script number; None: no script."""
    meaning: str = ""
    """What the script is; empty: a script of the map."""
    texts: tuple[str, ...] = ()
    """The texts that the script can show."""
    hidden_by: HidingFlag | None = None
    """Of an object the flag that hides it."""
    need: TriggerNeed | None = None
    """Of a trigger when it runs."""
    leads_to: tuple[Header, int, int] | None = None
    """Of a warp the map and the tile; None: back."""
    name: str = ""
    """Of an object the class and the name of the trainer that it is, else what it looks like."""
    picture: Subject | None = None
    """What an object looks like with the save: object or sign graphics; None for a variable that nothing has set."""
    absent: bool = False
    """Whether an object is not there with the save."""
    sight: int | None = None
    """Of a trainer how many tiles it sees."""
    looks: Looks | None = None
    """Of an object."""
    target_damaged: bool = False
    """Whether the events where a warp leads cannot be read."""
    leads_nowhere: str = ""
    """Why a warp has no target; empty for one that has, or that leads back."""
    clone_of: tuple[Header, int | None] | None = None
    """The object of another map that an object is a clone of; its index is None if it is not known."""
    origin: Origin | None = None
    """Where it stands in the text that the ROM is made from."""


@dataclass(frozen=True)
class MapEvents:
    """The events of a header in file order; `damaged`: why they, a warp's target or the texts of a script are not
    known."""

    header: Header
    events: tuple[MapEvent, ...]
    damaged: tuple[str, ...]


def find_events(world: FieldWorld, header: int, save: Save | None = None) -> MapEvents:
    """The events of a map with a save, by default a new game. Who changes the flags of its objects is asked of the
    store."""
    lost: list[Damage] = []
    stored = readable_events(world, header, lost)
    if stored is None:
        return MapEvents(world.headers[header], (), tuple(map(damage, lost)))
    save = fresh_save(world.game) if save is None else save
    stored = save.events(header, stored)
    reader = EventReader(world, header, save)
    events = tuple(
        _with_users(world, reader.event(kind, index, record))
        for kind, records in EVENT_LISTS.items()
        for index, record in enumerate(getattr(stored, records))
    )
    return MapEvents(world.headers[header], events, tuple(dict.fromkeys(reader.damaged)))


def _with_users(world: FieldWorld, event: MapEvent) -> MapEvent:
    """An event with the scripts that use the flag that hides it."""
    hidden = event.hidden_by
    if hidden is None or not hidden.known:
        return event
    users = used_by(open_store(world.rom), subject("flag", hidden.flag))
    return replace(event, hidden_by=replace(hidden, users=tuple(use for use in users if use.how in _BY_SCRIPTS)))


class EventReader:
    """Reads the events of a header, and what its scripts can say; each script file is read once. `damaged`: why a
    warp's target or the texts of a script are not known."""

    def __init__(self, world: FieldWorld, header: int, save: Save) -> None:
        self.damaged: list[str] = []
        self._world = world
        self._tables = world.game.tables
        self._header = header
        self._save = save

    def event(self, kind: str, index: int, record: Any) -> MapEvent:
        """A record as a value, without the users of its flag."""
        origin = thing_origin(self._world, subject(kind, self._header, index))
        event = MapEvent(kind, index, (int(record["x"]), int(record["z"])), origin=origin)
        if kind == "warp":
            lost: list[Damage] = []
            target = readable_warp_target(self._world, self._header, index, lost)
            self.damaged += map(damage, lost)
            leads_to = None if target is None else (self._world.headers[target[0]], *target[1:])
            nowhere = "" if lost else self._world.warp_fault(self._header, index)
            return replace(event, leads_to=leads_to, target_damaged=bool(lost), leads_nowhere=nowhere)
        script = int(record["script"])
        if script not in self._tables.script_numbers.none:
            meaning, texts = script_meaning(self._world, script), self._readable_texts(script)
            event = replace(event, script=script, meaning=meaning, texts=texts)
        if kind == "trigger":
            variable = int(record["variable"])
            name = self._tables.save_names.variables.get(variable, "")
            return replace(event, need=TriggerNeed(variable, name, int(record["value"])))
        return self._object(event, script, record) if kind == "object" else event

    def _object(self, event: MapEvent, script: int, record: Any) -> MapEvent:
        """An object with the fields that only objects have."""
        original, headers, tables = readable_original(self._world, record), self._world.headers, self._tables
        flag, graphics = int(record["hidden_flag"]) if original is None else 0, int(record["graphics"])
        known = Topic.SCRIPTS not in self._world.game.not_known
        sees = int(record["trainer_type"]) and tables.script_numbers.trainer(script) is not None
        movement = tables.movement_type_name(int(record["movement_type"]))
        shown = self._save.graphics(graphics, int(record["parameters"][0]), self._header)
        kind = "sign graphics" if shown in tables.sign_models else "object graphics"
        return replace(
            event,
            hidden_by=HidingFlag(flag, flag_name(tables.save_names, flag), (), known) if flag else None,
            absent=self._save.hides(flag, script),
            sight=int(record["parameters"][0]) if sees else None,
            name=object_name(self._world, record),
            picture=None if shown is None else subject(kind, shown),
            looks=Looks(graphics, tables.graphics_name(graphics), movement),
            clone_of=(headers[original[0]], original[1]) if original and original[0] < len(headers) else None,
        )

    def _readable_texts(self, script: int) -> tuple[str, ...]:
        """Those of a script number, none where they cannot be read."""
        try:
            return self._texts(script)
        except (FormatError, IndexError) as error:
            words = "its file has no such script" if isinstance(error, IndexError) else error
            self.damaged.append(f"script {script}: {words}")
        except RomError:  # the ROM has no scripts, or no data of trainers
            pass
        return ()

    def _texts(self, script: int) -> tuple[str, ...]:
        """The texts that the script with a number can show, of a trainer its messages. Raises FormatError, RomError,
        IndexError where there is no such script."""
        trainer = self._tables.script_numbers.trainer(script)
        if trainer is not None:
            return tuple(readable(message.text) for message in messages(self._world, trainer[0]))
        place = locate_script(self._world, self._header, script)
        return () if place is None else self._texts_of_entries(place.member, place.bank)(place.entry)

    @remembered
    def _texts_of_entries(self, member: int, bank: int | None) -> Callable[[int], tuple[str, ...]]:
        """Reads the texts that an entry of a script file can show; raises IndexError for one that does not exist.
        Raises FormatError, RomError."""
        file, commands = self._world.script_file(member), self._tables.script_commands
        names, slots = ScriptNames(self._world, bank), TextSlots(file, commands)
        effects = EffectsReader(file, commands)

        def texts(entry: int) -> tuple[str, ...]:
            numbers = effects.effects(entry).numbers("text")
            return tuple(entry_texts(file, entry, numbers, names, slots).values())

        return texts


# --- text and JSON


def events_lines(events: MapEvents) -> list[str]:
    """The events of a map as lines of plain text."""
    lines = [events.header.title]
    for event in events.events:
        x, z = event.tile
        absent = " (absent)" if event.absent else ""
        lines += ["", f"{event.kind} {event.index} at {x},{z}{absent}{_of_event(event)}"]
        lines += [f"  {origin_text(event.origin)}"] if event.origin is not None else []
        if event.hidden_by is not None:
            lines.append(f"  {event.hidden_by.text}")
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
        elif event.leads_nowhere:
            parts.append(f"leads nowhere: {event.leads_nowhere}")
        elif event.leads_to is None:
            parts.append("leads back to where the player came from, or nowhere")
        else:
            header, x, z = event.leads_to
            parts.append(f"leads to {header.title} at {x},{z}")
    elif event.script is not None:
        parts.append(f"script {event.script}" + (f" ({event.meaning})" if event.meaning else ""))
    parts += [*object_words(event), *([event.need.text] if event.need is not None else [])]
    return f": {', '.join(parts)}" if parts else ""


def object_words(event: MapEvent) -> list[str]:
    """Of which object an event is a clone, and how far a trainer sees."""
    sees = [] if event.sight is None else [f"sees {count(event.sight, 'tile')}"]
    if event.clone_of is None:
        return sees
    header, index = event.clone_of
    return [f"clone of {'an object' if index is None else f'object {index}'} of {header.title}", *sees]


def events_json(events: MapEvents) -> dict[str, Any]:
    """The events of a map as JSON values."""
    return {
        **header_json(events.header),
        "events": [_event_json(event) for event in events.events],
        "damaged": list(events.damaged),
    }


def _event_json(event: MapEvent) -> dict[str, Any]:
    hidden, need, target = event.hidden_by, event.need, event.leads_to
    return {
        **origin_json(event.origin),
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
        else {
            "flag": hidden.flag,
            "name": hidden.name,
            "known": hidden.known,
            "uses": uses_json(hidden.users),
        },
        "clone_of": None if event.clone_of is None else {**header_json(event.clone_of[0]), "object": event.clone_of[1]},
        "need": None if need is None else asdict(need),
        "absent": event.absent,
        "sight": event.sight,
        "leads_to": None if target is None else {**header_json(target[0]), "tile": list(target[1:])},
        **({"leads_nowhere": event.leads_nowhere} if event.leads_nowhere else {}),
    }
