"""MSH models (Iron3D) as GLB: the node tree, the geometry of one slot per node, and the key animation as a clip.

The engine's z-up coordinates stay as they are under one root that turns z to y; nothing is mirrored unless asked. The
engine's matrices rotate column vectors by the conjugate of the stored quaternion, so that is what glTF gets.
Materials are neutral: the colours are in separate files.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from formats.parkan import KeyPool, Msh, Tracks
from formats.parkan.geometry import HIDDEN, NO_SLOT
from formats.remembered import remembered
from mapexplorer.export.gltf.curves import continuous
from mapexplorer.export.gltf.document import Channel, Document, Json
from mapexplorer.export.gltf.vertices import normalized
from mapexplorer.export.options import MshOptions
from mapexplorer.parkan.sampling import NodePose, key_pose, model_poses, resolve_order, sample

Z_UP = (-0.7071067811865476, 0.0, 0.0, 0.7071067811865476)
_UP: Final = (0.0, 0.0, 1.0)
INDEX_LIMIT = 1 << 24
PRIMITIVE_LIMIT = 1 << 18
SAMPLE_LIMIT = 1 << 18


def msh_document(model: Msh, *, name: str = "model", options: MshOptions | None = None) -> Document:
    """The glTF document of a model.

    Raises `FormatError` where the file passes the checks but cannot be shown: coordinates that are not finite, or slots
    that share batches so often that the result would be too large.
    """
    chosen = options or MshOptions()
    with np.errstate(all="ignore"):  # writing raises FormatError for values that are not finite
        return _Export(model, name, chosen).document


class _Export:
    def __init__(self, model: Msh, name: str, options: MshOptions) -> None:
        self.model = model
        self.options = options
        self.order = resolve_order(model.animation, options.order) if model.animated else "xyzw"
        extras: Json = {"quaternionOrder": self.order, "framesPerSecond": options.rate} if model.animated else {}
        self.document = Document(extras=extras or None)
        self.meshes = _Meshes(model, self.document) if model.has_geometry else None
        root = self.document.node(name, rotation=Z_UP, scale=(-1.0, 1.0, 1.0) if options.mirror_x else None)
        if model.legacy:
            self._slots(root)
        else:
            self._nodes(root)
        self.document.scene(name, [root])

    def _slots(self, root: int) -> None:
        """The fields of legacy nodes are unknown: every slot is shown without a transform."""
        meshes = [] if self.meshes is None else map(self.meshes.slot, range(len(self.meshes.slots)))
        for slot, mesh in enumerate(meshes):
            if mesh is not None:
                self.document.node(f"slot_{slot}", below=root, mesh=mesh)

    def _nodes(self, root: int) -> None:
        model, options = self.model, self.options
        nodes: list[int] = []
        row, column = options.slot
        for number, (record, pose) in enumerate(
            zip(model.nodes, model_poses(model, 0.0, order=self.order), strict=True)
        ):
            parent = int(record["parent"])
            at_root = parent >= number
            slot = int(record["slots"][row, column])
            shown = options.hidden or not int(record["flags"]) & HIDDEN
            mesh = self.meshes.slot(slot) if self.meshes and shown and slot != NO_SLOT else None
            node = self.document.node(
                model.node_name(number),
                below=root if at_root else nodes[parent],
                mesh=mesh,
                translation=self._position(pose.position, number, at_root).tolist(),
                rotation=self._rotation(pose.orientation).tolist(),
                extras=self._extras(number, record) if options.extras else None,
            )
            nodes.append(node)
        if model.animated:
            self._clip(nodes)

    def _position(self, position: tuple[float, float, float], node: int, at_root: bool) -> npt.NDArray[np.float32]:
        values = np.array(position, np.float32)
        if not np.isfinite(values).all():
            raise FormatError("Res8", 0, f"finite positions of node {node}", str(position))
        return np.zeros(3, np.float32) if at_root and not self.options.keep_root_translation else values

    def _rotation(self, orientation: tuple[float, float, float, float]) -> npt.NDArray[np.float32]:
        """glTF's x, y, z, w of a stored quaternion: unit length, zeros as no rotation."""
        w, x, y, z = orientation
        sign = -1.0 if self.options.conjugate else 1.0
        values = np.array((sign * x, sign * y, sign * z, w))
        length = float(np.linalg.norm(values))
        return np.array((0, 0, 0, 1) if length < 1e-9 else values / length, np.float32) + np.float32(0.0)

    def _extras(self, number: int, record: Any) -> Json:
        pool = self.model.animation.pool()
        fields = {"mapStart": int(pool.map_starts[number]), "fallbackKey": int(pool.fallbacks[number])}
        return {"flags": int(record["flags"]), "slots": record["slots"].tolist(), **fields}

    def _clip(self, nodes: list[int]) -> None:
        animation = self.model.animation
        pool = animation.pool()
        mapped = pool.mapped().tolist()
        tracks: dict[int, Sequence[tuple[float, NodePose]]]
        if self.options.bake or not _follows_keys(animation):
            if len(mapped) * pool.frame_count > SAMPLE_LIMIT:
                wanted = f"a clip of at most {SAMPLE_LIMIT} samples where the map does not follow from the keys"
                raise FormatError("Res19", 0, wanted, f"{len(mapped)} nodes of {pool.frame_count} frames")
            frames = [float(frame) for frame in range(pool.frame_count)]
            tracks = {
                node: [(frame, sample(pool, node, frame, order=self.order)) for frame in frames] for node in mapped
            }
        else:
            first = pool.first_keys()
            keys = {node: range(int(first[node]), int(pool.fallbacks[node]) + 1) for node in mapped}
            times = pool.keys["time"].tolist()
            tracks = {node: [(times[key], key_pose(pool, key, self.order)) for key in keys[node]] for node in mapped}
        channels = [self._channels(node, nodes[node], track) for node, track in tracks.items()]
        self.document.animation("clip", chain(*channels))

    def _channels(self, number: int, node: int, track: Sequence[tuple[float, NodePose]]) -> list[Channel]:
        at_root = int(self.model.nodes["parent"][number]) >= number
        times = (np.array([time for time, _ in track]) / self.options.rate).astype(np.float32)
        apart = np.diff(times, prepend=-1.0) > 0  # very late keys may fall together in float32 seconds
        positions = np.array([self._position(pose.position, number, at_root) for _, pose in track])
        rotations = continuous(np.array([self._rotation(pose.orientation) for _, pose in track])).astype(np.float32)
        return [
            Channel(times[apart], positions[apart], node, "translation"),
            Channel(times[apart], rotations[apart], node, "rotation"),
        ]


