"""Copies of the demo world with edits."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from formats.binary import frozen
from mapexplorer.compare.change import Change
from mapexplorer.compare.comparison import compare
from mapexplorer.games import Role
from mapexplorer.rom import Rom, build_archive, build_image
from mapexplorer.world.world import FieldWorld


@dataclass
class Edits:
    """Edits of a ROM: members and files by path, and bytes of the program."""

    world: FieldWorld
    members: dict[str, dict[int, bytes]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    arm9: bytearray = field(default_factory=bytearray)
    overlays: dict[int, bytearray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.arm9 = bytearray(self.world.rom.arm9())

    def value(self, role: Role, number: int, kind: Any) -> Any:
        """A member as a value, with the edits that were made before."""
        edited = self.members.get(self.world.path(role), {}).get(number)
        return kind.from_bytes(self.world.members(role)[number] if edited is None else edited)

    def put(self, role: Role, number: int, value: Any) -> None:
        """Replace a member, or add it after the last one."""
        data = value if isinstance(value, bytes) else value.to_bytes()
        self.members.setdefault(self.world.path(role), {})[number] = data

    def change(self, role: Role, number: int, kind: Any, **fields: Any) -> None:
        """Replace fields of a member."""
        self.put(role, number, dataclasses.replace(self.value(role, number, kind), **fields))

    def rows(self, role: Role, number: int, kind: Any, name: str, edit: Callable[[Any], Any]) -> None:
        """Replace the array in a field of a member by what `edit` makes of a copy of it, or by the edited copy."""
        array = getattr(self.value(role, number, kind), name).copy()
        made = edit(array)
        self.change(role, number, kind, **{name: frozen(array if made is None else made)})

    def overlay(self, name: str) -> bytearray:
        """The bytes of a part of the program, `overlay 5`, that are stored in the edited ROM."""
        number = int(name.removeprefix("overlay "))
        overlay = self.world.rom.overlay(number)
        assert overlay is not None
        return self.overlays.setdefault(number, bytearray(overlay.data))

    def image(self) -> bytes:
        """The edited ROM."""
        rom = self.world.rom
        files = {path: bytes(rom.file(path)) for path in rom.files} | self.files
        for path, edited in self.members.items():
            members = dict(enumerate(rom.archive(path))) | edited
            files[path] = build_archive(members[number] for number in range(len(members)))
        return rebuilt(rom, files, bytes(self.arm9), self.overlays)


def rebuilt(rom: Rom, files: Mapping[str, bytes], arm9: bytes, edited: Mapping[int, bytearray]) -> bytes:
    """A ROM with other files and another program; `edited`: the bytes of overlays by number."""
    found = [overlay for one in rom.overlay_records() if (overlay := rom.overlay(one.number)) is not None]
    overlays = [dataclasses.replace(one, data=bytes(edited.get(one.number, one.data))) for one in found]
    return build_image(files, arm9=arm9, overlays=overlays, title=rom.name, code=rom.code)


@pytest.fixture(scope="session")
def demo() -> FieldWorld:
    return FieldWorld.open("demo")


@pytest.fixture
def edits(demo: FieldWorld) -> Edits:
    return Edits(demo)


@pytest.fixture
def changes(demo: FieldWorld, tmp_path: Path) -> Iterator[Callable[[Edits], tuple[Change, ...]]]:
    """The differences between the demo world and an edited copy."""

    def found(edits: Edits) -> tuple[Change, ...]:
        path = tmp_path / "edited.nds"
        path.write_bytes(edits.image())
        return compare(demo, FieldWorld.open(path)).changes

    yield found
