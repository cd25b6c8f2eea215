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
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import require
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
PICTURE: Final = "--texture"
_NAME: Final = "--name"
_PALETTE: Final = "--extract-palette"
_PALETTE_NAME: Final = "name of the palette"
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_BITS_AT: Final = 24
"""Where a PNG has the bits of a pixel."""
_MOST_PIXELS: Final = 1024
_MOST_LETTERS: Final = 16
_FEWEST_COLORS: Final = 8
_FORMATS: Final = {1: COLORS_4, 2: COLORS_4, 4: COLORS_16, 8: COLORS_256}
"""Bits of a pixel of a PNG -> the texel format."""

Options = Mapping[str, str]
"""The options about a picture, with the words behind them; its file is that of PICTURE."""


def steps(text: str) -> dict[str, list[Options]]:
    """Output -> the pictures that it is made of, of a list of the build."""
    lists = {
        match[1]: [dict(_PAIR.findall(entry)) for entry in _ENTRY.findall(match[2])] for match in _LIST.finditer(text)
    }
    made = {}
    for variable, count, name, body, alone in _STEP.findall(text):
        entries: Sequence[Any] = range(int(count)) if count else lists.get(name, ())
        for values in [{variable: entry} for entry in entries] if body else [{}]:
            parts = ["".join(part) for part in zip(*_PART.findall(body or alone), strict=True)] or [""] * 3
            pictures, output, arguments = (list(_words(part, values)) for part in parts)
            first, *_ = [*pictures, ""]
            named = {"@INPUT@": first} | {f"@INPUT{number}@": file for number, file in enumerate(pictures)}
            base = first.rpartition("/")[2].partition(".")[0]
            step = _options([named.get(word, word) for word in arguments])
            made["".join(output).replace("@BASENAME@", base)] = step
    return made


def _words(text: str, values: Mapping[str, Mapping[str, str] | int]) -> Iterator[str]:
    """The texts in an expression; those of one entry are joined."""
    for part in text.split(","):
        words = []
        for literal, entry, key, number in _WORD.findall(part):
            value = values.get(entry or number, {})
            words.append(
                str(value) if number else value.get(key, "") if isinstance(value, Mapping) and key else literal
            )
        if words:
            yield "".join(words)


def _options(words: list[str]) -> list[Options]:
    """The options about each picture in the arguments of the program that makes an output; a name behind the option of
    the palette is that of the palette."""
    starts = [at for at, word in enumerate(words) if word == PICTURE]
    pictures: list[Options] = []
    for begin, end in pairwise([*starts, len(words)]):
        options = {_NAME: ""}
        for word, following in pairwise([*words[begin:end], ""]):
            if word.startswith("--"):
                options[_PALETTE_NAME if word == _NAME and _PALETTE in options else word] = following
        pictures.append(options)
    return pictures


def texture_set(files: TreeFiles, folder: str, step: Sequence[Options]) -> Nsbtx:
    """The texture set of a step whose pictures are below a folder. Raises SourceError."""
    textures: list[Texture] = []
    palettes: list[Palette] = []
    for options in step:
        file = f"{folder}/{options[PICTURE]}"
        data = files.read(file)
        try:
            _add(options, data, textures, palettes)
        except (OSError, SyntaxError) as error:
            raise SourceError(file, None, f"the PNG picture is damaged ({error})") from None
        except ValueError as error:
            raise SourceError(file, None, str(error)) from None
    textures.sort(key=lambda texture: texture.name)
    palettes.sort(key=lambda palette: palette.name)
    return Nsbtx(Tex0(tuple(textures), tuple(palettes)))


def _add(options: Options, data: bytes, textures: list[Texture], palettes: list[Palette]) -> None:
    """Add the frames and palettes of a picture. Raises ValueError, and what Pillow raises for a damaged one."""
    from PIL import Image

    require(
        data[:8] == _SIGNATURE and max(struct.unpack_from(">II", data.ljust(_BITS_AT, b"\xff"), 16)) <= _MOST_PIXELS,
        f"this is no PNG picture of at most {_MOST_PIXELS} x {_MOST_PIXELS} pixels",
    )
    with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
        require(image.mode == "P", "this PNG picture has no palette")
        numbers = np.asarray(image, np.uint8)
        transparent = "transparency" in image.info
        shown = np.array(image.getpalette("RGB"), np.uint16).reshape(-1, 3) >> 3
    combined = "--combined-palette" in options
    colors = (shown[:, 0] | shown[:, 1] << 5 | shown[:, 2] << 10).astype("<u2")
    frames = int(options.get("--num-frames", "0"))
    height = int(options.get("--frame-height", "0")) or len(numbers) // (frames or 1)
    frames = frames or len(numbers) // (height or 1)
    require(frames * height == len(numbers), f"{len(numbers)} rows of pixels are not {frames} frames of {height} rows")
    count = len(colors) // frames if combined else len(colors)
    bits = max(count - 1, 1).bit_length() if combined else data[_BITS_AT]
    form = next(form for depth, form in _FORMATS.items() if bits <= depth)
    several = frames if frames > 1 and (combined or "--repeat-palette" in options) else 1
    for number, frame in enumerate(np.split(numbers % count if combined else numbers, frames), 1):
        name = f"{options[_NAME]}.{number}" if frames > 1 else options[_NAME]
        textures.append(_texture(name[:_MOST_LETTERS], frame, form, transparent))
    for number, part in enumerate(np.split(colors, several if combined else 1) * (1 if combined else several), 1):
        name = options.get(_PALETTE_NAME, options[_NAME]) + f".{number}" * (several > 1)
        name += "_pl" * ("--palette-suffix" in options)
        absent = max(0, _FEWEST_COLORS - len(part))
        palettes += [Palette(name[:_MOST_LETTERS], np.pad(part, (0, absent)), int(absent > 0))] * (_PALETTE in options)


def _texture(name: str, numbers: npt.NDArray[np.uint8], form: int, transparent: bool) -> Texture:
    """A frame; what the hardware's size has beyond it repeats its last column and row."""
    height, width = numbers.shape
    full_width, full_height = (max(8, 1 << (size - 1).bit_length()) for size in (width, height))
    require(
        numbers.max() < COLORS[form],
        f"a pixel has colour number {numbers.max()}, the last of this texture is {COLORS[form] - 1}",
    )
    whole = np.pad(numbers, ((0, full_height - height), (0, full_width - width)), "edge")
    same = (full_width, full_height) == (width, height)
    texels_ = texels.encode_indices(form, whole)
    return Texture(name, form, full_width, full_height, transparent, width, height, texels_, same_size=same)
