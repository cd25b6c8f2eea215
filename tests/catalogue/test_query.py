"""Questions in SQL: what is answered and what is refused."""

from __future__ import annotations

import pytest

from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.query import answer
from mapexplorer.option import OptionError


def ask(store: Store, query: str) -> list[tuple[object, ...]]:
    with answer(store, query) as (_, rows):
        return list(rows)


def test_a_question_has_columns_and_rows(demo_store: Store) -> None:
    with answer(demo_store, "SELECT header, internal_name FROM header WHERE header = 4") as (columns, rows):
        assert columns == ["header", "internal_name"] and list(rows) == [(4, "T01")]
    assert ask(demo_store, "SELECT typeof(attributes) FROM land LIMIT 1") == [("blob",)]
    ((shown,),) = ask(demo_store, "SELECT attributes FROM land LIMIT 1")
    assert isinstance(shown, str) and len(bytes.fromhex(shown)) == 2048


@pytest.mark.parametrize("kept", [True, False])
def test_a_question_changes_nothing(demo_store: Store, kept: bool) -> None:
    """In the kept file, and in memory where there is none."""
    store = demo_store if kept else Store(demo_store.another(), whole=True)
    before = ask(store, "SELECT count(*) FROM header")
    for query in ("DELETE FROM header", "DROP TABLE header", "UPDATE about SET value = 1", "CREATE TABLE a (b)"):
        with pytest.raises(OptionError, match="a query only reads"):
            ask(store, query)
    assert ask(store, "SELECT count(*) FROM header") == before != [(0,)]


def test_a_query_may_come_while_others_are_answered(demo_store: Store) -> None:
    """A connection of its own: an open answer neither blocks the store nor restricts it."""
    with answer(demo_store, "SELECT header FROM header") as (_, rows):
        first = next(rows)
        assert demo_store.rows("SELECT header FROM header LIMIT 1") == [first]
        assert len(ask(demo_store, "SELECT header FROM header")) == 1 + len(list(rows))
