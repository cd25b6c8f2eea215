"""MAT3 and MAT2: reads the material records and resolves their indices into the tables."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from formats.binary import Notes
from formats.j3d.big_endian import BigEndianReader
from formats.j3d.joints import read_remap
from formats.j3d.material import (
    AlphaCompare,
    Blend,
    ChannelControl,
    Color,
    Indirect,
    IndirectStage,
    J3dFog,
    J3dMaterial,
    J3dTextureMatrix,
    NbtScale,
    RenderState,
    SwapMode,
    TevOrder,
    TevStage,
    TexGen,
    ZMode,
)
from formats.j3d.sections import name_of, read_names
from formats.remembered import remembered

T = TypeVar("T")

MAX_STAGES = 16
MAX_TEXGENS = 8
INDIRECT_SIZE = 0x138

_MAT3_TABLES = (
    "init",
    "remap",
    "names",
    "indirect",
    "cull",
    "material_color",
    "channel_count",
    "channel",
    "ambient_color",
    "light",
    "texgen_count",
    "texgen",
    "post_texgen",
    "texture_matrix",
    "post_texture_matrix",
    "texture",
    "order",
    "tev_color",
    "konst_color",
    "stage_count",
    "stage",
    "swap_mode",
    "swap_table",
    "fog",
    "alpha_compare",
    "blend",
    "z_mode",
    "z_compare",
    "dither",
    "nbt_scale",
)
_MAT2_TABLES = tuple(name for name in _MAT3_TABLES if name not in ("indirect", "ambient_color", "light"))


class _Layout(NamedTuple):
    """The offsets of the fields in a record; -1: the record has no such field."""

    size: int
    """The size of a record in bytes."""
    ambient: int
    """Two indices of ambient colours."""
    channel: int
    """Four indices of channel controls."""
    texgen: int
    """Eight indices of texture coordinates."""
    texture_matrix: int
    """Eight indices of texture matrices."""
    texture: int
    """Eight indices of texture numbers."""
    konst: int
    """Four indices of constant colours."""
    konst_selectors: int
    """16 selectors of colours and 16 of alphas."""
    order: int
    """16 indices of TEV orders."""
    tev_color: int
    """Four indices of TEV registers."""
    stage: int
    """16 indices of TEV stages."""
    swap_mode: int
    """16 indices of swap modes."""
    swap_table: int
    """Four indices of swap tables."""
    fog: int
    """The indices of fog, alpha test, blending and bump scale."""


_MAT3 = _Layout(0x14C, 0x14, 0x0C, 0x28, 0x48, 0x84, 0x94, 0x9C, 0xBC, 0xDC, 0xE4, 0x104, 0x124, 0x144)
_MAT2 = _Layout(0x138, -1, 0x0C, 0x14, 0x34, 0x70, 0x80, 0x88, 0xA8, 0xC8, 0xD0, 0xF0, 0x110, 0x130)

_WHITE: Color = (255, 255, 255, 255)
_AMBIENT: Color = (50, 50, 50, 50)
_BLACK: Color = (0, 0, 0, 0)
_ALWAYS = AlphaCompare(7, 0, 0, 7, 0)
_TRANSLUCENT = Blend(1, 4, 5, 0)
_DEPTH = ZMode(1, 3, 1)
_IDENTITY_SWAP = (0, 1, 2, 3)


def read_materials(section: BigEndianReader, older: bool, notes: Notes | None = None) -> tuple[J3dMaterial, ...]:
    """MAT3 of its section, or MAT2 where `older`.

    Raises FormatError for entries outside the section and for more than 16 TEV stages or 8 texture coordinates.
    """
    count = section.u16(8)
    if count == 0:
        return ()
    tables = {name: section.u32(0x0C + 4 * i) for i, name in enumerate(_MAT2_TABLES if older else _MAT3_TABLES)}
    remap = read_remap(section, tables["remap"], count, "material", notes)
    names = read_names(section, tables["names"], notes) if tables["names"] else ()
    states = _States(section, tables, _MAT2 if older else _MAT3, notes)
    indirect = tables.get("indirect", 0)
    present = indirect - tables["names"] > 4
    return tuple(
        J3dMaterial(
            name_of(names, i, "material"),
            states.state(record),
            _indirect(section, indirect + INDIRECT_SIZE * i) if present else None,
        )
        for i, record in enumerate(remap)
    )


class _States:
    """Reads material records; each record and each table entry is read once."""

    def __init__(self, section: BigEndianReader, tables: dict[str, int], layout: _Layout, notes: Notes | None) -> None:
        self.section, self.tables, self.layout, self.notes = section, tables, layout, notes
        self.entries: dict[tuple[str, int], Any] = {}

    @remembered
    def state(self, record: int) -> RenderState:
        section, layout = self.section, self.layout
        at = self.tables["init"] + layout.size * record
        section.need(at, layout.size, "a material record")
        channels = self._byte(at + 2, "channel_count", 0)
        section.tolerate(channels <= 2, self.notes, at + 2, f"a material has {channels} colour channels; taken as 2")
        texgens = self._byte(at + 3, "texgen_count", 0)
        section.check(texgens <= MAX_TEXGENS, at + 3, f"{MAX_TEXGENS} texture coordinates or fewer", texgens)
        stages = self._byte(at + 4, "stage_count", 0)
        section.check(stages <= MAX_STAGES, at + 4, f"{MAX_STAGES} TEV stages or fewer", stages)
        selectors = section.bytes(at + layout.konst_selectors, 2 * MAX_STAGES)
        swap_tables = self._many(at + layout.swap_table, 4, "swap_table", 4, self._swap_table)
        fog, alpha_compare, blend, nbt_scale = (at + layout.fog + 2 * i for i in range(4))
        return RenderState(
            mode=section.u8(at),
            cull=self._byte(at + 1, "cull", 2, 4),
            channel_count=min(channels, 2),
            texgen_count=texgens,
            stage_count=stages,
            z_compare_before_texture=self._byte(at + 5, "z_compare", 1),
            z_mode=self._entry("z_mode", section.u8(at + 6), 0xFF, 4, self._bytes_of(ZMode, 3)) or _DEPTH,
            dither=self._byte(at + 7, "dither", 1),
            material_colors=self._colors(at + 8, 2, "material_color", _WHITE),
            channels=self._many(at + layout.channel, 4, "channel", 8, self._channel),
            ambient_colors=(
                self._colors(at + layout.ambient, 2, "ambient_color", _AMBIENT)
                if layout.ambient >= 0
                else (_AMBIENT, _AMBIENT)
            ),
            texgens=self._many(at + layout.texgen, 8, "texgen", 4, self._bytes_of(TexGen, 3)),
            texture_matrices=self._many(at + layout.texture_matrix, 8, "texture_matrix", 100, self._texture_matrix),
            textures=self._many(at + layout.texture, 8, "texture", 2, section.u16),
            konst_colors=self._colors(at + layout.konst, 4, "konst_color", _WHITE),
            konst_color_selectors=tuple(selectors[:MAX_STAGES]),
            konst_alpha_selectors=tuple(selectors[MAX_STAGES:]),
            orders=self._many(at + layout.order, MAX_STAGES, "order", 4, self._bytes_of(TevOrder, 3)),
            tev_colors=self._colors(at + layout.tev_color, 4, "tev_color", _BLACK),
            stages=self._many(at + layout.stage, MAX_STAGES, "stage", 20, self._stage),
            swap_modes=self._many(at + layout.swap_mode, MAX_STAGES, "swap_mode", 4, self._swap_mode),
            swap_tables=tuple(_IDENTITY_SWAP if table is None else table for table in swap_tables),
            fog=self._many(fog, 1, "fog", 44, self._fog)[0],
            alpha_compare=self._many(alpha_compare, 1, "alpha_compare", 8, self._alpha_compare)[0] or _ALWAYS,
            blend=self._many(blend, 1, "blend", 4, self._bytes_of(Blend, 4))[0] or _TRANSLUCENT,
            nbt_scale=self._many(nbt_scale, 1, "nbt_scale", 16, self._nbt_scale)[0],
        )

    def _entry(self, table: str, index: int, none: int, size: int, read: Callable[[int], T]) -> T | None:
        """Entry `index` of a table; None when the index is `none` or the file lacks the table."""
        offset = self.tables.get(table, 0)
        if index == none or not offset:
            return None
        if (table, index) not in self.entries:
            at = offset + size * index
            self.section.need(at, size, f"{table} {index} of the materials")
            self.entries[table, index] = read(at)
        entry: T = self.entries[table, index]
        return entry

    def _byte(self, at: int, table: str, default: int, size: int = 1) -> int:
        """The number in a table at a record's u8 index; `default` when there is none."""
        read = self.section.u8 if size == 1 else self.section.u32
        value = self._entry(table, self.section.u8(at), 0xFF, size, read)
        return default if value is None else value

    def _many(self, at: int, count: int, table: str, size: int, read: Callable[[int], T]) -> tuple[T | None, ...]:
        """The entries at `count` consecutive u16 indices."""
        indices = self.section.array(at, "u2", count).tolist()
        return tuple(self._entry(table, index, 0xFFFF, size, read) for index in indices)

    def _colors(self, at: int, count: int, table: str, default: Color) -> tuple[Color, ...]:
        wide = table == "tev_color"
        colors = self._many(at, count, table, 8 if wide else 4, self._wide_color if wide else self._color)
        return tuple(default if color is None else color for color in colors)

    def _color(self, at: int) -> Color:
        red, green, blue, alpha = self.section.bytes(at, 4)
        return red, green, blue, alpha

    def _wide_color(self, at: int) -> Color:
        return tuple(self.section.array(at, "i2", 4).tolist())

    def _channel(self, at: int) -> ChannelControl:
        lighting, source, mask, diffuse, attenuation, ambient = self.section.bytes(at, 6)
        return ChannelControl(lighting, source, mask, diffuse, attenuation, 0 if ambient == 0xFF else ambient)

    def _bytes_of(self, kind: Callable[..., T], count: int) -> Callable[[int], T]:
        """The reader of an entry whose fields are bytes."""
        return lambda at: kind(*self.section.bytes(at, count))

    def _texture_matrix(self, at: int) -> J3dTextureMatrix:
        section = self.section
        info = section.u8(at + 1)
        return J3dTextureMatrix(
            projection=section.u8(at),
            mode=info & 0x3F,
            maya=info >= 0x80,
            center=section.finite(at + 4, 3, "texture matrix centre"),
            scale=section.finite(at + 0x10, 2, "texture matrix scale"),
            rotation=section.s16(at + 0x18),
            translation=section.finite(at + 0x1C, 2, "texture matrix translation"),
            effect=tuple(float(value) for value in section.array(at + 0x24, "f4", 16)),
        )

    def _stage(self, at: int) -> TevStage:
        raw = self.section.bytes(at, 20)
        stage = TevStage(tuple(raw[1:5]), tuple(raw[5:10]), tuple(raw[10:14]), tuple(raw[14:19]))
        for values, limit, what in ((stage.color, 15, "colour inputs"), (stage.alpha, 7, "alpha inputs")):
            self.section.check(max(values) <= limit, at, f"{what} of 0 to {limit}", values)
        for op, bias, scale, _, register in (stage.color_op, stage.alpha_op):
            self.section.check(
                op <= 15 and bias <= 3 and scale <= 3 and register <= 3,
                at,
                "a TEV operation, bias, scale and register",
                (op, bias, scale, register),
            )
        return stage

    def _swap_mode(self, at: int) -> SwapMode:
        raster, texture = self.section.bytes(at, 2)
        self.section.check(raster <= 3 and texture <= 3, at, "swap tables 0 to 3", (raster, texture))
        return SwapMode(raster, texture)

    def _swap_table(self, at: int) -> tuple[int, ...]:
        table = tuple(self.section.bytes(at, 4))
        self.section.check(max(table) <= 3, at, "components 0 to 3", table)
        return table

    def _fog(self, at: int) -> J3dFog:
        section = self.section
        start, end, near, far = (float(value) for value in section.array(at + 4, "f4", 4))
        return J3dFog(
            type=section.u8(at),
            range_adjust=section.u8(at + 1),
            center=section.u16(at + 2),
            start=start,
            end=end,
            near=near,
            far=far,
            color=self._color(at + 0x14),
            range_table=tuple(section.array(at + 0x18, "u2", 10).tolist()),
        )

    def _alpha_compare(self, at: int) -> AlphaCompare:
        compare = AlphaCompare(*self.section.bytes(at, 5))
        self.section.check(
            max(compare.function0, compare.function1) <= 7 and compare.operation <= 3,
            at,
            "comparisons of 0 to 7 and an operation of 0 to 3",
            self.section.bytes(at, 5).hex(),
        )
        return compare

    def _nbt_scale(self, at: int) -> NbtScale:
        return NbtScale(self.section.u8(at), tuple(float(value) for value in self.section.array(at + 4, "f4", 3)))


_INDIRECT_MATRIX = struct.Struct(">6fb3x")


def _indirect(section: BigEndianReader, at: int) -> Indirect:
    section.need(at, INDIRECT_SIZE, "indirect texturing")
    orders = section.array(at + 4, "u1", 16).reshape(4, 4)[:, :2].tolist()
    matrices = [section.unpack(_INDIRECT_MATRIX, at + 0x14 + 28 * i) for i in range(3)]
    scales = section.array(at + 0x68, "u1", 16).reshape(4, 4)[:, :2].tolist()
    stages = section.array(at + 0x78, "u1", 192).reshape(16, 12)[:, :9].tolist()
    return Indirect(
        enable=section.u8(at),
        stage_count=section.u8(at + 1),
        orders=tuple((texcoord, texmap) for texcoord, texmap in orders),
        matrices=tuple(tuple(matrix[:6]) for matrix in matrices),
        exponents=tuple(int(matrix[6]) for matrix in matrices),
        scales=tuple((s, t) for s, t in scales),
        stages=tuple(IndirectStage(*stage) for stage in stages),
    )
