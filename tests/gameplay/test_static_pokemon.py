"""The Pokémon of scripts: the vectors, and the records of the trades by their bytes."""

from __future__ import annotations

import struct

from mapexplorer.gameplay.items import script_effects
from mapexplorer.gameplay.static_pokemon import GIFT, ROAMER, TRADE, WAYS, static_pokemon
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_effects import ScriptEffects
from tests.conftest import Cases

ROAMERS = {0: (481, 50), 1: (488, 50), 2: (491, 40), 3: (146, 60), 4: (145, 60), 5: (144, 60)}
TRADES = "fielddata/pokemon_trade/fld_trade.narc"


def test_every_pokemon_of_the_vectors(real: FieldWorld, cases: Cases) -> None:
    trades = [struct.unpack("<20I", record) for record in real.rom.archive(TRADES)]
    found = list(static_pokemon(real, script_effects(real)))
    count = 0
    entries = [
        (row["member"], entry, effects)
        for row in cases("script_effects")
        for entry, effects in enumerate(row["entries"])
        if effects is not None  # too many paths for the vectors
    ]
    for member, entry, effects in entries:
        wanted: list[tuple[object, ...]] = []
        for how in WAYS:
            for values in effects.get(how, ()):
                first, *rest = [
                    None if one == -1 else one for one in (values if isinstance(values, list) else [values])
                ]
                if how is TRADE:
                    wanted.append((how, trades[first][0], None, trades[first][15]))
                elif how is ROAMER:
                    wanted.append((how, *ROAMERS[first], 0))
                else:
                    wanted.append((how, first, *(rest or [None]), *([] if how is GIFT else [0])))
        here = [one for one in found if (one.member, one.entry) == (member, entry)]
        assert [(one.how, one.species, one.level, one.item) for one in here] == wanted, (member, entry)
        count += len(wanted)
    assert count and {one.how for one in found} == set(WAYS)


def test_a_trade_says_what_its_record_says(real: FieldWorld) -> None:
    texts = real.messages(370)
    trades = {
        one.trade.number: one.trade for one in static_pokemon(real, script_effects(real)) if one.trade is not None
    }
    records = list(real.rom.archive(TRADES))
    assert sorted(trades) == list(range(len(records))) == [0, 1, 2, 3]
    for number, trade in trades.items():
        words = struct.unpack("<20I", records[number])
        assert (trade.record.individual_values, trade.record.wanted_species) == (words[1:7], words[19])
        assert (trade.nickname, trade.trainer) == (texts[number], texts[4 + number])


def test_what_a_script_computes_is_unknown_and_not_left_out(real: FieldWorld) -> None:
    effects = ScriptEffects({"pokemon": ((-1, 20, -1),), "trade": ((-1,), (900,)), "roamer": ((99,),), "egg": ((-1,),)})
    found = [(one.species, one.level, one.item, one.trade) for one in static_pokemon(real, [(5, 0, effects)])]
    assert found == [
        (None, 20, None, None),
        (None, None, 0, None),
        *[(None, None, None, None)] * 2,
        (None, None, 0, None),
    ]
