"""Exports as requests: one dataclass for each kind, whose options the command line, the export dialog and JSON share.

A request is checked when it is made; `mapexplorer.export.run` runs it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final, NamedTuple

from mapexplorer.export.files import STANDARD_OUTPUT
from mapexplorer.export.options import MAP_ENDINGS, MAPS_ONLY, SCENE_ENDINGS, ConvertOptions, ExportOptions
from mapexplorer.option import ANIMATION, EXPERT, INCLUDE, OptionError, Options, again, group, option
from mapexplorer.scene.view import FrameOptions, View
from mapexplorer.values import Choice, Flag, Integer, Numbers, OutputFile, ValueKind, Words

OVERLAY_NAMES: Final = (
    *("collision", "behaviours", "wild", "ranges"),
    *("triggers", "events", "items", "trainers", "warps"),
)
"""The names of `export.overlays`."""
FINISHED_ARE_COMPLETE = "Files that were finished are complete."


class RequestKind(NamedTuple):
    """A kind of request, as a dialog names it."""

    name: str
    """Its name in sentences, and in names of files."""
    title: str
    """Its title."""
    hint: str
    """What is said about it."""
    suffixes: tuple[str, ...] = ()
    """The endings of its file; without them a folder is written."""
    named: str = "{map}_{kind}"
    """The name of a file that is suggested."""
    stopped: str = "Nothing was written."
    """What the files of a stopped request are."""
    streams: bool = False
    """Whether `-` writes the file to standard output."""


@dataclass(frozen=True, kw_only=True)
class Request(Options):
    """The base of all requests, which write a file or a folder."""

    kind: ClassVar[RequestKind]
    """Which kind of request it is."""

    output: Path
    """The file or folder."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind.streams and self.output == STANDARD_OUTPUT:
            return
        try:
            OutputFile(self.kind.suffixes).check(self.output)
        except ValueError as error:
            raise OptionError("{output}: {0}", error) from None


@dataclass(frozen=True, kw_only=True)
class PlaceRequest(Request):
    """A request for the place of a header number, an internal name or a location name; `matrix` and `area` replace what
    its header names."""

    place: int | str
    matrix: int | None = option(
        None,
        Integer(),
        "Another matrix than the header names.",
        "Matrix",
        absent="as its header says",
        shown=(0, 9999),
        section=EXPERT,
    )
    area: int | None = option(
        None,
        Integer(),
        "Another area than the header names.",
        "Area",
        absent="as its header says",
        shown=(0, 9999),
        beside=True,
        section=EXPERT,
    )


@dataclass(frozen=True, kw_only=True)
class MapRequest(PlaceRequest):
    """A map as one GLB, .gltf or OBJ; `cell` is the only one of its cells that is wanted."""

    kind = RequestKind(
        "map",
        "This map",
        "Terrain, props and layers of the map's own cells as one GLB, .gltf or OBJ, or as an HTML page.",
        suffixes=MAP_ENDINGS,
        named="{map}",
        streams=True,
    )

    cell: tuple[int, int] | None = option(
        None,
        Numbers("X,Z", "the place of a cell", whole=True),
        "Only this cell of the place, as X,Z.",
        "Cells",
        absent="all of them; or one, as X,Z",
        section=INCLUDE,
    )
    options: ExportOptions = group(ExportOptions)


@dataclass(frozen=True, kw_only=True)
class MatrixRequest(PlaceRequest):
    """All cells of the matrix of a place as one GLB."""

    kind = RequestKind(
        "matrix",
        "Its whole matrix",
        "Every cell of the matrix as one GLB; large matrices take a while.",
        suffixes=MAP_ENDINGS,
        streams=True,
    )

    options: ExportOptions = group(ExportOptions)


@dataclass(frozen=True, kw_only=True)
class KitRequest(PlaceRequest):
    """The models and cells of a place as `.gltf` files that share buffers and images, in a folder with an index. With
    `whole_matrix` all cells of its matrix."""

    kind = RequestKind(
        "kit",
        "Kit of parts",
        "Every prop model and every cell as .gltf, with shared buffers and pictures, and a scene that places them.",
        named="{map}_kit",
        stopped=FINISHED_ARE_COMPLETE,
    )

    whole_matrix: bool = option(False, Flag(), "All cells of the place's matrix.", "All cells of its matrix")
    options: ExportOptions = group(ExportOptions)


@dataclass(frozen=True, kw_only=True)
class Parallel(Request):
    """A request that uses several processes."""

    jobs: int | None = option(
        None,
        Integer(1),
        "Processes; by default one per core.",
        "Processes",
        absent="one per core",
        shown=(1, 64),
        spelling="--jobs -j",
        section=EXPERT,
    )


