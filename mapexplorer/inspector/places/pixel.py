"""A pixel of a picture: its polygons, their facts, and its position on the ground."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from formats.nitro.model import Model
from mapexplorer.g3d.material import ComposedMaterial
from mapexplorer.inspector.facts import Description, Fact, listed, section
from mapexplorer.inspector.output import fact_json, why_text
from mapexplorer.inspector.things.found import kind_json
from mapexplorer.scene.missing_textures import MARK
from mapexplorer.world.layers.overlay_picking import cell_of, tile_of
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.wording import origin

if TYPE_CHECKING:
    from mapexplorer.opengl.picking import Pick
    from mapexplorer.scene.model_resolver import ResolvedModel
    from mapexplorer.scene.pixel_trace import PixelPolygon, PixelTrace
    from mapexplorer.world.place import FieldPlace
    from mapexplorer.world.sources.provenance import Resolved

_MODES = ("modulate", "decal", "toon or highlight", "shadow")
_OF_MODELS = {"terrain": "land", "prop": "prop", "run-time prop": "prop", "person": "object graphics"}
"""Kind of a model -> the kind of thing that its number refers to."""

_SETS = {"terrain": "terrain set", "prop": "prop set", "run-time prop": "prop set"}


def chosen_by(reason: PixelTrace) -> Subject | None:
    """The subject that a click on the pixel selects: the prop, person or terrain of the visible polygon."""
    return next(filter(None, (owner(surface) for surface in reason.surfaces if surface.seen)), None)


def owner(surface: PixelPolygon) -> Subject | None:
    """The subject that a polygon belongs to."""
    return owner_of_source(surface.part.drawing.source)


def owner_of_source(source: object) -> Subject | None:
    """The subject of a placed model or a map object; None for terrain and the player."""
    from mapexplorer.map_objects.drawn import ObjectInstance
    from mapexplorer.scene.model_resolver import PlacedModel

    if isinstance(source, PlacedModel):
        if source.prop is None:
            return None
        cell = source.prop.cell
        return subject("placed prop", cell.matrix, cell.x, cell.z, source.prop.index)
    if isinstance(source, ObjectInstance) and source.event is not None and source.header is not None:
        return subject("object", source.header, source.event)
    return None


# --- facts


def explained(reason: PixelTrace, tile: Subject | None) -> Description:
    """The facts about a pixel, as an explanation of what a click selects: the prop or person, else the `tile` that is
    there, else the pixel."""
    description = describe_pixel(reason)
    return replace(description, subject=chosen_by(reason) or tile or description.subject)


def describe_pixel(reason: PixelTrace) -> Description:
    """The facts about a pixel."""
    red, green, blue, alpha = reason.color
    color = (red << 2 | red >> 4, green << 2 | green >> 4, blue << 2 | blue >> 4)
    pixel = Fact("Colour", f"{red}, {green}, {blue} of 63", f"alpha {alpha} of 31", color=color)
    seen, hidden = _parted(reason)
    sections = (
        section("Pixel", pixel),
        *(section(f"Polygon {surface.row}", *_polygon_facts(surface)) for surface in seen),
        listed("Hidden behind it", (Fact("", _heading(surface), link=owner(surface)) for surface in hidden)),
        *([] if seen else [section("Nothing", Fact("", "No polygon is seen here: it is the clear plane."))]),
    )
    return Description(
        subject("pixel", reason.x, reason.y), f"Pixel ({reason.x}, {reason.y})", "of the DS picture", sections
    )


def _polygon_facts(surface: PixelPolygon) -> list[Fact]:
    resolved = surface.part.drawing.model.resolved
    model = Fact("Model", *_model(resolved), None, owner(surface) or _model_of(resolved))
    return [model, Fact("Shape", resolved.model.shapes[surface.part.shape].name), *_surface_facts(surface)]


def explained_pick(pick: Pick, tile: Subject | None, place: FieldPlace, *, whole: bool) -> Description:
    """The facts about the surface that was picked in the OpenGL view of a place, as an explanation of what a click
    selects: the prop or person, else the `tile` that is there. `whole`: the view shows the whole matrix, each cell in
    its own area."""
    x, y, z = pick.point
    own = owner_of_source(getattr(pick.source, "source", pick.source))
    chosen = own or tile or subject("tile", place.matrix_id.value, *tile_of(x, z))
    resolved = getattr(pick.source, "model", pick.source).resolved
    model, material = resolved.model, pick.draw.material
    facts = section(
        "Surface",
        Fact("Spot", f"{x:.2f}, {y:.2f}, {z:.2f}", "units from the matrix' north-west corner"),
        Fact("Model", *_model(resolved), None, _model_of(resolved)),
        Fact("Shape", model.shapes[pick.draw.shape].name),
        Fact("Material", material.name, _texture(model, material)),
        Fact("Drawn", _attribute(material.polygon_attr)),
        *_textures(resolved, _present_set(pick, resolved, place, whole=whole)),
    )
    return Description(chosen, str(chosen), "of the OpenGL picture", (facts,))


def _parted(reason: PixelTrace) -> tuple[list[PixelPolygon], list[PixelPolygon]]:
    """The visible surfaces, and the hidden ones."""
    seen, hidden = ([surface for surface in reason.surfaces if surface.seen == wanted] for wanted in (True, False))
    return seen, hidden


def _surface_facts(surface: PixelPolygon) -> list[Fact]:
    """Material, textures, polygon attributes, light and rule of a polygon."""
    resolved, material = surface.part.drawing.model.resolved, surface.part.material
    drawn = [Fact("Drawn", _attribute(surface.polygon_attr)), Fact("Light", _light(surface)), _rule(surface)]
    if material is None:
        return drawn
    name = Fact("Material", f"{material.name!r}, {_texture(resolved.model, material)}")
    return [name, *_textures(resolved, resolved.textures), *drawn]


def _model(resolved: ResolvedModel) -> tuple[str, str]:
    """A model's name, and its kind and number."""
    return resolved.model.name, f"{resolved.kind} {resolved.number}"


