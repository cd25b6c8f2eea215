"""Tables of items in the ARM9 program: hidden items, common shops, special shops, else those of the retail game; the
moves of machines.

Hidden items lie at the same distance behind the header table in all releases, else they are searched by their first
records; shops are where the code of each release points to. The moves of machines are searched by those of the HMs.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from formats.field.program_tables import COMMON_MART, HIDDEN_ITEM, MART_END
from mapexplorer.games import Game
from mapexplorer.world.sources.program_tables import Rows, found_table, pointed, rows_at
from mapexplorer.world.sources.provenance import ARM9, RETAIL, Facts, ProgramTable, Provenance, Resolved, SourceRule

if TYPE_CHECKING:
    from mapexplorer.games.gameplay_tables import CommonItem, HiddenItem

_pointed = partial(pointed, loaded_at=0x02000000)
"""The offset to which a word of the program points."""

_FIRST_RECORDS: Final = 8
"""The hidden items by which the table is searched."""

_MOST_IN_MART: Final = 64


def find_hidden_items(
    game: Game, arm9: bytes, headers: int | None, stated: Rows | None = None
) -> Resolved[tuple[HiddenItem, ...]]:
    """The hidden items; `headers` is the offset of the header table, None where it is not in the program."""
    if stated is not None:
        return Resolved(_hidden_items(stated.value), stated.why)
    known = game.tables.items
    first = np.array(
        [(item.item, item.amount, item.range, 0, item.number) for item in known.hidden[:_FIRST_RECORDS]], HIDDEN_ITEM
    )
    places = [] if headers is None else [headers + known.hidden_after_headers]
    for offset in (*places, arm9.find(first.tobytes())):
        rows = rows_at(arm9, offset, HIDDEN_ITEM, len(known.hidden))
        if rows is not None and not rows["zero"].any() and rows["item"].all() and len(set(rows["number"])) == len(rows):
            return Resolved(_hidden_items(rows), found_table(ARM9, ProgramTable.HIDDEN_ITEMS, offset))
    return Resolved(known.hidden, _retail(ProgramTable.HIDDEN_ITEMS))


def _hidden_items(rows: npt.NDArray[np.void]) -> tuple[HiddenItem, ...]:
    from mapexplorer.games.gameplay_tables import HiddenItem

    return tuple(HiddenItem(item, count, reach, number) for item, count, reach, _, number in rows.tolist())


def find_common_mart(
    game: Game, arm9: bytes, code: str, stated: Rows | None = None
) -> Resolved[tuple[CommonItem, ...]]:
    """The items of the common shops in the release with a game code."""
    from mapexplorer.games.gameplay_tables import CommonItem

    if stated is not None:
        return Resolved(tuple(CommonItem(item, step) for item, step in stated.value.tolist()), stated.why)
    known = game.tables.items
    offset = _pointed(arm9, known.common_mart_pointer.get(code))
    count_at = known.common_mart_count.get(code, len(arm9))
    if offset is not None and count_at < len(arm9):
        rows = rows_at(arm9, offset, COMMON_MART, arm9[count_at])
        steps = range(1, max(known.step_by_badges) + 1)
        if rows is not None and len(rows) and rows["item"].all() and set(rows["step"].tolist()) <= set(steps):
            items = tuple(CommonItem(item, step) for item, step in rows.tolist())
            return Resolved(items, found_table(ARM9, ProgramTable.COMMON_MART, offset))
    return Resolved(known.common_mart, _retail(ProgramTable.COMMON_MART))


def find_special_marts(
    game: Game, arm9: bytes, code: str, stated: Rows | None = None
) -> Resolved[tuple[tuple[int, ...], ...]]:
    """The items of each special shop in the release with a game code."""
    if stated is not None:
        ends = np.flatnonzero(stated.value == MART_END)
        lists = np.split(stated.value, ends + 1)[:-1]
        return Resolved(tuple(tuple(items[:-1].tolist()) for items in lists), stated.why)
    known = game.tables.items
    table = _pointed(arm9, known.special_mart_pointer.get(code))
    if table is not None:
        marts = [_mart(arm9, _pointed(arm9, table + 4 * number)) for number in range(len(known.special_marts))]
        filled = tuple([mart for mart in marts if mart])
        if len(filled) == len(marts):
            return Resolved(filled, found_table(ARM9, ProgramTable.SPECIAL_MARTS, table))
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


def _retail(table: ProgramTable) -> Provenance:
    return Provenance(RETAIL, SourceRule.NO_TABLE, facts=Facts(table=table))
