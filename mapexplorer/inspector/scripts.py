"""Scripts: the files that headers refer to, what runs each script, what it does."""

from __future__ import annotations

from formats.binary import FormatError
from formats.field.init_script import InitScriptFile
from formats.field.script import ScriptFile
from mapexplorer.catalogue.kinds import SCRIPTED
from mapexplorer.catalogue.uses import references_to
from mapexplorer.errors import PlaceError, RomError
from mapexplorer.gameplay.script_listing import joined_lines
from mapexplorer.games import Role
from mapexplorer.inspector.common import Context, counted, header_link, in_a_row, member
from mapexplorer.inspector.facts import Description, Fact, RawBytes, Section, Span
from mapexplorer.inspector.script_lines import line_text
from mapexplorer.inspector.script_listing import records_json, script_facts
from mapexplorer.inspector.script_meaning import script_meaning
from mapexplorer.inspector.script_text import effect_lines, record_text
from mapexplorer.world.provenance import Facts, Provenance, SourceRule
from mapexplorer.world.script_files import locate_script, script_member
from mapexplorer.world.subject import Subject, subject

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
    try:
        events = context.world.events(header)
    except FormatError:
        return []
    found = []
    for kind, records in SCRIPTED.items():
        for index, record in enumerate(getattr(events, records, ())):
            if int(record["script"]) == number:
                spot = f"at ({int(record['x'])}, {int(record['z'])})"
                found.append(Fact(kind.capitalize(), str(index), spot, None, subject(kind, header, index)))
    return found


def describe_script(context: Context, chosen: Subject) -> Description:
    """A script of a map's events: its file, the events that run it, what it can do and its commands."""
    header, number = chosen.key
    at = context.world.headers[header]
    facts = [Fact("Script", str(number), script_words(context, number))]
    place = locate_script(context.world, header, number)
    if place is not None:
        named = Provenance(Role.SCRIPTS, SourceRule.HEADER_NAMES, at.scripts, facts=Facts(header=header))
        where = f"{Role.SCRIPTS}, entry {place.entry}"
        why = named if place.band is None else None
        facts.append(Fact("File", str(place.member), where, why, subject("scripts", place.member)))
    facts.append(header_link(context, header))
    here = callers(context, header, number)
    sections = [Section("Script", tuple(facts)), Section(f"Run by ({len(here)})", tuple(here))]
    others = [
        other.id
        for other in context.world.headers
        if other.id != header and place is not None and (place.band is not None or other.scripts == place.member)
    ]
    elsewhere = [fact for other in others for fact in _elsewhere(context, other, number)]
    if elsewhere:
        sections.append(Section(f"Run on other maps ({len(elsewhere)})", tuple(elsewhere[:_MOST_HEADERS])))
    sections += _contents(context, header, number)
    return Description(chosen, f"Script {number}", f"as named on {at.title}", tuple(sections))


def _contents(context: Context, header: int, number: int) -> list[Section]:
    """What a script can do, and its commands; or why it cannot be read."""
    try:
        found = script_facts(context.world, header, number)
    except (FormatError, RomError, PlaceError) as error:
        return [Section("Commands", (Fact("", str(error)),))]
    can = [Fact("", line) for entry in found.effects for line in effect_lines(found, entry)]
    commands = context.tables.script_commands
    joined = joined_lines(found.listing, commands)
    lines = tuple(Fact(f"0x{line.offset:X}", line_text(line, commands)) for line in joined)
    return [*([Section("What it can do", tuple(can))] if can else []), Section(f"Commands ({len(lines)})", lines)]


def _is_own(context: Context, script: int) -> bool:
    """Whether a number means a script of the map itself."""
    numbers = context.tables.script_numbers
    return script not in numbers.none and numbers.band(script) is None


def _elsewhere(context: Context, header: int, number: int) -> list[Fact]:
    title = context.world.headers[header].title
    return [
        Fact(title, f"{fact.name.lower()} {fact.value}", fact.meaning, None, fact.link)
        for fact in callers(context, header, number)
    ]


