"""Building models: materials, nodes and faces become an MDL0 model with its draw script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from formats.binary import frozen
from formats.fixed import ONE
from formats.nitro import sbc
from formats.nitro.material import (
    NO_TEXTURE_ROTATION,
    NO_TEXTURE_SCALE,
    NO_TEXTURE_TRANSLATION,
    TEXTURE_MATRIX,
    Material,
    Pairing,
)
from formats.nitro.model import ENVELOPE, Model
from formats.nitro.node import IDENTITY, Ints9, Node
from formats.nitro.sbc import Instruction
from formats.nitro.shape import HAS_COLOR, HAS_NORMAL, HAS_RESTORE, HAS_TEXCOORD, Shape
from tools.demo_world.mesh import Corner, Counts, Face, Vector, display_list, fixed
from tools.demo_world.picture import Picture, rgb5

WHITE = 0x7FFF

_OWN_ALL = 0x1FC0
_PLAIN = NO_TEXTURE_SCALE | NO_TEXTURE_ROTATION | NO_TEXTURE_TRANSLATION


@dataclass(frozen=True)
class Paint:
    """A material. `lights` is the mask of lights 0 to 3; without lights, corners have colours instead of normals.

    Colours are BGR555 words and `alpha` is 0..31. `repeat` and `mirror` are for (s, t). `scale` and `shift` (in
    pictures) give the material a texture matrix, and so does `environment`, which makes it a mirror of a round picture.
    """

    name: str
    picture: str | None = None
    lights: int = 1
    diffuse: int = rgb5("#c8c8c8")
    ambient: int = rgb5("#808080")
    specular: int = 0
    emission: int = 0
    alpha: int = 31
    polygon_id: int = 0
    both_sides: bool = False
    fog: bool = True
    repeat: tuple[bool, bool] = (True, True)
    mirror: tuple[bool, bool] = (False, False)
    scale: tuple[float, float] | None = None
    shift: tuple[float, float] | None = None
    environment: bool = False
    depth_writes: bool = False

    def material(self, pictures: Mapping[str, Picture]) -> Material:
        """The material record. Raises KeyError for an unknown picture."""
        picture = pictures[self.picture] if self.picture else None
        flags = _OWN_ALL | _PLAIN
        if self.scale is not None or self.shift is not None or self.environment:
            flags |= TEXTURE_MATRIX
            flags &= ~(NO_TEXTURE_SCALE if self.scale is not None else 0)
            flags &= ~(NO_TEXTURE_TRANSLATION if self.shift is not None else 0)
        texgen = 2 if self.environment else 1 if flags & TEXTURE_MATRIX else 0
        wrap = self.repeat[0] << 16 | self.repeat[1] << 17 | self.mirror[0] << 18 | self.mirror[1] << 19
        attributes = self.lights | (3 if self.both_sides else 2) << 6 | self.depth_writes << 11 | self.fog << 15
        return Material(
            self.name,
            dif_amb=self.diffuse | 0x8000 | self.ambient << 16,
            spe_emi=self.specular | self.emission << 16,
            polygon_attr=attributes | self.alpha << 16 | self.polygon_id << 24,
            teximage_param=(wrap | texgen << 30) if picture else 0,
            flags=flags,
            width=picture.width if picture else 0,
            height=picture.height if picture else 0,
            scale=(fixed(self.scale[0]), fixed(self.scale[1])) if self.scale is not None else None,
            translation=(fixed(self.shift[0]), fixed(self.shift[1])) if self.shift is not None else None,
        )


@dataclass
class _Joint:
    name: str
    parent: int
    translation: Vector
    rotation: Ints9
    billboard: str
    shapes: list[tuple[Paint, list[Face]]] = field(default_factory=list)


@dataclass(frozen=True)
class Mix:
    """A weighted matrix: (node, weight of 256) terms; the corners that it moves are in model space."""

    slot: int
    terms: tuple[tuple[int, int], ...]


class ModelBuilder:
    """Collects faces by node and material; `build` makes the model.

    Positions are in units relative to their node, y up, z south. Node 0 exists from the start; `billboard` is as in
    `node`.
    """

    def __init__(self, name: str, pictures: Mapping[str, Picture], *, billboard: str = "") -> None:
        self.name = name
        self.pictures = pictures
        self._joints = [_Joint(name, 0, (0, 0, 0), IDENTITY, billboard)]
        self._mixes: list[Mix] = []

    def node(
        self,
        name: str,
        translation: Vector = (0, 0, 0),
        parent: int = 0,
        *,
        rotation: Ints9 = IDENTITY,
        billboard: str = "",
    ) -> int:
        """Add a node; `billboard` is `full` (faces the screen) or `upright` (turns about y). Its index."""
        self._joints.append(_Joint(name, parent, translation, rotation, billboard))
        return len(self._joints) - 1

    def slot(self, node: int) -> int:
        """The matrix stack slot that holds a node's matrix while the model is drawn."""
        return node

    def mix(self, *terms: tuple[int, int]) -> int:
        """Add a weighted matrix of (node, weight) terms whose weights sum to 256; the slot it is stored in."""
        if sum(weight for _, weight in terms) != 256:
            raise ValueError("the weights of a mix sum to 256")
        slot = 16 + len(self._mixes)
        self._mixes.append(Mix(slot, terms))
        return slot

    def add(self, paint: Paint, *faces: Sequence[Corner], node: int = 0) -> None:
        """Add faces of one material to a node."""
        shapes = self._joints[node].shapes
        group = next((group for known, group in shapes if known == paint), None)
        if group is None:
            if any(known.name == paint.name and known != paint for j in self._joints for known, _ in j.shapes):
                raise ValueError(f"two different materials of {self.name!r} are called {paint.name!r}")
            group = []
            shapes.append((paint, group))
        group += [tuple(_shaded(paint, face)) for face in faces]

    def recolor(self, paint: Paint, color: int) -> None:
        """Give every corner of an unlit material one colour."""
        for joint in self._joints:
            for known, faces in joint.shapes:
                if known == paint:
                    faces[:] = [tuple(corner._replace(color=color) for corner in face) for face in faces]

    def origin(self, node: int) -> Vector:
        """Where a node's origin is in the model at rest (no node of ours is rotated above another)."""
        joint = self._joints[node]
        if node == 0:
            return joint.translation
        x, y, z = self.origin(joint.parent)
        a, b, c = joint.translation
        return x + a, y + b, z + c

    @property
    def used_pictures(self) -> set[str]:
        """The names of the pictures that its materials show."""
        return {paint.picture for joint in self._joints for paint, _ in joint.shapes if paint.picture}

    def build(self) -> Model:
        """The model. Raises ValueError for what does not fit."""
        low, high = self._bounds()
        pos_scale = _power_of_two(max(map(abs, (*low, *high)), default=1))
        box_scale = _power_of_two(max(*(abs(v) for v in low), *(b - a for a, b in zip(low, high, strict=True))))
        paints = list(dict.fromkeys(paint for joint in self._joints for paint, _ in joint.shapes))
        shapes: list[Shape] = []
        self._total = Counts(0, 0, 0)
        script, counts = self._script(paints, shapes, pos_scale)
        textures: dict[str, list[int]] = {}
        palettes: dict[str, list[int]] = {}
        for index, paint in enumerate(paints):
            if paint.picture:
                picture = self.pictures[paint.picture]
                textures.setdefault(picture.name, []).append(index)
                _, palette = picture.texture_and_palette()
                if palette is not None:
                    palettes.setdefault(palette.name, []).append(index)
        corner = [fixed(value / box_scale) for value in low]
        extent = [fixed((b - a) / box_scale) for a, b in zip(low, high, strict=True)]
        nodes = tuple(_node(joint) for joint in self._joints)
        slots = [mix.slot for mix in self._mixes]
        used = 0 if len(nodes) == 1 else max([len(nodes) - 1, *slots]) + 1
        return Model(
            name=self.name,
            sbc_type=0,
            scaling_rule=0,
            texture_matrix_mode=0,
            first_unused_stack_slot=used,
            pos_scale=ONE * pos_scale,
            inv_pos_scale=ONE // pos_scale,
            vertex_count=counts.vertices,
            polygon_count=counts.triangles + counts.quads,
            triangle_count=counts.triangles,
            quad_count=counts.quads,
            box=(corner[0], corner[1], corner[2], extent[0], extent[1], extent[2]),
            box_pos_scale=ONE * box_scale,
            box_inv_pos_scale=ONE // box_scale,
            nodes=nodes,
            sbc=script,
            materials=tuple(paint.material(self.pictures) for paint in paints),
            texture_pairings=tuple(Pairing(name, tuple(places)) for name, places in textures.items()),
            palette_pairings=tuple(Pairing(name, tuple(places)) for name, places in palettes.items()),
            shapes=tuple(shapes),
            envelopes=self._envelopes(),
        )

    def _bounds(self) -> tuple[list[float], list[float]]:
        points = []
        mixed = {mix.slot for mix in self._mixes}
        for number, joint in enumerate(self._joints):
            for _, faces in joint.shapes:
                for face in faces:
                    for corner in face:
                        home = number if corner.slot is None else corner.slot
                        origin = (0.0, 0.0, 0.0) if home in mixed else self.origin(home)
                        points.append([a + b for a, b in zip(corner.position, origin, strict=True)])
        if not points:
            raise ValueError(f"model {self.name!r} has no faces")
        columns = list(zip(*points, strict=True))
        return [min(column) for column in columns], [max(column) for column in columns]

    def _script(
        self, paints: list[Paint], shapes: list[Shape], pos_scale: int
    ) -> tuple[tuple[Instruction, ...], Counts]:
        script: list[Instruction] = []
        several = len(self._joints) > 1
        for number, joint in enumerate(self._joints):
            if not several:
                script.append(Instruction(sbc.NODEDESC, 0, (0, 0, 0)))
            elif number == 0:
                script.append(Instruction(sbc.NODEDESC, sbc.STORE, (0, 0, 0, 0)))
            else:
                operands = (number, joint.parent, 0, self.slot(number), self.slot(joint.parent))
                script.append(Instruction(sbc.NODEDESC, sbc.STORE | sbc.RESTORE, operands))
            if self._mixes and joint.shapes:
                continue
            counts = self._draw(script, paints, shapes, number, joint, pos_scale)
            self._count(counts)
        for mix in self._mixes:
            terms = [number for node, weight in mix.terms for number in (self.slot(node), node, weight)]
            script.append(Instruction(sbc.NODEMIX, 0, (mix.slot, *terms)))
        for number, joint in enumerate(self._joints):
            if self._mixes and joint.shapes:
                script.append(Instruction(sbc.NODE, 0, (number, 1)))
                script.append(Instruction(sbc.MTX, 0, (self.slot(number),)))
                self._count(self._draw(script, paints, shapes, number, joint, pos_scale, announced=True))
        script.append(Instruction(sbc.RET, 0, ()))
        return tuple(script), self._total

    _total = Counts(0, 0, 0)

    def _count(self, more: Counts) -> None:
        self._total = Counts(*(a + b for a, b in zip(self._total, more, strict=True)))

    def _draw(
        self,
        script: list[Instruction],
        paints: list[Paint],
        shapes: list[Shape],
        number: int,
        joint: _Joint,
        pos_scale: int,
        announced: bool = False,
    ) -> Counts:
        total = Counts(0, 0, 0)
        if not announced:
            script.append(Instruction(sbc.NODE, 0, (number, 1)))
        if joint.billboard:
            opcode = sbc.BB if joint.billboard == "full" else sbc.BBY
            script.append(Instruction(opcode, 0, (number,)))
        if not joint.shapes:
            return total
        if pos_scale != 1:
            script.append(Instruction(sbc.POSSCALE, 0, ()))
        for paint, faces in joint.shapes:
            commands, counts = display_list(faces, pos_scale)
            total = Counts(*(a + b for a, b in zip(total, counts, strict=True)))
            corners = [corner for face in faces for corner in face]
            flags = 0
            flags |= HAS_NORMAL if any(corner.normal is not None for corner in corners) else 0
            flags |= HAS_COLOR if any(corner.color is not None for corner in corners) else 0
            flags |= HAS_TEXCOORD if any(corner.texel is not None for corner in corners) else 0
            flags |= HAS_RESTORE if any(corner.slot is not None for corner in corners) else 0
            material = paints.index(paint)
            script.append(Instruction(sbc.MAT, 0, (material,)))
            if paint.environment:
                script.append(Instruction(sbc.ENVMAP, 0, (material, 0)))
            script.append(Instruction(sbc.SHP, 0, (len(shapes),)))
            shapes.append(Shape(f"polygon{len(shapes)}", flags, commands))
        if pos_scale != 1:
            script.append(Instruction(sbc.POSSCALE, sbc.INVERSE, ()))
        return total

    def _envelopes(self) -> npt.NDArray[np.void]:
        envelopes = np.zeros(len(self._joints) if self._mixes else 0, ENVELOPE)
        envelopes["position"][:, :3] = ONE * np.eye(3, dtype=np.int32)
        envelopes["normal"] = ONE * np.eye(3, dtype=np.int32)
        for number in range(len(envelopes)):
            envelopes["position"][number, 3] = [-fixed(value) for value in self.origin(number)]
        return frozen(envelopes, ENVELOPE)


