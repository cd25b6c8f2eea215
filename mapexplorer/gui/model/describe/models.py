"""Prop models, placed props, animations, textures."""

from __future__ import annotations

from typing import Any

from formats.field.land_data import MAP_PROP
from formats.nds.texture_format import BITS
from formats.nitro.model import Model
from mapexplorer.gui.model.describe.common import FX, Context, link, member, point, record_spans
from mapexplorer.gui.model.facts import Description, Fact, Section, Span
from mapexplorer.gui.model.subject import Subject, subject
from mapexplorer.world import paths
from mapexplorer.world.animations import prop_animations
from mapexplorer.world.place import PropPlacement
from mapexplorer.world.textures import unresolved

FORMATS = {
    0: "none", 1: "A3I5", 2: "4 colours", 3: "16 colours", 4: "256 colours", 5: "4x4 compressed", 6: "A5I3",
    7: "direct colour",
}  # fmt: skip
PROP, TERRAIN = 0, 1
"""First number of a texture's key: which archive its set lies in."""


def placement_of(context: Context, chosen: Subject) -> PropPlacement:
    """The placement of a placed prop."""
    _, x, z, index = chosen.key
    return context.place.props(context.place.matrix_cells[x, z])[index]


def describe_placed_prop(context: Context, chosen: Subject) -> Description:
    """A prop where it stands."""
    prop = placement_of(context, chosen)
    cell = prop.cell
    model = context.world.prop_model(prop.model).models[0]
    facts = [
        Fact("Model", f"{prop.model}  {model.name}", "", str(prop.why), subject("prop", prop.model)),
        Fact("Position", point(prop.position), "matrix-wide units"),
        Fact("Scale", point(prop.scale)),
        Fact("Cell", f"({cell.x}, {cell.z})", "", "", subject("cell", cell.matrix, cell.x, cell.z)),
        Fact("Land data", str(cell.land), f"prop {prop.index}", "", subject("land", cell.land)),
    ]
    if prop.substituted:
        facts.insert(
            1, Fact("Stored model", str(prop.stored), "drawn as the dummy box", "", subject("prop", prop.stored))
        )
    textures = context.place.prop_set(cell)
    facts.append(Fact("Textures", f"areabm_texset[{textures.value}]", "", str(textures.why),
                      subject("prop set", textures.value)))  # fmt: skip
    sections = [Section("Map prop (building)", tuple(facts)), *_model_sections(context, prop.model, cell)]
    record = context.world.land_sections(cell.land).read_props()[prop.index]
    start = context.world.land_sections(cell.land).props.origin + prop.index * MAP_PROP.itemsize
    raw = member(context, paths.LAND_DATA, cell.land, record_spans(record), start, MAP_PROP.itemsize)
    return Description(chosen, model.name, f"prop {prop.index} of cell ({cell.x}, {cell.z})", tuple(sections), raw)


def describe_prop(context: Context, chosen: Subject) -> Description:
    """A prop model."""
    number = chosen.key[0]
    model = context.world.prop_model(number).models[0]
    low = [value * model.box_pos_scale / FX / FX for value in model.box]
    facts = (
        Fact("Model", str(number), "build_model"),
        Fact("Box", f"{low[3]:.4g} × {low[4]:.4g} × {low[5]:.4g}", "units; what the game tests for visibility"),
        Fact("Polygons", str(model.polygon_count), f"{model.triangle_count} triangles, {model.quad_count} quads"),
        Fact("Vertices", str(model.vertex_count)),
        Fact("Nodes", str(len(model.nodes)), ", ".join(node.name for node in model.nodes[:6])),
        Fact("Drawn", _drawn(context, number)),
    )
    sections = [Section("Model", facts), *_model_sections(context, number, None)]
    raw = member(context, paths.BUILD_MODEL, number, nitro_spans(context, paths.BUILD_MODEL, number))
    return Description(chosen, model.name, f"build_model {number} (building)", tuple(sections), raw)


def _drawn(context: Context, number: int) -> str:
    lists = context.world.draw_lists
    pairs = lists.models[number] if lists is not None and number < len(lists.models) else None
    if pairs is None:
        return "by its SBC, as an animated model"
    return f"by build_model_matshp: {len(pairs)} pairs of material and shape"


def _model_sections(context: Context, number: int, cell: Any) -> list[Section]:
    world = context.world
    model = world.prop_model(number).models[0]
    own = number == 0
    textures = world.prop_model(number).textures if own else context.place.prop_textures(cell).textures
    lacking = {item.material: str(item) for item in unresolved(model, textures)}
    set_number = context.place.prop_set(cell).value
    materials = tuple(
        material_fact(model, index, lacking, textures, set_number) for index in range(len(model.materials))
    )
    animations = tuple(
        Fact(
            animation.kind, animation.name, f"{animation.frames} frames, {animation.when}",
            f"drives {', '.join(animation.drives[:4])}; {animation.why}", subject("prop animation", animation.index),
        )
        for animation in prop_animations(world, number)
    )  # fmt: skip
    return [Section(f"Materials ({len(materials)})", materials), Section(f"Animations ({len(animations)})", animations)]


