"""Files and lines of the text that a ROM is made from, as text and JSON."""

from __future__ import annotations

from typing import Any

from mapexplorer.rom.rom import Origin


def origin_json(origin: Origin | None) -> dict[str, Any]:
    """The key `origin` of JSON values; none without a text."""
    return {} if origin is None else {"origin": {"file": origin[0], "line": origin[1]}}


def origin_text(origin: Origin) -> str:
    """A file and a line as editors read it."""
    return f"{origin[0]}:{origin[1]}"
