"""Writes the store of a ROM as a file."""

from __future__ import annotations

from mapexplorer.catalogue.store import open_store
from mapexplorer.export.files import write_atomically
from mapexplorer.export.request import DatabaseRequest
from mapexplorer.system.progress import Outcome, Progress
from mapexplorer.values import count
from mapexplorer.world.world import FieldWorld


def write_database(request: DatabaseRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run a `DatabaseRequest`. A cancelled or failed request writes nothing."""
    store = open_store(world.rom, progress)
    progress.check()
    data = store.database.serialize()
    file = write_atomically(request.output, data)
    names = [
        name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'words%'")
    ]
    rows = sum(store.rows(f"SELECT count(*) FROM {name}")[0][0] for name in names)
    damaged = [sentence for (sentence,) in store.rows("SELECT DISTINCT sentence FROM damaged")]
    facts = {"tables": len(names), "rows": rows, "bytes": len(data), "damaged": damaged}
    sentence = f"{count(len(names), 'table')}, {count(rows, 'row')}, {len(data):,} bytes"
    return Outcome(sentence, [file], [f"left out: {lost}" for lost in damaged], facts)
