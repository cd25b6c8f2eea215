"""An MSH model of the Iron3D engine ("Parkan: Iron Strategy"): an NRes container of numbered streams.

`Msh` holds the streams whose layout is known as values (nodes, geometry, names, animation) and the others as opaque
payloads. Coordinates: z up, one unit as in the game; vertices are in the space of the node that draws them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, FormatError, Notes, Reader, frozen
from formats.parkan import text
from formats.parkan.animation import KEY, KeyPool
from formats.parkan.checks import check
from formats.parkan.contents import MshContents
from formats.parkan.geometry import BATCH, HEADER_SIZE, LEGACY_NODE, NODE, SLOT, STORED_NODE, TRIANGLE
from formats.parkan.nres import Entry, NRes, read_container
from formats.parkan.streams import (
    BATCHES,
    FRAME_MAP,
    INDICES,
    KEYS,
    LABELS,
    LIGHTMAP_UVS,
    NAMES,
    NODES,
    NORMALS,
    POSITIONS,
    SERVICE,
    SLOTS,
    TANGENTS,
    TRIANGLES,
    UVS,
    Stream,
    classify,
)

NAME_SIZE = 32

_VECTOR3 = np.dtype(("<f4", (3,)))
_ELEMENTS: dict[int, tuple[str, np.dtype[Any]]] = {
    POSITIONS: ("positions", _VECTOR3),
    NORMALS: ("normals", np.dtype(("i1", (4,)))),
    UVS: ("uvs", np.dtype(("<i2", (2,)))),
    LIGHTMAP_UVS: ("lightmap_uvs", np.dtype(("<i2", (2,)))),
    INDICES: ("indices", np.dtype("<u2")),
    TRIANGLES: ("triangles", TRIANGLE),
    BATCHES: ("batches", BATCH),
}
_STRIDES = {SERVICE: 8, TANGENTS: 8}


@dataclass(frozen=True, eq=False)
class Msh(MshContents):
    """A model, read and written."""

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None, strict: bool = False) -> Msh:
        """Read and check a model.

        Errors for the engine (ranges, unsorted times, a parent after its child) raise `FormatError`; other deviations
        from the canonical form are noted. `strict` also refuses element counts and sort indices that disagree with the
        contents.
        """
        reader = Reader.of(data, "MSH")
        return cls.from_container(*read_container(reader, notes=notes, strict=strict), reader, notes, strict)

    @classmethod
    def from_container(
        cls,
        container: NRes,
        payloads: Sequence[Reader],
        reader: Reader,
        notes: Notes | None = None,
        strict: bool = False,
    ) -> Msh:
        """A model from a container; `payloads` are readers of its entries."""
        types = {entry.type_id for entry in container.entries}
        kind = classify(types)
        reader.check(kind != "terrain", 0, "a model (terrain is not supported)", "the streams of a terrain (Land.msh)")
        reader.check(
            kind != "archive", 0, "the streams of a model (1, 2, 3, 6, 13, or 1, 8, 19)", f"{sorted(types)[:20]}"
        )
        return _ModelReader(container, payloads, notes, strict).read()

    def to_bytes(self) -> bytes:
        """The container's bytes. Raises `FormatError` for values with errors or values that do not fit."""
        self._check_streams()
        for finding in check(self):
            if finding.error:
                raise FormatError(f"Res{finding.stream}", finding.offset, finding.expected, finding.found)
        pool = self.animation.pool()
        entries = []
        for stream in self.streams:
            payload = self._payload(stream.type_id, pool) if stream.payload is None else stream.payload
            usual = self._attributes(stream.type_id, len(payload), pool)
            given = (stream.attr1, stream.attr2, stream.attr3)
            attr1, attr2, attr3 = (usual[i] if value is None else value for i, value in enumerate(given))
            entries.append(Entry(stream.type_id, attr1, attr2, attr3, stream.name, payload))
        return NRes(tuple(entries), self.layout).to_bytes()

    def _check_streams(self) -> None:
        first: set[int] = set()
        for stream in self.streams:
            repeated = stream.type_id in first
            first.add(stream.type_id)
            known = stream.type_id in _ELEMENTS or stream.type_id in (NODES, SLOTS, KEYS, FRAME_MAP, LABELS)
            if known and repeated == (stream.payload is None):
                what = "a payload of its own" if repeated else "no payload beside the model's values"
                raise FormatError(f"Res{stream.type_id}", 0, what, "the opposite")
        pool = self.animation.pool()
        values: dict[int, object] = {type_id: getattr(self, field) for type_id, (field, _) in _ELEMENTS.items()}
        values |= {SLOTS: self.slots, LABELS: self.labels, NODES: self.nodes}
        values |= {KEYS: pool.keys if len(pool.keys) else None, FRAME_MAP: pool.words if len(pool.words) else None}
        if self.node_names is not None or self.payload(NAMES) is None:
            values[NAMES] = self.node_names
        for type_id, value in values.items():
            needed = type_id not in (KEYS, FRAME_MAP)  # an empty pool or map may have a stream
            if (value is not None and type_id not in first) or (value is None and type_id in first and needed):
                what = "values" if value is None else "a stream in `streams`"
                raise FormatError(f"Res{type_id}", 0, what, "none")
        if (self.slots is None) != (self.bounds is None) or (self.bounds is not None and self.bounds.shape != (35,)):
            raise FormatError("Res2", 0, "bounds of 35 floats with the slots", "something else")
        count = len(self.nodes)
        for type_id, names in ((NAMES, self.node_names), (LABELS, self.labels)):
            if names is not None and len(names) != count:
                raise FormatError(f"Res{type_id}", 0, f"{count} names, one per node", str(len(names)))
        if not self.legacy and not len(pool.map_starts) == len(pool.fallbacks) == count:
            raise FormatError("Res1", 0, f"the animation of {count} nodes", f"that of {len(pool.fallbacks)}")

    def _payload(self, type_id: int, pool: KeyPool) -> bytes:
        stored = {type_id: (getattr(self, field), dtype.base) for type_id, (field, dtype) in _ELEMENTS.items()}
        stored |= {KEYS: (pool.keys, KEY), FRAME_MAP: (pool.words, np.dtype("<u2"))}
        if type_id in stored:
            return np.ascontiguousarray(*stored[type_id]).tobytes()
        if type_id == NODES:
            return self._node_bytes(pool)
        if type_id == SLOTS:
            return np.ascontiguousarray(self.bounds, "<f4").tobytes() + np.ascontiguousarray(self.slots, SLOT).tobytes()
        if type_id == NAMES:
            return b"".join(text.fixed(name, NAME_SIZE, "Res9") for name in self.node_names or ())
        if type_id == LABELS:
            return b"".join(_label_bytes(label) for label in self.labels or ())
        raise FormatError(f"Res{type_id}", 0, "a payload", "none")

    def _node_bytes(self, pool: KeyPool) -> bytes:
        if self.legacy:
            return self.nodes.tobytes()
        stored = np.zeros(len(self.nodes), STORED_NODE)
        for field in ("flags", "parent", "slots"):
            stored[field] = self.nodes[field]
        stored["map_start"] = pool.map_starts
        stored["fallback_key"] = pool.fallbacks
        return stored.tobytes()

    def _attributes(self, type_id: int, size: int, pool: KeyPool) -> tuple[int, int, int]:
        """The attributes of a stream by the format's table; zeros for a type that it does not list."""
        known = {
            NODES: (len(self.nodes), 0, (LEGACY_NODE if self.legacy else STORED_NODE).itemsize),
            SLOTS: ((size - HEADER_SIZE) // SLOT.itemsize, 0, SLOT.itemsize),
            KEYS: (size // KEY.itemsize, 0, 4),
            FRAME_MAP: (size // 2, pool.frame_count, 2),
            NAMES: (size // NAME_SIZE, 0, NAME_SIZE),
            LABELS: (len(self.nodes), 0, 0),
        }
        stride = _ELEMENTS[type_id][1].itemsize if type_id in _ELEMENTS else _STRIDES.get(type_id, 0)
        return known.get(type_id, (size // stride, 0, stride) if stride else (0, 0, 0))


def _label_bytes(label: str) -> bytes:
    data = text.encode(label, "Res10")
    return struct.pack("<I", len(data)) + (data + b"\0" if data else b"")


class _ModelReader:
    """Turns the entries of a container into a model."""

    def __init__(self, container: NRes, payloads: Sequence[Reader], notes: Notes | None, strict: bool) -> None:
        self.container = container
        self.notes = notes
        self.strict = strict
        self.first: dict[int, int] = {}
        for number, entry in enumerate(container.entries):
            self.first.setdefault(entry.type_id, number)
        self.payloads = {type_id: payloads[number] for type_id, number in self.first.items()}
        self.all = payloads

    def read(self) -> Msh:
        nodes, map_starts, fallbacks = self._nodes()
        pool = KeyPool(
            self.container.entries[self.first[FRAME_MAP]].attr2 if FRAME_MAP in self.first else 1,
            self._elements(KEYS, KEY),
            self._elements(FRAME_MAP, np.dtype("<u2")),
            map_starts,
            fallbacks,
        )
        values: dict[str, Any] = {
            field: self._elements(type_id, dtype)
            for type_id, (field, dtype) in _ELEMENTS.items()
            if type_id in self.first
        }
        if SLOTS in self.first:
            values["bounds"] = self.payloads[SLOTS].array(0, "<f4", 35, "the bounds")
            values["slots"] = self._elements(SLOTS, SLOT, HEADER_SIZE)
        for type_id in _STRIDES:
            self._elements(type_id, np.dtype(("u1", (8,))))
        values["node_names"] = self._names(len(nodes))
        values["labels"] = self._labels(len(nodes))
        model = Msh(nodes, pool, (), layout=self.container.layout, **values)
        model = replace(model, streams=self._streams(model, pool))
        for finding in check(model):
            where = self.payloads[finding.stream]
            if finding.error:
                where.fail(finding.offset, finding.expected, finding.found)
            where.note(self.notes, finding.offset, f"{finding.found} instead of {finding.expected}")
        return replace(model, animation=pool.tracks() or pool)

    def _elements(self, type_id: int, dtype: np.dtype[Any], skip: int = 0) -> npt.NDArray[Any]:
        if type_id not in self.first:
            return frozen(np.zeros(0, dtype))
        reader = self.payloads[type_id]
        count, rest = divmod(len(reader) - skip, dtype.itemsize)
        if rest:
            wanted = f"a size that is {f'{skip} plus ' if skip else ''}a multiple of {dtype.itemsize}"
            reader.fail(skip + count * dtype.itemsize, wanted, f"{len(reader)} bytes")
        values = np.frombuffer(reader.data, dtype.base, count * int(np.prod(dtype.shape)), skip)
        return frozen(values.reshape(count, *dtype.shape))

    def _nodes(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint16], npt.NDArray[np.uint16]]:
        reader = self.payloads[NODES]
        stride = self.container.entries[self.first[NODES]].attr3
        empty = frozen([], np.uint16)
        if stride == LEGACY_NODE.itemsize:
            nodes = self._elements(NODES, LEGACY_NODE)
            reader.note(self.notes, 0, "nodes of the older 24-byte layout: shown without hierarchy and animation")
            return nodes, empty, empty
        reader.check(stride == STORED_NODE.itemsize, 0, "a node size (third attribute) of 38 or 24 bytes", stride)
        stored = self._elements(NODES, STORED_NODE)
        nodes = np.zeros(len(stored), NODE)
        for field in ("flags", "parent", "slots"):
            nodes[field] = stored[field]
        return frozen(nodes), frozen(stored["map_start"]), frozen(stored["fallback_key"])

    def _names(self, count: int) -> tuple[str, ...] | None:
        if NAMES not in self.first:
            return None
        reader = self.payloads[NAMES]
        if len(reader) != NAME_SIZE * count:
            reader.note(self.notes, 0, f"{len(reader)} bytes of names instead of {NAME_SIZE * count}: kept as they are")
            return None
        raw = (reader.bytes(NAME_SIZE * node, NAME_SIZE) for node in range(count))
        return tuple(text.decode(name.rstrip(b"\0")) for name in raw)

    def _labels(self, count: int) -> tuple[str, ...] | None:
        if LABELS not in self.first:
            return None
        reader = self.payloads[LABELS]
        labels = []
        at = 0
        for _ in range(count):
            length = reader.u32(at)
            at += 4
            if length:
                labels.append(text.decode(reader.bytes(at, length, "label text")))
                reader.check(
                    not reader.u8(at + length), at + length, "a zero byte after the label", reader.u8(at + length)
                )
                at += length + 1
            else:
                labels.append("")
        reader.check(at == len(reader), at, f"the end after {count} labels", f"{len(reader) - at} bytes more")
        return tuple(labels)

    def _streams(self, model: Msh, pool: KeyPool) -> tuple[Stream, ...]:
        """The entries as streams, with attributes and payloads only where they do not follow from the model's
        values."""
        result = []
        for number, entry in enumerate(self.container.entries):
            kept = entry.type_id not in _ELEMENTS and entry.type_id not in (NODES, SLOTS, KEYS, FRAME_MAP, LABELS)
            kept = kept and not (entry.type_id == NAMES and model.node_names is not None)
            stored = (entry.attr1, entry.attr2, entry.attr3)
            if number != self.first[entry.type_id]:
                self.all[number].note(self.notes, 0, f"a second stream of type {entry.type_id}: the first is used")
                result.append(Stream(entry.type_id, entry.name, *stored, entry.payload))
                continue
            usual = model._attributes(entry.type_id, len(entry.payload), pool)
            counted = entry.type_id in _STRIDES or (not kept and entry.type_id != NAMES)
            if counted and entry.attr1 != usual[0]:
                where = self.all[number]
                if self.strict:
                    where.fail(0, f"{usual[0]} elements (first attribute)", entry.attr1)
                where.note(self.notes, 0, f"the first attribute gives {entry.attr1} elements; there are {usual[0]}")
            attr1, attr2, attr3 = (None if a == b else a for a, b in zip(stored, usual, strict=True))
            payload = entry.payload if kept else None
            result.append(Stream(entry.type_id, entry.name, None if counted else attr1, attr2, attr3, payload))
        return tuple(result)
