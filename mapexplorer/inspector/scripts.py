"""Scripts: the files that headers refer to, and the events that run each script. Script code is not read."""

from __future__ import annotations

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.games import Role
from mapexplorer.inspector.common import Context, counted, header_link, member
from mapexplorer.inspector.facts import Description, Fact, RawBytes, Section, Span
from mapexplorer.inspector.subject import Subject, subject
from mapexplorer.world.provenance import Facts, Provenance, SourceRule

OWN_SCRIPTS = 2000
"""The first id that is not a script of the map's own file: ranges of ids above belong to shared files."""

NO_SCRIPT = (0, 0xFFFF)

_ENTRIES_END = 0xFD13
_CALLERS = (("object", "objects"), ("sign", "background"), ("trigger", "triggers"))
_MOST_HEADERS = 40


def script_words(number: int) -> str:
    """The meaning of a script id by its range, as in the game's script manager."""
    if number in NO_SCRIPT:
        return "none"
    if number < OWN_SCRIPTS:
        return "of the map's own scripts"
    for first, last, words in (
        (3000, 4999, "trainer {}, single battle"),
        (5000, 6999, "trainer {}, double battle"),
        (7000, 7999, "visible item {}"),
        (8000, 8799, "hidden item {}"),
    ):
        if first <= number <= last:
            return words.format(number - first + (1 if first < 7000 else 0))
    return "shared by all maps"


def script_fact(header: int, number: int, name: str = "Script") -> Fact:
    """A script id with a link to its description."""
    goal = subject("script", header, number) if number not in NO_SCRIPT else None
    return Fact(name, str(number), script_words(number), None, goal)


def callers(context: Context, header: int, number: int) -> list[Fact]:
    """The events of a header that run a script."""
    try:
        events = context.world.events(header)
    except FormatError:
        return []
    found = []
    for kind, records in _CALLERS:
        for index, record in enumerate(getattr(events, records, ())):
            if int(record["script"]) == number:
                spot = f"at ({int(record['x'])}, {int(record['z'])})"
                found.append(Fact(kind.capitalize(), str(index), spot, None, subject(kind, header, index)))
    return found


def describe_script(context: Context, chosen: Subject) -> Description:
    """A script of a map's events: its file, and the events that run it."""
    header, number = chosen.key
    at = context.world.headers[header]
    facts = [Fact("Script", str(number), script_words(number))]
    if number < OWN_SCRIPTS:
        named = Provenance(Role.SCRIPTS, SourceRule.HEADER_NAMES, at.scripts, facts=Facts(header=header))
        facts.append(
            Fact("File", str(at.scripts), f"{Role.SCRIPTS.rsplit('/', 1)[-1]}, entry {number - 1}",
                 named, subject("scripts", at.scripts))
        )  # fmt: skip
    facts.append(header_link(context, header))
    here = callers(context, header, number)
    sections = [Section("Script", tuple(facts)), Section(f"Run by ({len(here)})", tuple(here))]
    others = [use.id for use in context.world.headers if use.id != header and _may_run(at.scripts, use.scripts, number)]
    elsewhere = [fact for other in others for fact in _elsewhere(context, other, number)]
    if elsewhere:
        sections.append(Section(f"Run on other maps ({len(elsewhere)})", tuple(elsewhere[:_MOST_HEADERS])))
    return Description(chosen, f"Script {number}", f"as named on {at.title}", tuple(sections))


def _may_run(mine: int, other: int, number: int) -> bool:
    return number >= OWN_SCRIPTS or mine == other


def _elsewhere(context: Context, header: int, number: int) -> list[Fact]:
    title = context.world.headers[header].title
    return [
        Fact(title, f"{fact.name.lower()} {fact.value}", fact.meaning, None, fact.link)
        for fact in callers(context, header, number)
    ]


def describe_scripts(context: Context, chosen: Subject) -> Description:
    """A file of scripts: the headers that refer to it, and the events that run its scripts."""
    number = chosen.key[0]
    users = context.world.uses.used_by("scripts", number)
    headers = [context.world.headers[use.number] for use in users if use.part is None]
    raw = _raw(context, number)
    facts = [Fact("File", f"{Role.SCRIPTS}[{number}]", "" if raw else "the ROM has no such file")]
    if raw is not None:
        facts.append(Fact("Size", counted(len(raw.data), "byte")))
        facts.append(Fact("Entries", str(len(raw.spans)), "scripts that can be run by number, counted from 1"))
    sections = [Section("File", tuple(facts))]
    for header in headers[:_MOST_HEADERS]:
        ids = sorted(
            {
                int(record["script"])
                for _, records in _CALLERS
                for record in getattr(context.world.events(header.id), records, ())
                if 0 < int(record["script"]) < OWN_SCRIPTS
            }
        )
        run = tuple(
            Fact(f"Script {script}", f"run by {counted(len(callers(context, header.id, script)), 'event')}", "", None,
                 subject("script", header.id, script))
            for script in ids
        )  # fmt: skip
        sections.append(Section(f"Scripts that events of {header.title} run ({len(run)})", run))
    return Description(chosen, f"Scripts {number}", "scr_seq", tuple(sections), raw)


def _raw(context: Context, number: int) -> RawBytes | None:
    """The file with its table of entries, if the ROM has it."""
    if context.world.archive(Role.SCRIPTS) is None:
        return None
    try:
        data = bytes(context.world.rom.archive(context.world.path(Role.SCRIPTS))[number])
    except (FormatError, RomError, IndexError):
        return None
    spans: list[Span] = []
    for at in range(0, len(data) - 3, 4):
        if int.from_bytes(data[at : at + 2], "little") == _ENTRIES_END:
            break
        start = at + 4 + int.from_bytes(data[at : at + 4], "little", signed=True)
        if not 0 <= start < len(data):
            break
        spans.append(Span(at, 4, f"entry {len(spans)}", f"script {len(spans) + 1} begins at 0x{start:X}"))
    return member(context, Role.SCRIPTS, number, spans)


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
    spans = [Span(2 * at, 2, f"entry {at}", str(value)) for at, value in enumerate(graphics)]
    spans.append(Span(2 * len(graphics), 2, "end mark", "0xFFFF"))
    raw = member(context, Role.PRELOAD_LISTS, number, spans)
    title = "move_model_list: sprites kept in memory"
    return Description(
        chosen, f"Preload list {number}", title, (Section(f"Object graphics ({len(facts)})", facts),), raw
    )


DESCRIBERS = {"script": describe_script, "scripts": describe_scripts, "preload list": describe_preload_list}
