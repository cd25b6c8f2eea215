"""The records of `formats.field` as tables: `python -m tools.format_tables` writes docs/formats.md.

The tables are made from the layouts that read and write the files (`formats/field/layout.py`) and from the element
types of arrays; the words above them are the docstrings, their meanings those of the fields. `tests/lint/test_docs.py`
compares the page with them.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

import formats.field
from formats.field.field_types import Counted, FieldFormat, Rest
from formats.field.layout import Record, layout

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
        rows = [_row(kind, field) for field in layout(kind).fields()]
        size = None if any(row[1] == "" for row in rows) else layout(kind).size
        titles = ["offset", "size", "bits", "field", "type"]
        meanings = field_docstrings(kind)
        if meanings:
            titles.append("meaning")
            rows = [
                [*row, meanings.get(field.name, "")] for row, field in zip(rows, layout(kind).fields(), strict=True)
            ]
        yield _section(kind.__name__, inspect.getdoc(kind) or "", size, titles, rows)


def _section(name: str, words: str, size: int | None, titles: list[str], rows: list[list[str]]) -> str:
    about = f"{words}\n\n" if words else ""
    length = f"{size} bytes.\n\n" if size is not None else ""
    lines = [titles, ["---"] * len(titles), *rows]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return f"### {name}\n\n{about}{length}{table}"


def _row(record: type[Record], field: FieldFormat) -> list[str]:
    hint = typing.get_type_hints(record)[field.name]
    optional = ", in some forms" if types.NoneType in typing.get_args(hint) else ""
    first, width = field.bits or (0, 0)
    bits = "" if field.bits is None else f"{first}" if width == 1 else f"{first}-{first + width - 1}"
    return [_number(field.offset), _number(field.size), bits, f"`{field.name}`", _type(field) + optional]


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _type(field: FieldFormat) -> str:
    kind = field.kind
    if isinstance(kind, np.dtype):
        name = _number_name(kind) if kind.names is None else f"_{_element_name(kind)}_"
    else:
        name = kind if isinstance(kind, str) else f"_{kind.__name__}_"
    match field.number:
        case Counted(count=count):
            return f"a count ({_number_name(np.dtype(count))}) and so many {name}"
        case Rest():
            return f"{name} up to the end"
        case 1:
            return name
        case count:
            return f"{count} {name}"


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
