"""Tables of items in the ARM9 program: hidden items, common shops, special shops, else those of the retail game; the
moves of machines.

Hidden items lie at the same distance behind the header table in all releases, else they are searched by their first
records; shops are where the code of each release points to. The moves of machines are searched by those of the HMs.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.field.program_tables import COMMON_MART, HIDDEN_ITEM, MART_END
from mapexplorer.games import Game
from mapexplorer.games.gameplay_tables import CommonItem, HiddenItem
from mapexplorer.world.sources.provenance import ARM9, RETAIL, Facts, ProgramTable, Provenance, Resolved, SourceRule

_LOADED_AT: Final = 0x02000000
"""The address of the program's first byte."""

_FIRST_RECORDS: Final = 8
"""The hidden items by which the table is searched."""

_MOST_IN_MART: Final = 64


def find_hidden_items(game: Game, arm9: bytes, headers: int | None) -> Resolved[tuple[HiddenItem, ...]]:
    """The hidden items; `headers` is the offset of the header table, None where it is not in the program."""
    known = game.tables.items
    first = np.array(
        [(one.item, one.amount, one.range, 0, one.number) for one in known.hidden[:_FIRST_RECORDS]], HIDDEN_ITEM
    )
    places = [] if headers is None else [headers + known.hidden_after_headers]
    for offset in (*places, arm9.find(first.tobytes())):
        rows = _rows(arm9, offset, HIDDEN_ITEM, len(known.hidden))
        if rows is not None and not rows["zero"].any() and rows["item"].all() and len(set(rows["number"])) == len(rows):
            found = tuple(HiddenItem(item, count, reach, number) for item, count, reach, _, number in rows.tolist())
            return Resolved(found, _found(ProgramTable.HIDDEN_ITEMS, offset))
    return Resolved(known.hidden, _retail(ProgramTable.HIDDEN_ITEMS))


def find_common_mart(game: Game, arm9: bytes, code: str) -> Resolved[tuple[CommonItem, ...]]:
    """The items of the common shops in the release with a game code."""
    known = game.tables.items
    offset = _pointed(arm9, known.common_mart_pointer.get(code))
    count_at = known.common_mart_count.get(code, len(arm9))
    if offset is not None and count_at < len(arm9):
        rows = _rows(arm9, offset, COMMON_MART, arm9[count_at])
        steps = range(1, max(known.step_by_badges) + 1)
        if rows is not None and len(rows) and rows["item"].all() and set(rows["step"].tolist()) <= set(steps):
            found = tuple(CommonItem(item, step) for item, step in rows.tolist())
            return Resolved(found, _found(ProgramTable.COMMON_MART, offset))
    return Resolved(known.common_mart, _retail(ProgramTable.COMMON_MART))


def find_special_marts(game: Game, arm9: bytes, code: str) -> Resolved[tuple[tuple[int, ...], ...]]:
    """The items of each special shop in the release with a game code."""
    known = game.tables.items
    table = _pointed(arm9, known.special_mart_pointer.get(code))
    if table is not None:
        marts = [_mart(arm9, _pointed(arm9, table + 4 * number)) for number in range(len(known.special_marts))]
        found = tuple([mart for mart in marts if mart])
        if len(found) == len(marts):
            return Resolved(found, _found(ProgramTable.SPECIAL_MARTS, table))
    return Resolved(tuple(items for _, items in known.special_marts), _retail(ProgramTable.SPECIAL_MARTS))


def find_machines(game: Game, arm9: bytes, moves: int) -> dict[int, int]:
    """Item -> the move that it teaches, of TMs and HMs in a program with `moves` moves; empty unless exactly one table
    there has moves of all TMs, then those of the HMs."""
    known, words = game.tables.items, np.frombuffer(arm9, "<u2", len(arm9) // 2)
    count = known.tms + len(known.hms)
    if len(words) < count:
        return {}
    tables = np.lib.stride_tricks.sliding_window_view(words, count)
    for index, move in enumerate(known.hms, known.tms):
        tables = tables[tables[:, index] == move]
    tables = tables[((tables > 0) & (tables < moves)).all(axis=1)]
    return dict(enumerate(tables[0].tolist(), known.first_machine)) if len(tables) == 1 else {}


def _mart(arm9: bytes, offset: int | None) -> tuple[int, ...]:
    """The items of a shop; empty for bytes that are no list."""
    if offset is None:
        return ()
    count = min(_MOST_IN_MART, (len(arm9) - offset) // 2)
    items: list[int] = np.frombuffer(arm9[offset : offset + 2 * count], "<u2").tolist()
    return tuple(items[: items.index(MART_END)]) if MART_END in items else ()


def _pointed(arm9: bytes, at: int | None) -> int | None:
    """The offset to which the word at `at` points; None outside the program."""
    if at is None or not 0 <= at <= len(arm9) - 4:
        return None
    offset = int.from_bytes(arm9[at : at + 4], "little") - _LOADED_AT
    return offset if 0 <= offset < len(arm9) else None


def _rows(arm9: bytes, offset: int, dtype: np.dtype[Any], count: int) -> npt.NDArray[np.void] | None:
    """`count` records at an offset; None if they are not inside the program."""
    if not 0 <= offset <= len(arm9) - dtype.itemsize * count:
        return None
    return np.frombuffer(arm9, dtype, count, offset)


def _found(table: ProgramTable, offset: int) -> Provenance:
    return Provenance(ARM9, SourceRule.TABLE_FOUND, offset=offset, facts=Facts(table=table))


def _retail(table: ProgramTable) -> Provenance:
    return Provenance(RETAIL, SourceRule.NO_TABLE, facts=Facts(table=table))
