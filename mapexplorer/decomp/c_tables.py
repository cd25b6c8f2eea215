"""Tables of the program that a tree has as C sources: the bytes of their rows, and where each row and field is."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.field import program_tables as records
from formats.field.map_header import MapHeader
from mapexplorer.decomp.c_source import CSource
from mapexplorer.decomp.preprocessor import Preprocessor
from mapexplorer.errors import SourceError
from mapexplorer.rom.rom import StatedTable

_SPECIAL_MARTS: Final = "SPECIAL_MARTS"


def program_table(preprocessor: Preprocessor, table: str) -> StatedTable | None:
    """A table by its name; None for one that is not read from C. Raises SourceError for one that is not there or cannot
    be read."""
    if table not in _TABLES:
        return None
    usual, definition, write = _TABLES[table]
    source = CSource(preprocessor, _place(preprocessor, usual, definition))
    kind, items = source.array(definition)
    placed = source.placed(items)
    absent = next((number for number in range(len(placed)) if number not in placed), None)
    if absent is not None:
        raise SourceError(source.path, None, f"the table has no row {absent}")
    rows = [placed[number] for number in range(len(placed))]
    if table == _SPECIAL_MARTS:
        lists = [str(row.value) for row in rows]
        rows = [row for name in lists for row in source.array(rf"(u16)\s+{re.escape(name)}{_BRACE}")[1]]
    names = source.struct(kind)
    data = bytearray()
    origins: list[tuple[tuple[str, int], ...]] = []
    for row in rows:
        fields = source.placed(row.value if isinstance(row.value, list) else [], names) if names else {}
        places = range(len(names))
        numbers = [source.number(fields[place]) if place in fields else 0 for place in places] or source.number(row)
        try:
            data += write(numbers)
        except (TypeError, ValueError, OverflowError) as error:
            source.fail(row.at, f"this row cannot be written: {error}")
        origins.append(tuple([source.origin(item.at) for item in (row, *(fields.get(place, row) for place in places))]))
    return StatedTable(bytes(data), tuple(origins))


def _place(preprocessor: Preprocessor, usual: str, definition: str) -> str:
    """The file that defines a table: the usual one, else the first one that does. Raises SourceError."""
    files = preprocessor.files
    others = (place for folder in ("src", "include") for place in files.below(folder) if place.endswith((".c", ".h")))
    for place in chain([usual] * files.has(usual), others):
        if re.search(definition, "\n".join([text for _, text in preprocessor.lines(place)])):
            return place
    raise SourceError(usual, None, "there is no such file, and no other source has its table")


def _record(dtype: npt.DTypeLike, row: Any) -> bytes:
    return np.array(tuple(row) if np.dtype(dtype).names else row, dtype).tobytes()


def _camera(row: list[Any]) -> bytes:
    distance, angles, projection, field_of_view, near, far = row
    turns = [angle & 0xFFFF for angle in (*angles, 0, 0)[:3]]
    return _record(records.CAMERA, [distance, *turns, 0, projection, 0, field_of_view & 0xFFFF, near, far])


_BRACE: Final = r"\[[^\[\]]*\]\s*=\s*\{"
_ARRAY: Final = rf"\s+\w+{_BRACE}"
_Writer = Callable[[Any], bytes]
_TABLES: Final[dict[str, tuple[str, str, _Writer]]] = {
    "MAP_HEADERS": ("include/data/map_headers.h", rf"(MapHeader){_ARRAY}", lambda row: MapHeader(*row).to_bytes()),
    "CAMERAS": ("src/overlay005/field_camera.c", rf"\b(\w+){_ARRAY}\s*\[CAMERA_TYPE_", _camera),
    "OBJECT_GRAPHICS": (
        "src/overlay005/ov5_021FAF40.c",
        rf"\b(\w+){_ARRAY}\s*\{{\s*OBJ_EVENT_GFX_\w+\s*,\s*\w+_nsbtx\b",
        partial(_record, records.OBJECT_GRAPHICS),
    ),
    "YEARLY_WEATHER": (
        "src/field_overworld_weather.c",
        rf"(u8)\s+\w+\[[^\[\]]*\]{_BRACE}\s*\[DAY_OF_YEAR",
        partial(_record, "u1"),
    ),
    "HIDDEN_ITEMS": (
        "include/data/field/hidden_items.h",
        rf"(HiddenItem){_ARRAY}",
        partial(_record, records.HIDDEN_ITEM),
    ),
    "COMMON_MART": (
        "include/data/mart_items.h",
        rf"(PokeMartCommonItem){_ARRAY}",
        partial(_record, records.COMMON_MART),
    ),
    _SPECIAL_MARTS: (
        "include/data/mart_items.h",
        rf"(u16)\s*\*\s*PokeMartSpecialties{_BRACE}",
        partial(_record, records.MART_ITEM),
    ),
}
"""Table -> its usual file, what its definition looks like with the type of its rows, and what writes the numbers of a
row."""
