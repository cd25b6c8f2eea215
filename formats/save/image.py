"""The image of a save of Pokémon Platinum: two halves, each with a small block (player, world) and a block of the PC
boxes, and the game's rule which of them are in use; also the same blocks in a dump of memory.

Files: the raw chip (`.sav`), with a footer of DeSmuME (`.dsv`) or a header of Action Replay (`.duc`); what a file lacks
of the 512 KiB counts as 0xFF.
"""

from __future__ import annotations

import binascii
import re
import struct
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Final, Literal, NamedTuple, NoReturn

import numpy as np

from formats.binary import Buffer, Notes, Reader
from formats.field.record import opened
from formats.save.sections import (
    BOX_SIZE,
    FOOTER,
    FOOTER_SIZE,
    PARTY_SIZE,
    POKEDEX_MAGIC,
    SIZE,
    SMALL_BLOCK,
)

HALF: Final = 0x40000
CHIP: Final = 2 * HALF
SIGNATURE: Final = 0x20060623
SMALL, BOX = 0, 1
"""The two kinds of blocks, which are their ids."""
_BLOCKS: Final = ((0, SIZE), (SIZE, BOX_SIZE))
"""By kind: where a block is in its half, and its size."""
_KINDS: Final = ("player and world", "the PC boxes")
NO_NUMBER: Final = 0xFFFFFFFF

DESMUME_FOOTER: Final = 122
DESMUME_END: Final = b"|-DESMUME SAVE-|"
_REPLAY_HEADER: Final = 0xA4
REPLAY_MAGIC: Final = b"ARDS000000000001"

_OTHERS: Final = (
    (0xC0F4, 0xC100, SIGNATURE, "Pokémon Diamond or Pearl"),
    (0xF61C, 0xF628, SIGNATURE, "Pokémon HeartGold or SoulSilver"),
    (0xCF20, SIZE, 0x20070903, "the Korean release of Pokémon Platinum"),
)
"""Where the size and the signature of a small block are in its half, and whose they are."""

_MEMORY_BODY: Final = 0x14
_MEMORY_STATE: Final = struct.Struct("<3I2B")
_MEMORY_STATE_AT: Final = 0x20014
"""Behind the body: the save counter, the counters of both blocks, the halves in use."""
_POKEDEX_AT: Final = 0x1328


SaveResult = Literal["ok", "corrupt", "error", "empty", "live"]
"""What the game finds when it reads a save: see `SaveImage.in_use`."""


class BlockCopy(NamedTuple):
    """One of the four blocks: where it is, its footer (FOOTER), its bytes' CRC, and whether the game takes it."""

    half: int
    kind: int
    footer: np.void
    computed_crc: int
    is_valid: bool


class InUse(NamedTuple):
    """The blocks that the game goes on with, None for none. Of those in memory only the half and the counters are
    known."""

    result: SaveResult
    small: BlockCopy | None = None
    box: BlockCopy | None = None


