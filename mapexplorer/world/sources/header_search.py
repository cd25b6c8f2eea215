"""The map headers of a ROM: a table in the ARM9 program, or members of an archive (the patch "dynamic headers").

The table is found by its contents, because its offset differs between releases and hacks. The patch leaves it as it
was, so it is looked for only in a program that does not read the archive.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError, frozen
from formats.field.map_header import MAP_HEADER_BYTES, MapHeaderTable
from mapexplorer.errors import RomError
from mapexplorer.games import Game
from mapexplorer.rom import Archive
from mapexplorer.world.sources.provenance import ARM9, Facts, Provenance, Resolved, SourceRule

HeaderRecords = npt.NDArray[np.void]
"""The bytes of map headers, (n,) elements of MAP_HEADER_BYTES."""

_MOSTLY: Final = 0.9
RECORD: Final = np.dtype(("V", MAP_HEADER_BYTES))
_MUSIC: Final = ("day_music", "night_music")
_SEARCHED: Final = ("matrix", "scripts", "init_scripts", "message_bank", "events", *_MUSIC)
_STEP: Final = 4
"""Tables begin at multiples of 4 bytes."""
_PUSH_LR: Final = b"\x00\xb5"
_CALL: Final = rb"(?:.[\xf0-\xff]){2}"


def find_headers(
    game: Game, arm9: bytes, count: int, limits: Mapping[str, int], hint: int | None
) -> Resolved[HeaderRecords]:
    """The `count` records of map headers in the ARM9 program.

    `limits` gives, for each field that counts in an archive, how many entries that has; archives that are absent
    are left out, and so are their tests. The limits of the game's tables come before them. Candidates are the
    longest runs of records with music and with numbers of files that there are, and `hint` (the published offset); the
    one whose every record stays within the limits is taken, `hint` decides between several. When none fits entirely (a
    hack with a stray header), the best that fits in nine of ten records is, up to the last one that fits. Raises
    RomError when none is.
    """
    size = MAP_HEADER_BYTES * count
    limits = _with_tables(game, limits)

    def fits(offset: int) -> float:
        return _share(header_records(arm9, offset, count), game, limits)

    usual = [hint] if hint is not None and 0 <= hint <= len(arm9) - size else []
    shares = {offset: fits(offset) for offset in sorted({*_starts(arm9, count, game, limits), *usual})}
    whole = [offset for offset, share in shares.items() if share == 1.0]
    if len(whole) == 1:
        return _answer(arm9, whole[0], count, SourceRule.ONLY_FIT)
    if hint in whole:
        return _answer(arm9, hint, count, SourceRule.PUBLISHED_OFFSET, Facts(places=len(whole)))
    if whole:
        places = ", ".join(f"0x{offset:X}" for offset in whole)
        raise RomError(
            f"The map header table could be at any of {places} in the ARM9 program, and none is the usual place."
        )
    best = max(shares, key=lambda offset: shares[offset], default=0)
    if shares.get(best, 0.0) >= _MOSTLY:
        fitting = np.flatnonzero(_fitting(header_records(arm9, best, count), game, limits))
        count = int(fitting[-1]) + 1  # there may be more names than headers
        return _answer(arm9, best, count, SourceRule.MOSTLY_FITS, Facts(share=len(fitting) / count))
    raise RomError(
        f"The table of {count} map headers was not found in the ARM9 program; if the ROM keeps its headers in an"
        " archive of 24-byte members, name that archive with --header-archive."
    )


def header_routine(game: Game, code: str, arm9: bytes) -> tuple[int, bool] | None:
    """The offset of the routine that reads a header from the archive, and whether all of its instructions are there;
    else its first one is at the offset of the release, or of any release for an unknown game code. None in a program
    without it.

    push {lr}; mov r1, r0; mov r0, #NARC; mov r2, #0; bl; mov r3, r0; bl; pop {pc}
    """
    narc, offsets = game.program.header_narc, game.program.header_routines
    if not offsets:
        return None
    pattern = _PUSH_LR + rb"\x01\x1c" + re.escape(bytes([narc])) + rb"\x20\x00\x22" + _CALL + rb"\x03\x1c" + _CALL
    whole = re.search(pattern + rb"\x00\xbd", arm9, re.DOTALL)
    if whole is not None:
        return whole.start(), True
    places = [offsets[code]] if code in offsets else offsets.values()
    return next(((at, False) for at in places if arm9[at : at + 2] == _PUSH_LR), None)


def dynamic_headers(
    game: Game, code: str, arm9: bytes, archive: Archive | None, names: int, limits: Mapping[str, int]
) -> Resolved[HeaderRecords] | None:
    """The headers in the members of the archive that the patched program reads; None for a program that does not.
    `names`: the number of names of maps. Raises RomError when the archive that it reads has no headers."""
    routine = header_routine(game, code, arm9)
    if routine is None:
        return None
    (offset, whole), records = routine, member_headers(archive)
    if records is None and whole:
        raise RomError(
            f"The program reads its map headers from an archive (routine at 0x{offset:X} in ARM9), but the usual one"
            " has no 24-byte members; name the archive with --header-archive."
        )
    if records is None or archive is None:
        return None
    if not whole and len(records) != names and not looks_like_headers(game, records, names, limits):
        return None
    return Resolved(records, Provenance(archive.path, SourceRule.HEADER_ROUTINE, facts=Facts(routine=offset)))


def member_headers(archive: Archive | None) -> HeaderRecords | None:
    """The headers that the members of an archive begin with; None unless it has members and all are long enough."""
    try:
        members = list(archive or ())
    except FormatError:
        return None
    if not members or min(map(len, members)) < MAP_HEADER_BYTES:
        return None
    return header_records(b"".join(member[:MAP_HEADER_BYTES] for member in members), 0, len(members))


def looks_like_headers(game: Game, records: HeaderRecords, names: int, limits: Mapping[str, int]) -> bool:
    """Whether there are nearly as many records as names, and nearly all are within the limits."""
    return len(records) >= _MOSTLY * names and _share(records, game, _with_tables(game, limits)) >= _MOSTLY


def _with_tables(game: Game, limits: Mapping[str, int]) -> dict[str, int]:
    return {**limits, **{field: most + 1 for field, most in game.tables.headers.limits.items()}}


def _answer(
    arm9: bytes, offset: int, count: int, rule: SourceRule, facts: Facts | None = None
) -> Resolved[HeaderRecords]:
    why = Provenance(ARM9, rule, offset=offset, facts=facts or Facts())
    return Resolved(header_records(arm9, offset, count), why)


def header_records(data: bytes, offset: int, count: int) -> HeaderRecords:
    """The bytes of `count` map headers from `offset` on."""
    return frozen(np.frombuffer(data, RECORD, count, offset), RECORD)


def _starts(arm9: bytes, count: int, game: Game, limits: Mapping[str, int]) -> list[int]:
    """The places where most of `count` records have music, and numbers of files that their archives have; none where
    that are fewer than nine of ten."""
    step = MAP_HEADER_BYTES // _STEP
    starts = np.arange(0, len(arm9) - MAP_HEADER_BYTES + 1, _STEP)
    starts = starts[: len(starts) // step * step]
    if len(starts) < count * step:
        return []
    good = np.ones(len(starts), np.bool_)
    for field in game.header_record.from_bytes(bytes(MAP_HEADER_BYTES)).spans():
        if field.name in _SEARCHED:
            values = np.frombuffer(arm9, "<u2", len(arm9) // 2)[field.offset // 2 :: _STEP // 2][: len(starts)]
            good &= (values < limits.get(field.name, 1 << 16)) & ((values > 0) | (field.name not in _MUSIC))
    sums = np.cumsum(np.vstack((np.zeros(step, np.int64), good.reshape(-1, step))), 0)
    runs = (sums[count:] - sums[:-count]).ravel() * good[: len(sums[count:]) * step]  # a table begins with a good one
    return starts[np.flatnonzero(runs == runs.max())].tolist() if runs.max() >= _MOSTLY * count else []


@lru_cache(maxsize=1)
def read_headers(records: bytes, game: Game) -> MapHeaderTable:
    """The map headers in some records, which are looked at to find them and then used. Raises FormatError."""
    return MapHeaderTable.from_bytes(records, game.header_record)


def _share(records: HeaderRecords, game: Game, limits: Mapping[str, int]) -> float:
    """The share of records that fit."""
    return float(_fitting(records, game, limits).mean()) if len(records) else 0.0


def _fitting(records: HeaderRecords, game: Game, limits: Mapping[str, int]) -> npt.NDArray[np.bool_]:
    """Which records are not empty and have every field below its limit in `limits`; no wild encounters are within
    theirs."""
    headers = read_headers(records.tobytes(), game).headers
    good: npt.NDArray[np.bool_] = np.any(
        np.frombuffer(records.tobytes(), np.uint8).reshape(-1, MAP_HEADER_BYTES), axis=1
    )
    spans = {span.name: span for span in game.header_record.from_bytes(bytes(MAP_HEADER_BYTES)).spans()}
    for field, limit in limits.items():
        values = np.array([getattr(header, field) for header in headers])
        within = values < limit
        if field == "wild_encounters":
            within |= values == (1 << 8 * spans[field].size) - 1
        good &= within
    return good
