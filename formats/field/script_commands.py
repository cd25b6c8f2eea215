"""The commands of field scripts: how many bytes each has, and which of its arguments are targets.

A `CommandSet` is the instruction set of a game. `PLATINUM` is the one of all releases of Pokémon Platinum; names and
meanings of commands are no part of the format (see `mapexplorer.games`).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

_WIDTHS: Final = {"b": "B", "h": "H", "w": "I", "c": "i", "m": "i"}


@dataclass(frozen=True, eq=False)
class ArgumentLayout:
    """The arguments of a command: their packing, and for each whether it is a number (`b`, `h`, `w`: 8, 16, 32 bits), a
    target in script code (`c`) or a target in a movement list (`m`)."""

    kinds: str
    form: struct.Struct

    @classmethod
    def of(cls, kinds: str) -> ArgumentLayout:
        """The layout of a text with a letter for each argument."""
        return cls(kinds, struct.Struct("<" + "".join([_WIDTHS[kind] for kind in kinds])))

    @cached_property
    def targets(self) -> tuple[tuple[int, int, bool], ...]:
        """(index of an argument, end of its word from the start of the arguments, whether it leads to code) of every
        target."""
        targets = []
        end = 0
        for index, kind in enumerate(self.kinds):
            end += struct.calcsize("<" + _WIDTHS[kind])
            if kind in "cm":
                targets.append((index, end, kind == "c"))
        return tuple(targets)


@dataclass(frozen=True, eq=False)
class CommandSet:
    """The commands of a game by number.

    `layouts`: a word for each command with a letter for each argument (see `ArgumentLayout`; `-`: none), separated
    by spaces.
    `variants`: command -> value of its first argument -> letters of the arguments that follow it.
    `end`: the command that ends a script; `no_return`: the commands after which the next one is not executed.
    `actions`: the number of movement actions; `movement_end`: the action that ends a movement list.
    """

    layouts: str
    variants: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    end: int = 2
    no_return: frozenset[int] = frozenset()
    actions: int = 0
    movement_end: int = 254

    def __len__(self) -> int:
        return len(self._layouts)

    @cached_property
    def _layouts(self) -> tuple[ArgumentLayout, ...]:
        return tuple([ArgumentLayout.of(word.replace("-", "")) for word in self.layouts.split()])

    @cached_property
    def _variants(self) -> dict[tuple[int, int], ArgumentLayout]:
        return {
            (number, first): ArgumentLayout.of(self._layouts[number].kinds + more)
            for number, rows in self.variants.items()
            for first, more in rows.items()
        }

    def layout(self, number: int, first: int) -> ArgumentLayout | None:
        """The layout of command `number` with the first argument `first`; None for an unknown command."""
        if not 0 <= number < len(self._layouts):
            return None
        if number in self.variants:
            return self._variants.get((number, first), self._layouts[number])
        return self._layouts[number]

    def read(self, data: bytes, offset: int) -> tuple[int, tuple[Any, ...], ArgumentLayout] | None:
        """The command at `offset`: number, arguments as stored, layout. None where no known command is there, or the
        data ends in it."""
        if offset < 0 or offset + 2 > len(data):
            return None
        number = data[offset] | data[offset + 1] << 8
        if number >= len(self._layouts):
            return None
        layout = self._layouts[number]
        if offset + 2 + layout.form.size > len(data):
            return None
        values = layout.form.unpack_from(data, offset + 2)
        if number in self.variants:
            layout = self._variants.get((number, values[0]), layout)
            if offset + 2 + layout.form.size > len(data):
                return None
            values = layout.form.unpack_from(data, offset + 2)
        return number, values, layout


PLATINUM: Final = CommandSet(
    """
    - - - hh bb bw bw wb wb bb ww bb bb bw wb wb ww hh hh h
    h - c bc bc bc c - bc bc h h h hh h h h h hh hh
    hh hh hh b b h h b - - - - - - bbhh bh b - bh h
    - bbbbbb h - bbbbh bbbbh bb - bbbbh bbbbh hhh - b h h h hh - h -
    h h - h hh h bb h b h h - - - hm - - - h h
    h h hh - - hh hhh hhh hb hh - w w hw hh - - hh - -
    h h h hhh hhh hhh hhh hh hh - - hhh hhh hhh hhh hhh hhh hhh hhh hhh
    hhh hhh hhh hhh hhh hhh hhh hh hh hh hhhh hh hhh hhh hh hh - - - -
    - - - - h - hhh hh hh - - b - - - - - - hh h
    - - h hh h hh h hh hhhh - hhhhh h h h hhh - - h - h
    b b h h - b b b bh bh bh bh bh bh bh bh bh b bhhb b
    b b h bh bh bh bh hh h hh hh hhh hhh h h - h h h -
    - c hhhh hhhh h h - - h h hhhh h hh hh hh hh - - h h
    h h h h h h hh hh h h h h hhhh h - - - h - -
    - h hh hhhhh h bbhh h h h h - bh hh h - - h - - -
    h h hh hh h - h h hh h - h h h - - h - - hh
    h h - hh h h hh h h h h - h h - - - - h -
    - hh h h - h - hh h h h - h - - h - - h -
    hhhhb b b b b - h - - - - - - b b h b h hh bhh
    bh h h h h h h h h - hhh hhhhh hh hh hhh hhh hh - - h
    h - - h hhhh hh h h hh hh h hh h h hh h - bh bh h
    hh h - - - - hh hh - h hh hhh h h h - h h h hh
    hh hh hh hh hhhh h h h hh hh h hhh hhh - h h hh hh hhh bhh
    - hhhhh - b b b hh hhh hhh h hh h h hh - hh - hhh hhhh h
    h hhh hh hh h h hhh hhhb h h - - - h hh h h h - -
    hh hhh hh hh - h hh hh hhhh hhhh b bhhb h h b hhhhh - - - h
    hh - h - - bh - hh hh b hh hh h - h hh h h h -
    b h - hh - h - h hh h b h h h - - - bh hh h
    hhh hh bh hh h h h hhhh hh h hhh h hh bbhhh h - - - - hhh
    hhhh hh h h hhh hhhhh h b b b h hhhh - bh h h h - hh -
    - - h - - h - - h bh hh h h - - h h hhhhh hhh h
    h h h - hb h b bh hw h hh h hh hh - - hh hh h h
    bhbb hhh h hh h hh h h h hhhhhhh h bh h - h h h hh bh h
    bb - - h h h hh hhhh hh hh hh h hhh hhh h h h - hhh hh
    h hh hhhhh h - hh hh h - - - bh - hhh hb h h - h -
    h hh h - h - - b b hh - h hhh - - hh hhh - - hh
    hh h hhh hhh hhh h - h b hhh hhh hhh h hh hhhhh h hh hh - -
    hhh hhh hhh hh h hhh hh h bbhh - hhhh bh - hh - bh hhhh bwbb hhh h
    - h h - h bh hh hh - hhh hhhhh hh hhhh hh hh h hh - h -
    - h h hh - h h h h h - hhh hh hh h h hh h hh -
    - h - h bbbbhh h h h h hhhh h h hhhh - - hh - - - h
    hh hw h hh - - b b bh bh bh bh bh bhhb b bh bh bh b bb
    """,
    variants={
        463: {2: "h"},
        464: {2: "h"},
        465: {2: "h"},
        541: {0: "hh", 1: "hh", 2: "hh", 3: "hh", 4: "h", 5: "h"},
        565: {0: "h", 1: "hhh", 3: "hhh", 4: "hh", 5: "hhh", 6: "h"},
        574: {1: "h", 2: "h", 3: "h", 5: "hh", 6: "hh"},
    },
    no_return=frozenset({2, 22, 27}),
    actions=154,
)
"""840 commands, 20 in a row."""