@dataclass(frozen=True, kw_only=True)
class AllMapsRequest(Parallel):
    """A GLB for every map, or for those of `maps`, in a folder with a manifest; `resume` skips files that are up to
    date."""

    kind = RequestKind(
        "all",
        "All maps",
        "A GLB for every map header, with a manifest; can be stopped and resumed.",
        named="maps",
        stopped=f"{FINISHED_ARE_COMPLETE[:-1]}; starting again continues from there.",
    )

    maps: str | None = option(
        None,
        ValueKind(),
        "With --all: only these, as 3-18,411,T01.",
        "Maps",
        absent="all of them; or some, as 3-18, 411, T01",
    )
    pages: bool = option(
        False,
        Flag(),
        "With --all: HTML pages instead of GLBs, in which warps are links, and an index.",
        "Pages with links instead of GLBs",
    )
    resume: bool = option(
        False, Flag(), "With --all: skip files that are up to date.", "Skip files that are up to date"
    )
    options: ExportOptions = group(ExportOptions, without=("state",))


@dataclass(frozen=True, kw_only=True)
class AllPicturesRequest(View, Parallel):
    """A PNG for every map as `AllMapsRequest`, drawn by the DS engine, and contact sheets of `sheet` = (columns, rows)
    pictures."""

    kind = RequestKind(
        "all pictures",
        "Pictures of all maps",
        "A PNG for every map header, with a manifest; can be stopped and resumed.",
        named="pictures",
        stopped=AllMapsRequest.kind.stopped,
    )

    at: tuple[float, float] | None = None
    eye: tuple[float, float, float] | None = None
    state: str | None = None
    """These concern one map: they are no options here."""
    maps: str | None = again(AllMapsRequest, "maps", None)
    resume: bool = again(AllMapsRequest, "resume", False)
    sheet: tuple[int, int] | None = option(
        None,
        Numbers("COLUMNSxROWS", "a size of contact sheets", whole=True, least=1, limit=100, between="x"),
        "With --all: contact sheets of so many columns and rows, as 6x5.",
        "Contact sheets",
        absent="none; or columns and rows, as 6x5",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.at is not None or self.eye is not None or self.state is not None:
            raise OptionError("Pictures of several maps take no {at}, {eye} or {state}.")

    @property
    def options(self) -> View:
        """What each picture shows."""
        return View(**{field.name: getattr(self, field.name) for field in dataclasses.fields(View)})


@dataclass(frozen=True, kw_only=True)
class ModelRequest(Request):
    """A prop model as GLB with its animations, and with the textures that `place` gives it."""

    kind = RequestKind(
        "model",
        "Selected prop model",
        "The model of the selected prop as GLB, with its animations.",
        suffixes=SCENE_ENDINGS,
        named="model_{model:03}",
        streams=True,
    )

    place: int | str
    model: int
    options: ExportOptions = group(ExportOptions, without=MAPS_ONLY)


@dataclass(frozen=True, kw_only=True)
class ModelsRequest(Parallel):
    """A GLB for every prop and terrain model, or for those of `models`, in a folder, as `ModelRequest` with the
    textures of the first map that has the model."""

    kind = RequestKind(
        "models",
        "Models of props and terrain",
        "A GLB for each model, with its animations and the textures of the first map that has it.",
        named="models",
        stopped=FINISHED_ARE_COMPLETE,
    )

    models: str | None = option(
        None,
        ValueKind(),
        "Models alone, into a folder: props, lands, both, or some, as prop:3-9,land:12.",
        "Models",
        absent="all; or props, lands, or some, as prop:3-9, land:12",
    )
    options: ExportOptions = group(ExportOptions, without=MAPS_ONLY)


@dataclass(frozen=True, kw_only=True)
class PictureRequest(View, PlaceRequest):
    """A picture of a place in `scale` screens, or with `frames` a moving one: its pictures are `step` updates apart,
    and with `day_cycle` they go once around the clock."""

    kind = RequestKind(
        "picture",
        "Picture or film of this map",
        "As the DS or OpenGL draws it: a PNG; with several frames an APNG or GIF.",
        suffixes=(".png", ".apng", ".gif"),
    )

    engine: str = option(
        "ds", Choice(("ds", "gl")), "The renderer.", "Drawn by", titles={"ds": "The DS engine, exactly", "gl": "OpenGL"}
    )
    scale: int = option(
        1, Integer(1, 16), "Picture size, in screens of 256 x 192 pixels.", "Size", unit=" ×", beside=True
    )
    frames: int | None = option(
        None,
        Integer(1, 10_000),
        "A moving picture of so many frames.",
        "Frames",
        absent="one picture",
        section=ANIMATION,
    )
    step: int = option(
        1,
        Integer(1, 1800),
        "Field updates between frames.",
        "Field updates apart",
        beside=True,
        needs=("frames", lambda frames: frames is not None),
        section=ANIMATION,
    )
    day_cycle: bool = option(
        False,
        Flag(),
        "With --frames: the frames go once around the clock.",
        "The frames go once around the clock",
        needs=("frames", lambda frames: frames is not None),
        section=ANIMATION,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.frames is None and self.output.suffix.lower() == ".gif":
            raise OptionError("A .gif needs {frames}; one picture is written as .png.")
        if self.frames is None and self.day_cycle:
            raise OptionError("{day_cycle} needs {frames}.")


@dataclass(frozen=True, kw_only=True)
class PosterRequest(FrameOptions, Parallel):
    """A map from above: the cells of its own, cropped to what is drawn in them; or all cells of a matrix, uncropped."""

    kind = RequestKind(
        "poster",
        "This map from above",
        "The map's own cells, or its whole matrix, seen from above by the DS renderer, as one PNG.",
        suffixes=(".png", ".svg"),
    )

    place: int | str
    """The header through which the cells are entered."""
    whole_matrix: bool = again(KitRequest, "whole_matrix", False)
    """All cells of the matrix."""
    matrix: int | None = again(PlaceRequest, "matrix", None)
    """All cells of this matrix."""
    cell_pixels: int = option(
        512,
        Integer(32, 2048, "a cell is 32 to 2048 pixels wide, in steps of 16, not {value}", 16),
        "Pixels of a cell's side.",
        "Side of a cell",
        unit=" pixels",
    )
    """The width of a cell."""
    layers: tuple[str, ...] = again(FrameOptions, "layers", ("terrain", "props"))
    """What is drawn."""
    grid: bool = option(False, Flag(), "Lines between cells.", "Lines between cells", section=INCLUDE)
    """Lines between cells."""
    names: bool = option(False, Flag(), "Names of places.", "Names of places", section=INCLUDE)
    """The names of places."""
    collision: bool = option(
        False, Flag(), "Tiles that cannot be entered in red.", "Tiles that cannot be entered in red", section=INCLUDE
    )
    """Tiles that cannot be entered in red."""
    overlays: tuple[str, ...] | None = option(
        None,
        Words(OVERLAY_NAMES, "overlay"),
        f"What lies over the picture as in the window: {', '.join(OVERLAY_NAMES)}.",
        "What lies over it",
        absent="nothing",
        section=INCLUDE,
    )
    """What lies over the picture."""
    legend: bool = option(
        False,
        Flag(),
        "With --overlays: their colours below the picture.",
        "Legend",
        section=INCLUDE,
        needs=("overlays", bool),
    )
    """The colours of what lies over the picture."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.legend and not self.overlays:
            raise OptionError("{legend} needs {overlays}.")


@dataclass(frozen=True, kw_only=True)
class TexturesRequest(Request):
    """Every texture of a place with every palette that its models use, as PNG."""

    kind = RequestKind(
        "textures",
        "Textures of this map",
        "Every texture with every palette that its models use, as PNG.",
        named="{map}_textures",
        stopped=FINISHED_ARE_COMPLETE,
    )

    place: int | str


@dataclass(frozen=True, kw_only=True)
class FileRequest(Request):
    """A file of the ROM, or a member of an archive as PATH#INDEX, as JSON."""

    kind = RequestKind(
        "file",
        "A file of the ROM",
        "Every field of a file or of an archive's member, as JSON; `mapexplorer dump --binary` turns it back into the "
        "same bytes.",
        suffixes=(".json",),
    )

    path: str = option(
        "",
        ValueKind(),
        "A path; of an archive's member as PATH#INDEX.",
        "File",
        absent="a path; of an archive's member as PATH#INDEX",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.path:
            raise OptionError("Which file of the ROM?")


@dataclass(frozen=True, kw_only=True)
class DatabaseRequest(Request):
    """Everything that is known about a ROM, as a SQLite database."""

    kind = RequestKind(
        "database",
        "Everything as a database",
        "Maps, events, scripts, texts, encounters, trainers and items as tables of one SQLite file.",
        suffixes=(".sqlite", ".sqlite3", ".db"),
        named="database",
    )


@dataclass(frozen=True, kw_only=True)
class ConvertRequest(Request):
    """Loose files as GLB or PNG, archives of them, and with a ROM things of it: `output` is a file, or a folder for
    several."""

    kind = RequestKind(
        "convert",
        "Loose files",
        "Loose models, textures and animations as GLB or PNG.",
        named="{loose}",
        stopped=FINISHED_ARE_COMPLETE,
    )

    files: tuple[Path, ...]
    options: ConvertOptions = field(default_factory=ConvertOptions)