def material_fact(model: Model, index: int, lacking: dict[str, str], textures: Any, set_number: int) -> Fact:
    """A material with its texture, its alpha and what it lacks."""
    material = model.materials[index]
    texture = model.texture_name(index)
    alpha = material.polygon_attr >> 16 & 31
    words = [model.palette_name(index) or ""]
    if alpha < 31:
        words.append(f"alpha {alpha} of 31")
    goal = None
    if textures is not None and texture is not None:
        place = next((at for at, item in enumerate(textures.textures) if item.name == texture), None)
        goal = subject("texture", PROP, set_number, place) if place is not None else None
    return Fact(
        material.name, texture or "no texture", ", ".join(word for word in words if word),
        f"white in the game: {lacking[material.name]}" if material.name in lacking else "", goal,
    )  # fmt: skip


def describe_animation(context: Context, chosen: Subject) -> Description:
    """A prop animation file."""
    number = chosen.key[0]
    value = context.world.animation(number)
    facts = []
    for animation in value.animations:
        tracks = getattr(animation, "tracks", ())
        facts.append(Fact(animation.name, f"{animation.frame_count} frames", f"{len(tracks)} tracks"))
        facts += [Fact("", getattr(track, "material", "")) for track in tracks[:30] if getattr(track, "material", "")]
    raw = member(context, paths.PROP_ANIMATIONS, number, nitro_spans(context, paths.PROP_ANIMATIONS, number))
    title = type(value).__name__.upper()
    return Description(chosen, f"Animation {number}", f"bm_anime, {title}", (Section(title, tuple(facts)),), raw)


def describe_texture(context: Context, chosen: Subject) -> Description:
    """A texture of a set, and which materials of the place's models want it."""
    which, number, index = chosen.key
    archive = paths.PROP_TEXTURES if which == PROP else paths.TERRAIN_TEXTURES
    world = context.world
    value = (world.prop_textures if which == PROP else world.terrain_textures)(number).textures
    texture = value.textures[index]
    set_kind = "prop set" if which == PROP else "terrain set"
    facts = (
        link("Set", subject(set_kind, number), f"{number}", archive.rsplit("/", 1)[-1]),
        Fact("Format", str(texture.format), FORMATS[texture.format]),
        Fact("Size", f"{texture.width} × {texture.height}", f"{BITS[texture.format]} bits a texel"),
        Fact("Colour 0", "transparent" if texture.color0_transparent else "opaque"),
        Fact("Bytes", str(len(texture.texels) + len(texture.indices))),
    )
    wanted: dict[str, Fact] = {}
    for cell in context.place.cells[:16]:
        if which == TERRAIN:
            model = world.land(cell.land).model.models[0]
            _collect(wanted, model, texture.name, subject("land", cell.land), f"land {cell.land}")
        else:
            for prop in context.place.props(cell):
                model = world.prop_model(prop.model).models[0]
                _collect(wanted, model, texture.name, subject("prop", prop.model), f"model {prop.model} {model.name}")
    sections = (
        Section("Texture", facts),
        Section(f"Used on this map ({len(wanted)})", tuple(wanted.values())),
    )
    return Description(chosen, texture.name, f"texture {index} of {archive.rsplit('/', 1)[-1]}[{number}]", sections)


def _collect(wanted: dict[str, Fact], model: Model, name: str, goal: Subject, title: str) -> None:
    for index, material in enumerate(model.materials):
        if model.texture_name(index) == name:
            palette = model.palette_name(index) or "no palette"
            wanted.setdefault(f"{title} {material.name}", Fact(title, material.name, f"with {palette}", "", goal))


def nitro_spans(context: Context, path: str, number: int) -> list[Span]:
    """The header and the blocks of a NITRO file."""
    data = bytes(context.world.rom.archive(path)[number])
    spans = [
        Span(0, 4, "magic", data[:4].decode("latin-1")),
        Span(4, 4, "byte order and version", data[4:8].hex(" ")),
        Span(8, 4, "file size", str(int.from_bytes(data[8:12], "little"))),
        Span(14, 2, "blocks", str(int.from_bytes(data[14:16], "little"))),
    ]
    for block in range(int.from_bytes(data[14:16], "little")):
        at = int.from_bytes(data[16 + 4 * block : 20 + 4 * block], "little")
        spans.append(Span(16 + 4 * block, 4, f"offset of block {block}", str(at)))
        magic = data[at : at + 4].decode("latin-1")
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        spans += [Span(at, 4, f"block {magic}", magic), Span(at + 4, 4, f"size of {magic}", str(size))]
    return spans


DESCRIBERS = {
    "placed prop": describe_placed_prop,
    "prop": describe_prop,
    "prop animation": describe_animation,
    "texture": describe_texture,
}
