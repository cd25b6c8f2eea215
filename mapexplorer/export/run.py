"""Runs requests for the command line, the export dialog and scripts."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

from mapexplorer.export.progress import NoProgress, Outcome, Progress
from mapexplorer.export.request import (
    AllMapsRequest,
    ConvertRequest,
    DatabaseRequest,
    FileRequest,
    KitRequest,
    MapRequest,
    MatrixRequest,
    ModelRequest,
    PictureRequest,
    PosterRequest,
    Request,
    TexturesRequest,
)
from mapexplorer.option import OptionError

if TYPE_CHECKING:
    from mapexplorer.rom import Rom
    from mapexplorer.world.world import FieldWorld


def run(request: Request, rom: Rom | FieldWorld | None = None, progress: Progress | None = None) -> Outcome:
    """Run a request on a ROM; ConvertRequest needs none.

    Raises FormatError, RomError, PlaceError, OptionError, OSError. KeyboardInterrupt ends AllMapsRequest early, with
    `interrupted` set among the facts.
    """
    from mapexplorer.rom import Rom
    from mapexplorer.world.world import FieldWorld

    told = progress or NoProgress()
    told.report(0, 0, "Preparing")
    world = FieldWorld(rom) if isinstance(rom, Rom) else rom
    if world is None and not isinstance(request, ConvertRequest):
        raise OptionError("{0} needs a ROM", request.kind)
    return write(request, world, told)


def check(request: Request, world: FieldWorld) -> None:
    """Raise OptionError or PlaceError for what a ROM does not have, where that is found out at once."""
    if isinstance(request, AllMapsRequest):
        from mapexplorer.export.maps import headers_named

        headers_named(world, request.maps or "")


@singledispatch
def write(request: Request, world: Any, progress: Progress) -> Outcome:
    """Write the files of a request; every kind of request registers its function."""
    raise TypeError(f"nothing writes a {type(request).__name__}")


@write.register(MapRequest)
@write.register(MatrixRequest)
def _(request: MapRequest | MatrixRequest, world: FieldWorld, progress: Progress) -> Outcome:
    from mapexplorer.export.maps import write_map

    return write_map(request, world, progress)


@write.register(KitRequest)
def _(request: KitRequest, world: FieldWorld, progress: Progress) -> Outcome:
    from mapexplorer.export.kit import write_kit

    return write_kit(request, world, progress)


@write.register(AllMapsRequest)
def _(request: AllMapsRequest, world: FieldWorld, progress: Progress) -> Outcome:
    from mapexplorer.export.maps import write_all

    return write_all(request, world, progress)


@write.register(ModelRequest)
def _(request: ModelRequest, world: FieldWorld, progress: Progress) -> Outcome:
    from mapexplorer.export.maps import write_model

    return write_model(request, world, progress)


@write.register(PictureRequest)
def _(request: PictureRequest, world: FieldWorld, progress: Progress) -> Outcome:
    from mapexplorer.export.render import write_picture

    return write_picture(request, world, progress)


@write.register(PosterRequest)
def _(request: PosterRequest, world: FieldWorld, progress: Progress) -> Outcome:
    from mapexplorer.export.poster import write_poster

    return write_poster(request, world, progress)


@write.register(TexturesRequest)
def _(request: TexturesRequest, world: FieldWorld, progress: Progress) -> Outcome:
    from mapexplorer.export.texture_sets import write_textures

    return write_textures(request, world, progress)


@write.register(FileRequest)
def _(request: FileRequest, world: FieldWorld, progress: Progress) -> Outcome:
    from mapexplorer.export.dump import write_file

    return write_file(request, world, progress)


@write.register(DatabaseRequest)
def _(request: DatabaseRequest, world: FieldWorld, progress: Progress) -> Outcome:
    from mapexplorer.export.database.write import write_database

    return write_database(request, world, progress)


@write.register(ConvertRequest)
def _(request: ConvertRequest, world: None, progress: Progress) -> Outcome:
    from mapexplorer.export.convert import write_converted

    return write_converted(request, progress)
