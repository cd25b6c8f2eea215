"""Names and fields explain themselves: no class name stands twice, a large class says what each of its fields is, a
loop says what runs through it, and a function says what it has found."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MANY = 8
"""Fields of a class from which on each of them has its own explanation."""
EXPLAINED = ("option", "again", "group")
"""What declares a field with its text of help."""
WITHOUT_A_WORD = ("one",)
"""Names that do not say what they stand for."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    for package in ("formats", "mapexplorer"):
        for file in sorted((ROOT / package).rglob("*.py")):
            yield file.relative_to(ROOT).as_posix(), ast.parse(file.read_text("utf-8"))


def classes() -> Iterator[tuple[str, ast.ClassDef]]:
    for name, module in modules():
        yield from ((name, node) for node in ast.walk(module) if isinstance(node, ast.ClassDef))


def fields(declared: ast.ClassDef) -> Iterator[tuple[str, bool]]:
    """(name, whether it is explained) of the fields that a class declares."""
    for statement, following in pairwise([*declared.body, ast.Pass()]):
        match statement:
            case ast.AnnAssign(ast.Name(name), annotation, value) if "ClassVar" not in ast.unparse(annotation):
                helped = isinstance(value, ast.Call) and ast.unparse(value.func) in EXPLAINED
                described = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                yield name, helped or described


def test_no_class_name_stands_twice() -> None:
    names = Counter(declared.name for _, declared in classes())
    assert len(names) > 500
    assert [name for name, count in names.items() if count > 1] == []


def test_each_field_of_a_large_class_is_explained() -> None:
    bare, large = [], 0
    for file, declared in classes():
        known = dict(fields(declared))
        if len(known) >= MANY:
            large += 1
            bare += [f"{file}: {declared.name}.{name}" for name, explained in known.items() if not explained]
    assert large > 50
    assert bare == []


def test_functions_say_what_they_have_found() -> None:
    """Fields and arguments called `found` stand beside one called `expected`."""
    for file, module in modules():
        for function in ast.walk(module):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                        assert node.id != "found", f"{file}:{node.lineno}: {node.id!r} does not say what it is"


def test_loops_say_what_runs_through_them() -> None:
    for file, module in modules():
        for node in ast.walk(module):
            match node:
                case ast.Name(name, ast.Store()) | ast.arg(name) if name in WITHOUT_A_WORD:
                    raise AssertionError(f"{file}:{node.lineno}: {name!r} does not say what it is")
