"""The records of `formats.field` as tables: `python -m tools.format_tables` writes docs/formats.md.

The tables are made from the layouts that read and write the files (`formats/field/layout.py`) and from the element
types of arrays; the words above them are the docstrings, their meanings those of the fields. `tests/lint/test_docs.py`
compares the page with them.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

import formats.field
from formats.field.field_types import NUMBER_NAMES, Bits, Counted, Rest
from formats.field.layout import Record

PAGE: Final = Path(__file__).parents[1] / "docs" / "formats.md"

_HEAD: Final = """# Records of the field data

<!-- Made by python -m tools.format_tables from the declarations that read and write the files; do not edit it. -->

Numbers are little-endian: `U8`, `U16`, `U32` without a sign, `S8`, `S16`, `S32` with one. Offsets and sizes are in
bytes, from the start of the record; an offset is missing where an array lies before the field. The fields of a word
that several share have the offset of the word, and their bits. A name in italics is a record or an element of this
page. What is more than records (NITRO models, script files, texts ...) is not described here but in its module in
`formats/`.
"""

_NUMBERS: Final = {"u": "U", "i": "S"}
_BITS: Final = re.compile(r"bits (\d+) to (\d+)")
_ZEROS: Final = 1024
"""Bytes: more than any record has."""


def modules() -> list[ModuleType]:
    """The modules of formats.field in the order of their names."""
    names = sorted(module.name for module in pkgutil.iter_modules(formats.field.__path__))
    return [importlib.import_module(f"formats.field.{name}") for name in names]


def records(module: ModuleType) -> list[type[Record]]:
    """The records that a module declares, in the order of the file."""
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Record)
        and value.__module__ == module.__name__
        and vars(value).get("stored") is value
    ]


def elements(module: ModuleType) -> dict[str, tuple[np.dtype[Any], str]]:
    """Name -> type and docstring of the elements with fields that a module declares for others."""
    declared = {}
    body = ast.parse(inspect.getsource(module)).body
    for statement, following in zip(body, [*body[1:], None], strict=True):
        match statement:
            case ast.Assign(targets=[ast.Name(name)]) if not name.startswith("_"):
                value = getattr(module, name)
                if isinstance(value, np.dtype) and value.names:
                    declared[name] = value, _docstring(following)
    return declared


def field_docstrings(record: type[Record]) -> dict[str, str]:
    """Name -> docstring of the fields of a record, in a line; empty where the fields have none."""
    body = ast.parse(inspect.getsource(record)).body[0].body  # type: ignore[attr-defined]
    return {
        statement.target.id: " ".join(docstring.split())
        for statement, following in zip(body, [*body[1:], None], strict=True)
        if isinstance(statement, ast.AnnAssign) and (docstring := _docstring(following))
    }


def _docstring(statement: ast.stmt | None) -> str:
    match statement:
        case ast.Expr(ast.Constant(str(text))):
            return inspect.cleandoc(text)
    return ""


def page() -> str:
    """The page."""
    return "\n".join([_HEAD, *(part for module in modules() for part in _module(module))])


def _module(module: ModuleType) -> Iterator[str]:
    kinds, arrays = records(module), elements(module)
    if not kinds and not arrays:
        return
    yield f"## {module.__name__.rpartition('.')[2]}\n\n{inspect.cleandoc(module.__doc__ or '')}\n"
    for name, (dtype, words) in arrays.items():
        yield _section(name, words, dtype.itemsize, ["offset", "size", "field", "type"], list(_element_rows(dtype)))
    for kind in kinds:
        rows = {name: [*place, f"`{name}`", _type(hint)] for name, hint, place in _fields(kind)}
        sizes = [(int(row[0]), int(row[1])) for row in rows.values() if row[0] and row[1]]
        size = sum(sizes[-1]) if len(sizes) == len(rows) else None
        titles = ["offset", "size", "bits", "field", "type"]
        meanings = field_docstrings(kind)
        if meanings:
            titles.append("meaning")
            rows = {name: [*row, meanings.get(name, "")] for name, row in rows.items()}
        yield _section(kind.__name__, inspect.getdoc(kind) or "", size, titles, list(rows.values()))


def _section(name: str, words: str, size: int | None, titles: list[str], rows: list[list[str]]) -> str:
    about = f"{words}\n\n" if words else ""
    length = f"{size} bytes.\n\n" if size is not None else ""
    lines = [titles, ["---"] * len(titles), *rows]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return f"### {name}\n\n{about}{length}{table}"


def _fields(record: type[Record]) -> Iterator[tuple[str, Any, list[str]]]:
    """The fields of a record, each with its annotation, and its offset, size and bits as they are in a record of
    zeros. The offset is empty behind an array, the size of an array too."""
    spans = record.from_bytes(bytes(_ZEROS)).spans()
    end: int | None = 0
    hints = typing.get_type_hints(record, include_extras=True)
    for name in [field.name for field in dataclasses.fields(record)]:
        own = [span for span in spans if span.path[0] == name]
        if isinstance(_annotated(hints[name])[1], Counted | Rest):
            yield name, hints[name], [_number(end), "", ""]
            end = None
            continue
        size = own[-1].offset + own[-1].size - own[0].offset
        bits = _BITS.match(own[0].how) if len(own[0].path) == 1 else None
        place = "" if bits is None else bits[1] if bits[1] == bits[2] else f"{bits[1]}-{bits[2]}"
        yield name, hints[name], [_number(None if end is None else own[0].offset), str(size), place]
        end = None if end is None else own[0].offset + size


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _annotated(hint: Any) -> tuple[Any, Any]:
    """The type of an annotation and how it is stored."""
    return typing.get_args(hint) if typing.get_origin(hint) is typing.Annotated else (hint, None)


def _type(hint: Any) -> str:
    kind, how = _annotated(hint)
    match how:
        case str() | Bits():
            return NUMBER_NAMES[how if isinstance(how, str) else how.word]
        case Counted(count=count, dtype=dtype):
            return f"a count ({_number_name(np.dtype(count))}) and so many {_name(dtype)}"
        case Rest(dtype=dtype):
            return f"{_name(dtype)} up to the end"
    if typing.get_origin(kind) is tuple:
        first, *others = typing.get_args(kind)
        return f"{how or 1 + len(others)} {_type(first)}"
    if types.NoneType in typing.get_args(kind):
        return f"{_type(typing.get_args(kind)[0])}, in some forms"
    return f"_{kind.__name__}_" if issubclass(kind, Record) else "bytes"


def _name(dtype: Any) -> str:
    kind = np.dtype(dtype)
    return _number_name(kind) if kind.names is None else f"_{_element_name(kind)}_"


def _element_name(dtype: np.dtype[Any]) -> str:
    """The name under which a module declares an element."""
    return next(name for module in modules() for name, (declared, _) in elements(module).items() if declared is dtype)


def _element_rows(dtype: np.dtype[Any]) -> Iterator[list[str]]:
    for name, (kind, offset, *_) in (dtype.fields or {}).items():
        count = f"{kind.shape[0]} " if kind.shape else ""
        yield [str(offset), str(kind.itemsize), f"`{name}`", count + _number_name(kind.base)]


def _number_name(dtype: np.dtype[Any]) -> str:
    return f"{_NUMBERS[dtype.kind]}{8 * dtype.itemsize}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.stdout.write(f"{PAGE}\n")
