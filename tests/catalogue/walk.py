"""The uses that the values of a game hold, found without the code that makes the edges of the store.

The records are read by `formats`, their meanings are the tables in data/platinum, read here as JSON. Each function of
`WALKS` gives the uses that one rule of `edges.RULES` has to find, as rows of the table `edge`.
"""

from __future__ import annotations

from tests.catalogue.edge_rows import Walk
from tests.catalogue.record_walk import (
    field_data,
    of_event_scripts,
    of_events,
    of_initial_scripts,
    of_machines,
    of_music,
    of_nothing,
    of_program,
    of_species,
    of_tiles,
    of_trades,
    of_trainer_messages,
    of_trainers,
    of_weather,
    of_wild_pokemon,
)
from tests.catalogue.script_walk import of_arguments, of_roaming_pokemon, of_scripts, of_shops

WALKS: dict[str, Walk] = {
    "the field data": field_data,
    "events": of_events,
    "scripts of events": of_event_scripts,
    "initial scripts": of_initial_scripts,
    "wild encounters": of_wild_pokemon,
    "trainers and their parties": of_trainers,
    "messages of trainers": of_trainer_messages,
    "machines": of_machines,
    "learnsets and move tutors": of_nothing,
    "shops and prizes": of_shops,
    "in-game trades": of_trades,
    "tables of the program": of_program,
    "the music of maps": of_music,
    "the weather of the year": of_weather,
    "the tiles of lands": of_tiles,
    "records of species": of_species,
    "scripts": of_scripts,
    "Pokémon that roam": of_roaming_pokemon,
    "arguments of script commands": of_arguments,
}
"""Title of a rule -> the uses that it has to find."""
