"""Pictures of the demo world: palette indices with colours, and how they become textures of the seven formats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from formats.binary import frozen
from formats.nds import texels
from formats.nds.texture_format import A3I5, A5I3, COLORS, COLORS_4, COLORS_16, COLORS_256, COMPRESSED_4X4, DIRECT
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Palette, Tex0, Texture

Indices = npt.NDArray[np.uint8]

_DRAWN = Path(__file__).parent / "drawn"


def rgb5(color: str) -> int:
    """The BGR555 word of a colour written `#rrggbb`."""
    red, green, blue = (int(color[place : place + 2], 16) >> 3 for place in (1, 3, 5))
    return red | green << 5 | blue << 10


def ramp(*colors: str) -> tuple[int, ...]:
    """Colour words of a row of colours, dark to light by custom."""
    return tuple(rgb5(color) for color in colors)


@dataclass(frozen=True, eq=False)
class Picture:
    """`indices` (height, width) into `palette` (BGR555 words); index 0 is clear where `clear`.

    `alphas` (0..31, height by width) count for the two translucent formats, and as a mask for the direct one; a
    compressed picture is opaque and has at most four colours in each block. `palette_name` may name the palette of
    another picture with the same colours.
    """

    name: str
    format: int
    indices: Indices
    palette: tuple[int, ...]
    clear: bool = False
    alphas: Indices | None = None
    palette_name: str = ""

    @property
    def width(self) -> int:
        return int(self.indices.shape[1])

    @property
    def height(self) -> int:
        return int(self.indices.shape[0])

    def texture_and_palette(self) -> tuple[Texture, Palette | None]:
        """The texture, and its palette unless the format has none. Raises ValueError for what does not fit it."""
        words = b""
        colors: npt.NDArray[np.uint16] | None = None
        if self.format in COLORS:
            if len(self.palette) > COLORS[self.format]:
                raise ValueError(f"picture {self.name!r} has {len(self.palette)} colours, too many for its format")
            data = texels.encode_indices(self.format, self.indices, self.alphas)
            colors = np.array(self.palette, np.uint16)
        else:
            table = np.array(self.palette, np.uint16)
            alphas = np.where(self.indices == 0, 0, 31) if self.clear and self.alphas is None else self.alphas
            if self.format == DIRECT:
                data = texels.encode_direct(table[self.indices], alphas)
            else:
                data, words, colors = _compressed(self.name, table[self.indices])
        clear = self.clear and self.format in COLORS and self.format not in (A3I5, A5I3)
        texture = Texture(self.name, self.format, self.width, self.height, clear, self.width, self.height, data, words)
        if colors is None:
            return texture, None
        flags = 1 if self.format == COLORS_4 else 0
        return texture, Palette(self.palette_name or f"{self.name}_pl", frozen(colors, np.uint16), flags)


def _compressed(name: str, colors: npt.NDArray[np.uint16]) -> tuple[bytes, bytes, npt.NDArray[np.uint16]]:
    """Texels, block words and palette of an opaque picture (height, width) in the compressed format."""
    height, width = colors.shape
    palette: list[int] = []
    places: dict[tuple[int, ...], int] = {}
    rows, words = [], []
    for block in colors.reshape(height // 4, 4, width // 4, 4).swapaxes(1, 2).reshape(-1, 16).tolist():
        distinct = list(dict.fromkeys(block))
        if len(distinct) > 4:
            raise ValueError(f"picture {name!r} has a block of {len(distinct)} colours, too many for its format")
        entries = (*distinct, *[0] * (4 - len(distinct)))
        if entries not in places:
            places[entries] = len(palette) // 2
            palette += entries
        words.append(places[entries] | 2 << 14)
        numbers = [distinct.index(color) for color in block]
        rows += [sum(number << 2 * place for place, number in enumerate(numbers[at : at + 4])) for at in (0, 4, 8, 12)]
    return bytes(rows), np.array(words, "<u2").tobytes(), np.array(palette, np.uint16)


def drawn(name: str, format: int, file: str = "", *, clear: bool = False, palette_name: str = "") -> Picture:
    """A picture that was drawn with a palette: `drawn/NAME.png`, or that of another `file`."""
    with Image.open(_DRAWN / f"{file or name}.png") as image:
        colors = np.array(image.getpalette(), np.uint8).reshape(-1, 3)
        palette = ramp(*(f"#{bytes(color).hex()}" for color in colors))
        return Picture(name, format, np.array(image), palette, clear, palette_name=palette_name)


def texture_set(pictures: Iterable[Picture]) -> Nsbtx:
    """A file with the textures of `pictures` and the palettes that they need, each once."""
    textures: list[Texture] = []
    palettes: dict[str, Palette] = {}
    for picture in pictures:
        texture, palette = picture.texture_and_palette()
        textures.append(texture)
        if palette is not None:
            palettes.setdefault(palette.name, palette)
    return Nsbtx(Tex0(tuple(textures), tuple(palettes.values())))


def from_rows(rows: Sequence[str], key: str) -> Indices:
    """Indices drawn as text: each character's place in `key` is its index."""
    return np.array([[key.index(character) for character in row] for row in rows], np.uint8)


__all__ = [
    "A3I5",
    "A5I3",
    "COLORS_4",
    "COLORS_16",
    "COLORS_256",
    "COMPRESSED_4X4",
    "DIRECT",
    "Indices",
    "Picture",
    "drawn",
    "from_rows",
    "ramp",
    "rgb5",
    "texture_set",
]
