"""fld_animeN.bin of Diamond and Pearl: one slot of the terrain texture animations.

The path of the NSBTX with the pictures, then up to ten steps. Which terrain texture a slot animates is in the program.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from formats.binary import Buffer, Notes, require, write_name
from formats.field.fldtanime import Step
from formats.field.record import note_rest, opened, read_name, write_count

PATH_BYTES = 32
MAX_STEPS = 10
FILE_BYTES = PATH_BYTES + 4 * MAX_STEPS
_STEP = struct.Struct("<2H")
_END = 0xFFFF


@dataclass(frozen=True, eq=False)
class TerrainAnimationFile:
    """The `path` of the file with the pictures, and the steps. `unused` are the bytes after the step that ends the
    list."""

    path: str
    steps: tuple[Step, ...]
    unused: bytes = b""

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> TerrainAnimationFile:
        """Read a file. Raises FormatError."""
        reader = opened(data, "terrain animation")
        reader.need(0, FILE_BYTES, "a path and ten steps")
        steps: list[Step] = []
        end = FILE_BYTES
        for offset in range(PATH_BYTES, FILE_BYTES, _STEP.size):
            frame, duration = reader.unpack(_STEP, offset)
            if frame == _END:
                end = offset
                break
            steps.append(Step(frame, duration))
        else:
            reader.note(notes, PATH_BYTES, "no step ends the list; the game reads on behind the file")
        note_rest(reader, FILE_BYTES, notes)
        return cls(read_name(reader, 0, PATH_BYTES), tuple(steps), reader.bytes(end, FILE_BYTES - end))

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for a path or steps that do not fit."""
        write_count(len(self.steps), MAX_STEPS, "animation steps")
        require(
            all(0 <= step.frame < _END and 0 <= step.duration <= 0xFFFF for step in self.steps),
            "a step's frame is below 65535 and its duration below 65536",
        )
        steps = b"".join(_STEP.pack(step.frame, step.duration) for step in self.steps)
        rest = FILE_BYTES - PATH_BYTES - len(steps)
        unused = self.unused or b"\xff" * rest
        require(
            len(unused) == rest and (not rest or unused[:2] == b"\xff\xff"),
            f"the {rest} bytes after the steps begin with the end mark 0xFFFF",
        )
        return write_name(self.path, PATH_BYTES) + steps + unused
