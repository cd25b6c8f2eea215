"""Parties of trainers (trpoke.narc), in one of four forms.

The form is in the trainer's record (trdata.narc), not in the file of the party. A reader that does not know it takes
the first form in which the contents are possible, which is the right one for all parties of the US release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from formats.binary import Buffer, Notes, Reader, pad
from formats.field.field_types import U16, Bits
from formats.field.layout import Record, RecordLayout, layout
from formats.field.record import opened

LAST_LEVEL: Final = 100
LAST_CAPSULE: Final = 27
"""The largest ball capsule of a trainer in the US release."""


class PartyForm(NamedTuple):
    """Whether the Pokémon of a party have moves and items of their own."""

    own_moves: bool
    own_items: bool

    @property
    def layout(self) -> RecordLayout:
        """The layout of each Pokémon."""
        optional = {"moves": self.own_moves, "item": self.own_items}
        return layout(PartyPokemon, frozenset(name for name, present in optional.items() if not present))


FORMS: Final = (PartyForm(False, False), PartyForm(False, True), PartyForm(True, False), PartyForm(True, True))


@dataclass(frozen=True)
class PartyPokemon(Record, title="party Pokémon"):
    """A Pokémon of a trainer; `item` and `moves` are None in the forms without them, `capsule` is that of its ball."""

    iv_scale: U16
    level: U16
    species: Annotated[int, Bits(10, "H")]
    form: Annotated[int, Bits(6, "H")]
    item: U16 | None
    moves: tuple[U16, U16, U16, U16] | None
    capsule: U16

    @property
    def is_possible(self) -> bool:
        """Whether its species, level and capsule can be those of a trainer's Pokémon."""
        return self.species > 0 and 0 < self.level <= LAST_LEVEL and self.capsule <= LAST_CAPSULE


@dataclass(frozen=True)
class TrainerParty:
    """The Pokémon of a trainer, all in the same form. The file is padded with zeros to four bytes."""

    own_moves: bool
    own_items: bool
    pokemon: tuple[PartyPokemon, ...]

    @property
    def form(self) -> PartyForm:
        """The form of its Pokémon."""
        return PartyForm(self.own_moves, self.own_items)

    @classmethod
    def from_bytes(cls, data: Buffer, *, form: PartyForm | None = None, notes: Notes | None = None) -> TrainerParty:
        """Read a party in a form, by default in the first one that writes the same bytes and has possible Pokémon, or
        the first that writes the same bytes. Raises FormatError."""
        reader = opened(data, "trainer party")
        if form is not None:
            party = cls._read(reader, form)
            end = len(party.pokemon) * form.layout.size
            reader.check(
                len(reader) < end + 4,
                end,
                "a number of Pokémon and less than 4 bytes of padding",
                f"{len(reader)} bytes",
            )
            reader.tolerate(
                party.to_bytes() == bytes(reader.data),
                notes,
                end,
                "the padding is not zeros up to a multiple of 4 bytes",
            )
            reader.declare(
                span
                for index, pokemon in enumerate(party.pokemon)
                for span in form.layout.spans(pokemon, index * form.layout.size, ("pokemon", index))
            )
            return party
        parties = [cls._read(reader, form) for form in FORMS]
        fitting = [party for party in parties if party.to_bytes() == bytes(reader.data)]
        reader.check(fitting, 0, "a number of Pokémon, padded with zeros to 4 bytes", f"{len(reader)} bytes")
        possible = (party for party in fitting if all(pokemon.is_possible for pokemon in party.pokemon))
        return cls.from_bytes(reader, form=next(possible, fitting[0]).form)

    @classmethod
    def _read(cls, reader: Reader, form: PartyForm) -> TrainerParty:
        """As many Pokémon as there are in a form."""
        size = form.layout.size
        records = [form.layout.read(reader, index * size)[0] for index in range(len(reader) // size)]
        return cls(*form, tuple(records))  # type: ignore[arg-type]

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for a Pokémon in another form, and for a number that its field cannot hold."""
        return pad(b"".join(self.form.layout.write(pokemon) for pokemon in self.pokemon))
