"""Values as JSON documents of a reviewable size, and back.

A document is that of `formats.json_codec` with these differences: bytes are lines of hexadecimal digits; the model of a
land has a document of its own; the texels of a texture are a PNG, its palette's colours are texts `#rrggbb`. What is in
a file of its own is `{"@file": name}` with the name relative to the folder of the document.
"""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from posixpath import basename
from typing import Any, Final, NoReturn

from formats.binary import FormatError, same
from formats.field.message import MessageBank, decode, encode
from formats.json_codec import PlainError, from_document, from_plain, hex_lines, layout, to_document, to_plain
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.tex0 import Palette, Tex0
from mapexplorer.errors import SourceError
from mapexplorer.export.files import unique_names
from mapexplorer.export.textures import own_palette, suggested_palette
from mapexplorer.json_lines import extreme_line, line_of, read_json, read_text
from mapexplorer.source_tree.pictures import WITH_PICTURE, color_texts, png_texels, text_colors, texture_png

REFERENCE: Final = "@file"
JSON: Final = ".json"
_PALETTES: Final = '"palettes"'
_COLORS: Final = ".colors.values"
_MOST_LETTERS: Final = 60
"""Letters of a value in an error."""
_MOST_TRIALS: Final = 200
_MOST_SECONDS: Final = 2.0
"""Numbers and texts that are tried as the cause of an error of a writer, and for how long."""

Files = dict[str, bytes]
"""Name -> contents of the files of a member; names are relative to the folder, with `/`."""


def write_document(stem: str, value: object) -> Files:
    """The files of a value: `stem.json`, and what is beside it."""
    files: Files = {}
    _write(stem, value, value, files)
    return files


def _write(stem: str, value: object, root: object, files: Files) -> None:
    document = to_document(value, partial(_replaced, stem, root, files))
    files[f"{stem}{JSON}"] = layout(document).encode()


def _replaced(stem: str, root: object, files: Files, value: object) -> Any:
    """The plain form of what a document has in another form, None for everything else."""
    if isinstance(value, bytes):
        return hex_lines(value)
    if isinstance(value, Nsbmd) and value is not root:
        part = f"{stem}.model"
        _write(part, value, value, files)
        return {REFERENCE: f"{basename(part)}{JSON}"}
    if isinstance(value, Tex0):
        return _texture_set(stem, value, files)
    if isinstance(value, Palette):
        texts = color_texts(value.colors)
        plain = to_plain(value)
        return plain if texts is None else {**plain, "colors": texts}
    return None


def _texture_set(stem: str, value: Tex0, files: Files) -> Any:
    textures = []
    names = unique_names([texture.name for texture in value.textures])
    for texture, name in zip(value.textures, names, strict=True):
        plain = to_plain(texture, lambda data: hex_lines(data) if isinstance(data, bytes) else None)
        if texture.format in WITH_PICTURE:
            files[f"{stem}/{name}.png"] = texture_png(texture, own_palette(value, texture))
            plain["texels"] = {REFERENCE: f"{basename(stem)}/{name}.png"}
        textures.append(plain)
    replaced = partial(_replaced, stem, value, files)
    return {
        "textures": textures,
        "palettes": [to_plain(palette, replaced) for palette in value.palettes],
        "shares_images": value.shares_images,
    }


ReadBack = Callable[[Any, bytes], Any]
"""The value that is read from the bytes of a value."""

_VALUE_ERRORS: Final = (
    *(ValueError, TypeError, ArithmeticError, LookupError, AttributeError, AssertionError),
    *(struct.error, RecursionError, MemoryError),
)
"""What a value that no file has may raise where it is made or written."""


def read_document(file: str, files: Mapping[str, Callable[[], bytes]], read_back: ReadBack | None) -> bytes:
    """The bytes that the value of the document `file` writes. `files` reads the files of the member by name.
    `read_back` reads what was written, which must be the value of the document. Raises SourceError."""
    return _DocumentReader(files).read(file, read_back)


