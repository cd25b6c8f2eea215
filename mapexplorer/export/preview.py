"""What a request will write: where that takes about a second it is tried in a temporary folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from mapexplorer.export.maps import headers_named
from mapexplorer.export.request import (
    AllMapsRequest,
    AllPicturesRequest,
    ConvertRequest,
    KitRequest,
    MapRequest,
    ModelRequest,
    PictureRequest,
    Request,
    TexturesRequest,
)
from mapexplorer.export.run import run
from mapexplorer.system.progress import Progress
from mapexplorer.values import count
from mapexplorer.world.world import FieldWorld

_FEW: Final = 8
"""Loose files that are converted in about a second."""
_QUICK: Final[Mapping[type[Request], Callable[[Any], bool]]] = {
    MapRequest: lambda request: request.options.margin <= 1,
    KitRequest: lambda request: request.options.margin <= 1 and not request.whole_matrix,
    ModelRequest: lambda request: True,
    TexturesRequest: lambda request: True,
    ConvertRequest: lambda request: len(request.files) <= _FEW,
    PictureRequest: lambda request: request.engine == "ds" and request.frames is None and not request.all_cells,
}
"""Kind of request -> whether a request of it takes about a second; others take longer, or need OpenGL."""

_COUNTED: Final = {
    "triangles": "triangle",
    "images": "texture picture",
    "materials": "material",
    "animations": "clip",
    "props": "prop",
    "cells": "cell",
    "files": "file",
}
"""The numbers among the facts of an outcome that are told, and the word for one of them."""


def preview(request: Request, world: FieldWorld, progress: Progress | None = None) -> tuple[list[str], bytes]:
    """What a request will write, in lines of text, and the picture that it draws as PNG, empty without one. Lines and
    picture are empty where it takes long to find out. Raises what `run` raises."""
    if isinstance(request, AllMapsRequest | AllPicturesRequest):
        return [count(len(headers_named(world, request.maps or "") or world.headers), "map header")], b""
    if not _QUICK.get(type(request), lambda _: False)(request):
        return [], b""
    with TemporaryDirectory() as folder:
        outcome = run(dataclasses.replace(request, output=Path(folder) / request.output.name), world, progress)
        counted = [count(outcome.facts[name], word) for name, word in _COUNTED.items() if outcome.facts.get(name)]
        lines = [
            f"{sum(file.stat().st_size for file in outcome.files):,} bytes",
            *(counted or [outcome.sentence]),
            *outcome.notices,
        ]
        return lines, outcome.files[0].read_bytes() if isinstance(request, PictureRequest) else b""
