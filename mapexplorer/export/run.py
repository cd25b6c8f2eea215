"""Runs requests for the command line, the export dialog and scripts."""

from __future__ import annotations

from collections.abc import Callable
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Final

from mapexplorer.export.request import (
    AllMapsRequest,
    AllPicturesRequest,
    ConvertRequest,
    DatabaseRequest,
    FileRequest,
    KitRequest,
    MapRequest,
    MatrixRequest,
    ModelRequest,
    ModelsRequest,
    PictureRequest,
    PosterRequest,
    Request,
    TexturesRequest,
)
from mapexplorer.option import OptionError
from mapexplorer.system.progress import Outcome, Progress

if TYPE_CHECKING:
    from mapexplorer.rom import Rom
    from mapexplorer.world.world import FieldWorld

WRITERS: Final[dict[type[Request], str]] = {
    MapRequest: "mapexplorer.export.maps:write_map",
    MatrixRequest: "mapexplorer.export.maps:write_map",
    KitRequest: "mapexplorer.export.kit:write_kit",
    AllMapsRequest: "mapexplorer.export.maps:write_all",
    AllPicturesRequest: "mapexplorer.export.maps:write_all",
    ModelRequest: "mapexplorer.export.models:write_model",
    ModelsRequest: "mapexplorer.export.models:write_models",
    PictureRequest: "mapexplorer.export.render:write_picture",
    PosterRequest: "mapexplorer.export.poster:write_poster",
    TexturesRequest: "mapexplorer.export.texture_sets:write_textures",
    FileRequest: "mapexplorer.export.dump:write_file",
    DatabaseRequest: "mapexplorer.export.database:write_database",
    ConvertRequest: "mapexplorer.export.convert:write_converted",
}
"""Module and function that write a kind of request, imported when it runs."""


def run(request: Request, rom: Rom | FieldWorld | None = None, progress: Progress | None = None) -> Outcome:
    """Run a request on a ROM; ConvertRequest needs none for loose files.

    Raises FormatError, RomError, PlaceError, OptionError, OSError. KeyboardInterrupt ends a request for all maps early,
    with `interrupted` set among the facts.
    """
    from mapexplorer.rom import Rom
    from mapexplorer.world.world import FieldWorld

    progress = progress or Progress()
    progress.report(0, 0, "Preparing")
    world = FieldWorld(rom) if isinstance(rom, Rom) else rom
    if world is None and not isinstance(request, ConvertRequest):
        raise OptionError("{0} needs a ROM", request.kind.name)
    write: Callable[[Request, FieldWorld | None, Progress], Outcome] = resolve_name(WRITERS[type(request)])
    return write(request, world, progress)


def check(request: Request, world: FieldWorld) -> None:
    """Raise OptionError or PlaceError for what a ROM does not have, where that is found out at once."""
    if isinstance(request, AllMapsRequest | AllPicturesRequest):
        from mapexplorer.export.maps import headers_named

        headers_named(world, request.maps or "")
