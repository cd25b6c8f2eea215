"""The light of an area at a time of day: which block is in force, its words for the geometry engine, its effect on
materials, and vertex colours.

In outdoor light sets the area's colours replace those of the models, differently for terrain (the material's
colour flags are cleared once, so that the global words count) and for props (the words are written into every
material). Indoor sets do not change materials. A light's direction is a world-space vector; a component of +1.0 does
not fit its ten bits and acts as -1.0. Source: the Platinum field code and the NITRO-System G3D library.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.field.area_light import AreaLight, LightBlock
from formats.nitro import material as bits
from formats.nitro.material import Material
from formats.nitro.model import Model
from formats.remembered import remembered
from mapexplorer.g3d.flush import DEFAULT_LIGHTS, Lights
from mapexplorer.g3d.material import BIT15, DEFAULT_STATE, ComposedMaterial, GlobalState
from mapexplorer.g3d.matrix import IDENTITY33, Matrix33, Matrix43, multiply33

FIELD_POLYGON_ATTR: Final = 0x001F8080
"""The field's global polygon attributes: no lights, back faces culled, fog, alpha 31."""

_AREA_COLORS: Final = bits.DIFFUSE | bits.AMBIENT | bits.SPECULAR | bits.EMISSION

FOG: Final = 1 << 15
"""The fog bit of POLYGON_ATTR."""

_CHANNELS: Final = np.array([0, 5, 10])

Triple = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class LightState:
    """The global words of a moment: the parameters of the lights, and of what material composition takes. `recolors`:
    the area's colours replace those of the models."""

    lights: Lights = DEFAULT_LIGHTS
    global_state: GlobalState = DEFAULT_STATE
    recolors: bool = False


LIBRARY_DEFAULT: Final = LightState()
"""The library's initial lights: a white light from above, red, green and blue ones; all materials grey."""


