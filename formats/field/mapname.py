"""mapname.bin: the internal names of the maps, 16 bytes each, in the order of the map headers."""

from __future__ import annotations

from dataclasses import dataclass

from formats.binary import Buffer, Notes, write_name
from formats.field.record import note_rest, opened, read_name

NAME_BYTES = 16


@dataclass(frozen=True, eq=False)
class MapNames:
    """Internal names (`T01`, `R201`, `D35R0106`) by map header id; there are as many as headers."""

    names: tuple[str, ...]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> MapNames:
        """Read the file. Raises nothing: a remainder shorter than a name is noted."""
        reader = opened(data, "map names")
        count = len(reader) // NAME_BYTES
        note_rest(reader, count * NAME_BYTES, notes)
        return cls(tuple(read_name(reader, index * NAME_BYTES, NAME_BYTES) for index in range(count)))

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for a name longer than 16 bytes."""
        return b"".join(write_name(name, NAME_BYTES) for name in self.names)
