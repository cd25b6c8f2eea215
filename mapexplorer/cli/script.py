"""`script`: the scripts of a map or of a script file, readable."""

from __future__ import annotations

import click

from mapexplorer.cli.answer import Answer, answered, maps_json
from mapexplorer.cli.arguments import Value, constants_option, rom_argument, words_argument
from mapexplorer.cli.output import count, examples
from mapexplorer.scene.view import ENTERED, NEW
from mapexplorer.values import ChoiceOrFile


@click.command(epilog=examples("script demo T01", "script demo Mirror Lake#1 --json", "script demo T01 --constants"))
@rom_argument
@words_argument("name", "MAP[#SCRIPT] | script:SHARED | file:MEMBER[#ENTRY]")
@click.option("--save", type=Value(ChoiceOrFile((ENTERED, NEW))), help="List only what would run now, with this save.")
@constants_option
@answered
def script(rom: str, name: str, save: str | None, constants: bool) -> Answer:
    """The scripts of a MAP: what runs each, what it can do, its commands with names and texts.

    SCRIPT is the number that events have, from 1 on; from 2000 on it means a script that all maps share. ENTRY counts
    from 0 in a MEMBER of the script archive. The name of a location that means several maps (Mt. Coronet) means all of
    them.
    """
    from mapexplorer.inspector.script.script_listing import InitScriptFacts, ask, running, script_json
    from mapexplorer.inspector.script.script_text import script_text
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    asked = ask(world, name, constants=constants)
    if save is not None:
        asked = [running(world, facts, save) for facts in asked]
    files = [facts for facts in asked if not isinstance(facts, InitScriptFacts)]
    if files:
        entries = count(sum(len(facts.effects) for facts in files), "entry", "entries")
        said = f"{count(sum(len(facts.listing.lines) for facts in files), 'line')} from {entries}"
    else:
        said = count(sum(len(facts.file.records) for facts in asked if isinstance(facts, InitScriptFacts)), "record")

    text = "\n\n".join(script_text(world, facts) for facts in asked)
    return Answer(
        f"{said}{f' on {len(asked)} maps' if len(asked) > 1 else ''}.",
        text.split("\n"),
        lambda: maps_json(map(script_json, asked)),
    )