def first_block(light: AreaLight, second: int) -> int:
    """The block chosen when an area is entered at a second of the day: the first that ends later; 0 if none does."""
    return next((index for index, block in enumerate(light.blocks) if block.end > second // 2), 0)


def next_block(light: AreaLight, active: int, second: int) -> int:
    """The block after one field update: it advances by at most one, cyclically."""
    now = second // 2
    previous = light.blocks[active - 1].end if active else 0
    if now >= light.blocks[active].end or now < previous:
        return (active + 1) % len(light.blocks)
    return active


def light_block(light: AreaLight, second: int, ticks: int) -> int:
    """The block `ticks` field updates after an area was entered at a second of the day, which does not advance."""
    passed = [first_block(light, second)]
    while len(passed) <= ticks:
        following = next_block(light, passed[-1], second)
        if following in passed:
            start = passed.index(following)
            return passed[start + (ticks - start) % (len(passed) - start)]
        passed.append(following)
    return passed[ticks]


def light_state(block: LightBlock, *, recolors: bool) -> LightState:
    """The words of a block. `recolors` is true in outdoor light sets."""
    vectors = [_vector(light.vector) | number << 30 for number, light in enumerate(block.lights)]
    colors = [_color(light.color) | number << 30 for number, light in enumerate(block.lights)]
    return LightState(
        Lights((vectors[0], vectors[1], vectors[2], vectors[3]), (colors[0], colors[1], colors[2], colors[3])),
        GlobalState(
            _color(block.diffuse) | _color(block.ambient) << 16,
            _color(block.specular) | _color(block.emission) << 16,
            FIELD_POLYGON_ATTR,
        ),
        recolors,
    )


def _color(color: Triple) -> int:
    return (color[0] & 31) | (color[1] & 31) << 5 | (color[2] & 31) << 10


def _vector(vector: Triple) -> int:
    return (vector[0] >> 3 & 0x3FF) | (vector[1] >> 3 & 0x3FF) << 10 | (vector[2] >> 3 & 0x3FF) << 20


def lit_terrain(model: Model, light: LightState) -> Model:
    """A terrain model under the area's light: outdoors its colours come from the global state."""
    if not light.recolors:
        return model
    materials = [dataclasses.replace(material, flags=material.flags & ~_AREA_COLORS) for material in model.materials]
    return dataclasses.replace(model, materials=tuple(materials))


def lit_prop(model: Model, light: LightState) -> Model:
    """A prop model under the area's light: outdoors the area's colours are written into its materials."""
    if not light.recolors:
        return model
    return dataclasses.replace(model, materials=tuple([_recolored(material, light) for material in model.materials]))


def lit_billboard(model: Model, *, fog: bool = True) -> Model:
    """A billboard of a map object or effect: its colours come from the global state, indoors too, and fog lies before
    it, except of few."""
    materials = [
        dataclasses.replace(
            material,
            flags=material.flags & ~_AREA_COLORS,
            polygon_attr=material.polygon_attr & ~FOG | (FOG if fog else 0),
            polygon_attr_mask=material.polygon_attr_mask | FOG,
        )
        for material in model.materials
    ]
    return dataclasses.replace(model, materials=tuple(materials))


def _recolored(material: Material, light: LightState) -> Material:
    return dataclasses.replace(
        material,
        dif_amb=light.global_state.dif_amb & ~BIT15 | material.dif_amb & BIT15,
        spe_emi=light.global_state.spe_emi & ~BIT15 | material.spe_emi & BIT15,
    )


class VertexLight:
    """The colours of vertices with normals, as the geometry engine computes them under a camera.

    `view` is the camera's matrix (only its rotation counts): specular light depends on it, the rest does not. `base` is
    the rotation of the model in the world.
    """

    def __init__(self, light: LightState, view: Matrix43 | Matrix33 = IDENTITY33, base: Matrix33 = IDENTITY33) -> None:
        self.light = light
        self._view: Matrix33 = view[:9]
        self._base = base
        self._vectors = np.array([_turned(word, self._view) for word in light.lights.vectors], np.uint32)
        self._colors = np.array(light.lights.colors, np.uint32)
        # The shininess table is never loaded by the field; it holds zeros.
        self._shininess = np.zeros(128, np.int32)

    @property
    def key(self) -> tuple[LightState, Matrix33, Matrix33]:
        """Equal for those that give the same colours."""
        return self.light, self._view, self._base

    @property
    def facing(self) -> Matrix33:
        """The vector matrix, relative to the model, of what faces the screen."""
        facing = _transposed(self._view)
        return facing if self._base == IDENTITY33 else multiply33(facing, _transposed(self._base))

    def colors(
        self, normals: npt.NDArray[np.uint32], vector: Matrix33, material: ComposedMaterial
    ) -> npt.NDArray[np.uint8]:
        """Colours (n, 3), 0..31, for parameters of NORMAL under a vector matrix relative to the model."""
        return self.colors_of_shapes(normals, [0, len(normals)], [(vector, material)])

    def colors_of_shapes(
        self,
        normals: npt.NDArray[np.uint32],
        bounds: Sequence[int],
        shapes: Sequence[tuple[Matrix33, ComposedMaterial]],
    ) -> npt.NDArray[np.uint8]:
        """The same for shapes, each with its vector matrix and material, whose vertices lie between `bounds`."""
        from mapexplorer.gpu.lighting import light_vertices

        words = np.array([(material.dif_amb, material.spe_emi, material.lights) for _, material in shapes], np.int64)
        colors = np.stack([words[:, 0], words[:, 0] >> 16, words[:, 1], words[:, 1] >> 16], 1)
        terms = np.empty((len(shapes), 13), np.int64)
        terms[:, :12] = (colors[:, :, None] >> _CHANNELS & 31).reshape(-1, 12)
        terms[:, 12] = words[:, 1] >> 15 & 1
        matrices = np.stack([self._matrix(vector) for vector, _ in shapes])
        return light_vertices(
            normals, bounds, matrices, self._vectors, self._colors, terms, words[:, 2], self._shininess
        )

    @remembered
    def _matrix(self, vector: Matrix33) -> npt.NDArray[np.int32]:
        """A vector matrix under the camera, as 16 numbers."""
        turned = vector if self._base == IDENTITY33 else multiply33(vector, self._base)
        matrix = np.zeros((4, 4), np.int32)
        matrix[:3, :3] = np.reshape(multiply33(turned, self._view), (3, 3))
        return matrix.ravel()


def direction(word: int) -> list[int]:
    """The vector of a LIGHT_VECTOR parameter, at length 512."""
    return [((word >> shift & 0x3FF) ^ 0x200) - 0x200 for shift in (0, 10, 20)]


def _transposed(matrix: Matrix33) -> Matrix33:
    a, b, c, d, e, f, g, h, i = matrix
    return a, d, g, b, e, h, c, f, i


def _turned(word: int, view: Matrix33) -> int:
    """A LIGHT_VECTOR parameter in view space."""
    vector = direction(word)
    turned = [sum(vector[row] * view[3 * row + column] for row in range(3)) >> 12 for column in range(3)]
    return sum((component & 0x3FF) << shift for component, shift in zip(turned, (0, 10, 20), strict=True))
