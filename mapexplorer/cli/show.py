"""`show`: one thing with the sources of its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import constants_option, rom_argument, things_argument
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, examples
from mapexplorer.export.request import PlaceRequest
from mapexplorer.scene.view import View

if TYPE_CHECKING:
    from mapexplorer.catalogue.kinds import NamedThing
    from mapexplorer.world.place import FieldPlace
    from mapexplorer.world.world import FieldWorld


@click.command(
    epilog=examples("show demo T01", "show demo prop:5", "show demo texture:1/0/0 --json", "show demo FLAG_HAS_POKEDEX")
)
@rom_argument
@things_argument
@one_option(PlaceRequest, "matrix")
@one_option(PlaceRequest, "area")
@one_option(View, "save")
@constants_option
@answered
def show(rom: str, thing: str, matrix: int | None, area: int | None, save: str, constants: bool) -> Answer:
    """One thing with the sources of its facts.

    THING is a map (every field of its header with what it refers to, light, props and animations; with --save entered
    also what its scripts change when it is entered), or KIND:NAME of another thing: the party of a trainer, where an
    item comes from, a texture and its users, a prop, a species, a flag ...; also a constant of the decompilation.
    """
    from mapexplorer.catalogue.kinds import HEADER
    from mapexplorer.catalogue.resolve import ALL, find_thing
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    shown = world.showing(constants=constants)
    if matrix is not None or area is not None:
        return _place(shown.place(thing, matrix, area), save)
    meant = find_thing(world, thing, ALL)
    return _place(shown.place(*meant.subject.key), save) if meant.subject.kind == HEADER else _thing(shown, meant)


def _thing(world: FieldWorld, thing: NamedThing) -> Answer:
    from mapexplorer.inspector.describe import describe_thing
    from mapexplorer.inspector.output import description_json, text_lines

    description = describe_thing(world, thing)
    facts = sum(len(section.rows) for section in description.sections)
    return Answer(
        f"{thing.title}: {count(facts, 'fact')}.", text_lines(description), lambda: description_json(description)
    )


def _place(place: FieldPlace, save: str) -> Answer:
    from mapexplorer.inspector.places.place import find_place, place_json, place_lines

    facts = find_place(place, save)
    white = facts.textures.props_white + facts.textures.cells_white
    return Answer(
        f"{count(len(facts.place.cells), 'cell')}, {count(len(facts.props), 'prop')}, {white} with missing textures, "
        f"{count(facts.textures.dummy_boxes, 'dummy box', 'dummy boxes')}, {len(facts.damaged)} damaged.",
        place_lines(facts),
        lambda: place_json(facts),
        status=1 if facts.damaged else 0,
    )
