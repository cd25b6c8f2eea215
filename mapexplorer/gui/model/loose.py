"""Loose files: the type of each, and which of them belong to each model (see `export.loose`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.binary import FormatError, Note
from formats.nitro.model import Model
from formats.nitro.nsbtp import PatternAnimation
from formats.nitro.tex0 import Tex0
from mapexplorer.errors import RomError
from mapexplorer.export.dump import read_loose
from mapexplorer.export.options import ExportOptions, J3dOptions, MshOptions
from mapexplorer.option import Options

if TYPE_CHECKING:
    from mapexplorer.export.loose import LooseAnimation, LooseFiles, LooseModel

TITLES = {
    "Nsbmd": "NITRO model",
    "Nsbtx": "NITRO textures",
    "Nsbca": "joint animation",
    "Nsbta": "texture matrix animation",
    "Nsbtp": "texture pattern animation",
    "Nsbma": "material colour animation",
    "Nsbva": "visibility animation",
    "Ncgr": "2D tiles",
    "Nclr": "2D palette",
    "Nscr": "2D tile map",
    "Ncer": "2D cells",
    "Nanr": "2D cell animation",
    "ScriptFile": "scripts",
    "InitScriptFile": "initial scripts",
    "Bmd": "J3D model",
    "Bck": "J3D joint animation",
    "Msh": "MSH model",
    "NRes": "archive of MSH models",
    "WildEncounters": "wild encounters",
    "SpeciesList": "list of species",
    "FeebasTiles": "Feebas tiles",
    "LookoutTiles": "lookout tiles",
    "Trainer": "trainer",
    "TrainerParty": "party of a trainer",
    "TrainerMessages": "trainer messages",
    "TrainerMessageOffsets": "trainer message offsets",
    "SpeciesData": "species",
    "ItemData": "item",
    "InGameTrade": "in-game trade",
}

WHITE_SHOWN = 4
"""Materials without textures that are named before an export."""


@dataclass(frozen=True, eq=False)
class LooseFile:
    """A file: its value, or the error of reading it; `notes` are about deviations."""

    path: Path
    value: Any
    error: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def kind(self) -> str:
        """The name of the value's type, empty for a file that could not be read."""
        return type(self.value).__name__ if self.value is not None else ""

    @property
    def title(self) -> str:
        """The type of the file for users."""
        return TITLES.get(self.kind, self.kind) or "cannot be read"


@dataclass(frozen=True, eq=False)
class Assembly:
    """A model with the files that belong to it.

    `clips` are the NITRO animations that play on it, as an export names them. `textures` are those that it and its
    clips show, from all sets, None where there are none; `texture_sources` are their files, None for its own.
    `lacking` lists its materials that stay white.
    """

    file: LooseFile
    loose: LooseModel
    clips: tuple[LooseAnimation, ...] = ()
    textures: Tex0 | None = None
    texture_sources: tuple[Path | None, ...] = ()
    lacking: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the result."""
        return self.loose.name

    @property
    def model(self) -> Any:
        """The model itself."""
        return self.loose.value

    @property
    def is_nitro(self) -> bool:
        """Whether the DS engine can draw it."""
        return isinstance(self.loose.value, Model)


@dataclass(frozen=True, eq=False)
class Bench:
    """Files taken together: `files` are what they hold, `assemblies` the models, `unused` lists animations without a
    model, `refused` the reasons why files cannot be converted."""

    given: tuple[LooseFile, ...]
    files: LooseFiles
    assemblies: tuple[Assembly, ...]
    unused: tuple[tuple[Path, str], ...]
    refused: dict[Path, str]


@dataclass(frozen=True, eq=False)
class LooseItem:
    """A line of the tree: the file behind it, and the model that it belongs to, or one of that model's clips."""

    file: LooseFile
    assembly: Assembly | None = None
    clip: LooseAnimation | None = None


def read_file(path: Path) -> LooseFile:
    """Read a file by what is in it; never raises for its contents."""
    notes: list[Note] = []
    try:
        return LooseFile(path, read_loose(path, path.name, notes), "", tuple(notes))
    except (FormatError, RomError, OSError) as error:
        return LooseFile(path, None, str(error))


def files_below(paths: Sequence[Path]) -> list[Path]:
    """The files themselves and those directly in the folders, sorted."""
    files: list[Path] = []
    for path in paths:
        files += sorted(child for child in path.iterdir() if child.is_file()) if path.is_dir() else [path]
    return files


def put_together(given: Sequence[LooseFile]) -> Bench:
    """The contents of all files; files that cannot be converted are kept in `given`."""
    from mapexplorer.export.loose import LooseFiles, unused

    files = LooseFiles()
    refused: dict[Path, str] = {}
    for file in given:
        if file.value is not None:
            try:
                files.add(file.path, file.value)
            except FormatError as error:
                refused[file.path] = str(error)
    by_path = {file.path: file for file in given}
    assemblies = tuple(_assembly(by_path[model.path], model, files) for model in files.models)
    return Bench(tuple(given), files, assemblies, tuple(unused(files)), refused)