def _model_of(resolved: ResolvedModel) -> Subject | None:
    return subject(_OF_MODELS[resolved.kind], resolved.number) if resolved.kind in _SETS else None


def _present_set(pick: Pick, resolved: ResolvedModel, place: FieldPlace, *, whole: bool) -> Resolved[int] | None:
    """The texture set of a picked model with the source that it has in the present place: a cell that the view keeps
    may have been loaded from another place of the same area."""
    x, _, z = pick.point
    cell = place.matrix_cells.get(cell_of(x, z))
    if cell is None or resolved.textures is None or resolved.kind not in _SETS:
        return resolved.textures
    entered = place if whole else place.with_area(place.area_id.value)
    present = entered.terrain_set(cell) if resolved.kind == "terrain" else entered.prop_set(cell)
    return present if present.value == resolved.textures.value else resolved.textures


def _textures(resolved: ResolvedModel, textures: Resolved[int] | None) -> list[Fact]:
    """The texture set that a model is bound to."""
    if textures is None:
        return []
    goal = subject(_SETS[resolved.kind], textures.value) if resolved.kind in _SETS else None
    return [Fact("Textures", origin(textures.why), "", textures.why, goal)]


def _attribute(attr: int) -> str:
    """The drawing mode of a POLYGON_ATTR as text."""
    return (
        f"as {_MODES[attr >> 4 & 3]}, alpha {attr >> 16 & 31} of 31, polygon id {attr >> 24 & 63}, "
        f"{'with' if attr & 0x8000 else 'without'} fog"
    )


def _texture(model: Model, material: ComposedMaterial) -> str:
    """The texture and palette of a material as text, or why it has none."""
    if material.texture is not None and material.texture is not MARK:
        palette = f" with palette {material.palette.name!r}" if material.palette is not None else ""
        return f"texture {material.texture.name!r} ({material.texture.width} x {material.texture.height}){palette}"
    wanted = model.texture_name(material.index)
    mark = " or its palette, so it is marked in magenta" if material.texture is MARK else ""
    return f"no texture: the set does not hold {wanted!r}{mark}" if wanted else "no texture"


