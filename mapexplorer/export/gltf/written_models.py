"""The models of a world as documents of places hold them: those that several places show alike are worked out once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from mapexplorer.caching import Cache
from mapexplorer.export.gltf.animation import Clip, Motion
from mapexplorer.export.gltf.document import Document
from mapexplorer.export.gltf.document_part import DocumentPart
from mapexplorer.export.gltf.field_clips import WorldClips
from mapexplorer.export.gltf.nitro import write_model
from mapexplorer.export.gltf.parts import ModelParts
from mapexplorer.export.options import ExportOptions
from mapexplorer.scene.light import VertexLight
from mapexplorer.scene.model_resolver import Played, ResolvedModel, SharedModels
from mapexplorer.world.files import WorldFiles

_KEPT: Final = 64
"""The number of models that are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class _WrittenModel:
    """A model in no document yet: what it adds to each, and its parts with the numbers that they have in `contents`."""

    contents: DocumentPart
    parts: ModelParts


class WrittenModels:
    """The models of a world as exports with some options write them. What a document gets does not depend on the
    documents before it."""

    def __init__(self, world: WorldFiles, options: ExportOptions) -> None:
        self.options = options.resolved()
        self.clips = WorldClips(world)
        self.resolved: SharedModels = Cache(_KEPT)
        self._written: Cache[Hashable, _WrittenModel] = Cache(_KEPT)

    def add(
        self, document: Document, resolved: ResolvedModel, light: VertexLight, clips: Sequence[Clip],
        played: Played | None,
    ) -> ModelParts:  # fmt: skip
        """Add a model of a place with its clips to a document."""
        number = None if resolved.textures is None else resolved.textures.value
        names = tuple([clip.name for clip in clips])
        key = (resolved.kind, resolved.number, number, light.key, played, names)
        written = self._written.get(key, self._work_out, resolved, light, clips)
        return written.parts.renumbered(*written.contents.add_to(document))

    def _work_out(self, resolved: ResolvedModel, light: VertexLight, clips: Sequence[Clip]) -> _WrittenModel:
        part = DocumentPart()
        return _WrittenModel(part, self.write(part, resolved, light, self.clips.motion(resolved, clips)))

    def write(
        self, document: Document, resolved: ResolvedModel, light: VertexLight, motion: Motion | None
    ) -> ModelParts:
        """Add a model to a document alone."""
        draws = resolved.draws() if motion is None else motion.draws
        if motion is not None and self.options.static:
            draws, motion = motion.draws_at_rest(), None
        return write_model(document, draws, self.options, light=light, motion=motion)
