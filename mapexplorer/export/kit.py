"""A place or a whole matrix as a kit: every prop model once, every cell, and the scene that places them.

All are `.gltf` files that share buffers and images:

    NAME.gltf            the scene with everything, whose own data is what no other file has
    props/NNN_NAME.gltf  a prop model at the origin, with its clips; again where it looks otherwise
    cells/cXX_ZZ.gltf    the terrain and the props of a cell, in its place
    textures/NAME.png    every image once
    kit.json             which file is what

Materials that look alike have the same name in all files. NAME.gltf is written last.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Final

from mapexplorer.export.files import UniqueNames, map_name
from mapexplorer.export.gltf.compact import compact
from mapexplorer.export.gltf.copying import copied
from mapexplorer.export.gltf.document import Document, Json, members
from mapexplorer.export.gltf.field import FieldParts, field_parts
from mapexplorer.export.gltf.field_clips import LOOP_ENDING
from mapexplorer.export.gltf.parts import ModelInstance
from mapexplorer.export.gltf.separate import SharedFiles
from mapexplorer.export.maps import cells_of
from mapexplorer.export.options import AMBIENT, AUTO, BY_MATERIAL, EVERYTHING
from mapexplorer.export.request import KitRequest
from mapexplorer.option import OptionError
from mapexplorer.scene.model_resolver import PROP, ResolvedModel
from mapexplorer.system.progress import Outcome, Progress
from mapexplorer.values import count
from mapexplorer.world.headers.header import header_json
from mapexplorer.world.world import FieldWorld

INDEX: Final = "kit.json"

_MERGED_CLIPS: Final = (AMBIENT, f"{AMBIENT}{LOOP_ENDING}")
"""Clips of the whole scene, which its parts do not have."""


def write_kit(request: KitRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run a `KitRequest`. Raises NoLandError, and as every request does."""
    place = world.place(request.place, request.matrix, request.area)
    options = request.options
    if options.merge == EVERYTHING:
        raise OptionError("A kit keeps models apart, which {merge} {0} does not.", EVERYTHING)
    if options.merge == AUTO:
        options = dataclasses.replace(options, merge=BY_MATERIAL)
    parts = field_parts(place, options, cells_of(place, whole_matrix=request.whole_matrix))
    if options.compact:
        parts.report.floats = compact(parts.document)
    files = SharedFiles(request.output)
    props, chunks = _props(parts), _chunks(parts)
    every = [*props, *chunks]
    for number, (entry, document) in enumerate(every):
        progress.report(number, len(every), str(entry["file"]))
        progress.check()
        files.write(document, str(entry["file"]).removesuffix(".gltf"))
    name = map_name(place.header.id, place.header.internal_name)
    scene = files.write(parts.document, name)
    index = {
        "format": 1,
        **header_json(place.header),
        "scene": scene.name,
        "metres_per_unit": options.scale,
        "cells": [entry for entry, _ in chunks],
        "props": [entry for entry, _ in props],
    }
    files.file(INDEX, (json.dumps(index, indent=1, ensure_ascii=False) + "\n").encode())
    report = parts.report
    report.size = files.size
    sentence = (
        f"{place.header.title}, {count(len(chunks), 'cell')}, {count(len(props), 'prop model')}, "
        f"{count(report.images, 'image')}, {len(files.written)} files, {report.size:,} bytes"
    )
    facts = header_json(place.header) | {"file": str(scene), "files": len(files.written), **dataclasses.asdict(report)}
    written = [scene, *(file for file in files.written if file != scene)]
    return Outcome(sentence, written, [*report.damaged, *report.missing, *report.dummies], facts)


def _props(parts: FieldParts) -> list[tuple[Json, Document]]:
    """Every prop model as an index entry and a document; those that texture sets give the same look are one."""
    names = UniqueNames()
    props: dict[bytes, tuple[Json, Document]] = {}
    for resolved, instances in parts.models:
        if resolved.kind != PROP:
            continue
        title = f"{resolved.number:03}_{resolved.model.name}"
        document = _prop(parts.document, resolved, instances[0], title)
        data = document.to_bytes()
        if data not in props:
            file = f"props/{names.add(title)}.gltf"
            about = {"model": resolved.number, "name": resolved.model.name, "textures": [], "file": file, "placed": 0}
            props[data] = about, document
        entry: Json = props[data][0]
        entry["placed"] += len(instances)
        if resolved.textures is not None and resolved.textures.value not in entry["textures"]:
            entry["textures"].append(resolved.textures.value)
    return list(props.values())


def _prop(document: Document, resolved: ResolvedModel, instance: ModelInstance, title: str) -> Document:
    """A prop model at the origin, under its own name instead of that of an instance."""

    def rename(name: str) -> str:
        own = name == instance.name or name[len(instance.name) :][:1] in ("_", ".")
        return f"prop_{title}{name[len(instance.name) :]}" if own and name.startswith(instance.name) else name

    roots = [instance.root, *instance.skinned]
    result = copied(document, roots, resolved.model.name, rename=rename, without=_MERGED_CLIPS, placed=False)
    result.items("nodes")[result.items("scenes")[0]["nodes"][0]]["extras"] = {"model": resolved.number}
    return result


def _chunks(parts: FieldParts) -> list[tuple[Json, Document]]:
    """Every cell as an index entry and a document."""
    document = parts.document
    roots = [(root, document.items("nodes")[root].get("skin")) for root in document.items("scenes")[0]["nodes"]]
    skinned = [(root, document.items("skins")[skin]["skeleton"]) for root, skin in roots if skin is not None]
    result = []
    for cell, node in parts.cells:
        below = set(_below(document, node))
        own = [skinned_node for skinned_node, skeleton in skinned if skeleton in below]
        name = document.items("nodes")[node]["name"]
        entry = members(
            cell=[cell.x, cell.z],
            land=cell.land,
            file=f"cells/{name}.gltf",
            header=None if cell.filler else cell.header,
            translation=document.items("nodes")[node]["translation"],
        )
        result.append((entry, copied(document, [node, *own], name, without=_MERGED_CLIPS)))
    return result


def _below(document: Document, node: int) -> list[int]:
    """A node and all that are below it."""
    result = [node]
    for node_below in result:
        result += document.items("nodes")[node_below].get("children", ())
    return result