class _DocumentReader:
    def __init__(self, files: Mapping[str, Callable[[], bytes]]) -> None:
        self._files = files
        self._texts: dict[str, tuple[str, str]] = {}
        """Path in the whole document -> the document that begins there: its file and text."""

    def read(self, file: str, read_back: ReadBack | None) -> bytes:
        """The bytes of the value."""
        try:
            document = self._loaded(file, "")
        except RecursionError:
            line = extreme_line(read_text(file, self._files[file]()))
            raise SourceError(file, line, "this JSON is nested too deeply") from None
        value = None
        try:
            value = from_document(document)
            data: bytes = value.to_bytes()
        except PlainError as error:
            path = error.where if error.where == "type" else f"value.{error.where}" if error.where else ""
            self._fail(path, error.why)
        except _VALUE_ERRORS as error:
            self._fail(_cause(document, value, error), _why(error))
        if read_back is not None:
            self._compare(value, data, read_back)
        return data

    def _compare(self, value: Any, data: bytes, read_back: ReadBack) -> None:
        """Refuse a value that is another one when it is read from its bytes."""
        try:
            read = read_back(value, data)
        except FormatError as error:
            self._fail("value", f"the game could not read this: {error}")
        if type(read) is not type(value):
            self._fail("type", f"{type(read).__name__} is needed here, not {type(value).__name__}")
        if same(read, value):
            return
        if isinstance(value, MessageBank):  # a text has other notations than the one that is read
            value = MessageBank(value.seed, tuple(decode(encode(text)) for text in value.messages))
        difference = _difference(to_plain(value), to_plain(read), "value")
        if difference is not None:
            path, there = difference
            words = f"a list of {len(there)}" if isinstance(there, list) else json.dumps(there, ensure_ascii=False)
            self._fail(path, f"when it is read back, this is {words[:_MOST_LETTERS]}")

    def _loaded(self, file: str, path: str) -> dict[str, Any]:
        """The document in a file, which stands for the value at a path."""
        text = read_text(file, self._files[file]())
        document = read_json(file, text)
        if not isinstance(document, dict) or set(document) != {"type", "value"}:
            raise SourceError(file, 1, "an object with a type and a value is needed")
        self._texts[path] = (file, text)
        if REFERENCE in text or _PALETTES in text:
            document["value"] = self._resolved(document["value"], path or "value")
        return document

    def _fail(self, path: str, why: str) -> NoReturn:
        """Raises SourceError at a path of the whole document."""
        start = self._document_of(path)
        file, text = self._texts[start]
        within = path if not start else f"value{path[len(start) :]}"
        raise SourceError(file, line_of(text, within), why) from None

    def _document_of(self, path: str) -> str:
        """Where the document begins that has a path of the whole document."""
        return max((start for start in self._texts if f"{path}.".startswith(f"{start}." if start else "")), key=len)

    def _resolved(self, plain: Any, path: str) -> Any:
        """Plain data with the contents of other files in the place of references."""
        if isinstance(plain, list):
            if plain and not any(isinstance(item, dict | list) for item in plain):
                return plain
            return [self._resolved(item, f"{path}[{index}]") for index, item in enumerate(plain)]
        if not isinstance(plain, dict) or "dtype" in plain:
            return plain
        if set(plain) == {REFERENCE}:
            file = self._referenced(plain[REFERENCE], path)
            if file in [loaded for loaded, _ in self._texts.values()]:
                self._fail(f"{path}.{REFERENCE}", f"{plain[REFERENCE]} is part of itself")
            document = self._loaded(file, path)
            if document["type"] != f"{Nsbmd.__module__}.{Nsbmd.__qualname__}":
                raise SourceError(file, 1, "a model is needed here")
            return document["value"]
        if isinstance(plain.get("textures"), list) and isinstance(plain.get("palettes"), list):
            return self._texture_set(plain, path)
        return {key: self._resolved(item, f"{path}.{key}") for key, item in plain.items()}

    def _referenced(self, name: Any, path: str) -> str:
        """The file that a reference names."""
        folder = self._texts[self._document_of(path)][0].rpartition("/")[0]
        file = f"{folder}/{name}" if folder else str(name)
        if file not in self._files:
            self._fail(f"{path}.{REFERENCE}", f"there is no file {name}")
        return file

    def _texture_set(self, plain: dict[str, Any], path: str) -> dict[str, Any]:
        palettes = []
        for index, palette in enumerate(plain["palettes"]):
            resolved = palette
            colors = palette.get("colors") if isinstance(palette, dict) else None
            if isinstance(colors, list):
                try:
                    resolved = {**palette, "colors": to_plain(text_colors(colors))}
                except ValueError as error:
                    self._fail(f"{path}.palettes[{index}].colors[{error.args[0]}]", "a colour is written #rrggbb")
            palettes.append(resolved)
        textures = [
            self._texture(texture, palettes, f"{path}.textures[{index}]")
            for index, texture in enumerate(plain["textures"])
        ]
        return {**plain, "palettes": palettes, "textures": textures}

    def _texture(self, plain: Any, palettes: list[Any], path: str) -> Any:
        texels = plain.get("texels") if isinstance(plain, dict) else None
        if not isinstance(texels, dict):
            return plain
        at = f"{path}.texels"
        if set(texels) != {REFERENCE}:
            self._fail(at, f"bytes are needed, or the name of a file as {REFERENCE}")
        file = self._referenced(texels[REFERENCE], at)
        numbers = [plain.get(name) for name in ("format", "width", "height")]
        form, width, height = numbers
        if not all(isinstance(number, int) and 0 < number <= 1024 for number in numbers) or form not in WITH_PICTURE:
            self._fail(path, "a texture with a picture has a format of 1 to 4, 6 or 7, a width and a height")
        try:
            data = png_texels(self._files[file](), form, width, height, self._palette(plain, palettes))
        except ValueError as error:
            raise SourceError(file, None, str(error)) from None
        return {**plain, "texels": hex_lines(data)}

    @staticmethod
    def _palette(texture: dict[str, Any], palettes: list[Any]) -> Palette | None:
        """The palette of a texture's picture, as when it was written."""
        known = {str(palette.get("name")): palette for palette in reversed(palettes) if isinstance(palette, dict)}
        name = suggested_palette(str(texture.get("name")), list(reversed(known)))
        try:
            return None if name is None else from_plain(Palette, known[name])
        except PlainError:
            return None