def describe_scripts(context: Context, chosen: Subject) -> Description:
    """A file of scripts or initial scripts: the headers that refer to it, and the events that run its scripts."""
    number = chosen.key[0]
    users = references_to(context.world, "scripts", number)
    headers = [context.world.headers[use.user.key[0]] for use in users if use.part is None]
    file, problem = _file(context, number)
    facts = [Fact("File", f"{Role.SCRIPTS}[{number}]", problem)]
    raw = _raw(context, number, file)
    if raw is not None:
        facts.append(Fact("Size", counted(len(raw.data), "byte")))
    if isinstance(file, ScriptFile):
        facts.append(Fact("Entries", str(len(file.entries)), "scripts that can be run by number, counted from 1"))
    sections = [Section("File", tuple(facts))]
    if isinstance(file, InitScriptFile):
        records = tuple(Fact("", record_text(row)) for row in records_json(file))
        sections.append(Section(f"Initial scripts ({len(records)})", records))
    for header in headers[:_MOST_HEADERS]:
        ids = sorted(
            {
                int(record["script"])
                for records in SCRIPTED.values()
                for record in getattr(context.world.events(header.id), records, ())
                if _is_own(context, int(record["script"]))
            }
        )
        run = tuple(
            Fact(f"Script {script}", f"run by {counted(len(callers(context, header.id, script)), 'event')}", "", None,
                 subject("script", header.id, script))
            for script in ids
        )  # fmt: skip
        sections.append(Section(f"Scripts that events of {header.title} run ({len(run)})", run))
    return Description(chosen, f"Scripts {number}", "scr_seq", tuple(sections), raw)


def _file(context: Context, number: int) -> tuple[ScriptFile | InitScriptFile | None, str]:
    """A script file, or None and why it cannot be read."""
    try:
        return script_member(context.world, number), ""
    except RomError:
        return None, "the ROM has no such file"
    except FormatError as error:
        return None, str(error)


def _raw(context: Context, number: int, file: ScriptFile | InitScriptFile | None) -> RawBytes | None:
    """The file with its table of entries, if the ROM has it."""
    try:
        return member(context, Role.SCRIPTS, number, _spans(file))
    except (FormatError, RomError, IndexError):
        return None


def _spans(file: ScriptFile | InitScriptFile | None) -> list[Span]:
    """The entries and items of a script file."""
    if not isinstance(file, ScriptFile):
        return []
    offsets = file.offsets()
    starts = [offsets[entry.item] + entry.offset for entry in file.entries]
    return in_a_row((4, f"entry {at}", f"script {at + 1} begins at 0x{start:X}") for at, start in enumerate(starts))


def describe_preload_list(context: Context, chosen: Subject) -> Description:
    """The object graphics that a map keeps in memory."""
    from formats.field.move_model_list import MoveModelList

    number = chosen.key[0]
    archive = context.world.archive(Role.PRELOAD_LISTS)
    if archive is None:
        gone = Section("File", (Fact("", "The ROM has no such archive."),))
        return Description(chosen, f"Preload list {number}", "move_model_list", (gone,))
    graphics = MoveModelList.from_bytes(archive.reader(number)).graphics.tolist()
    facts = tuple(Fact(f"Entry {at}", str(value), "", None, subject("object graphics", value))
                  for at, value in enumerate(graphics))  # fmt: skip
    fields = [*((2, f"entry {at}", value) for at, value in enumerate(graphics)), (2, "end mark", "0xFFFF")]
    raw = member(context, Role.PRELOAD_LISTS, number, in_a_row(fields))
    title = "move_model_list: sprites kept in memory"
    return Description(
        chosen, f"Preload list {number}", title, (Section(f"Object graphics ({len(facts)})", facts),), raw
    )


DESCRIBERS = {"script": describe_script, "scripts": describe_scripts, "preload list": describe_preload_list}
