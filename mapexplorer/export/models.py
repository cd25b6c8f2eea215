"""Models alone as GLB: one prop, or many models in several processes.

A model gets the textures of a map, under the library's default lights, and its clips. The bytes of a file do not depend
on the number of processes.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from formats.binary import FormatError
from mapexplorer.errors import RomError, in_words
from mapexplorer.export.files import remove_parts, safe_name, write_atomically
from mapexplorer.export.request import ModelRequest, ModelsRequest
from mapexplorer.games import Role
from mapexplorer.grouping import by_key
from mapexplorer.kernels import EXPORTS, prepare
from mapexplorer.option import OptionError
from mapexplorer.system.progress import Outcome, Progress
from mapexplorer.system.workers import done_by
from mapexplorer.values import count
from mapexplorer.world import wording
from mapexplorer.world.models.model_places import ModelPlaces
from mapexplorer.world.models.texture_sets import SetKey, read_model
from mapexplorer.world.opening import open_rom
from mapexplorer.world.sources.readable import readable_area
from mapexplorer.world.world import FieldWorld

if TYPE_CHECKING:
    from mapexplorer.export.gltf.document import Document
    from mapexplorer.export.gltf.known_clips import WorldClips
    from mapexplorer.export.gltf.parts import ModelParts
    from mapexplorer.export.journal import Entry
    from mapexplorer.export.options import ExportOptions
    from mapexplorer.world.sources.damage import Damage

PROP, LAND = "prop", "land"

_WORDS: Final = {"props": (PROP,), "lands": (LAND,), "both": (PROP, LAND)}
"""What stands for all models of some kinds."""

_SPAN: Final = re.compile(r"(?P<kind>.*\D)(?P<first>\d+)-(?P<last>\d+)")

_PART: Final = 40
"""The most models that a process writes at a time."""

_DIED: Final = "A process that wrote models {}."

Part = tuple[SetKey, Sequence[int]]
"""A texture set, and the numbers of models that take their textures from it."""


def write_model(request: ModelRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run a `ModelRequest`: write a prop model."""
    from mapexplorer.export.gltf.known_clips import WorldClips
    from mapexplorer.export.scene_files import options_for, write_scene

    key = SetKey(False, world.place(request.place).prop_set().value)
    options = options_for(request.output, request.options)
    document, parts, damaged = _scene(WorldClips(world), world, key, request.model, options)
    progress.check()
    missing = f", {count(len(parts.missing), 'material')} without a picture" if parts.missing else ""
    return Outcome(
        f"model {request.model} {parts.name}{missing}",
        write_scene(document, request.output)[0],
        [wording.damage(lost) for lost in damaged],
        facts={"triangles": parts.triangles, "animations": len(parts.clips)},
    )


