"""build_model_matshp.dat: the draw lists with which the game draws props without interpreting their SBC.

For each prop model either nothing (the model is drawn normally; these are exactly the models with animations) or the
pairs of material and shape to send in order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes
from formats.field.record import note_rest, opened, write_count, write_table

PAIR = np.dtype([("material", "<u2"), ("shape", "<u2")])
DRAWN_NORMALLY = 0xFFFF
"""The first-pair index of a model without a list."""

_LOCATOR = np.dtype([("count", "<u2"), ("first", "<u2")])


@dataclass(frozen=True, eq=False)
class BuildModelMatshp:
    """`models[i]` holds the PAIR records of prop model i in drawing order, or None when it is drawn normally."""

    models: tuple[npt.NDArray[np.void] | None, ...]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> BuildModelMatshp:
        """Read the file. Raises FormatError."""
        reader = opened(data, "build model matshp")
        model_count, pair_count = reader.u16(0, "models"), reader.u16(2, "pairs")
        locators = reader.array(4, _LOCATOR, model_count, "locators")
        start = 4 + locators.nbytes
        pairs = reader.array(start, PAIR, pair_count, "pairs")
        models: list[npt.NDArray[np.void] | None] = []
        total, orderly = 0, True
        for index, (count, first) in enumerate(locators.tolist()):
            if first == DRAWN_NORMALLY and count == 0:
                models.append(None)
                continue
            orderly &= first == total
            total += count
            if first + count > pair_count or total > 0xFFFF:
                reader.named("locators").fail(4 + 4 * index, f"at most {pair_count} pairs", first + count)
            models.append(pairs[first : first + count])
        reader.tolerate(
            orderly and total == pair_count,
            notes,
            4,
            "the locators do not use all pairs in order; writing lays them out again",
        )
        note_rest(reader, start + pairs.nbytes, notes)
        return cls(tuple(models))

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for more than 65535 models or pairs."""
        locators, lists, total = [], [], 0
        for pairs in self.models:
            if pairs is None:
                locators.append((0, DRAWN_NORMALLY))
                continue
            locators.append((len(pairs), total))
            total += write_count(len(pairs), 0xFFFF - total, "pairs of material and shape")
            lists.append(write_table(pairs, PAIR, "pairs of material and shape"))
        counts = (write_count(len(locators), 0xFFFF, "prop models"), total)
        return np.array(counts, "<u2").tobytes() + np.array(locators, _LOCATOR).tobytes() + b"".join(lists)