@dataclass(frozen=True, eq=False)
class SaveImage:
    """A file with a save, or a dump of memory: what is before the chip, the chip's bytes as far as the file has them,
    and what follows; `memory`: where `SaveData` is in a dump, None for a file of a save; `name`: of the file, in
    errors."""

    head: bytes
    stored: bytes
    tail: bytes = b""
    memory: int | None = None
    name: str = "save"

    @classmethod
    def from_bytes(cls, data: Buffer, *, memory: int | None = None, notes: Notes | None = None) -> SaveImage:
        """Read a file; `memory` is the offset of `SaveData` if it is a dump of memory, which else is searched for in
        files that have neither the size of a chip nor a footer of the game's. Raises FormatError for an offset at
        which there is none; which save counts is told by `in_use` and `small`."""
        reader = opened(data, "save")
        whole = bytes(reader.data)
        head = _REPLAY_HEADER if whole.startswith(REPLAY_MAGIC) else 0
        tail = DESMUME_FOOTER if whole.endswith(DESMUME_END) and len(whole) >= DESMUME_FOOTER else 0
        end = min(len(whole) - tail, head + CHIP)
        image = cls(whole[:head], whole[head:end], whole[end:], name=reader.path)
        if memory is not None:
            reader.need(memory, _MEMORY_BODY + SIZE, "the save in memory")
            reader.check(
                _is_small_block(whole, memory + _MEMORY_BODY), memory, "the save of a running game", "other bytes"
            )
        elif not (head or tail or end in (HALF, CHIP) or image._is_known):
            memory = _found_in_memory(whole)
            if memory is not None:
                reader.note(notes, memory, "the save of a running game was found here")
        if memory is not None:
            return cls(b"", whole, memory=memory, name=reader.path)
        if image._damage:
            reader.note(notes, head, image._damage)
        return image

    @classmethod
    def of(cls, small: Any) -> SaveImage:
        """The image of a chip on which a block of player and world, a record of SMALL_BLOCK, was saved once, with empty
        boxes: the first save of a game lies in the second half."""
        stored = bytearray(b"\xff" * CHIP)
        for kind, body in ((SMALL, small.tobytes()), (BOX, bytes(BOX_SIZE))):
            at, size = _BLOCKS[kind]
            body = body[:-FOOTER_SIZE]
            footer = struct.pack("<4I2BH", 1, 1, size, SIGNATURE, kind, 0, crc(body))
            stored[HALF + at : HALF + at + size] = body + footer
        return cls(b"", bytes(stored))

    def to_bytes(self) -> bytes:
        """The file."""
        return self.head + self.stored + self.tail

    @cached_property
    def chip(self) -> bytes:
        """The bytes of the chip."""
        return self.stored[:CHIP].ljust(CHIP, b"\xff")

    @cached_property
    def blocks(self) -> tuple[BlockCopy, ...]:
        """The blocks: small, box of the first half, small, box of the second; none in a dump of memory."""
        if self.memory is not None:
            return ()
        return tuple(self._block(half, kind) for half in (0, 1) for kind in (SMALL, BOX))

    def _block(self, half: int, kind: int) -> BlockCopy:
        block = self.block_bytes(half, kind)
        footer = np.frombuffer(block, FOOTER, 1, len(block) - FOOTER_SIZE)[0]
        computed = crc(block[:-FOOTER_SIZE])
        stored = tuple(footer[["size", "signature", "id", "crc"]].tolist())
        return BlockCopy(half, kind, footer, computed, stored == (len(block), SIGNATURE, kind, computed))

    def block_bytes(self, half: int, kind: int) -> bytes:
        """The bytes of a block with its footer."""
        at, size = _BLOCKS[kind]
        return self.chip[half * HALF + at :][:size]

    @property
    def _is_known(self) -> bool:
        """Whether any block has a footer of the game."""
        return any(block.is_valid or block.footer["signature"] == SIGNATURE for block in self.blocks)

    @cached_property
    def in_use(self) -> InUse:
        """Which blocks the game goes on with. `corrupt`: it says that data are damaged, and goes on with an earlier or
        a mixed save; `error`: no copy of one kind of block is valid; `empty`: none at all; `live`: a dump of memory."""
        if self.memory is not None:
            return self._in_memory(self.memory + _MEMORY_STATE_AT)
        copies = (_newest_first(self.blocks[kind::2]) for kind in (SMALL, BOX))
        return _chosen(*([copy for copy in both if copy.is_valid] for both in copies))

    def _in_memory(self, at: int) -> InUse:
        state, footers = self.stored[at : at + _MEMORY_STATE.size], np.zeros(2, FOOTER)
        if len(state) < _MEMORY_STATE.size:
            return InUse("live")
        footers["save_counter"], *counters, small, box = _MEMORY_STATE.unpack(state)
        footers["block_counter"] = counters
        copies = (BlockCopy(half, kind, footers[kind], 0, False) for kind, half in enumerate((small, box)))
        return InUse("live", *copies)

    @property
    def _damage(self) -> str:
        """What there is to say about copies that are not used; a half that was never written has no signature."""
        for kind, used in enumerate(self.in_use[1:]):
            newest = _newest_first(self.blocks[kind::2])
            written = [copy.half for copy in newest if copy.footer["signature"] == SIGNATURE]
            if isinstance(used, BlockCopy) and written[0] != used.half:
                return NEWER_DAMAGED
        return OTHER_DAMAGED if self.in_use.result == "corrupt" else ""

    @property
    def small(self) -> Any:
        """The small block in use, a record of SMALL_BLOCK. Raises FormatError, which says why there is none."""
        if self.memory is not None:
            return np.frombuffer(self.stored, SMALL_BLOCK, 1, self.memory + _MEMORY_BODY)[0]
        if self.in_use.small is None:
            self._refuse()
        return np.frombuffer(self.block_bytes(self.in_use.small.half, SMALL), SMALL_BLOCK, 1)[0]

    def _refuse(self) -> NoReturn:
        reader = Reader(self.stored, self.name, len(self.head))
        for (place, size, signature, owner), half in product(_OTHERS, (0, HALF)):
            if struct.unpack_from("<II", self.chip, half + place) == (size, signature):
                reader.fail(half + place, "a save of Pokémon Platinum", f"one of {owner}")
        lost = [name for kind, name in enumerate(_KINDS) if not any(copy.is_valid for copy in self.blocks[kind::2])]
        expected, instead = (
            ("blocks of one save", "one of player and world that fits none of the PC boxes"),
            (f"a valid block of {''.join(lost)}", "both copies damaged or missing"),
            ("a save of Pokémon Platinum", "no valid block" if self.stored.strip(b"\xff") else "nothing"),
        )[len(lost)]
        reader.fail(0, expected, instead)