def _assembly(file: LooseFile, loose: LooseModel, files: LooseFiles) -> Assembly:
    from mapexplorer.export.loose import clips_of, sets_of
    from mapexplorer.export.textures import joined_sets
    from mapexplorer.world.models.textures import unresolved
    from mapexplorer.world.wording import unresolved_names

    if not isinstance(loose.value, Model):
        return Assembly(file, loose)
    model = loose.value
    clips, sets = clips_of(files, model), sets_of(files, loose)
    textures, palettes = _names(model, clips)
    held = {
        texture.name: (None if of_set is loose.textures else path, texture)
        for path, of_set in reversed(sets)
        for texture in reversed(of_set.textures)
    }
    used = [held[name] for name in textures if name in held]
    joined = joined_sets([of_set for _, of_set in sets])
    colors = [joined.palette(name) for name in palettes]
    taken = tuple(texture for _, texture in used), tuple(palette for palette in colors if palette is not None)
    shown = Tex0(*taken) if used else None
    lacking = tuple(map(unresolved_names, unresolved(model, shown)))
    return Assembly(file, loose, tuple(clips), shown, tuple(dict.fromkeys(path for path, _ in used)), lacking)


class LooseExport(NamedTuple):
    """What is exported of loose files: files that are converted together, the name of the file or of the folder that is
    written, and the class of their options."""

    files: tuple[Path, ...]
    named: str
    options: type[Options]


def export_of(bench: Bench, chosen: LooseItem | None) -> LooseExport | None:
    """The export of a line of the tree: the model with what belongs to it, or the pictures of a texture set; of None
    everything that can be converted. None where there is nothing to export."""
    if chosen is None:
        usable = (file.path for file in bench.given if file.value is not None and file.path not in bench.refused)
        return LooseExport(tuple(usable), "loose_files", ExportOptions)
    file, assembly = chosen.file, chosen.assembly
    if file.kind == "Nsbtx":
        return LooseExport((file.path,), file.path.stem, Options)
    if assembly is None:
        return None
    options: type[Options] = {"Bmd": J3dOptions}.get(assembly.file.kind, MshOptions)
    options = ExportOptions if assembly.is_nitro else options
    beside = bench.files.sets if assembly.is_nitro else bench.files.j3d_animations if options is J3dOptions else []
    paths = {assembly.file.path, *(path for path, _ in beside), *(clip.path for clip in assembly.clips)}
    of_file = [each for each in bench.assemblies if each.file is assembly.file]
    named = assembly.file.path.stem if len(of_file) > 1 else f"{assembly.name}.glb"
    return LooseExport(tuple(given.path for given in bench.given if given.path in paths), named, options)


def playing_in(assembly: Assembly, clip: LooseAnimation | None) -> list[Any]:
    """The animations of the preview: a clip, or for a model the first one of each kind."""
    if clip is not None:
        return [clip.value]
    first: dict[str, Any] = {}
    for animation in assembly.clips:
        first.setdefault(animation.kind, animation.value)
    return list(first.values())


def text_about(chosen: LooseItem, bench: Bench) -> str:
    """The text about a line of the tree, shown before an export."""
    file, assembly = chosen.file, chosen.assembly
    if assembly is None:
        refused = file.error or bench.refused.get(file.path, "")
        unused = [sentence for path, sentence in bench.unused if path == file.path]
        return "\n".join([refused or f"{file.path.name}: {file.title}", *unused])
    lines = [f"{assembly.file.path.name}: {assembly.file.title}"]
    if assembly.is_nitro:
        sources = ["its own" if path is None else path.name for path in assembly.texture_sources]
        source = ", ".join(sources) or "none found: add the NSBTX that belongs to it"
        names = ", ".join(clip.name for clip in assembly.clips) or "none"
        lines += [f"Textures: {source}.", f"Clips: {names}."]
        lines += [f"White: {names}" for names in assembly.lacking[:WHITE_SHOWN]]
    return "\n".join(lines)


def _names(model: Model, clips: Sequence[LooseAnimation]) -> tuple[list[str], list[str]]:
    """The names of the textures and palettes that a model and its clips show."""
    textures = [pairing.name for pairing in model.texture_pairings]
    palettes = [pairing.name for pairing in model.palette_pairings]
    for clip in clips:
        if isinstance(clip.value, PatternAnimation):
            textures += clip.value.textures
            palettes += clip.value.palettes
    return list(dict.fromkeys(textures)), list(dict.fromkeys(palettes))
