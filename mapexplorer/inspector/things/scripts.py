"""Scripts: the files that headers refer to, what runs each script, what it does."""

from __future__ import annotations

from typing import Final

from formats.binary import FormatError
from formats.field.init_script import InitScriptFile
from formats.field.script import ScriptFile
from mapexplorer.catalogue.kinds import SCRIPTED
from mapexplorer.catalogue.uses import references_to
from mapexplorer.errors import PlaceError, RomError
from mapexplorer.gameplay.script_listing import joined_lines
from mapexplorer.games import Role
from mapexplorer.inspector.facts import Described, Describers, Fact, Section, filled, listed, section
from mapexplorer.inspector.script.script_lines import line_text
from mapexplorer.inspector.script.script_listing import records_json, script_facts
from mapexplorer.inspector.script.script_meaning import script_meaning
from mapexplorer.inspector.script.script_text import effect_lines, record_text
from mapexplorer.inspector.things.common import Context, header_link, member
from mapexplorer.values import count
from mapexplorer.world.events.script_files import locate_script, script_member
from mapexplorer.world.headers.header import Header
from mapexplorer.world.sources.provenance import Facts, Provenance, SourceRule
from mapexplorer.world.sources.readable import readable_events
from mapexplorer.world.subject import subject

_MOST_HEADERS = 40


def script_words(context: Context, number: int) -> str:
    """The meaning of a script number."""
    if number in context.tables.script_numbers.none:
        return "none"
    return script_meaning(context.world, number) or "of the map's own scripts"


def script_fact(context: Context, header: int, number: int, name: str = "Script") -> Fact:
    """A script id with a link to its description."""
    goal = subject("script", header, number) if number not in context.tables.script_numbers.none else None
    return Fact(name, str(number), script_words(context, number), None, goal)


def callers(context: Context, header: int, number: int) -> list[Fact]:
    """The events of a header that run a script."""
    events = readable_events(context.world, header)
    return [
        Fact(
            kind.capitalize(),
            str(index),
            f"at ({int(record['x'])}, {int(record['z'])})",
            link=subject(kind, header, index),
        )
        for kind, records in SCRIPTED.items()
        for index, record in enumerate(getattr(events, records, ()))
        if int(record["script"]) == number
    ]


def describe_script(context: Context, header: int, number: int) -> Described:
    """A script of a map's events: its file, the events that run it, what it can do and its commands."""
    at, place = context.world.headers[header], locate_script(context.world, header, number)
    facts = [Fact("Script", str(number), script_words(context, number))]
    others: list[Header] = []
    if place is not None:
        named = Provenance(Role.SCRIPTS, SourceRule.HEADER_NAMES, at.scripts, facts=Facts(header=header))
        why = named if place.band is None else None
        where = f"{Role.SCRIPTS}, entry {place.entry}"
        facts.append(Fact("File", str(place.member), where, why, subject("scripts", place.member)))
        others = [
            other
            for other in context.world.headers
            if other.id != header and (place.band is not None or other.scripts == place.member)
        ]
    elsewhere = (
        Fact(other.title, f"{fact.name.lower()} {fact.value}", fact.meaning, link=fact.link)
        for other in others
        for fact in callers(context, other.id, number)
    )
    sections = (
        section("Script", *facts, header_link(context, header)),
        listed("Run by", callers(context, header, number)),
        *filled(listed("Run on other maps", elsewhere, _MOST_HEADERS)),
        *_contents(context, header, number),
    )
    return f"Script {number}", f"as named on {at.title}", sections, None


def _contents(context: Context, header: int, number: int) -> tuple[Section, ...]:
    """What a script can do, and its commands; or why it cannot be read."""
    try:
        script = script_facts(context.world, header, number)
    except (FormatError, RomError, PlaceError) as error:
        return (section("Commands", Fact("", str(error))),)
    commands = context.tables.script_commands
    can = (Fact("", line) for entry in script.effects for line in effect_lines(script, entry))
    lines = (Fact(f"0x{line.offset:X}", line_text(line, commands)) for line in joined_lines(script.listing, commands))
    return *filled(section("What it can do", *can)), listed("Commands", lines)


def _is_own(context: Context, script: int) -> bool:
    """Whether a number means a script of the map itself."""
    numbers = context.tables.script_numbers
    return script not in numbers.none and numbers.band(script) is None


def describe_scripts(context: Context, number: int, entry: int | None = None) -> Described:
    """A file of scripts or initial scripts, also where one of its entries is named: the headers that refer to it, and
    the events that run its scripts."""
    users = references_to(context.world, "scripts", number)
    headers = [context.world.headers[use.user.key[0]] for use in users if use.part is None]
    file, problem = _file(context, number)
    raw = member(context, Role.SCRIPTS, number) if number < len(context.world.members(Role.SCRIPTS)) else None
    facts = [Fact("File", f"{Role.SCRIPTS}[{number}]", problem)]
    facts += [Fact("Size", count(len(raw.data), "byte"))] if raw is not None else []
    sections = []
    if isinstance(file, ScriptFile):
        facts.append(Fact("Entries", str(len(file.entries)), "scripts that can be run by number, counted from 1"))
    if isinstance(file, InitScriptFile):
        sections.append(
            listed("Initial scripts", (Fact("", record_text(context.world, row)) for row in records_json(file)))
        )
    sections += [_run_by_events(context, header) for header in headers[:_MOST_HEADERS]]
    return f"Scripts {number}", "scr_seq", (section("File", *facts), *sections), raw


def _run_by_events(context: Context, header: Header) -> Section:
    """The scripts of a map itself that its events run."""
    events = context.world.events(header.id)
    scripts = sorted(
        {
            int(record["script"])
            for records in SCRIPTED.values()
            for record in getattr(events, records, ())
            if _is_own(context, int(record["script"]))
        }
    )
    run = (
        Fact(
            f"Script {script}",
            f"run by {count(len(callers(context, header.id, script)), 'event')}",
            link=subject("script", header.id, script),
        )
        for script in scripts
    )
    return listed(f"Scripts that events of {header.title} run", run)


def _file(context: Context, number: int) -> tuple[ScriptFile | InitScriptFile | None, str]:
    """A script file, or None and why it cannot be read."""
    try:
        return script_member(context.world, number), ""
    except RomError:
        return None, "the ROM has no such file"
    except FormatError as error:
        return None, str(error)


def describe_preload_list(context: Context, number: int) -> Described:
    """The object graphics that a map keeps in memory."""
    from formats.field.move_model_list import MoveModelList

    title, archive = f"Preload list {number}", context.world.archive(Role.PRELOAD_LISTS)
    if archive is None:
        return title, "move_model_list", (section("File", Fact("", "The ROM has no such archive.")),), None
    graphics = MoveModelList.from_bytes(archive.reader(number)).graphics.tolist()
    facts = (Fact(f"Entry {at}", str(id), link=subject("object graphics", id)) for at, id in enumerate(graphics))
    raw = member(context, Role.PRELOAD_LISTS, number)
    return title, "move_model_list: sprites kept in memory", (listed("Object graphics", facts),), raw


DESCRIBERS: Final[Describers] = {
    "script": describe_script,
    "scripts": describe_scripts,
    "preload list": describe_preload_list,
}
