"""The page of a thing: what the inspector says of it, and of a map what is on it, of a script its commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from formats.binary import FormatError
from mapexplorer.atlas.frame import broken, framed, linked, list_path, table
from mapexplorer.atlas.site import LISTED, Site, page_path
from mapexplorer.catalogue.kinds import EVENT_LISTS, HEADER, KINDS, SCRIPTS, SPECIES, WITH_ICON, header_of
from mapexplorer.errors import PlaceError, RomError, in_words
from mapexplorer.export.markup import Content, Markup, joined, tag
from mapexplorer.gameplay.meetings import find_encounters
from mapexplorer.gameplay.script_names import readable
from mapexplorer.inspector.describe import describe
from mapexplorer.inspector.facts import Description, Fact, ListedGroup, Section, with_values_before
from mapexplorer.inspector.output import why_text
from mapexplorer.inspector.places.encounters import listed_encounters
from mapexplorer.inspector.places.listed_events import listed_events
from mapexplorer.inspector.places.map_events import find_events
from mapexplorer.inspector.places.species import SPECIES_COLUMNS, find_species, species_rows
from mapexplorer.inspector.script.script_lines import LinePart, PartRole
from mapexplorer.inspector.script.script_listing import ScriptFacts
from mapexplorer.inspector.script.script_page import read_page
from mapexplorer.inspector.script.script_text import ScriptRow
from mapexplorer.values import capital
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.world import FieldWorld

_BREAK: Final = Markup("\n")


def page(site: Site, thing: Subject) -> bytes:
    """The page of a thing. What is new or changed in comparison with the base is marked."""
    header, base = site.header_of(thing), site.base
    description = _described(site, header, thing)
    before, mark = None, None
    if base is not None and thing in base.things:
        was = _described(base, header, thing)
        before = joined(_of_kind(base, thing, header, None))
        now = joined(_of_kind(site, thing, header, None))
        description = with_values_before(description, was)
        changed = any(fact.before is not None for section in description.sections for fact in section.rows)
        mark = "changed" if changed or before != now else None
    elif base is not None:
        mark = "new"
    contents = (
        _way(site, thing),
        tag("h1", _picture(site, thing), description.title, tag("span", mark, class_="badge") if mark else None),
        tag("p", description.subtitle, class_="subtitle") if description.subtitle else None,
        _of_kind(site, thing, header, before),
        (_section(site, section, header, thing) for section in description.sections),
    )
    return framed(site, description.title, *contents, folder="../")


def _described(site: Site, header: int, thing: Subject) -> Description:
    """All facts about a thing, or why they cannot be read."""
    try:
        said = describe(site.world, header, thing, site.save)
        if said.title == str(thing):  # of a kind about which only its uses are known
            said = replace(said, title=site.things[thing].name)
        return replace(said, sections=(_texts(site.world, thing.key[0]),)) if thing.kind == "messages" else said
    except (FormatError, RomError, PlaceError, KeyError) as error:
        return Description(thing, str(thing), "", (Section("Damaged", (Fact("", in_words(error)),)),))


def _texts(world: FieldWorld, bank: int) -> Section:
    """All texts of a bank."""
    texts = world.messages(bank)
    messages = enumerate(texts.messages if texts is not None else ())
    return Section("Texts", tuple(Fact(str(number), readable(text)) for number, text in messages))


def _way(site: Site, thing: Subject) -> Markup:
    """The links to the list, and to the things before and after."""
    things = site.neighbours[thing]
    links = [
        tag("a", words, href=f"../{page_path(goal)}", rel=rel)
        for goal, words, rel in zip(things, ("‹ previous", "next ›"), ("prev", "next"), strict=True)
        if goal is not None
    ]
    above = header_of(thing)
    if thing.kind in LISTED:
        links.insert(0, tag("a", KINDS[thing.kind].title, href=f"../{list_path(thing.kind)}"))
    elif above is not None:
        links.insert(0, linked(site, subject(HEADER, above), site.world.headers[above].title))
    return tag("p", ((link, " ") for link in links), class_="way")


def _picture(site: Site, thing: Subject | None) -> Markup | None:
    """The small picture of a thing."""
    path = None if thing is None else site.picture(thing)
    return None if path is None else tag("img", src=f"../{path}", alt="", class_="icon")


def _section(site: Site, section: Section, header: int, thing: Subject) -> Markup | None:
    """Facts about a thing as a table; each text has an anchor."""
    rows = [
        tag(
            "tr",
            tag("th", fact.name, scope="row") if fact.name else None,
            tag("td", _fact(site, fact, header, thing), colspan=None if fact.name else 2),
            id=f"t{fact.name}" if thing.kind == "messages" else None,
        )
        for fact in section.rows
        if fact.name or fact.value or fact.meaning
    ]
    return tag("section", tag("h2", section.title), tag("table", tag("tbody", rows), class_="facts")) if rows else None


def _fact(site: Site, fact: Fact, header: int, thing: Subject) -> Iterator[Content]:
    """A fact with its link, unless that leads to the page of the thing itself."""
    if fact.link is not None and fact.link.kind in WITH_ICON:
        yield _picture(site, fact.link)
    goal = fact.link if site.address(fact.link) != page_path(thing) else None
    yield linked(site, goal, broken(fact.value), header=header)
    if fact.meaning:
        yield " ", tag("span", broken(fact.meaning), class_="meaning")
    if fact.before is not None:
        yield " ", tag("del", broken(fact.before))
    if fact.why is not None:
        yield tag("small", why_text(fact.why))


def _of_kind(site: Site, thing: Subject, header: int, before: Markup | None) -> Iterator[Content]:
    """What pages of a kind have beside the facts; rows and lines that are not in what there was `before` are marked."""
    if thing.kind == HEADER:
        yield _map(site, header)
        events = read_or(None, find_events, site.world, header, site.save)
        groups = [*listed_events(site.world, events)] if events is not None else []
        encounters = read_or(None, find_encounters, site.world, header)
        groups += listed_encounters(encounters) if encounters is not None else ()
        yield (_group(site, group, header, before) for group in groups)
    elif thing.kind in EVENT_LISTS:
        record = getattr(site.world.events(header), EVENT_LISTS[thing.kind])[thing.key[1]]
        yield tag("p", tag("a", "On the map", href=f"../map.html#{header}@{record['x']},{record['z']}"))
    elif thing.kind == SPECIES:
        yield _places(site, thing.key[0])
    elif thing.kind == SCRIPTS:
        yield _script(site, thing, header, before)


def _map(site: Site, header: int) -> Iterator[Content]:
    """The picture of a map, and the links to other ways to see it."""
    of_map, picture = site.world.headers[header], site.map_picture(header)
    if not site.request.without_pictures and site.world.place(header).cells:
        shown = tag("img", src=f"../{picture}", alt=f"{of_map.title} from above", loading="lazy")
        yield tag("p", tag("a", shown, href=f"../map.html#{header}"), class_="picture")
        in_3d = tag("a", "In 3D", href=f"../{site.scene(header)}")
        yield tag("p", tag("a", "On the map", href=f"../map.html#{header}"), " ", in_3d)
    scripts = linked(site, subject(SCRIPTS, of_map.scripts), "Scripts")
    yield tag("p", scripts, " ", linked(site, subject("messages", of_map.message_bank), "Texts"))


def _group(site: Site, group: ListedGroup, header: int, before: Markup | None) -> Markup:
    """Things of a list, each with its picture, words and where it is."""
    rows = (
        joined(
            (
                tag("td", _picture(site, row.shown)),
                tag(
                    "td",
                    linked(site, row.subject, row.title, header=header),
                    ((tag("br"), tag("span", line, class_="meaning")) for line in row.lines if line.strip("“”")),
                    class_="faint" if row.faint else None,
                ),
                tag("td", row.side),
            )
        )
        for row in group.rows
    )
    marked = (tag("tr", row, class_=_mark(row, before)) for row in rows)
    return tag("section", tag("h2", group.title), tag("table", tag("tbody", marked), class_="things"))


def _places(site: Site, species: int) -> Markup | None:
    """Where a species is met, given and fought, with chances by time."""
    facts = read_or(None, find_species, site.world, species)
    rows = [
        tag(
            "tr",
            tag("td", linked(site, subject(HEADER, header) if isinstance(header, int) else None, str(place or name))),
            (tag("td", "" if part is None else str(part)) for part in parts),
        )
        for header, name, place, *parts in (species_rows(facts) if facts is not None else ())
    ]
    heads = ("Map", *(capital(column) for column in SPECIES_COLUMNS[3:]))
    return tag("section", tag("h2", "Where it is met"), table(heads, rows)) if rows else None


def _mark(part: Markup, before: Markup | None) -> str | None:
    return "new" if before is not None and part not in before else None


def _script(site: Site, thing: Subject, header: int, before: Markup | None) -> Markup | None:
    """The commands of a script file; each entry has an anchor."""
    shown = read_or(None, read_page, site.world, header, thing)
    if shown is None:
        return None
    entries = shown.facts.listing.entries if isinstance(shown.facts, ScriptFacts) else {}
    lines = (
        _line(site, row, [*entries.get(row.offset, ())] if row.offset is not None else [], before) for row in shown.rows
    )
    return tag("section", tag("h2", "Commands"), tag("pre", lines, class_="script"))


def _line(site: Site, row: ScriptRow, entries: list[int], before: Markup | None) -> Iterator[Content]:
    yield (tag("span", id=f"s{entry}") for entry in entries)
    words = [_part(site, part) for part in row.parts]
    command = joined(word for word, part in zip(words, row.parts, strict=True) if part.role is not PartRole.OFFSET)
    classes = [*(["dead"] if row.dead else []), *filter(None, [_mark(command, before)])]
    anchor = None if row.offset is None else f"o{row.offset:X}"
    yield tag("span", words, id=anchor, class_=" ".join(classes) or None), _BREAK


def _part(site: Site, part: LinePart) -> Content:
    words = tag("span", part.text, class_=str(part.role)) if part.role is not PartRole.PLAIN else part.text
    if isinstance(part.target, int):
        return tag("a", words, href=f"#o{part.target:X}")
    return linked(site, part.target, words)
