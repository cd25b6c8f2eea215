"""Loose files on the workbench: what each is, and what belongs to every model among them (see `export.loose`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from formats.binary import FormatError, Note
from formats.nitro.model import Model
from formats.nitro.nsbtp import PatternAnimation
from formats.nitro.tex0 import Tex0, Texture
from mapexplorer.export.dump import read_loose
from mapexplorer.export.options import ExportOptions
from mapexplorer.gui.model.exports import Task

if TYPE_CHECKING:
    from mapexplorer.export.convert import Converted, ConvertOptions
    from mapexplorer.export.loose import Clip, LooseFiles, LooseModel

TITLES = {
    "Nsbmd": "NITRO model", "Nsbtx": "NITRO textures", "Nsbca": "joint animation", "Nsbta": "texture matrix animation",
    "Nsbtp": "texture pattern animation", "Nsbma": "material colour animation", "Nsbva": "visibility animation",
    "Bmd": "J3D model", "Bck": "J3D joint animation", "Msh": "MSH model", "NRes": "archive of MSH models",
}  # fmt: skip

WHITE_SHOWN = 4
"""Materials without textures that are named before an export."""


@dataclass(frozen=True, eq=False)
class LooseFile:
    """A file: its value, or the sentence that says why it has none; `notes` are what was unusual."""

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
        """What the file is, in words."""
        return TITLES.get(self.kind, self.kind) or "cannot be read"


@dataclass(frozen=True, eq=False)
class Assembly:
    """A model with what belongs to it among the files.

    `clips` are the NITRO animations that play on it, as an export names them. `textures` are those that it and its
    clips show, from all sets, None where there are none; `texture_source` names their files, or says `its own`.
    `lacking` says which of its materials stay white.
    """

    file: LooseFile
    loose: LooseModel
    clips: tuple[Clip, ...] = ()
    textures: Tex0 | None = None
    texture_source: str = ""
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
    """Files taken together: `files` are what they hold, `assemblies` the models, `pictures` the number of textures that
    can be written, `unused` says what plays nowhere, `refused` why nothing can be made of a file that was read."""

    given: tuple[LooseFile, ...] = ()
    files: LooseFiles | None = None
    assemblies: tuple[Assembly, ...] = ()
    pictures: int = 0
    unused: tuple[str, ...] = ()
    refused: dict[Path, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Choice:
    """A line of the tree: the file behind it, and the model that it belongs to, or one of that model's clips."""

    file: LooseFile
    assembly: Assembly | None = None
    clip: Clip | None = None


@dataclass(frozen=True)
class LooseOptions:
    """What an export of loose models can be asked for: options of NITRO models, the scale of J3D models, the fields of
    `MshOptions` that are not as usual."""

    nitro: ExportOptions = field(default_factory=ExportOptions)
    j3d_scale: float = 1.0
    msh: dict[str, Any] = field(default_factory=dict)

    def resolved(self) -> ConvertOptions:
        """As the converter takes them. Raises ValueError."""
        from mapexplorer.export.convert import ConvertOptions
        from mapexplorer.export.gltf.j3d import J3dOptions
        from mapexplorer.export.gltf.msh import MshOptions

        return ConvertOptions(self.nitro, J3dOptions(self.j3d_scale), MshOptions(**self.msh))


def read_file(path: Path) -> LooseFile:
    """Read a file by what is in it; never raises for its contents."""
    notes: list[Note] = []
    try:
        return LooseFile(path, read_loose(path, path.name, notes), "", tuple(notes))
    except (FormatError, OSError) as error:
        return LooseFile(path, None, str(error))


def files_below(paths: Sequence[Path]) -> list[Path]:
    """The files themselves and those directly in the folders, sorted."""
    found: list[Path] = []
    for path in paths:
        found += sorted(child for child in path.iterdir() if child.is_file()) if path.is_dir() else [path]
    return found


def put_together(given: Sequence[LooseFile]) -> Bench:
    """What files hold together; those that nothing can be made of are kept among `given`."""
    from mapexplorer.export.loose import LooseFiles, unused, used_pairs

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
    return Bench(tuple(given), files, assemblies, len(used_pairs(files)), tuple(unused(files)), refused)


