"""The uses of flags, items, music and trainers, and the species of maps, parties and scripts, are those of the vectors.

The vectors have 60 % of the things and all uses of each of them; a set with the other things may stand in their place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.uses import Use, WhereUsed, used_by, where_used
from mapexplorer.world import FieldWorld
from mapexplorer.world.subject import Subject, subject
from tests.conftest import Cases

OF_COMMANDS = {"set": "set by", "clear": "cleared by", "check": "checked by"}


def ask(real: FieldWorld, store: Store, kind: str, number: int) -> WhereUsed:
    """The uses of a thing, as a user asks for them."""
    found = where_used(real, subject(kind, number))
    assert found.uses == tuple(used_by(store, subject(kind, number))) and found.known and not found.not_known
    return found


def by_commands(uses: Iterable[Use], how: str) -> list[list[int]]:
    """The members of the script archive and the offsets of the commands that use a thing, ascending."""
    found = {(use.user.key[0], use.part.key[0]) for use in uses if use.how == how and use.part is not None}
    return [list(one) for one in sorted(found)]


def entries(cases: Cases) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """(member, entry, effects) of the entries whose effects the vectors have."""
    for case in cases("script_effects"):
        for entry, effects in enumerate(case["entries"]):
            if effects is not None:
                yield case["member"], entry, effects


def test_who_hides_behind_flags_and_who_changes_them(real: FieldWorld, store: Store, cases: Cases) -> None:
    for case in cases("xref_flags"):
        uses = ask(real, store, "flag", case["key"]).uses
        hides = [list(use.user.key) for use in uses if use.how == "hides"]
        assert sorted(hides) == sorted(case.get("hides", ())), case["key"]
        for name, how in OF_COMMANDS.items():
            assert by_commands(uses, how) == sorted(case.get(name, ())), (case["key"], how)


def test_which_flags_hidden_items_set(real: FieldWorld, store: Store, cases: Cases) -> None:
    query = "SELECT CAST(used AS INTEGER), user FROM edge WHERE user_kind = 'sign' AND used_kind = 'flag'"
    found, expected = {(flag, user) for flag, user in store.rows(query)}, set()
    for case in cases("events"):
        headers = [header.id for header in real.headers if header.events == case["member"]]
        for index, (script, kind, *_) in enumerate(case["background"]):
            expected |= {(730 + script - 8000, f"{header}/{index}") for header in headers if kind == 2}
    assert expected and expected <= found


def test_a_flag_is_free_only_if_nothing_uses_it(real: FieldWorld, store: Store) -> None:
    used = {flag for (flag,) in store.rows("SELECT DISTINCT CAST(used AS INTEGER) FROM edge WHERE used_kind = 'flag'")}
    assert used and not {*real.game.tables.save_names.unused_flags} & used


def test_flags_are_used_by_the_entries_that_lead_to_the_commands(store: Store, cases: Cases) -> None:
    """An entry has an edge for a flag exactly if the vectors say that it can set, clear or check it."""
    expected, known, commands = set(), set(), {}
    for case in cases("scripts"):
        commands |= {(case["member"], at): number for at, number, *_ in case["commands"]}
    for member, entry, effects in entries(cases):
        known.add((member, entry))
        expected |= {(member, entry, name, flag) for name in OF_COMMANDS for flag in effects.get(f"flag_{name}", ())}
    found = set()
    for name, how in OF_COMMANDS.items():
        query = "SELECT used, user, part_key FROM edge WHERE used_kind = 'flag' AND user_kind = 'scripts' AND how = ?"
        for used, user, at in store.rows(query, how):
            member, _, entry = user.partition("/")
            of_flag = commands.get((int(member), int(at))) in (30, 31, 32)
            if entry and (int(member), int(entry)) in known and of_flag:
                found.add((int(member), int(entry), name, int(used)))
    assert found == expected != set()


def row(use: Use) -> list[Any] | None:
    """A use of an item as the vectors have it, without what the edge does not say."""
    part = use.part.key if use.part is not None else ()
    count = part[-1] if use.part is not None and use.part.name == "count" else -1
    match use.how:
        case "floor" | "hidden":
            return [use.how, use.header, *(use.tile or ()), part[0]]
        case "berry tree":
            return ["berry", use.header, *(use.tile or ()), part[0]]
        case "given by" if len(use.user.key) == 2:
            return ["script", *use.user.key, count]
        case "sold by":
            assert use.part is not None
            return [use.part.kind, *use.user.key, part[0]]
        case "common shops":
            return ["common mart", part[0]]
        case "Game Corner":
            return ["game corner", part[0]]
    return None


def without_details(one: list[Any]) -> list[Any]:
    """A row of the vectors without the flag of an item on a map, the yield of a berry tree and the way to hand over."""
    match one:
        case ["floor" | "hidden", *place, _]:
            return [one[0], *place]
        case ["berry", header, x, z, _, patch]:
            return ["berry", header, x, z, patch]
        case ["add", *rest]:
            return ["script", *rest]
    return one


def test_where_items_come_from(real: FieldWorld, store: Store, cases: Cases) -> None:
    """There are more only of entries with too many paths for the reference, whose effects the vectors do not have."""
    known = {(member, entry) for member, entry, _ in entries(cases)}
    for case in cases("xref_items"):
        found = [one for use in ask(real, store, "item", case["key"]).uses if (one := row(use)) is not None]
        wanted = [without_details(one) for one in case["rows"]]
        assert [one for one in wanted if one not in found] == [], case["key"]
        for one in found:
            of_script = one[0] not in ("floor", "hidden", "berry", "common mart", "game corner")
            counted = one[-1] < 0 and any(other[:-1] == one[:-1] for other in wanted)
            assert one in wanted or counted or (of_script and (one[1], one[2]) not in known), one
        on_maps = [[one for one in rows if one[0] in ("floor", "hidden", "berry")] for rows in (found, wanted)]
        assert sorted(on_maps[0]) == sorted(on_maps[1]), case["key"]


def test_the_flags_of_items_on_maps(store: Store, cases: Cases) -> None:
    """The flag of a hidden item is used by its sign; that of an item on the floor hides its object."""
    for case in cases("xref_items"):
        for how, header, x, z, _, flag in (one for one in case["rows"] if one[0] in ("floor", "hidden")):
            uses = used_by(store, subject("flag", flag))
            wanted = "hides" if how == "floor" else "set when the item is taken from"
            places = {(use.header, use.tile) for use in uses if use.how == wanted}
            assert (header, (x, z)) in places, (case["key"], header, x, z)


def test_which_maps_play_music(real: FieldWorld, store: Store, cases: Cases) -> None:
    for case in cases("xref_music"):
        uses = ask(real, store, "music", case["key"]).uses
        for how, key in (("by day", "day"), ("by night", "night")):
            of_headers = [use.user.key[0] for use in uses if use.how == how and use.part is None]
            assert of_headers == case[key], case["key"]


def test_the_trainers_of_maps(real: FieldWorld, store: Store, cases: Cases) -> None:
    for case in cases("xref_trainers"):
        for trainer, number in Counter(case["rows"]).items():
            uses = ask(real, store, "trainer", trainer).uses
            assert sum(use.how == "on" and use.header == case["key"] for use in uses) == number
        rows = store.rows(
            "SELECT used FROM edge WHERE used_kind = 'trainer' AND how = 'on' AND header = ? ORDER BY rowid",
            case["key"],
        )
        assert [int(used) for (used,) in rows] == case["rows"]


def test_the_parties_of_trainers(store: Store, cases: Cases) -> None:
    """Each species, item and move of a party, each item in the bag and each message."""
    edges: dict[int, list[Any]] = {}
    query = "SELECT user, used_kind, used, how, part_key FROM edge WHERE user_kind = 'trainer'"
    for user, kind, used, how, slot in store.rows(query):
        edges.setdefault(int(user), []).append((how, kind, used, slot))
    for case in cases("trainers"):
        expected = [("used by", "item", str(item), str(slot)) for slot, item in enumerate(case["items"]) if item]
        for slot, one in enumerate(case["party"]):
            held = [
                ("species", one["species"], "in the party of"),
                ("item", one.get("item", 0), "held in the party of"),
            ]
            held += [("move", move, "known in the party of") for move in one.get("moves", ())]
            expected += [(how, kind, str(number), str(slot)) for kind, number, how in held if number]
        found = [one for one in edges.get(case["trainer"], []) if one[3] is not None]
        assert sorted(found) == sorted(expected), case["trainer"]
        texts = [used for how, kind, used, _ in edges.get(case["trainer"], []) if (how, kind) == ("said by", "text")]
        assert [int(used.split("/")[1]) for used in texts] == [entry for _, entry in case["messages"]]


def met(case: dict[str, Any]) -> set[int]:
    """The species of the slots of an encounter file whose rates are not 0; those of Unown are its forms."""
    found = set()
    if case["grass_rate"]:
        found |= {species for _, species in case["grass"]}
        for name in ("swarm", "day", "night", "radar"):
            found |= set(case[name])
        for pair in case["dual_slot"].values() if isinstance(case["dual_slot"], dict) else case["dual_slot"]:
            found |= set(pair)
    for name in ("surf", "old", "good", "super"):
        rate, slots = case[name]
        found |= {species for *_, species in slots} if rate else set()
    return found - {0}


def test_the_species_of_maps(real: FieldWorld, store: Store, cases: Cases) -> None:
    """A species is used by a map for each kind of slot that has it."""
    maps: dict[int, list[int]] = {}
    for header in real.headers:
        maps.setdefault(header.wild_encounters, []).append(header.id)
    compared = 0
    for case in cases("encounters"):
        for header in maps.get(case["member"], ()):
            rows = store.rows(
                "SELECT DISTINCT used FROM edge JOIN source USING (source) WHERE user_kind = 'header' AND user = ? "
                "AND used_kind = 'species' AND file = 'pl_enc_data' AND member = ?",
                str(header),
                case["member"],
            )
            assert {int(used) for (used,) in rows} == met(case), header
            compared += 1
    assert compared


def test_the_species_of_scripts(store: Store, cases: Cases) -> None:
    """Wild, given and hatched Pokémon, the trainers of battles and trades, by entry."""
    hows = {
        "wild": "fought in",
        "pokemon": "given by",
        "egg": "as an egg by",
        "trainer": "trainer",
        "trade": "traded by",
    }
    kinds = {"trainer": "trainer", "trade": "trade"}
    compared = 0
    for name, how in hows.items():
        found: dict[str, set[int]] = {}
        kind = kinds.get(name, "species")
        for used, user in store.rows("SELECT used, user FROM edge WHERE used_kind = ? AND how = ?", kind, how):
            found.setdefault(user, set()).add(int(used))
        for member, entry, effects in entries(cases):
            values = [one[0] if isinstance(one, list) else one for one in effects.get(name, ())]
            wanted = {one for one in values if one > (-1 if name == "trade" else 0)}
            assert found.get(f"{member}/{entry}", set()) == wanted, (name, member, entry)
            compared += len(wanted)
    assert compared


def test_who_says_texts(store: Store, cases: Cases) -> None:
    """The texts that the entries of a script file can show, in its bank."""
    banks = dict(store.rows("SELECT member, message_bank FROM script_file"))
    found: dict[str, set[str]] = {}
    for used, user in store.rows(
        "SELECT used, user FROM edge WHERE used_kind = 'text' AND how = 'said by' AND user_kind = 'scripts'"
    ):
        found.setdefault(user, set()).add(used)
    compared = 0
    for member, entry, effects in entries(cases):
        if banks[member] is not None:
            wanted = {f"{banks[member]}/{text}" for text in effects.get("text", ()) if text >= 0}
            assert found.get(f"{member}/{entry}", set()) == wanted, (member, entry)
            compared += len(wanted)
    assert compared


def test_a_thing_without_uses_is_not_in_the_vectors(store: Store, cases: Cases) -> None:
    for name, kind in (("xref_flags", "flag"), ("xref_items", "item"), ("xref_music", "music")):
        assert all(used_by(store, Subject(kind, (case["key"],))) for case in cases(name))
