"""Trainers (trdata.narc) and the tables of their messages (trtbl.narc, trtblofs.narc)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from formats.field.field_types import U8, U16, U32, Bits, Rest
from formats.field.layout import Record
from formats.field.trainer_party import PartyForm

TRAINER_MESSAGE = np.dtype([("trainer", "<u2"), ("type", "<u2")])
"""Row k is about entry k of the message bank: which trainer says it, and when."""


@dataclass(frozen=True)
class Trainer(Record, title="trainer"):
    """A trainer."""

    own_moves: Annotated[bool, Bits(1, "B")]
    """The file of the party names moves."""
    own_items: Annotated[bool, Bits(1, "B")]
    """The file of the party names held items."""
    unused_bits: Annotated[int, Bits(6, "B")]
    """Bits without a meaning."""
    trainer_class: U8
    """The number of the class."""
    unused: U8
    """A byte without a meaning."""
    party_size: U8
    """The number of Pokémon in the party."""
    items: tuple[U16, U16, U16, U16]
    """The items that the trainer may use in battle, 0 none."""
    ai: U32
    """Bits of the strategies."""
    battle_type: U32
    """0 single, 2 double."""

    @property
    def party_form(self) -> PartyForm:
        """The form of the party's file."""
        return PartyForm(self.own_moves, self.own_items)


@dataclass(frozen=True, eq=False)
class TrainerMessages(Record, title="trainer messages"):
    """TRAINER_MESSAGE rows by entry of the message bank; the rows of a trainer follow each other."""

    rows: Annotated[npt.NDArray[np.void], Rest(TRAINER_MESSAGE)]


@dataclass(frozen=True, eq=False)
class TrainerMessageOffsets(Record, title="trainer message offsets"):
    """By trainer: the byte offset (uint16) of its first row in the table of messages."""

    offsets: Annotated[npt.NDArray[np.uint16], Rest("<u2")]
