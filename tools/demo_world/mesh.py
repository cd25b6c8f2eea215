"""Faces of a model and the display lists they become: strips where neighbours share corners, the shortest commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from formats.binary import frozen
from formats.fixed import ONE
from formats.nds import gx

Vector = tuple[float, float, float]

_TRIANGLES, _QUADS, _TRIANGLE_STRIP, _QUAD_STRIP = range(4)


class Corner(NamedTuple):
    """A corner of a face: `position` in units, `texel` (s, t) in texels, and what shades it.

    `normal` is a direction of about unit length for lit materials, `color` a BGR555 word for the others. `slot` is the
    matrix stack slot whose matrix moves the corner, in shapes that mix several.
    """

    position: Vector
    texel: tuple[float, float] | None = None
    normal: Vector | None = None
    color: int | None = None
    slot: int | None = None


Face = tuple[Corner, ...]
"""Three or four corners, counter-clockwise seen from the front."""


class Encoded(NamedTuple):
    """A corner in the hardware's numbers: fx16 position, packed texel, normal and colour words."""

    position: tuple[int, int, int]
    texel: int | None
    normal: int | None
    color: int | None
    slot: int | None


class Counts(NamedTuple):
    """What a model's header counts."""

    vertices: int
    triangles: int
    quads: int


def fixed(value: float, scale: int = ONE) -> int:
    """`value` as a fixed-point number, halves away from zero."""
    number = value * scale
    return int(number + 0.5) if number >= 0 else -int(-number + 0.5)


def encode(corner: Corner, pos_scale: int) -> Encoded:
    """A corner divided by the model's position scale. Raises ValueError when it is outside what fx16 holds."""
    x, y, z = (fixed(value / pos_scale) for value in corner.position)
    if max(abs(x), abs(y), abs(z)) > 0x7FFF:
        raise ValueError(f"a corner at {corner.position} is too far out for a position scale of {pos_scale}")
    texel = normal = None
    if corner.texel is not None:
        s, t = (fixed(value, 16) for value in corner.texel)
        if not (-0x8000 <= s <= 0x7FFF and -0x8000 <= t <= 0x7FFF):
            raise ValueError(f"texture coordinates {corner.texel} are beyond 2048 texels")
        texel = s & 0xFFFF | (t & 0xFFFF) << 16
    if corner.normal is not None:
        a, b, c = (max(-511, min(511, fixed(value, 512))) & 0x3FF for value in corner.normal)
        normal = a | b << 10 | c << 20
    return Encoded((x, y, z), texel, normal, corner.color, corner.slot)


def display_list(faces: Iterable[Face], pos_scale: int) -> tuple[npt.NDArray[np.uint32], Counts]:
    """The flat command list that draws `faces`, and what it draws."""
    encoded = [tuple(encode(corner, pos_scale) for corner in face) for face in faces]
    quads = [face for face in encoded if len(face) == 4]
    triangles = [face for face in encoded if len(face) == 3]
    writer = _Writer(pos_scale)
    single: list[Sequence[Encoded]] = []
    for strip in _strips(quads, 4):
        if len(strip) == 4:
            single.append((strip[0], strip[1], strip[3], strip[2]))
        else:
            writer.draw(_QUAD_STRIP, strip)
    if single:
        writer.draw(_QUADS, [corner for face in single for corner in face])
    single = []
    for strip in _strips(triangles, 3):
        if len(strip) == 3:
            single.append(strip)
        else:
            writer.draw(_TRIANGLE_STRIP, strip)
    if single:
        writer.draw(_TRIANGLES, [corner for face in single for corner in face])
    counts = Counts(writer.vertices, len(triangles), len(quads))
    return frozen(writer.words, np.uint32), counts