def _why(error: Exception) -> str:
    """An error of a value as the end of a sentence."""
    return str(error) if isinstance(error, ValueError) and str(error) else f"no file has such a value ({error!r})"


def _difference(told: Any, read: Any, path: str) -> tuple[str, Any] | None:
    """The path of the first part of plain data that differs in `read`, and what is there."""
    if isinstance(told, dict) and isinstance(read, dict) and told.keys() == read.keys():
        parts = [(f"{path}.{key}", item, read[key]) for key, item in told.items()]
    elif isinstance(told, list) and isinstance(read, list) and len(told) == len(read):
        parts = [(f"{path}[{index}]", *pair) for index, pair in enumerate(zip(told, read, strict=True))]
    elif path.endswith(_COLORS) and read[: len(told)] == told and not any(read[len(told) :]):
        return None  # palettes are stored with black up to the next one
    else:
        return (path, read) if told != read else None
    return next(filter(None, (_difference(item, there, at) for at, item, there in parts)), None)


def _cause(document: dict[str, Any], value: object, error: Exception) -> str:
    """The path of the number or text without which a writer's error is gone; that of the value where none is found."""
    if isinstance(value, MessageBank):
        for index, text in enumerate(value.messages):
            try:
                encode(text)
            except ValueError:
                return f"value.messages[{index}]"
    leaves = sorted(_leaves(document["value"], "value"), key=lambda leaf: leaf[0], reverse=True)
    end = time.monotonic() + _MOST_SECONDS
    for _, path, holder, key in leaves[:_MOST_TRIALS]:
        if time.monotonic() > end:
            break
        kept = holder[key]
        holder[key] = 0 if isinstance(kept, int) else ""
        try:
            from_document(document).to_bytes()
        except _VALUE_ERRORS as other:
            different = str(other) != str(error)
        else:
            different = True
        holder[key] = kept
        if different:
            return path
    return "value"


def _leaves(plain: Any, path: str) -> Iterator[tuple[int, str, Any, Any]]:
    """(size, path, holder, key) of every number and text below a list or an object."""
    pairs: Any = plain.items() if isinstance(plain, dict) else enumerate(plain)
    for key, item in pairs:
        at = f"{path}.{key}" if isinstance(plain, dict) else f"{path}[{key}]"
        if isinstance(item, dict | list):
            yield from _leaves(item, at)
        elif isinstance(item, int | str) and not isinstance(item, bool):
            yield (abs(item) if isinstance(item, int) else len(item)), at, plain, key
