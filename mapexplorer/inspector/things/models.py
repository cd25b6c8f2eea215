"""Prop models, placed props, animations, textures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from formats.fixed import ONE
from formats.nds.texture_format import BITS, COMPRESSED_4X4
from formats.nitro.model import Model
from formats.nitro.tex0 import Tex0
from mapexplorer.catalogue.texture_uses import MaterialUse, texture_uses
from mapexplorer.games import Role
from mapexplorer.inspector.facts import Described, Describers, Fact, Section, filled, listed, section
from mapexplorer.inspector.things.common import Context, link, member, point
from mapexplorer.inspector.things.use_sections import model_places, places_section
from mapexplorer.world.models.animations import prop_animations
from mapexplorer.world.models.texture_sets import SetKey, models_on
from mapexplorer.world.models.textures import unresolved
from mapexplorer.world.subject import subject

FORMATS = {
    0: "none",
    1: "A3I5",
    2: "4 colours",
    3: "16 colours",
    4: "256 colours",
    5: "4x4 compressed",
    6: "A5I3",
    7: "direct colour",
}
PROP, TERRAIN = 0, 1
"""The first number of a texture's key: the archive of its set."""


def describe_placed_prop(context: Context, matrix: int, x: int, z: int, index: int) -> Described:
    """A placed prop."""
    cell = context.place.matrix_cells[x, z]
    prop = context.place.props(cell)[index]
    model = context.world.prop_model(prop.model).models[0]
    textures = context.place.prop_set(cell)
    stored = Fact("Stored model", str(prop.stored), "drawn as the dummy box", link=subject("prop", prop.stored))
    facts = section(
        "Map prop (building)",
        Fact("Model", f"{prop.model}  {model.name}", "", prop.why, subject("prop", prop.model)),
        *([stored] if prop.substituted else []),
        Fact("Position", point(prop.position), "matrix-wide units"),
        Fact("Scale", point(prop.scale)),
        Fact("Cell", f"({cell.x}, {cell.z})", link=subject("cell", cell.matrix, cell.x, cell.z)),
        Fact("Land data", str(cell.land), f"prop {prop.index}", link=subject("land", cell.land)),
        Fact("Textures", f"areabm_texset[{textures.value}]", "", textures.why, subject("prop set", textures.value)),
    )
    raw = member(context, Role.LAND_DATA, cell.land, ("props", "props", prop.index))
    sections = (facts, *_model_sections(context, prop.model, cell), *model_places(context, prop.model))
    return model.name, f"prop {prop.index} of cell ({cell.x}, {cell.z})", sections, raw


def describe_prop(context: Context, number: int) -> Described:
    """A prop model."""
    model = context.world.prop_model(number).models[0]
    low = [value * model.box_pos_scale / ONE / ONE for value in model.box]
    facts = section(
        "Model",
        Fact("Model", str(number), "build_model"),
        Fact("Box", f"{low[3]:.4g} × {low[4]:.4g} × {low[5]:.4g}", "units; what the game tests for visibility"),
        Fact("Polygons", str(model.polygon_count), f"{model.triangle_count} triangles, {model.quad_count} quads"),
        Fact("Vertices", str(model.vertex_count)),
        Fact("Nodes", str(len(model.nodes)), ", ".join(node.name for node in model.nodes[:6])),
        Fact("Drawn", _drawn(context, number)),
    )
    raw = member(context, Role.BUILD_MODEL, number)
    sections = (facts, *_model_sections(context, number, None))
    return model.name, f"build_model {number} (building)", sections, raw


def _drawn(context: Context, number: int) -> str:
    lists = context.world.draw_lists
    pairs = lists.models[number] if lists is not None and number < len(lists.models) else None
    if pairs is None:
        return "by its SBC, as an animated model"
    return f"by build_model_matshp: {len(pairs)} pairs of material and shape"


