"""Checks every reference of the field data: the referenced number must exist."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.games import Role
from mapexplorer.games.name_bank import NAMES_OF
from mapexplorer.world.place import DUMMY_MODEL
from mapexplorer.world.references.references import REFERENCES, Outside, Reference, known
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.subject import ReferencePart
from mapexplorer.world.wording import member, part


def check_references(
    world: WorldFiles, problems: list[str], notes: list[str], lacking: Mapping[tuple[Role, int], str]
) -> None:
    """Append a sentence for each reference outside its archive to `problems`, for each one that the game tolerates to
    `notes`.

    `lacking`: (archive, number) of a member without contents -> what it lacks (`a model`): a problem where something
    uses them, else a note. Files that cannot be read are left out: reading them is verified elsewhere.
    """
    check = _Check(world, problems, notes, lacking)
    checked = [reference for reference in REFERENCES if reference.checked]
    for (user, file), references in groupby(checked, lambda reference: (reference.user, reference.file)):
        rows = counted(world, references)
        if file is None:
            check.report_damaged(check.program, user, rows)
        else:
            check.files(file, rows)
    check.skip_damaged(check.draw_lists)
    check.skip_damaged(check.terrain_animations)
    for header in world.headers:
        check.skip_damaged(check.warps, header.id)
    for trainer in range(check.count(Role.TRAINER_PARTIES)):
        check.skip_damaged(check.party, trainer)
    check.unknown_graphics()
    check.without_contents()


class Fault(NamedTuple):
    """What is wrong with a number that nothing has; `tolerated`: the game does not need it; `possible`: only names
    count such things, and a hack may have more of them than names."""

    what: str
    tolerated: bool
    possible: bool = False


Rows = Sequence[tuple[Reference, Collection[int] | None]]
"""References, each with the numbers that exist of what it names; None where nothing in the ROM counts them."""


def counted(world: WorldFiles, references: Iterable[Reference]) -> Rows:
    """References with the existing numbers; those of texts differ by user."""
    return [
        (reference, None if reference.bank is not None else _existing(world, reference)) for reference in references
    ]


def followed(
    world: WorldFiles, rows: Rows, user: int
) -> Iterator[tuple[Reference, int, ReferencePart | None, Fault | None]]:
    """The numbers that a thing's references hold, as far as something says which exist: reference, number, the part
    that holds it, what is wrong with it. Raises FormatError, RomError."""
    for reference, existing in rows:
        bank = None if reference.bank is None else reference.bank(world, user)
        if bank is not None:
            existing = _existing(world, reference, bank)
        if existing is None:
            continue
        candidates = reference.candidates(world, user) if reference.candidates is not None else None
        wrong = None if candidates is None else {named for named, _ in candidates if named not in existing}
        for named, where in reference.found(world, user) if wrong != set() else ():
            exists = named in existing if wrong is None else named not in wrong
            yield reference, named, where, None if exists else _fault(world, reference, named, len(existing), bank)


def _existing(world: WorldFiles, reference: Reference, bank: int | None = None) -> Collection[int] | None:
    """The numbers that exist of what a reference names, by `bank` those of its texts; None where nothing says so."""
    with contextlib.suppress(FormatError, RomError):
        if bank is not None:
            return range(world.members(Role.MESSAGES).reader(bank).u16(0))  # a bank begins with their count
        archive = None if reference.archive is None else world.archive(reference.archive)
        return known(world, reference.used) if archive is None else range(len(archive))
    return None


def _fault(world: WorldFiles, reference: Reference, named: int, count: int, bank: int | None) -> Fault:
    """What is wrong with a number that nothing has."""
    if reference.outside is Outside.DUMMY_BOX:
        return Fault(f"{reference.field} {named} does not exist, the game draws the dummy box", True)
    if bank is not None:
        return Fault(
            f"{reference.field} {named} is not one of the {count} texts of {member(Role.MESSAGES, bank)}", False
        )
    if reference.archive is None or not world.has(reference.archive):
        possible = reference.used in NAMES_OF and named < 2 * count
        return Fault(f"there is no {reference.field} {named}", reference.outside is Outside.NO_PICTURES, possible)
    what = f"{reference.field} {named} is not one of the {count} members of {world.path(reference.archive)}"
    return Fault(what, named <= world.game.tables.headers.limits.get(reference.header_field, -1))


def missing_warps(world: WorldFiles, header: int) -> Iterator[tuple[int, str]]:
    """(index of a warp of a header, what is wrong) of those that lead to a warp that their target does not have. Raises
    FormatError, RomError."""
    events = world.events(header)
    for index, warp in enumerate(events.warps.tolist() if events is not None else ()):
        if warp[2] < len(world.headers) and (fault := world.warp_fault(header, index)):
            yield index, fault


def party_fault(world: WorldFiles, trainer: int) -> str | None:
    """What is wrong with the size of a trainer's party; trainer 0 is no trainer of the game. Raises FormatError,
    RomError."""
    record, size = world.trainer(trainer), len(world.members(Role.TRAINER_PARTIES)[trainer])
    needed = record.party_size * record.party_form.layout.size
    if not trainer or size == needed + -needed % 4:
        return None
    return (
        f"{size} bytes are not the party that {member(Role.TRAINERS, trainer)} says: "
        f"{record.party_size} Pokémon of {record.party_form.layout.size} bytes each"
    )


_SHOWN_USERS: Final = 3
_DUMMY_USER: Final = "every prop that its area does not list"


class _Check:
    def __init__(
        self, world: WorldFiles, problems: list[str], notes: list[str], lacking: Mapping[tuple[Role, int], str]
    ) -> None:
        self.world = world
        self.problems = problems
        self.notes = notes
        self._lacking = lacking
        self._users: dict[tuple[Role, int], dict[str, None]] = defaultdict(dict)
        self._users[Role.BUILD_MODEL, DUMMY_MODEL][_DUMMY_USER] = None
        self._unknown_graphics: set[int] = set()

    def count(self, role: Role) -> int:
        """Members of an archive, 0 when it is absent or damaged."""
        return len(read_or((), self.world.members, role))

    def skip_damaged(self, check: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(FormatError, RomError):
            check(*arguments)

    def report_damaged(self, check: Callable[..., None], *arguments: object) -> None:
        """Run a check of data in the program; errors are reported, because no other check reads this data."""
        try:
            check(*arguments)
        except (FormatError, RomError) as error:
            self.problems.append(str(error))

    # --- the listed references

    def program(self, user: str, rows: Rows) -> None:
        """References of the program's records."""
        for number in known(self.world, user) or ():
            title = f" ({self.world.headers[number].internal_name})" if user == "header" else ""
            self.follow(f"{user} {number}{title}", number, rows)

    def files(self, file: Role, rows: Rows) -> None:
        """References of the members of an archive, or of the events of every header."""
        if file == Role.ZONE_EVENT:
            for header in self.world.headers:
                self.skip_damaged(self.follow, f"events of header {header.id}", header.id, rows)
            return
        for number in range(self.count(file)):
            self.skip_damaged(self.follow, member(file, number), number, rows)

    def follow(self, who: str, number: int, rows: Rows) -> None:
        for reference, named, where, fault in followed(self.world, rows, number):
            if reference.archive is not None:
                self.used(who, named, reference.archive)
            if fault is not None and fault.tolerated and reference.archive is None:
                self._unknown_graphics.add(named)
            elif fault is not None:
                at = f", {part(where)}" if where is not None and (where.key or where.path) else ""
                (self.notes if fault.tolerated or fault.possible else self.problems).append(f"{who}{at}: {fault.what}")

    def used(self, who: str, number: int, role: Role) -> None:
        if (role, number) in self._lacking:
            self._users[role, number][who] = None

    # --- numbers that count inside a file

    def draw_lists(self) -> None:
        lists = self.world.draw_lists
        for index, pairs in enumerate(lists.models if lists is not None else ()):
            if index >= self.count(Role.BUILD_MODEL):
                self.problems.append(f"build_model_matshp, model {index}: there is no such prop model")
            elif pairs is not None and len(pairs):
                self.skip_damaged(self.draw_list, index, pairs)

    def draw_list(self, index: int, pairs: npt.NDArray[np.void]) -> None:
        who = f"build_model_matshp, model {index}"
        self.used(who, index, Role.BUILD_MODEL)
        model = self.world.prop_model(index).models[0]
        for what, count in (("material", len(model.materials)), ("shape", len(model.shapes))):
            number = int(pairs[what].max())
            if number >= count:
                self.problems.append(f"{who}: there is no {what} {number}")

    def terrain_animations(self) -> None:
        animations = self.world.terrain_animations
        count = self.count(Role.TERRAIN_ANIMATIONS)
        for index, animation in enumerate(animations.animations if animations is not None else ()):
            who = f"fldtanime, {animation.texture}"
            if not self.world.game.terrain_slots and index + 1 >= count:
                path = self.world.path(Role.TERRAIN_ANIMATIONS)
                what = f"picture file {index + 1} is not one of the {count} members of {path}"
                self.problems.append(f"{who}: {what}")
            last = max((step.frame for step in animation.steps), default=-1)
            self.skip_damaged(self.pictures, who, index, last)

    def pictures(self, who: str, index: int, last: int) -> None:
        if last >= len(self.world.terrain_animation_frames(index).textures.textures):
            self.problems.append(f"{who}: there is no picture {last}")

    def warps(self, header: int) -> None:
        """A warp names a warp of the header that it leads to."""
        for index, what in missing_warps(self.world, header):
            self.problems.append(f"events of header {header}, warp {index}: {what}")

    def party(self, trainer: int) -> None:
        """A trainer's record says how large the party is."""
        fault = party_fault(self.world, trainer)
        if fault is not None:
            self.problems.append(f"{member(Role.TRAINER_PARTIES, trainer)}: {fault}")

    # --- findings that collect several users

    def unknown_graphics(self) -> None:
        if self._unknown_graphics:
            numbers = ", ".join(map(str, sorted(self._unknown_graphics)))
            self.notes.append(f"object graphics without pictures (models or set by scripts), used by events: {numbers}")

    def without_contents(self) -> None:
        """Report members without contents, with the users that the other checks found."""
        for (role, number), what in self._lacking.items():
            users = list(self._users.get((role, number), ()))
            sentence = f"{self.world.path(role)}[{number}] lacks {what}"
            if not users:
                self.notes.append(f"{sentence}; nothing uses it")
                continue
            shown = users if len(users) <= _SHOWN_USERS else [*users[: _SHOWN_USERS - 1], f"{len(users) - 2} others"]
            words = " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
            self.problems.append(f"{sentence}; used by {words}")