def write_models(request: ModelsRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run a `ModelsRequest`: write models as `props/NNN_NAME.glb` and `lands/NNN_NAME.glb`, in several processes. A
    model that cannot be read is among the notices. Raises OptionError, PlaceError, RomError, OSError."""
    models = models_named(world, request.models or "both")
    jobs = min(request.jobs or os.cpu_count() or 1, len(models))
    entries: list[Entry] = []
    prepare(EXPORTS, progress.check)  # once, not in every process
    done = done_by(
        _writer(world, request),
        _parts(world, models),
        jobs,
        _begin,
        (str(world.rom.path), request),
        _DIED,
        progress.check,
    )
    try:
        with contextlib.closing(done):
            for _, written in done:
                entries += written
                progress.report(len(entries), len(models), f"{written[-1]['kind']} {written[-1]['model']}")
    finally:
        for kind in (PROP, LAND):
            remove_parts(request.output / f"{kind}s")
    entries.sort(key=lambda entry: (entry["kind"] != PROP, entry["model"]))
    failed = [entry for entry in entries if "error" in entry]
    complete = [entry for entry in entries if "error" not in entry]
    size = sum(entry["size"] for entry in complete)
    notices = [f"{entry['kind']} {entry['model']}: {entry['error']}" for entry in failed]
    notices += [sentence for entry in complete for sentence in entry["damaged"]]
    return Outcome(
        f"{count(len(complete), 'model')} written to {request.output}, {size:,} bytes, {len(failed)} failed",
        [request.output / entry["file"] for entry in complete],
        notices,
        {"folder": str(request.output), "options": request.options.to_json(), "written": complete, "failed": failed},
    )


def models_named(world: FieldWorld, text: str) -> list[tuple[str, int]]:
    """The models that a user names, with commas: `props`, `lands`, `both`, or props and lands as `prop:5`, `prop:3-9`
    and by their names. Raises OptionError, PlaceError."""
    chosen: dict[tuple[str, int], None] = {}
    for name in map(str.strip, text.split(",")):
        roles = {PROP: Role.BUILD_MODEL, LAND: Role.LAND_DATA}
        for kind in _WORDS.get(name, ()):
            chosen.update(dict.fromkeys((kind, number) for number in range(len(world.members(roles[kind])))))
        if name not in _WORDS:
            from mapexplorer.catalogue.resolve import find_thing

            span = _SPAN.fullmatch(name)
            ends = [f"{span['kind']}{span[end]}" for end in ("first", "last")] if span is not None else [name]
            things = [find_thing(world, end, (PROP, LAND)).subject for end in ends]
            numbers = range(things[0].key[0], things[-1].key[0] + 1)
            if not numbers:
                raise OptionError("{0} has its greater number first", name)
            chosen.update(dict.fromkeys((things[0].kind, number) for number in numbers))
    return list(chosen)


def _parts(world: FieldWorld, models: Sequence[tuple[str, int]]) -> Iterator[Part]:
    """The work of a process at a time: models that take their textures from the same set, so that few processes read
    it; those that are placed first, whose textures are found quickly, lands before props, large sets before small ones,
    so that all processes end at the same time."""
    places = ModelPlaces(world)

    def taken(kind: str, number: int) -> SetKey:
        header = 0
        with contextlib.suppress(FormatError):  # which the model is said to have when it is written
            header = places.of(kind, number)
        area = readable_area(world, world.headers[header].area)
        return SetKey(kind == LAND, area.terrain_set if kind == LAND else area.prop_set)

    for placed, kind in itertools.product((True, False), (LAND, PROP)):
        chosen = [model for model in models if model[0] == kind and (places.first(*model) is not None) == placed]
        taking = by_key((taken(*model), model[1]) for model in chosen)
        for key, numbers in sorted(taking.items(), key=lambda group: -len(group[1])):
            for start in range(0, len(numbers), _PART):
                yield key, numbers[start : start + _PART]


def _begin(rom: str, request: ModelsRequest) -> Callable[[Part], list[Entry]]:
    return _writer(FieldWorld(open_rom(rom)), request)


def _writer(world: FieldWorld, request: ModelsRequest) -> Callable[[Part], list[Entry]]:
    """A function that writes models into the folder of a request, and says what they are."""

    from mapexplorer.export.gltf.known_clips import WorldClips

    known = WorldClips(world)

    def write(part: Part) -> list[Entry]:
        key, numbers = part
        kind = LAND if key.terrain else PROP
        entries = []
        for number in numbers:
            entry: Entry = {"kind": kind, "model": number, "textures": key.number}
            try:
                document, parts, damaged = _scene(known, world, key, number, request.options)
                file = f"{kind}s/{safe_name(f'{number:03}_{parts.name}')}.glb"
                data = document.to_bytes()
                write_atomically(request.output / file, data)
            except (FormatError, RomError) as error:
                entry["error"] = in_words(error)
            else:
                entry |= {"name": parts.name, "file": file, "size": len(data), "triangles": parts.triangles}
                entry |= {"clips": [clip.name for clip in parts.clips], "missing": parts.missing}
                entry["damaged"] = [wording.damage(lost) for lost in damaged]
            entries.append(entry)
        return entries

    return write


def _scene(
    known: WorldClips, world: FieldWorld, key: SetKey, number: int, options: ExportOptions
) -> tuple[Document, ModelParts, Sequence[Damage]]:
    """A prop or land with the textures of a set, what is in it, and the animations that cannot be read."""
    from mapexplorer.export.gltf.nitro import model_document

    model = read_model(world, key, number)
    own = None if key.terrain or number else world.prop_model(number).textures
    if key.terrain:
        clips, damaged = known.of_terrain(key.number)
        used = {pairing.name for pairing in model.texture_pairings}
        clips = tuple([clip for clip in clips if clip.pictures[0].name in used])
    else:
        clips, damaged = known.of_prop(number, model.name)
    sets = [textures for textures in (own, key.read(world)) if textures is not None]
    return *model_document(model, *sets, options=options, clips=clips), damaged