def _light(surface: PixelPolygon) -> str:
    conditions, light_set = surface.conditions, surface.light_set
    material = surface.part.material
    lights = surface.polygon_attr & 15
    if not lights or material is None:
        return "none; its vertices carry their own colours"
    names = ", ".join(str(number) for number in range(4) if lights >> number & 1)
    own = surface.part.drawing.model.resolved.light_set < 0
    recolored = conditions.outdoor(light_set) and not own
    colors = "the light block's colours replace its own" if recolored else "it keeps its own colours"
    return (
        f"{names} of block {conditions.light_block(light_set)} of arealight[{light_set}] at second "
        f"{conditions.second}; {colors} (DIF_AMB {material.dif_amb:08X}, SPE_EMI {material.spe_emi:08X})"
    )


def _rule(surface: PixelPolygon) -> Fact:
    from mapexplorer.features import FeatureEffect
    from mapexplorer.map_objects.drawn import ObjectInstance
    from mapexplorer.scene.model_resolver import PlacedModel

    drawing = surface.part.drawing
    source = drawing.source
    if isinstance(source, PlacedModel):
        how = "by its list of materials and shapes" if drawing.model.resolved.pairs is not None else "by its SBC"
        where = tuple(round(value / 4096, 2) for value in source.position)
        return Fact("Rule", f"it stands at {where} units and is drawn {how}", "", source.why)
    if isinstance(source, FeatureEffect):
        return Fact("Rule", "an effect that the map's code shows, drawn 4 units nearer than it stands")
    if isinstance(source, ObjectInstance):
        who = f"object event {source.event} of header {source.header}" if source.event is not None else "the player"
        return Fact("Rule", f"{who}, graphics {source.graphics}, drawn 4 units nearer than it stands")
    return Fact("Rule", "drawn by the field")


# --- text and JSON


def sentences(reason: PixelTrace) -> list[str]:
    """The explanation of a pixel, a line for each polygon and each of its facts."""
    red, green, blue, alpha = reason.color
    lines = [f"pixel ({reason.x}, {reason.y}): red {red}, green {green}, blue {blue} of 63, alpha {alpha} of 31"]
    seen, hidden = _parted(reason)
    if not seen:
        lines.append("no polygon is seen here: it is the clear plane")
    for surface in seen:
        lines += [_heading(surface), *(f"  {_sentence(fact)}" for fact in _surface_facts(surface))]
    return lines + [f"hidden behind it: {_heading(surface)}" for surface in hidden]


def _heading(surface: PixelPolygon) -> str:
    name, what = _model(surface.part.drawing.model.resolved)
    shape = surface.part.drawing.model.resolved.model.shapes[surface.part.shape].name
    return f"polygon {surface.row} ({surface.corners} corners), shape {shape!r} of model {name!r} ({what})"


def _sentence(fact: Fact) -> str:
    name = fact.name.lower()
    if fact.name == "Textures":
        return f"{name}: {why_text(fact.why)}"
    if fact.name in ("Material", "Drawn"):
        return f"{name} {fact.value}"
    return f"{name}: {why_text(fact.why)}; {fact.value}" if fact.why else f"{name}: {fact.value}"


def pixel_json(reason: PixelTrace) -> dict[str, Any]:
    """The explanation of a pixel as JSON values."""
    return {
        "pixel": [reason.x, reason.y],
        "color": list(reason.color),
        "surfaces": [_surface_json(surface) for surface in reason.surfaces],
    }


def _surface_json(surface: PixelPolygon) -> dict[str, Any]:
    resolved = surface.part.drawing.model.resolved
    facts = _surface_facts(surface)
    number = {kind_json(_OF_MODELS[resolved.kind]): resolved.number} if resolved.kind in _OF_MODELS else {}
    return {
        "polygon": surface.row,
        "seen": surface.seen,
        "color": list(surface.color),
        "corners": surface.corners,
        "model": resolved.model.name,
        **number,
        "shape": resolved.model.shapes[surface.part.shape].name,
        "facts": [fact_json(fact) for fact in facts],
        "words": [_heading(surface), *map(_sentence, facts)],
    }