def _model_sections(context: Context, number: int, cell: Any) -> tuple[Section, Section]:
    world, file = context.world, context.world.prop_model(number)
    model = file.models[0]
    textures = file.textures if number == 0 else context.place.prop_textures(cell).textures
    materials = material_facts(model, textures, (PROP, context.place.prop_set(cell).value))
    animations = (
        Fact(
            animation.kind,
            animation.name,
            f"{animation.frames} frames, {animation.when}, drives {', '.join(animation.drives[:4])}",
            animation.why,
            subject("prop animation", animation.index),
        )
        for animation in prop_animations(world, number)
    )
    return listed("Materials", materials), listed("Animations", animations)


def material_facts(model: Model, textures: Tex0 | None, of_set: tuple[int, int]) -> Iterator[Fact]:
    """The materials of a model, each with its texture (of a set: PROP or TERRAIN and a number), its alpha and the names
    that it lacks; without textures the names of them only."""
    lacking = {item.material: item for item in unresolved(model, textures)} if textures is not None else {}
    for index, material in enumerate(model.materials):
        texture, alpha = model.texture_name(index), material.polygon_attr >> 16 & 31
        words = (model.palette_name(index), f"alpha {alpha} of 31" if alpha < 31 else "")
        place = None if textures is None or texture is None else textures.texture_index(texture)
        goal = None if place is None else subject("texture", *of_set, place)
        yield Fact(
            material.name, texture or "no texture", ", ".join(filter(None, words)), lacking.get(material.name), goal
        )


def describe_animation(context: Context, number: int) -> Described:
    """A prop animation file."""
    value = context.world.animation(number)
    facts = []
    for animation in value.animations:
        tracks = getattr(animation, "tracks", ())
        facts.append(Fact(animation.name, f"{animation.frame_count} frames", f"{len(tracks)} tracks"))
        facts += [Fact("", track.material) for track in tracks[:30] if getattr(track, "material", "")]
    raw = member(context, Role.PROP_ANIMATIONS, number)
    title = type(value).__name__.upper()
    return f"Animation {number}", f"bm_anime, {title}", (section(title, *facts),), raw


def describe_texture(context: Context, which: int, number: int, index: int) -> Described:
    """A texture of a set, and the materials of the place's models that use it."""
    key = SetKey(which == TERRAIN, number)
    textures = key.read(context.world)
    texture = textures.textures[index]
    used, own = texture_uses(context.world, key, texture.name), models_on(context.place, key)
    here = listed("Used on this map", (_material_use(use) for use in used.materials if use.number in own))
    elsewhere = listed("Used elsewhere", (_material_use(use) for use in used.materials if use.number not in own))
    facts = section(
        "Texture",
        link("Set", subject(key.kind, number), f"{number}", key.archive),
        Fact("Format", str(texture.format), FORMATS[texture.format]),
        Fact("Size", f"{texture.width} × {texture.height}", f"{BITS[texture.format]} bits a texel"),
        Fact("Colour 0", "transparent" if texture.color0_transparent else "opaque"),
        Fact("Bytes", str(len(texture.texels) + len(texture.indices))),
    )
    sections = (
        facts,
        here if here.rows else section(here.title, Fact("", "No model of this map uses it.")),
        *filled(elsewhere),
        places_section(context, used.places),
    )
    archive = Role.PROP_TEXTURES if which == PROP else Role.TERRAIN_TEXTURES
    kind = "compressed texels" if texture.format == COMPRESSED_4X4 else "images"
    raw = member(context, archive, number, ("TEX0", kind, f"texels of {texture.name!r}"))
    return texture.name, f"texture {index} of {key.title}", sections, raw


def _material_use(use: MaterialUse) -> Fact:
    title = f"land {use.number}" if use.kind == "land" else f"{use.number}  {use.model}"
    return Fact(title, use.material, f"with palette {use.palette or 'none'}", None, subject(use.kind, use.number))


DESCRIBERS: Final[Describers] = {
    "placed prop": describe_placed_prop,
    "prop": describe_prop,
    "prop animation": describe_animation,
    "texture": describe_texture,
}
