"""What a store is made of, as hashes, and what of it was written since a store was made."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final

from mapexplorer.catalogue.database import NOT_READ, Store
from mapexplorer.gameplay.items import Items
from mapexplorer.games import NameBank, Role
from mapexplorer.rom import Archive
from mapexplorer.world.events.script_files import script_bank
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.provenance import ARM9
from mapexplorer.world.world import FieldWorld

Contents = Mapping[str, bytes]
"""File -> the hashes of its members in their order, of no archive that of the file; of an archive that is not read the
number of members; with the program what all rows depend on."""
Written = Mapping[str, Collection[int]]
"""Archive -> the members that were written, and kind of names -> the bank; all others are as they were."""
_HASH: Final = 8
"""The bytes of a hash."""


def contents(world: FieldWorld) -> Contents:
    """What a store of a world is made of."""
    rom, hashes = world.rom, dict[str, bytes]()
    for role in world.game.files:
        archive = read_or(None, world.archive, role)
        if archive is None:
            hashes[role] = _hash(rom.file(world.path(role)) if world.has(role) else b"")
        elif role in NOT_READ:
            hashes[role] = len(archive).to_bytes(_HASH)
        else:
            hashes[role] = b"".join(_hash(read_or(None, _member, archive, number)) for number in range(len(archive)))
    return hashes | {ARM9: _hash(rom.program_state() + world.header_table.value.tobytes())}


def _member(archive: Archive, number: int) -> bytes:
    """What tells the contents of a member: what it is made of, else its bytes."""
    made_of = archive.made_of(number)
    return archive.raw(number) if made_of is None else repr(made_of).encode()


def _hash(data: bytes | None) -> bytes:
    """The hash of a member; of one that cannot be read zeros."""
    return bytes(_HASH) if data is None else hashlib.sha1(data, usedforsecurity=False).digest()[:_HASH]


def written(world: FieldWorld, store: Store, now: Contents) -> Written | None:
    """What was written since a store of the same ROM was made, with the events that name things of it; None where all
    rows may be others, and where a member is or was damaged."""
    before, damaged = store.contents(), [sentence for sentence, _ in store.rows("SELECT * FROM damaged")]
    if before[ARM9] != now[ARM9] or any(len(before[file]) != len(now[file]) for file in now):
        return None
    members = defaultdict[str, set[int]](set)
    for file in now:
        for at in range(0, len(now[file]) if before[file] != now[file] else 0, _HASH):
            hashes = {data[file][at : at + _HASH] for data in (before, now)}
            title = f"{world.path(Role(file)).rpartition('/')[2]}[{at // _HASH}]"
            if len(hashes) == 2 and (bytes(_HASH) in hashes or any(title in sentence for sentence in damaged)):
                return None
            if len(hashes) == 2:
                members[file].add(at // _HASH)
    for kind in NameBank:
        bank = world.game.name_bank(kind, world.rom.code)
        if bank is not None and bank in members.get(Role.MESSAGES, ()):
            members[kind] = {bank}
    if Items(world).visible_member in members.get(Role.SCRIPTS, ()):
        members[Role.ZONE_EVENT] |= {*range(len(world.members(Role.ZONE_EVENT)))}
    if Role.ZONE_EVENT in members:
        events = {header.id: header.events for header in world.headers}
        leading = [header for header, goal in store.rows(_LEADING) if events.get(goal) in members[Role.ZONE_EVENT]]
        members[Role.ZONE_EVENT] |= {events[header] for header in leading}
    return dict(members)


_LEADING: Final = "SELECT header, to_header FROM warp UNION SELECT header, cloned_header FROM object"


def with_texts(world: FieldWorld, of: Written) -> Written:
    """What was written, with the banks of the script files among it and all script files that have one of the banks."""
    banks = {member: script_bank(world, member) for member in range(len(world.members(Role.SCRIPTS)))}
    spoken = {banks[member] for member in of.get(Role.SCRIPTS, ())}
    texts = {*of.get(Role.MESSAGES, ()), *(bank for bank in spoken if bank is not None)}
    return {Role.MESSAGES: texts, Role.SCRIPTS: {member for member, bank in banks.items() if bank in texts}}
