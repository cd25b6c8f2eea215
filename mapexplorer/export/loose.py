"""Loose model, texture and animation files: which belong together, and what they become.

All texture sets that are given serve every model, the model's own first. An animation plays on every model that it
drives something in; of several models that it fits, on those of its own name where there are any.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import formats
from formats.binary import FormatError, Notes
from formats.nitro.model import Model
from formats.nitro.nsbca import JointAnimation, Nsbca
from formats.nitro.nsbma import Nsbma
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbta import Nsbta
from formats.nitro.nsbtp import Nsbtp, PatternAnimation
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.nsbva import Nsbva, VisibilityAnimation
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.export.textures import needs_palette
from mapexplorer.g3d.animation.attach import Animation, targets

if TYPE_CHECKING:
    from formats.j3d.animation import Bck
    from formats.j3d.model import Bmd
    from formats.parkan import Msh


@dataclass(slots=True)
class LooseFiles:
    """Files by what they are, each under the name that results get: NITRO models with their own textures, texture
    sets, animations with their kind, J3D models and animations, MSH models."""

    models: list[tuple[str, Model, Tex0 | None]] = field(default_factory=list)
    sets: list[tuple[str, Tex0]] = field(default_factory=list)
    animations: list[tuple[str, str, Animation]] = field(default_factory=list)
    j3d_models: list[tuple[str, Bmd]] = field(default_factory=list)
    j3d_animations: list[tuple[str, Bck]] = field(default_factory=list)
    msh_models: list[tuple[str, Msh]] = field(default_factory=list)
    notes: Notes = field(default_factory=list)

    @property
    def model_count(self) -> int:
        """How many models of any kind there are."""
        return len(self.models) + len(self.j3d_models) + len(self.msh_models)


def read_files(paths: Sequence[Path]) -> LooseFiles:
    """Read files by their contents. Raises FormatError for damaged ones and kinds that nothing is made of, OSError."""
    result = LooseFiles()
    for path in paths:
        _add(result, path)
    return result


def _add(result: LooseFiles, path: Path) -> None:
    value = formats.read(path.read_bytes(), path.name, notes=result.notes)
    if isinstance(value, Nsbmd):
        several = len(value.models) > 1
        for model in value.models:
            result.models.append((f"{path.stem}.{model.name}" if several else path.stem, model, value.textures))
        if not value.models and value.textures is not None:
            result.sets.append((path.stem, value.textures))
    elif isinstance(value, Nsbtx):
        result.sets.append((path.stem, value.textures))
    elif isinstance(value, Nsbca | Nsbtp | Nsbta | Nsbma | Nsbva):
        kind = type(value).__name__.lower()
        result.animations += [(path.name, kind, animation) for animation in value.animations]
    else:
        _add_foreign(result, path, value)


def _add_foreign(result: LooseFiles, path: Path, value: object) -> None:
    from formats.j3d.animation import Bck
    from formats.j3d.model import Bmd
    from formats.parkan import Msh, NRes, models

    if isinstance(value, Bmd):
        result.j3d_models.append((path.stem, value))
    elif isinstance(value, Bck):
        result.j3d_animations.append((path.stem, value))
    elif isinstance(value, Msh):
        result.msh_models.append((path.stem, value))
    elif isinstance(value, NRes):
        found = [(Path(name).stem, model) for name, model in models(value, notes=result.notes)]
        if not found:
            raise FormatError(path.name, 0, "models in the archive", "none")
        result.msh_models += found
    else:
        raise FormatError(path.name, 0, "a model, a texture set or an animation", f"a {type(value).__name__}")


def animations_of(files: LooseFiles, model: Model) -> list[tuple[str, Animation]]:
    """(name, animation) of every animation that plays on a model, in the order given; names are unique."""
    chosen = [
        (kind, animation)
        for _, kind, animation in files.animations
        if fits(animation, model) and (animation.name == model.name or not _has_namesake(files, animation))
    ]
    names = [animation.name for _, animation in chosen]
    result: list[tuple[str, Animation]] = []
    taken: set[str] = set()
    for kind, animation in chosen:
        name = animation.name if names.count(animation.name) == 1 else f"{animation.name}.{kind}"
        for number in itertools.count(2):
            if name not in taken:
                break
            name = f"{animation.name}.{kind}.{number}"
        taken.add(name)
        result.append((name, animation))
    return result


def _has_namesake(files: LooseFiles, animation: Animation) -> bool:
    return any(model.name == animation.name and fits(animation, model) for _, model, _ in files.models)


def fits(animation: Animation, model: Model) -> bool:
    """Whether an animation drives something in a model, and no more nodes than it has."""
    if isinstance(animation, JointAnimation) and len(animation.tracks) > len(model.nodes):
        return False
    if isinstance(animation, VisibilityAnimation) and animation.visible.shape[1] != len(model.nodes):
        return False
    return bool(targets(animation, model))


def unused(files: LooseFiles) -> list[str]:
    """A sentence for every animation that drives nothing in the models that were given."""
    sentences = []
    for name, kind, animation in files.animations:
        if not any(fits(animation, model) for _, model, _ in files.models):
            what = f"{name}: {kind} {animation.name!r} drives nothing in "
            sentences.append(what + (f"{files.models[0][0]}" if len(files.models) == 1 else "the models given"))
    if not files.j3d_models:
        sentences += [f"{name}.bck: there is no J3D model to play it on" for name, _ in files.j3d_animations]
    return sentences


def missing_pictures(animations: Sequence[tuple[str, Animation]], sets: Sequence[Tex0]) -> list[str]:
    """What pattern animations show and no set has."""
    missing: dict[str, None] = {}
    for _, animation in animations:
        if isinstance(animation, PatternAnimation):
            for name in animation.textures:
                if not any(one.texture(name) for one in sets):
                    missing[f"texture {name}"] = None
            for name in animation.palettes:
                if not any(one.palette(name) for one in sets):
                    missing[f"palette {name}"] = None
    return list(missing)


@dataclass(frozen=True, slots=True)
class Pair:
    """A texture with a palette under the name that its picture gets. `guessed`: nothing given says which palette."""

    name: str
    texture: Texture
    palette: Palette | None
    guessed: bool


def used_pairs(files: LooseFiles) -> list[Pair]:
    """Every pair of texture and palette that the given models and pattern animations show. Without models, every other
    texture of the sets too, with the palette whose name is most like its own: sets do not say which belong together.
    """
    own = [textures for _, _, textures in files.models if textures is not None]
    sets = [*own, *(textures for _, textures in files.sets)]
    pairs: dict[tuple[str, str | None], tuple[Texture, Palette | None, bool]] = {}
    for texture, palette in _shown_names(files):
        found = _first([one.texture(texture) for one in sets])
        colors = _first([one.palette(palette) for one in sets]) if palette is not None else None
        if found is None:
            continue
        if not needs_palette(found):
            pairs.setdefault((texture, None), (found, None, False))
        elif colors is not None:
            pairs.setdefault((texture, palette), (found, colors, False))
    done = {texture for texture, _ in pairs}
    for textures in sets if not files.models else ():
        for one in textures.textures:
            if one.name not in done:
                choice, guessed = _likely(one, textures)
                if choice is not None or not needs_palette(one):
                    pairs.setdefault((one.name, choice.name if choice else None), (one, choice, guessed))
    counts = Counter(name for name, _ in pairs)
    return [
        Pair(name if counts[name] == 1 or palette is None else f"{name}.{palette}", *pair)
        for (name, palette), pair in pairs.items()
    ]


_Found = TypeVar("_Found")


def _first(found: Sequence[_Found | None]) -> _Found | None:
    return next((one for one in found if one is not None), None)


def _likely(texture: Texture, textures: Tex0) -> tuple[Palette | None, bool]:
    """The palette that probably belongs to a texture, and whether that is a guess beyond the usual names."""
    if not needs_palette(texture) or not textures.palettes:
        return None, False
    for name in (texture.name, f"{texture.name}_pl"):
        palette = textures.palette(name)
        if palette is not None:
            return palette, False
    alike = [_common_start(texture.name, palette.name) for palette in textures.palettes]
    return textures.palettes[alike.index(max(alike))], len(textures.palettes) > 1


def _common_start(a: str, b: str) -> int:
    pairs = enumerate(zip(a, b, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(a), len(b)))


def _shown_names(files: LooseFiles) -> Iterator[tuple[str, str | None]]:
    """The names of textures and palettes that models' materials and pattern animations put together."""
    for _, model, _ in files.models:
        for index in range(len(model.materials)):
            texture = model.texture_name(index)
            if texture is not None:
                yield texture, model.palette_name(index)
    for _, _, animation in files.animations:
        if isinstance(animation, PatternAnimation):
            for track in animation.tracks:
                for _, texture_number, palette_number in track.keys.tolist():
                    if palette_number < len(animation.palettes):
                        yield animation.textures[texture_number], animation.palettes[palette_number]