NEWER_DAMAGED: Final = "a newer save is damaged or unfinished: an earlier one is used"
OTHER_DAMAGED: Final = "another copy of the save is damaged or unfinished: the last whole one is used"


def crc(data: bytes) -> int:
    """The checksum of blocks: CRC-16 with the polynomial 0x1021 and the start 0xFFFF."""
    return binascii.crc_hqx(data, 0xFFFF)


def is_newer(first: int, second: int) -> bool:
    """Whether a counter is newer than another one: the larger, but 0 follows 0xFFFFFFFF."""
    return (first, second) == (0, NO_NUMBER) or (first > second and (first, second) != (NO_NUMBER, 0))


def _saved(copy: BlockCopy) -> int:
    return int(copy.footer["save_counter"])


def _newest_first(copies: tuple[BlockCopy, ...]) -> tuple[BlockCopy, ...]:
    """Both copies of a block, the newer first; of equal ones that of the first half."""
    first, second = copies
    counters = [(int(second.footer[name]), int(first.footer[name])) for name in ("save_counter", "block_counter")]
    newer = next((pair for pair in counters if pair[0] != pair[1]), (0, 0))
    return (second, first) if is_newer(*newer) else copies


def _chosen(small: list[BlockCopy], box: list[BlockCopy]) -> InUse:
    """The game's choice among the valid copies, the newer first (`SaveData_LoadCheck`)."""
    if not small or not box:
        return InUse("error" if small or box else "empty")
    if len(small) == 2:
        is_earlier = _saved(small[0]) != _saved(box[0])
        return InUse("corrupt" if is_earlier else "ok", small[is_earlier], box[0])
    if len(box) == 1:
        return InUse("ok" if small[0].half == box[0].half else "corrupt", small[0], box[0])
    fitting = [copy for copy in box if _saved(copy) == _saved(small[0])]
    return InUse("corrupt", small[0], fitting[0]) if fitting else InUse("error")


def _found_in_memory(data: bytes) -> int | None:
    """Where `SaveData` is in a dump of memory, by the fixed values of its block; None if it is not."""
    magics = re.finditer(re.escape(POKEDEX_MAGIC.to_bytes(4, "little")), data)
    starts = (match.start() - _POKEDEX_AT for match in magics)
    return next((start - _MEMORY_BODY for start in starts if _is_small_block(data, start)), None)


def _is_small_block(data: bytes, start: int) -> bool:
    """Whether there are the fixed values of a small block, and room for `SaveData` before them."""
    if not _MEMORY_BODY <= start <= len(data) - SIZE:
        return False
    small = np.frombuffer(data, SMALL_BLOCK, 1, start)[0]
    party = small["party"]
    is_party = party["capacity"] == PARTY_SIZE and 0 <= party["count"] <= PARTY_SIZE
    return bool(is_party and small["pokedex"]["magic"] == POKEDEX_MAGIC)
