"""Loose model, texture and animation files: which belong together, and which images they show.

All given texture sets are used for every model, the model's own first. An animation plays on every model that it
drives something in; of several models that it fits, on those of its own name where there are any.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import formats
from formats.binary import FormatError, Note, Notes
from formats.nitro.model import Model
from formats.nitro.nsbca import JointAnimation, Nsbca
from formats.nitro.nsbma import Nsbma
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbta import Nsbta
from formats.nitro.nsbtp import Nsbtp, PatternAnimation
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.nsbva import Nsbva, VisibilityAnimation
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.export.dump import read_loose, read_member
from mapexplorer.export.textures import joined_sets, needs_palette, own_palette, usual_palettes
from mapexplorer.g3d.animation.attach import Animation, targets
from mapexplorer.games import kind_of
from mapexplorer.rom import Archive, Narc
from mapexplorer.rom.archive import MAGIC
from mapexplorer.rom.source import read_file
from mapexplorer.values import count

if TYPE_CHECKING:
    from formats.j3d.animation import Bck
    from formats.j3d.model import Bmd
    from formats.parkan import Msh
    from mapexplorer.world.world import FieldWorld


_LISTED: Final = 4
"""The most names in a sentence."""


@dataclass(frozen=True, eq=False, slots=True)
class LooseModel:
    """A model of a file, under the name that its result gets; a NITRO model may bring `textures` of its own."""

    path: Path
    name: str
    value: Model | Bmd | Msh
    textures: Tex0 | None = None


@dataclass(frozen=True, eq=False, slots=True)
class LooseAnimation:
    """An animation of a file; `kind` is the file's: nsbca, nsbtp, nsbta, nsbma or nsbva. `name`: that which it gets
    among those of a model."""

    path: Path
    kind: str
    value: Animation
    name: str = ""


@dataclass(slots=True)
class LooseFiles:
    """The contents of files: models of every kind, texture sets, NITRO animations, J3D animations with their files."""

    models: list[LooseModel] = field(default_factory=list)
    sets: list[tuple[Path, Tex0]] = field(default_factory=list)
    animations: list[LooseAnimation] = field(default_factory=list)
    j3d_animations: list[tuple[Path, Bck]] = field(default_factory=list)
    notes: Notes = field(default_factory=list)

    @property
    def nitro_models(self) -> list[tuple[LooseModel, Model]]:
        """The NITRO models, each with its value."""
        return [(model, model.value) for model in self.models if isinstance(model.value, Model)]

    def add(self, path: Path, value: object) -> None:
        """Add the value of a file, of a land its terrain. Raises FormatError for a kind that cannot be converted."""
        if isinstance(terrain := getattr(value, "model", None), Nsbmd):
            value = terrain
        if isinstance(value, Nsbmd):
            several = len(value.models) > 1
            for model in value.models:
                name = f"{path.stem}.{model.name}" if several else path.stem
                self.models.append(LooseModel(path, name, model, value.textures))
            if not value.models and value.textures is not None:
                self.sets.append((path, value.textures))
        elif isinstance(value, Nsbtx):
            self.sets.append((path, value.textures))
        elif isinstance(value, Nsbca | Nsbtp | Nsbta | Nsbma | Nsbva):
            kind = type(value).__name__.lower()
            self.animations += [LooseAnimation(path, kind, animation) for animation in value.animations]
        else:
            self._add_foreign(path, value)

    def _add_foreign(self, path: Path, value: object) -> None:
        from formats.j3d.animation import Bck
        from formats.j3d.model import Bmd
        from formats.parkan import Msh, NRes, models

        if isinstance(value, Bmd | Msh):
            self.models.append(LooseModel(path, path.stem, value))
        elif isinstance(value, Bck):
            self.j3d_animations.append((path, value))
        elif isinstance(value, NRes):
            inside = [LooseModel(path, Path(name).stem, model) for name, model in models(value, notes=self.notes)]
            if not inside:
                raise FormatError(path.name, 0, "models in the archive", "none")
            self.models += inside
        else:
            raise FormatError(path.name, 0, "a model, a texture set or an animation", f"a {type(value).__name__}")


def read_files(paths: Sequence[Path], world: FieldWorld | None = None) -> LooseFiles:
    """Read files by their contents, of archives each member. With a world, what is no file is a thing of it, as
    `prop:5` or `file:PATH#INDEX`. Raises FormatError for damaged ones and kinds that cannot be converted, PlaceError,
    RomError, OSError."""
    result = LooseFiles()
    for path in paths:
        if world is not None and not path.exists():
            _add_thing(result, world, str(path))
        elif (data := read_file(path, path.name)).startswith(MAGIC):
            _add_members(result, Narc(data, path.name), kind_of)
        else:
            result.add(path, read_loose(path, path.name, result.notes))
    return result


def _add_thing(files: LooseFiles, world: FieldWorld, name: str) -> None:
    """Add a thing of a ROM: the file that it is stored in, of a prop set its textures, or all members of an archive."""
    from mapexplorer.catalogue.resolve import ALL, find_thing
    from mapexplorer.export.extract import stored_name

    thing = find_thing(world, name, ALL)
    kind, key = thing.subject
    if kind == "prop set":
        kind, key = "texture", (0, *key, 0)
    stored = thing.name if kind == "file" else stored_name(world, kind, key)
    path, mark, index = stored.partition("#")
    if not mark and world.rom.is_archive(path):
        _add_members(files, world.rom.archive(path), world.game.kind)
    else:
        _add_member(files, path, index, read_member(world.rom, stored, files.notes))


def _add_members(files: LooseFiles, archive: Archive, kind_of: Callable[[str], str | None]) -> None:
    """Add what can be converted of an archive, with a note about the other members. Raises FormatError where that is
    nothing."""
    errors: list[FormatError] = []
    for index in range(len(archive)):
        try:
            value = formats.read(archive.reader(index), kind=kind_of(archive.name_of(index)), notes=files.notes)
            _add_member(files, archive.name, str(index), value)
        except FormatError as error:
            errors.append(error)
    if errors and len(errors) == len(archive):
        raise errors[0]
    if errors:
        what = f"{len(errors)} of {count(len(archive), 'member')} cannot be converted, the first: {errors[0]}"
        files.notes.append(Note(archive.name, 0, what))


def _add_member(files: LooseFiles, archive: str, index: str, value: object) -> None:
    """Add a member of an archive under the name of this, its number, and that of its model."""
    model = value if isinstance(value, Nsbmd) else getattr(value, "model", None)
    name = model.models[0].name if isinstance(model, Nsbmd) and model.models else ""
    title = "_".join(filter(None, (Path(archive).stem, index.zfill(3) if index else "", name)))
    files.add(Path(f"{title}.{type(value).__name__.lower()}"), value)


def sets_of(files: LooseFiles, model: LooseModel) -> list[tuple[Path, Tex0]]:
    """The sets in which a NITRO model's names are looked up, with their files, in this order: its own, those that were
    given, those that came in the files of other models."""
    own = [] if model.textures is None else [(model.path, model.textures)]
    others = {
        id(other.textures): (other.path, other.textures)
        for other in files.models
        if other.textures is not None and other.textures is not model.textures
    }
    return [*own, *files.sets, *others.values()]


def clips_of(files: LooseFiles, model: Model) -> list[LooseAnimation]:
    """Every animation that plays on a model, in the order given; names are unique."""
    chosen = [
        animation
        for animation in files.animations
        if fits(animation.value, model)
        and (animation.value.name == model.name or not _has_namesake(files, animation.value))
    ]
    names = Counter(animation.value.name for animation in chosen)
    named: dict[str, LooseAnimation] = {}
    for animation in chosen:
        own = animation.value.name
        title = f"{own}.{animation.kind}"
        possible = itertools.chain([own if names[own] == 1 else title], (f"{title}.{n}" for n in itertools.count(2)))
        name = next(name for name in possible if name not in named)
        named[name] = replace(animation, name=name)
    return list(named.values())


def _has_namesake(files: LooseFiles, animation: Animation) -> bool:
    return any(model.name == animation.name and fits(animation, model) for _, model in files.nitro_models)


def fits(animation: Animation, model: Model) -> bool:
    """Whether an animation drives something in a model, and no more nodes than it has."""
    if isinstance(animation, JointAnimation) and len(animation.tracks) > len(model.nodes):
        return False
    if isinstance(animation, VisibilityAnimation) and animation.visible.shape[1] != len(model.nodes):
        return False
    return bool(targets(animation, model))


def doubt(animation: Animation, model: Model) -> str:
    """What suggests that an animation is of another model: the number of its joints, or materials that this one has
    not; empty where nothing does."""
    if isinstance(animation, JointAnimation | VisibilityAnimation):
        is_joints = isinstance(animation, JointAnimation)
        number = len(animation.tracks) if isinstance(animation, JointAnimation) else animation.visible.shape[1]
        said = f"{'moves' if is_joints else 'hides and shows'} {count(number, 'joint')}, {model.name} has {{}}"
        return "" if number == len(model.nodes) else said.format(len(model.nodes))
    absent = {track.material for track in animation.tracks} - {material.name for material in model.materials}
    named = ", ".join(sorted(absent)[:_LISTED]) + (" ..." if len(absent) > _LISTED else "")
    return f"changes {count(len(absent), 'material')} that {model.name} has not: {named}" if absent else ""


def unused(files: LooseFiles) -> list[tuple[Path, str]]:
    """The file of every animation that drives nothing in the models that were given, and a sentence that says why."""
    from formats.j3d.model import Bmd

    models = files.nitro_models
    where = models[0][0].name if len(models) == 1 else "the models given"

    def sentence(animation: LooseAnimation) -> str:
        why = doubt(animation.value, models[0][1]) if len(models) == 1 else ""
        return f"{animation.path.name}: {animation.kind} {animation.value.name!r} drives nothing in {where}" + (
            f": it {why}" if why else ""
        )

    refused = [
        (animation.path, sentence(animation))
        for animation in files.animations
        if not any(fits(animation.value, model) for _, model in models)
    ]
    if not any(isinstance(model.value, Bmd) for model in files.models):
        refused += [(path, f"{path.name}: there is no J3D model to play it on") for path, _ in files.j3d_animations]
    return refused


def missing_pictures(animations: Sequence[Animation], sets: Sequence[Tex0]) -> list[str]:
    """The names of textures and palettes that pattern animations show and no set has."""
    joined, missing = joined_sets(sets), []
    for animation in animations:
        if isinstance(animation, PatternAnimation):
            missing += [f"texture {name}" for name in animation.textures if joined.texture(name) is None]
            missing += [f"palette {name}" for name in animation.palettes if joined.palette(name) is None]
    return list(dict.fromkeys(missing))


@dataclass(frozen=True, slots=True)
class Pair:
    """A texture with a palette under the name that its picture gets. `guessed`: the palette is a guess from its
    name."""

    name: str
    texture: Texture
    palette: Palette | None
    guessed: bool


def used_pairs(files: LooseFiles) -> list[Pair]:
    """Every pair of texture and palette that the given models and pattern animations show. Without models, every other
    texture of the sets too, with the palette whose name is most like its own: sets do not store which belong together.
    """
    own = [model.textures for model in files.models if model.textures is not None]
    sets = [*own, *(textures for _, textures in files.sets)]
    joined = joined_sets(sets)
    pairs: dict[tuple[str, str | None], tuple[Texture, Palette | None, bool]] = {}
    for name, palette in _shown_names(files):
        texture = joined.texture(name)
        colors = None if palette is None or texture is None or not needs_palette(texture) else joined.palette(palette)
        if texture is not None and (colors is not None or not needs_palette(texture)):
            pairs.setdefault((name, None if colors is None else palette), (texture, colors, False))
    done = {name for name, _ in pairs}
    for textures in sets if not files.nitro_models else ():
        for texture in textures.textures:
            choice = own_palette(textures, texture) if needs_palette(texture) else None
            usual = choice is None or len(textures.palettes) == 1 or choice.name in usual_palettes(texture.name)
            if texture.name not in done and (choice is not None or not needs_palette(texture)):
                pairs.setdefault((texture.name, choice.name if choice else None), (texture, choice, not usual))
    counts = Counter(name for name, _ in pairs)
    return [
        Pair(name if counts[name] == 1 or palette is None else f"{name}.{palette}", *pair)
        for (name, palette), pair in pairs.items()
    ]


def _shown_names(files: LooseFiles) -> Iterator[tuple[str, str | None]]:
    """The names of textures and palettes that models' materials and pattern animations put together."""
    for _, model in files.nitro_models:
        for index in range(len(model.materials)):
            texture = model.texture_name(index)
            if texture is not None:
                yield texture, model.palette_name(index)
    for animation in (loose.value for loose in files.animations):
        if isinstance(animation, PatternAnimation):
            for track in animation.tracks:
                for _, texture_number, palette_number in track.keys.tolist():
                    if palette_number < len(animation.palettes):
                        yield animation.textures[texture_number], animation.palettes[palette_number]
