"""The uses of a thing as sections: its users, and the maps that show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mapexplorer.catalogue import wording
from mapexplorer.catalogue.kinds import HEADER, KINDS, WEATHER, NamedThing
from mapexplorer.catalogue.rules import REFERENCE, asked
from mapexplorer.catalogue.uses import Use, maps_with
from mapexplorer.gameplay.names import name
from mapexplorer.gameplay.trainers import trainer_title
from mapexplorer.inspector.facts import Fact, Section, filled, listed, section
from mapexplorer.inspector.things.common import MOST_USERS, Context, header_link
from mapexplorer.inspector.things.uses import answer, find_uses
from mapexplorer.world import FieldWorld
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.wording import part

_OF_MAPS: Final = (
    HEADER,
    "area",
    "events",
    "encounters",
    "messages",
    "scripts",
    "preload list",
    "camera",
    "object graphics",
)
"""Kinds whose users are map headers."""


def use_sections(context: Context, chosen: Subject) -> tuple[Section, ...]:
    """The users of a subject and the maps that show it; for a kind whose uses nothing tells, none."""
    if not asked(chosen.kind) and chosen.kind != "file":
        return ()
    where = find_uses(context.world, NamedThing(chosen, "", ""))
    references = [use for use in where.uses if use.rule == REFERENCE]
    others = [use for use in where.uses if use.rule != REFERENCE]
    titled = (("Used by", references), ("Maps with it" if chosen.kind == WEATHER else "Uses", others))
    sections = filled(
        *(
            listed(title, dict.fromkeys(_user(context, use) for use in uses), MOST_USERS, more=True)
            for title, uses in titled
        )
    )
    if not sections:
        sections = (section("Uses", Fact("", answer(where))),)
    elif where.not_known:
        sections = (*sections, section("Not known in this game", *(Fact("", topic) for topic in where.not_known)))
    with_maps = (references or chosen.kind == "behaviour") and chosen.kind not in _OF_MAPS
    return (*sections, *([places_section(context, where.places)] if with_maps and where.places else []))


def model_places(context: Context, model: int) -> tuple[Section, ...]:
    """The maps that show a prop model."""
    return filled(places_section(context, maps_with(context.world, "prop", model)))


def places_section(context: Context, numbers: Sequence[int]) -> Section:
    """The maps that show a thing."""
    maps = [header_link(context, number, "") for number in numbers]
    return listed("Maps that show it", maps, MOST_USERS, more=True)


def _user(context: Context, use: Use) -> Fact:
    """A user with a link to it."""
    if use.how == WEATHER:
        fact = header_link(context, use.user.key[0], "")
        return replace(fact, meaning=f"{fact.meaning}, {wording.how(use)}")
    if use.rule == REFERENCE:
        of = part(use.part)
        if use.user.kind == HEADER:
            return header_link(context, use.user.key[0], of or "Header")
        return Fact(of, str(use.user), "", None, use.user)
    at, on, link = wording.at(use), use.place, _linked(context.world, use)
    named = "" if use.map else read_or("", _name, context.world, use.user)
    return Fact(wording.how(use), named or at, at if named else on, None, link)


def _name(world: FieldWorld, user: Subject) -> str:
    """The name of a user that is on no map; of a trainer with the class."""
    if user.kind == "trainer":
        return trainer_title(world, user.key[0])
    bank = KINDS[user.kind].bank if user.kind in KINDS else None
    return "" if bank is None else name(world, bank, user.key[0])


def _linked(world: FieldWorld, use: Use) -> Subject | None:
    """The subject that shows a user: an entry of a script file as the script of a map or as a shared one."""
    if use.user.kind == "shop":
        return None
    if use.user.kind != "scripts" or len(use.user.key) < 2:
        return use.user
    member, entry = use.user.key
    if use.header is not None:
        return subject("script", use.header, entry + 1)
    bands = world.game.tables.script_numbers.bands
    band = next((band for band in bands if band.member == member), None)
    return use.user if band is None else subject("script", 0, band.first + entry)