def _shaded(paint: Paint, face: Sequence[Corner]) -> list[Corner]:
    """The face with a normal on every corner for a lit paint, a colour for another one, texels only with a picture."""
    flat = None
    result = []
    for corner in face:
        if paint.lights:
            if corner.normal is None and flat is None:
                flat = face_normal([c.position for c in face])
            corner = corner._replace(normal=corner.normal or flat, color=None)
        else:
            corner = corner._replace(normal=None, color=WHITE if corner.color is None else corner.color)
        if paint.picture is None or paint.environment:
            corner = corner._replace(texel=None)
        if paint.environment:
            corner = corner._replace(normal=corner.normal or flat)
        result.append(corner)
    return result


def face_normal(points: Sequence[Vector]) -> Vector:
    """The unit normal of a flat face, out of the side from which its corners run counter-clockwise."""
    x = y = z = 0.0
    for place, (ax, ay, az) in enumerate(points):
        bx, by, bz = points[(place + 1) % len(points)]
        x += (ay - by) * (az + bz)
        y += (az - bz) * (ax + bx)
        z += (ax - bx) * (ay + by)
    length = (x * x + y * y + z * z) ** 0.5
    if length == 0:
        raise ValueError(f"a face without area: {points}")
    return x / length, y / length, z / length


def _power_of_two(reach: float) -> int:
    """The smallest power of two with which fx16 holds `reach`."""
    scale = 1
    while fixed(reach / scale) > 0x7FFF:
        scale *= 2
    return scale


def _node(joint: _Joint) -> Node:
    x, y, z = (fixed(value) for value in joint.translation)
    translation = (x, y, z) if (x, y, z) != (0, 0, 0) else None
    rotation = joint.rotation if joint.rotation != IDENTITY else None
    return Node(joint.name, translation, rotation, m00=joint.rotation[0])