def _follows_keys(animation: Tracks | KeyPool) -> bool:
    """Whether a linear clip over the file's keys moves as the engine does: canonical maps and times."""
    if not isinstance(animation, Tracks):
        return False
    return all(track.words is None and track.keys["time"][0] >= 0 for track in animation.tracks)


class _Meshes:
    """One glTF mesh per slot, one primitive per batch; equal batches share their data."""

    def __init__(self, model: Msh, document: Document) -> None:
        assert model.slots is not None and model.batches is not None
        assert model.positions is not None and model.indices is not None
        self.slots, self.batches = model.slots, model.batches
        self.indices, self.positions = model.indices, model.positions
        self.document = document
        self.materials = model.material_numbers()
        count = len(self.positions)
        self.normals = _matching(model.normals, count)
        self.uvs = _matching(model.uvs, count)
        self.lightmap_uvs = None if self.uvs is None else _matching(model.lightmap_uvs, count)
        self._index_total = 0
        self._primitive_total = 0

    @remembered
    def slot(self, number: int) -> int | None:
        """The mesh of a slot; None when it has no triangles."""
        record = self.slots[number]
        start, count = int(record["batch_start"]), int(record["batch_count"])
        self._primitive_total += count
        if self._primitive_total > PRIMITIVE_LIMIT:
            raise FormatError("Res2", 0, f"slots that draw at most {PRIMITIVE_LIMIT} batches", "more")
        drawn = [self._primitive(batch) for batch in range(start, start + count)]
        primitives = [primitive for primitive in drawn if primitive is not None]
        return self.document.mesh(primitives, name=f"slot_{number}") if primitives else None

    @remembered
    def _primitive(self, number: int) -> Json | None:
        record = self.batches[number]
        start, count = int(record["index_start"]), int(record["index_count"])
        if not count:
            return None
        self._index_total += count
        if self._index_total > INDEX_LIMIT:
            raise FormatError("Res13", 0, f"batches of at most {INDEX_LIMIT} indices together", "more")
        vertices = self.indices[start : start + count].astype(np.int64) + int(record["base_vertex"])
        used, local = np.unique(vertices, return_inverse=True)
        points = self.positions[used].astype(np.float32)
        if not np.isfinite(points).all():
            raise FormatError("Res3", 0, f"finite positions in batch {number}", "others")
        arrays = {
            "POSITION": points,
            "NORMAL": None if self.normals is None else normalized(self.normals[used, :3].astype(np.float64), _UP),
            "TEXCOORD_0": None if self.uvs is None else _scaled(self.uvs[used]),
            "TEXCOORD_1": None if self.lightmap_uvs is None else _scaled(self.lightmap_uvs[used]),
        }
        corners = local.reshape(-1).astype(np.uint16 if len(used) <= 0xFFFF else np.uint32)
        return self.document.primitive(arrays, corners, self._material(int(self.materials[number])))

    def _material(self, row: int) -> int:
        surface = {"baseColorFactor": [0.8, 0.8, 0.8, 1.0], "metallicFactor": 0.0, "roughnessFactor": 1.0}
        return self.document.add_definition("materials", {"name": f"material_{row}", "pbrMetallicRoughness": surface})


def _matching(values: npt.NDArray[Any] | None, count: int) -> npt.NDArray[Any] | None:
    """A vertex stream, or None where it does not have one element per vertex."""
    return values if values is not None and len(values) == count else None


def _scaled(stored: npt.NDArray[np.int16]) -> npt.NDArray[np.float32]:
    return (stored / 1024.0).astype(np.float32)
