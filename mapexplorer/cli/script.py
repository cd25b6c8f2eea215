"""`script`: the scripts of a map or of a script file, readable."""

from __future__ import annotations

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import constants_option, rom_argument, words_argument
from mapexplorer.cli.output import count, examples


@click.command(epilog=examples("script demo T01", "script demo Mirror Lake#1 --json", "script demo T01 --constants"))
@rom_argument
@words_argument("name", "MAP[#SCRIPT] | script:SHARED | file:MEMBER[#ENTRY]")
@constants_option
@answered
def script(rom: str, name: str, constants: bool) -> Answer:
    """The scripts of a MAP: what runs each, what it can do, its commands with names and texts.

    SCRIPT is the number that events have, from 1 on; from 2000 on it means a script that all maps share. ENTRY counts
    from 0 in a MEMBER of the script archive.
    """
    from mapexplorer.inspector.script_listing import InitScriptFacts, ask, script_json
    from mapexplorer.inspector.script_text import script_text
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    facts = ask(world, name, constants=constants)
    if isinstance(facts, InitScriptFacts):
        said = f"{count(len(facts.file.records), 'record')}."
    else:
        entries = count(len(facts.effects), "entry", "entries")
        said = f"{count(len(facts.listing.lines), 'line')} from {entries}."
    return Answer(said, script_text(world, facts).split("\n"), lambda: script_json(facts))
