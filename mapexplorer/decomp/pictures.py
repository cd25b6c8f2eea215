"""Texture sets that the build makes of PNG pictures, as its list says: which picture, how it is cut into frames, and
the names.

A step names its pictures, its output and the arguments of the program that packs them; a step inside of `foreach` is
one for each entry of a list, or each number of a range. Frame n of `NAME` is `NAME.n`, from 1, where there are several.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.nds import texels
from formats.nds.texture_format import COLORS, COLORS_4, COLORS_16, COLORS_256
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.decomp.files import TreeFiles
from mapexplorer.errors import SourceError

_LIST: Final = re.compile(r"^(\w+) = \[\n(.*?)^\]", re.DOTALL | re.MULTILINE)
_ENTRY: Final = re.compile(r"\{([^{}]*)\}")
_PAIR: Final = re.compile(r"'(\w+)':\s*'([^']*)'")
_STEP: Final = re.compile(
    r"^foreach (\w+) : (?:range\((\d{1,4})\)|(\w+))\n(.*?)^endforeach|^(\S*\s*\+?=\s*custom_target\(.*?\n\))",
    re.DOTALL | re.MULTILINE,
)
_PART: Final = re.compile(r"\b(?:input: files\((.*?)\)(?=,\n)|output: ([^\n]*)|command: \[(.*?)\n\s*\])", re.DOTALL)
_WORD: Final = re.compile(r"'([^']*)'|\b(\w+)\['(\w+)'\]|\b(\w+)\.to_string\(\)")
_PICTURE: Final = "--texture"
_NAME: Final = "--name"
_PALETTE: Final = "--extract-palette"
_PALETTE_NAME: Final = "name of the palette"
_WITH_SUFFIX: Final = "--palette-suffix"
_WITH_VALUE: Final = frozenset({_PICTURE, _NAME, "--frame-height", "--num-frames"})
_SUFFIX: Final = "_pl"
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = 26
"""Bytes of a PNG up to the kind of its pixels."""
_MOST_PIXELS: Final = 1024
_MOST_LETTERS: Final = 16
_FEWEST_COLORS: Final = 8
_FORMATS: Final = {1: COLORS_4, 2: COLORS_4, 4: COLORS_16, 8: COLORS_256}
"""Bits of a pixel of a PNG -> the texel format."""

Values = Mapping[str, Mapping[str, str] | int]


@dataclass(frozen=True)
class PictureStep:
    """What the build makes an output of: the pictures and the arguments."""

    pictures: tuple[str, ...]
    arguments: tuple[str, ...]


def steps(text: str) -> dict[str, PictureStep]:
    """Output -> the step that makes it, of a list of the build."""
    lists = {
        match[1]: [dict(_PAIR.findall(entry)) for entry in _ENTRY.findall(match[2])] for match in _LIST.finditer(text)
    }
    made = {}
    for variable, count, name, body, alone in _STEP.findall(text):
        entries: Sequence[Any] = range(int(count)) if count else lists.get(name, ())
        for values in [{variable: entry} for entry in entries] if body else [{}]:
            output, step = _step(body or alone, values)
            made[output] = step
    return made


def _step(text: str, values: Values) -> tuple[str, PictureStep]:
    parts = ["".join(part) for part in zip(*_PART.findall(text), strict=True)] or [""] * 3
    pictures, output, arguments = (_words(part, values) for part in parts)
    first = pictures[0].rpartition("/")[2].partition(".")[0] if pictures else ""
    named = {"@INPUT@": pictures[0] if pictures else ""} | {f"@INPUT{n}@": file for n, file in enumerate(pictures)}
    words = tuple(named.get(word, word) for word in arguments)
    return "".join(output).replace("@BASENAME@", first), PictureStep(tuple(pictures), words)


def _words(text: str, values: Values) -> list[str]:
    """The texts in an expression; those of one entry are joined."""
    return ["".join(_evaluated(part, values)) for part in text.split(",") if _WORD.search(part)]


def _evaluated(text: str, values: Values) -> Iterator[str]:
    for literal, entry, key, number in _WORD.findall(text):
        value = values.get(entry or number, {})
        yield str(value) if number else str(value.get(key, "")) if isinstance(value, Mapping) and key else literal


Options = Mapping[str, str]
"""The options about a picture, with their values."""


def _requests(arguments: Sequence[str]) -> list[dict[str, str]]:
    """The options about each picture; a name behind the option of the palette is that of the palette."""
    requests: list[dict[str, str]] = []
    words = iter(arguments)
    for word in words:
        if word == _PICTURE:
            requests.append({_NAME: ""})
        if requests and word.startswith("--"):
            key = _PALETTE_NAME if word == _NAME and _PALETTE in requests[-1] else word
            requests[-1][key] = next(words, "") if word in _WITH_VALUE else word
    return requests


def texture_set(files: TreeFiles, folder: str, step: PictureStep) -> Nsbtx:
    """The texture set of a step whose pictures are below a folder. Raises SourceError."""
    textures: list[Texture] = []
    palettes: list[Palette] = []
    for request in _requests(step.arguments):
        file = f"{folder}/{request[_PICTURE]}"
        try:
            _add(request, files.read(file), textures, palettes)
        except (ValueError, OSError, SyntaxError) as error:
            if isinstance(error, SourceError):
                raise
            why = str(error) if isinstance(error, ValueError) else f"the PNG picture is damaged ({error})"
            raise SourceError(file, None, why) from None
    textures.sort(key=lambda texture: texture.name)
    palettes.sort(key=lambda palette: palette.name)
    return Nsbtx(Tex0(tuple(textures), tuple(palettes)))


def _add(request: Options, data: bytes, textures: list[Texture], palettes: list[Palette]) -> None:
    """Add the frames and palettes of a picture. Raises ValueError, and what Pillow raises for a damaged one."""
    from PIL import Image

    if (
        not data.startswith(_SIGNATURE)
        or len(data) < _HEADER
        or max(struct.unpack_from(">II", data, 16)) > _MOST_PIXELS
    ):
        raise ValueError(f"this is no PNG picture of at most {_MOST_PIXELS} x {_MOST_PIXELS} pixels")
    with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
        if image.mode != "P":
            raise ValueError("this PNG picture has no palette")
        numbers = np.asarray(image, np.uint8)
        transparent = "transparency" in image.info
        shown = np.array(image.getpalette("RGB"), np.uint16).reshape(-1, 3) >> 3
    combined = "--combined-palette" in request
    colors = (shown[:, 0] | shown[:, 1] << 5 | shown[:, 2] << 10).astype("<u2")
    frames = int(request.get("--num-frames", "0"))
    height = int(request.get("--frame-height", "0")) or len(numbers) // (frames or 1)
    frames = frames or len(numbers) // (height or 1)
    if frames * height != len(numbers):
        raise ValueError(f"{len(numbers)} rows of pixels are not {frames} frames of {height} rows")
    count = len(colors) // frames if combined else len(colors)
    bits = max(count - 1, 1).bit_length() if combined else data[24]
    form = next(form for depth, form in _FORMATS.items() if bits <= depth)
    for number, frame in enumerate(np.split(numbers % count if combined else numbers, frames), 1):
        name = f"{request[_NAME]}.{number}" if frames > 1 else request[_NAME]
        textures.append(_texture(name[:_MOST_LETTERS], frame, form, transparent))
    if _PALETTE in request:
        several = frames if frames > 1 and (combined or "--repeat-palette" in request) else 1
        parts = np.split(colors, frames) if combined else [colors] * several
        for number, part in enumerate(parts, 1):
            name = request.get(_PALETTE_NAME, request[_NAME])
            name = f"{name}.{number}" if several > 1 else name
            palettes.append(_palette(name + _SUFFIX * (_WITH_SUFFIX in request), part))


def _texture(name: str, numbers: npt.NDArray[np.uint8], form: int, transparent: bool) -> Texture:
    """A frame; what the hardware's size has beyond it repeats its last column and row."""
    height, width = numbers.shape
    full_width, full_height = (max(8, 1 << (size - 1).bit_length()) for size in (width, height))
    if numbers.max() >= COLORS[form]:
        raise ValueError(f"a pixel has colour number {numbers.max()}, the last of this texture is {COLORS[form] - 1}")
    whole = np.pad(numbers, ((0, full_height - height), (0, full_width - width)), "edge")
    same = (full_width, full_height) == (width, height)
    texels_ = texels.encode_indices(form, whole)
    return Texture(name, form, full_width, full_height, transparent, width, height, texels_, same_size=same)


def _palette(name: str, colors: npt.NDArray[np.uint16]) -> Palette:
    few = len(colors) < _FEWEST_COLORS
    return Palette(name[:_MOST_LETTERS], np.pad(colors, (0, max(0, _FEWEST_COLORS - len(colors)))), int(few))