def _strips(faces: Sequence[tuple[Encoded, ...]], corners: int) -> list[list[Encoded]]:
    """Greedy strips: each begins with the first face that is left and grows as long as a neighbour shares its end."""
    by_edge: dict[tuple[Encoded, Encoded], list[tuple[int, int]]] = {}
    for number, face in enumerate(faces):
        for turn in range(corners):
            by_edge.setdefault((face[turn], face[(turn + 1) % corners]), []).append((number, turn))
    used = [False] * len(faces)

    def grow(number: int, turn: int) -> tuple[list[int], list[Encoded]]:
        face = faces[number]
        ring = [face[(turn + place) % corners] for place in range(corners)]
        strip = [ring[0], ring[1], ring[3], ring[2]] if corners == 4 else ring
        taken = [number]
        while True:
            if corners == 4 or len(strip) % 2 == 0:
                edge = (strip[-2], strip[-1])
            else:
                edge = (strip[-1], strip[-2])
            found = next(((n, t) for n, t in by_edge.get(edge, ()) if not used[n] and n not in taken), None)
            if found is None:
                return taken, strip
            taken.append(found[0])
            following = faces[found[0]]
            if corners == 4:
                strip += [following[(found[1] + 3) % 4], following[(found[1] + 2) % 4]]
            else:
                strip.append(following[(found[1] + 2) % 3])

    result = []
    for number in range(len(faces)):
        if not used[number]:
            taken, strip = max((grow(number, turn) for turn in range(corners)), key=lambda grown: len(grown[0]))
            for face_number in taken:
                used[face_number] = True
            result.append(strip)
    return result


class _Writer:
    """Writes primitives; attributes only where they change, each vertex with the shortest command that is exact."""

    def __init__(self, pos_scale: int) -> None:
        self.words: list[int] = []
        self.vertices = 0
        self._scale = ONE * pos_scale
        self._texel: int | None = None
        self._normal: int | None = None
        self._color: int | None = None
        self._slot: int | None = None
        self._last: tuple[int, int, int] | None = None

    def draw(self, kind: int, corners: Sequence[Encoded]) -> None:
        self.words += [gx.BEGIN_VTXS, kind]
        for corner in corners:
            self._attributes(corner)
            self._vertex(corner.position)
        self.words.append(gx.END_VTXS)
        self.vertices += len(corners)

    def _attributes(self, corner: Encoded) -> None:
        if corner.slot is not None and corner.slot != self._slot:
            self.words += [gx.MTX_RESTORE, corner.slot]
            if self._scale != ONE:
                self.words += [gx.MTX_SCALE, self._scale, self._scale, self._scale]
            self._slot = corner.slot
            # The light is worked out when a normal is sent, with the matrix of that moment.
            self._normal = None
        if corner.texel is not None and corner.texel != self._texel:
            self.words += [gx.TEXCOORD, corner.texel]
            self._texel = corner.texel
        if corner.color is not None and corner.color != self._color:
            self.words += [gx.COLOR, corner.color]
            self._color = corner.color
            self._normal = None
        if corner.normal is not None and corner.normal != self._normal:
            self.words += [gx.NORMAL, corner.normal]
            self._normal = corner.normal
            self._color = None

    def _vertex(self, position: tuple[int, int, int]) -> None:
        x, y, z = position
        last = self._last
        self._last = position
        if last is not None:
            if z == last[2]:
                self.words += [gx.VTX_XY, x & 0xFFFF | (y & 0xFFFF) << 16]
                return
            if y == last[1]:
                self.words += [gx.VTX_XZ, x & 0xFFFF | (z & 0xFFFF) << 16]
                return
            if x == last[0]:
                self.words += [gx.VTX_YZ, y & 0xFFFF | (z & 0xFFFF) << 16]
                return
            step = tuple(value - before for value, before in zip(position, last, strict=True))
            if all(-0x200 <= value <= 0x1FF for value in step):
                a, b, c = (value & 0x3FF for value in step)
                self.words += [gx.VTX_DIFF, a | b << 10 | c << 20]
                return
        if all(value % 64 == 0 for value in position):
            a, b, c = (value // 64 & 0x3FF for value in position)
            self.words += [gx.VTX_10, a | b << 10 | c << 20]
            return
        self.words += [gx.VTX_16, x & 0xFFFF | (y & 0xFFFF) << 16, z & 0xFFFF]