def _assembly(file: LooseFile, loose: LooseModel, files: LooseFiles) -> Assembly:
    from mapexplorer.export.loose import clips_of, sets_of
    from mapexplorer.world.textures import unresolved

    if not isinstance(loose.value, Model):
        return Assembly(file, loose)
    model = loose.value
    clips, sets = clips_of(files, model), sets_of(files, loose)
    textures, palettes = _names(model, clips)
    found: dict[str, Texture] = {}
    sources: dict[str, None] = {}
    for name in textures:
        for one in sets:
            texture = one.value.texture(name)
            if texture is not None:
                found[name] = texture
                sources["its own" if one.value is loose.textures else one.path.name] = None
                break
    colors = [_first([one.value.palette(name) for one in sets]) for name in palettes]
    shown = Tex0(tuple(found.values()), tuple(one for one in colors if one is not None)) if found else None
    lacking = tuple(map(str, unresolved(model, shown)))
    return Assembly(file, loose, tuple(clips), shown, ", ".join(sources), lacking)


def export_models(
    bench: Bench, assemblies: Sequence[Assembly], target: Path, options: LooseOptions, task: Task
) -> list[tuple[Path, Converted]]:
    """Write models as GLB, one as the file `target`, several into that folder, as `mapexplorer convert` does with the
    same files. Raises FormatError, OSError, ValueError for options that do not exist."""
    from mapexplorer.export.convert import convert_model, unique_names

    assert bench.files is not None
    names = unique_names([assembly.name for assembly in assemblies])
    single = len(assemblies) == 1
    chosen = options.resolved()
    written = []
    for number, (assembly, name) in enumerate(zip(assemblies, names, strict=True)):
        task.report(number, len(names), assembly.name)
        made = convert_model(bench.files, assembly.loose, chosen, name)
        task.check()
        written.append((made.document.write(target if single else target / f"{name}.glb"), made))
    return written


def export_pictures(bench: Bench, folder: Path, task: Task) -> list[Path]:
    """Write every texture that the files show into a folder as PNG. Raises FormatError, OSError."""
    from mapexplorer.export.convert import pictures_of
    from mapexplorer.export.files import write_atomically
    from mapexplorer.export.textures import picture

    assert bench.files is not None
    pairs = pictures_of(bench.files)
    written = []
    for number, (name, pair) in enumerate(pairs):
        task.report(number, len(pairs), name)
        written.append(write_atomically(folder / f"{name}.png", picture(pair.texture, pair.palette).png))
    return written


def playing_in(assembly: Assembly, clip: Clip | None) -> list[Any]:
    """What plays on the turntable: a clip, or for a model the first one of each kind."""
    if clip is not None:
        return [clip.animation.value]
    first: dict[str, Any] = {}
    for one in assembly.clips:
        first.setdefault(one.animation.kind, one.animation.value)
    return list(first.values())


def words_about(chosen: Choice, bench: Bench) -> str:
    """What is to be known about a line before one exports."""
    file, assembly = chosen.file, chosen.assembly
    if assembly is None:
        refused = file.error or bench.refused.get(file.path, "")
        return "\n".join([refused or f"{file.path.name}: {file.title}", *_unused(file, bench)])
    lines = [f"{assembly.file.path.name}: {assembly.file.title}"]
    if assembly.is_nitro:
        source = assembly.texture_source or "none found: add the NSBTX that belongs to it"
        names = ", ".join(clip.name for clip in assembly.clips) or "none"
        lines += [f"Textures: {source}.", f"Clips: {names}."]
        lines += [f"White: {words}" for words in assembly.lacking[:WHITE_SHOWN]]
    return "\n".join(lines)


def _unused(file: LooseFile, bench: Bench) -> list[str]:
    return [sentence for sentence in bench.unused if sentence.startswith(f"{file.path.name}: ")]


def _names(model: Model, clips: Sequence[Clip]) -> tuple[list[str], list[str]]:
    """The names of the textures and palettes that a model and its clips show."""
    textures = [pairing.name for pairing in model.texture_pairings]
    palettes = [pairing.name for pairing in model.palette_pairings]
    for clip in clips:
        if isinstance(clip.animation.value, PatternAnimation):
            textures += clip.animation.value.textures
            palettes += clip.animation.value.palettes
    return list(dict.fromkeys(textures)), list(dict.fromkeys(palettes))


_Found = TypeVar("_Found")


def _first(found: Sequence[_Found | None]) -> _Found | None:
    return next((one for one in found if one is not None), None)
