"""A pixel of the DS picture: which polygons make it and why, and where it lies on the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mapexplorer.inspector.facts import Description, Fact, Section
from mapexplorer.inspector.subject import Subject, subject
from mapexplorer.world.wording import source

if TYPE_CHECKING:
    from mapexplorer.opengl.picking import Pick
    from mapexplorer.scene.placement import DressedModel
    from mapexplorer.scene.why import PixelReason, Surface


def chosen_by(reason: PixelReason) -> Subject | None:
    """What a click on the pixel means: the prop, person or terrain whose polygon is seen there."""
    for surface in reason.surfaces:
        if surface.seen:
            found = owner(surface)
            if found is not None:
                return found
    return None


def owner(surface: Surface) -> Subject | None:
    """What a polygon belongs to."""
    return owner_of_source(surface.part.drawing.source)


def owner_of_source(source: object) -> Subject | None:
    """The subject that was drawn from a placed model or a figure; None for terrain and the player."""
    from mapexplorer.scene.people import Figure
    from mapexplorer.scene.placement import PlacedModel

    if isinstance(source, PlacedModel):
        if source.prop is None:
            return None
        cell = source.prop.cell
        return subject("placed prop", cell.matrix, cell.x, cell.z, source.prop.index)
    if isinstance(source, Figure) and source.event is not None and source.header is not None:
        return subject("object", source.header, source.event)
    return None


def describe_pixel(reason: PixelReason) -> Description:
    """The facts about a pixel."""
    red, green, blue, alpha = reason.color
    color = (red << 2 | red >> 4, green << 2 | green >> 4, blue << 2 | blue >> 4)
    sections = [
        Section("Pixel", (Fact("Colour", f"{red}, {green}, {blue} of 63", f"alpha {alpha} of 31", "", None, color),))
    ]
    seen = [surface for surface in reason.surfaces if surface.seen]
    for surface in seen:
        sections.append(Section(f"Polygon {surface.row}", tuple(_surface_facts(surface))))
    hidden = [
        Fact("", surface.sentences()[0], "", "", owner(surface)) for surface in reason.surfaces if not surface.seen
    ]
    sections.append(Section(f"Hidden behind it ({len(hidden)})", tuple(hidden)))
    if not seen:
        sections.append(Section("Nothing", (Fact("", "No polygon is seen here: it is the clear plane."),)))
    title = f"Pixel ({reason.x}, {reason.y})"
    return Description(subject("pixel", reason.x, reason.y), title, "of the DS picture", tuple(sections))


def describe_pick(chosen: Subject, pick: Pick) -> Description:
    """The facts about the surface that was picked in the OpenGL view; `chosen` is what it belongs to."""
    from mapexplorer.scene.why import attribute_words, texture_words

    x, y, z = pick.point
    facts = [Fact("Spot", f"{x:.2f}, {y:.2f}, {z:.2f}", "units from the matrix' north-west corner")]
    if pick.draw is not None:
        dressed = getattr(pick.source, "model", pick.source).dressed
        model, material = dressed.model, pick.draw.material
        facts += [
            Fact("Model", model.name, f"{dressed.kind} {dressed.number}", "", _model_of(dressed)),
            Fact("Shape", model.shapes[pick.draw.shape].name),
            Fact("Material", material.name, texture_words(model, material)),
            Fact("Drawn", attribute_words(material.polygon_attr)),
        ]
        if dressed.textures is not None:
            facts.append(Fact("Textures", source(dressed.textures.why)))
    return Description(chosen, str(chosen), "of the OpenGL picture", (Section("Surface", tuple(facts)),))


def _surface_facts(surface: Surface) -> list[Fact]:
    dressed = surface.part.drawing.model.dressed
    model = dressed.model
    facts = [Fact("Model", model.name, f"{dressed.kind} {dressed.number}", "", owner(surface) or _model_of(dressed))]
    facts.append(Fact("Shape", model.shapes[surface.part.shape].name))
    for line in surface.sentences()[1:]:
        head, _, rest = line.partition(" ")
        facts.append(Fact(head.rstrip(",:").capitalize(), rest))
    return facts


def _model_of(dressed: DressedModel) -> Subject | None:
    kinds = {"terrain": "land", "prop": "prop"}
    return subject(kinds[dressed.kind], dressed.number) if dressed.kind in kinds else None
