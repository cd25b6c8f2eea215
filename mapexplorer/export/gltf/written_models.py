"""The models of a world as documents of places hold them: those that several places show alike are worked out once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Final

from formats.remembered import remembered
from mapexplorer.caching import Cache
from mapexplorer.export.gltf.animation import Clip, Motion
from mapexplorer.export.gltf.copying import Copier
from mapexplorer.export.gltf.document import Document
from mapexplorer.export.gltf.known_clips import WorldClips
from mapexplorer.export.gltf.nitro import write_model
from mapexplorer.export.gltf.parts import ModelParts
from mapexplorer.export.options import ExportOptions
from mapexplorer.scene.light import VertexLight
from mapexplorer.scene.model_resolver import TERRAIN, Played, ResolvedModel, SharedModels
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.readable import readable_prop_textures, readable_terrain_textures

_KEPT: Final = 64
"""The number of models that are kept."""


class WrittenModels:
    """The models of a world as exports with some options write them. What a document gets does not depend on the
    documents before it."""

    def __init__(self, world: WorldFiles, options: ExportOptions) -> None:
        self._world = world
        self.options = options.resolved()
        self.clips = WorldClips(world)
        self.resolved: SharedModels = Cache(_KEPT)
        self._written: Cache[Hashable, tuple[Document, ModelParts]] = Cache(_KEPT)
        """Models alone in documents, of which places take copies."""

    @remembered
    def at(self, second: int) -> WrittenModels:
        """The same in the light of another hour."""
        return WrittenModels(self._world, replace(self.options, hours=None, second=second))

    def add(
        self,
        document: Document,
        resolved: ResolvedModel,
        light: VertexLight,
        clips: Sequence[Clip],
        played: Played | None,
    ) -> ModelParts:
        """Add a model of a place with its clips to a document."""
        number = None if resolved.textures is None else resolved.textures.value
        names = tuple([clip.name for clip in clips])
        key = (resolved.kind, resolved.number, number, light.key, played, names)
        alone, parts = self._written.get(key, self._work_out, resolved, light, clips)
        copier = Copier(alone, document)
        copier.copy_all("accessors", "images", "samplers", "textures", "materials", "meshes")
        return parts.copied(copier)

    def _work_out(
        self, resolved: ResolvedModel, light: VertexLight, clips: Sequence[Clip]
    ) -> tuple[Document, ModelParts]:
        alone = Document(renames=False)
        return alone, self.write(alone, resolved, light, self._motion(resolved, clips))

    def _motion(self, resolved: ResolvedModel, clips: Sequence[Clip]) -> Motion | None:
        """A model with its clips; None when it has none."""
        if not clips or resolved.textures is None:
            return None
        read = readable_terrain_textures if resolved.kind == TERRAIN else readable_prop_textures
        textures = read(self._world, resolved.textures.value).textures
        return Motion(resolved.model, clips, binding=resolved.binding, state=resolved.state, textures=textures)

    def write(
        self, document: Document, resolved: ResolvedModel, light: VertexLight, motion: Motion | None
    ) -> ModelParts:
        """Add a model to a document alone."""
        draws = resolved.draws() if motion is None else motion.draws
        if motion is not None and self.options.static:
            draws, motion = motion.draws_at_rest(), None
        return write_model(document, draws, self.options, light=light, motion=motion)
