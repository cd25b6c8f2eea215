"""Things that areas and headers refer to by number: texture sets, lights, messages, cameras, weather."""

from __future__ import annotations

from itertools import accumulate

from formats.field.fldtanime import NAME_BYTES, RECORD_BYTES
from formats.field.program_tables import CAMERA
from formats.nitro.tex0 import Tex0
from mapexplorer.catalogue.store import reference_store
from mapexplorer.catalogue.uses import uses
from mapexplorer.games import Role
from mapexplorer.inspector.common import Context, clock_text, fx, in_a_row, member, overlay_record, prop_name
from mapexplorer.inspector.facts import Description, Fact, Section, Span
from mapexplorer.inspector.models import FORMATS, PROP, TERRAIN, nitro_spans
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.wording import source


def _textures(value: Tex0, which: int, number: int) -> Section:
    facts = tuple(
        Fact(texture.name, f"{texture.width} × {texture.height}", FORMATS[texture.format], None,
             subject("texture", which, number, index))
        for index, texture in enumerate(value.textures)
    )  # fmt: skip
    return Section(f"Textures ({len(facts)})", facts)


def _palettes(value: Tex0) -> Section:
    facts = tuple(Fact(palette.name, f"{len(palette.colors)} colours") for palette in value.palettes)
    return Section(f"Palettes ({len(facts)})", facts)


def describe_prop_set(context: Context, chosen: Subject) -> Description:
    """A prop set: the models that an area loads, and their textures."""
    number = chosen.key[0]
    world = context.world
    models = world.prop_list(number).models.tolist()
    listed = tuple(
        Fact(f"Model {model}", prop_name(context, model), "", None, subject("prop", model)) for model in models
    )
    value = world.prop_textures(number).textures
    sections = (Section(f"Models ({len(listed)})", listed), _textures(value, PROP, number), _palettes(value))
    fields = [(2, "models", len(models)), *((2, f"model {at}", model) for at, model in enumerate(models))]
    raw = member(context, Role.AREA_BUILD, number, in_a_row(fields))
    return Description(chosen, f"Prop set {number}", "area_build and areabm_texset", sections, raw)


def describe_terrain_set(context: Context, chosen: Subject) -> Description:
    """A set of terrain textures."""
    number = chosen.key[0]
    value = context.world.terrain_textures(number).textures
    raw = member(context, Role.TERRAIN_TEXTURES, number, nitro_spans(context, Role.TERRAIN_TEXTURES, number))
    animated = tuple(
        Fact(use.part.name if use.part else "", str(use.used), "", None, use.used)
        for use in uses(reference_store(context.world), chosen)
    )  # fmt: skip
    sections = (_textures(value, TERRAIN, number), _palettes(value), Section(f"Animated ({len(animated)})", animated))
    return Description(chosen, f"Terrain textures {number}", "map_tex_set", sections, raw)


def describe_light_set(context: Context, chosen: Subject) -> Description:
    """A light set by time of day."""
    number = chosen.key[0]
    light = context.world.light_set(number)
    sections = []
    start = 0
    for index, block in enumerate(light.blocks):
        end = block.end * 2
        facts = [
            Fact(f"Light {slot}", "off" if not one.valid else f"from {_vector(one.vector)}", "", None, None,
                 eight(one.color) if one.valid else None)
            for slot, one in enumerate(block.lights)
        ]  # fmt: skip
        facts += [
            Fact(name.capitalize(), "{}, {}, {} of 31".format(*value), "", None, None, eight(value))
            for name, value in (("diffuse", block.diffuse), ("ambient", block.ambient), ("specular", block.specular),
                                ("emission", block.emission))
        ]  # fmt: skip
        sections.append(Section(f"Block {index}: {clock_text(start)} to {clock_text(end)}", tuple(facts)))
        start = end
    outdoor = number in context.tables.engine.outdoor_light_sets
    subtitle = "arealight; replaces the colours of models" if outdoor else "arealight; models keep their colours"
    raw = member(context, Role.AREA_LIGHT, number, _line_spans(context, number))
    return Description(chosen, f"Light set {number}", subtitle, tuple(sections), raw)


_TEXTS = 200
"""The texts of a bank that its description shows."""

_LIGHT_LINES = ("end", "light 0", "light 1", "light 2", "light 3", "diffuse", "ambient", "specular", "emission", "")


def _line_spans(context: Context, number: int) -> list[Span]:
    """The byte ranges of a light set's lines: a text file with nine lines per block and an empty one."""
    lines = bytes(context.world.members(Role.AREA_LIGHT)[number]).decode("latin-1").split("\n")
    starts = accumulate((len(line) + 1 for line in lines), initial=0)
    return [
        Span(start, len(line), f"block {index // 10}: {_LIGHT_LINES[index % 10]}", line.strip())
        for index, (start, line) in enumerate(zip(starts, lines, strict=False))
        if _LIGHT_LINES[index % 10] and line.strip() and not line.startswith("EOF")
    ]


def eight(color: tuple[int, int, int]) -> tuple[int, int, int]:
    """A 5-bit colour as an 8-bit colour."""
    red, green, blue = (value << 3 | value >> 2 for value in color)
    return red & 255, green & 255, blue & 255


def _vector(vector: tuple[int, int, int]) -> str:
    return "(" + ", ".join(f"{-value / 4096:.2f}" for value in vector) + ")"


def describe_messages(context: Context, chosen: Subject) -> Description:
    """A bank of texts."""
    bank = context.world.messages(chosen.key[0])
    texts = bank.messages if bank is not None else ()
    facts = tuple(
        Fact(str(index), text, "", None, subject("text", chosen.key[0], index))
        for index, text in enumerate(texts[:_TEXTS])
    )
    if len(texts) > _TEXTS:
        facts = (*facts, Fact("", f"and {len(texts) - _TEXTS} more"))
    subtitle = f"pl_msg, {len(texts)} texts" if bank is not None else "the ROM has none"
    raw = member(context, Role.MESSAGES, chosen.key[0], _bank_spans(len(texts))) if bank is not None else None
    return Description(chosen, f"Messages {chosen.key[0]}", subtitle, (Section("Texts", facts),), raw)


def _bank_spans(count: int) -> list[Span]:
    table = ((8, f"entry {at}", "offset and length, scrambled") for at in range(count))
    return in_a_row([(2, "texts", count), (2, "seed", "scrambles the table"), *table])


def describe_camera(context: Context, chosen: Subject) -> Description:
    """A camera type."""
    table = context.world.camera_table
    number = chosen.key[0]
    camera = table.value[number] if number < len(table.value) else table.value[0]
    turn = 360 / 65536
    facts = (
        Fact("Distance", fx(camera.distance), "units from the target"),
        Fact("Angle", f"{(-camera.angle_x % 65536) * turn:.2f}°", "below the horizon"),
        Fact("Projection", "parallel" if camera.orthographic else "perspective"),
        Fact("Field of view", f"{2 * camera.half_fov * turn:.2f}°", "top to bottom"),
        Fact("Clip planes", f"{fx(camera.near)} … {fx(camera.far)}", "units"),
        Fact("Found in", source(table.why)),
    )
    raw = overlay_record(context, table.why, f"camera {number}", CAMERA, number)
    return Description(chosen, f"Camera {number}", camera.name, (Section("Camera type", facts),), raw)


def describe_weather(context: Context, chosen: Subject) -> Description:
    """A weather id."""
    number = chosen.key[0]
    known = context.tables.weather(number)
    facts = [Fact("Weather", str(number), known.name)]
    if known.visual:
        facts.append(Fact("Looks like", known.visual))
    if (fog := known.fog) is not None:
        facts.append(Fact("Fog", f"offset {fog.offset}, shift {fog.shift}", "", None, None, eight(fog.color)))
    if number == context.place.header.weather:
        found = context.world.weather(context.place.header)
        facts.append(Fact("On 1 January", str(found.value), context.tables.weather_name(found.value), found.why))
    return Description(chosen, f"Weather {number}", known.name, (Section("Weather", tuple(facts)),))


def describe_terrain_animation(context: Context, chosen: Subject) -> Description:
    """A terrain texture animation."""
    animations = context.world.terrain_animations
    number = chosen.key[0]
    if animations is None:
        raise KeyError("the ROM has no terrain animations")
    animation = animations.animations[number]
    steps = tuple(
        Fact(f"Step {index}", f"picture {step.frame}", f"for {step.duration + 1} field updates")
        for index, step in enumerate(animation.steps)
    )
    start = 4 + number * RECORD_BYTES
    timed = (
        (2, f"step {at}", f"picture {one.frame}, duration {one.duration}") for at, one in enumerate(animation.steps)
    )
    spans = in_a_row([(NAME_BYTES, "texture", animation.texture), *timed])
    raw = member(context, Role.TERRAIN_ANIMATIONS, 0, spans, start, RECORD_BYTES)
    title = f"terrain animation {number} (fldtanime)"
    return Description(chosen, animation.texture, title, (Section("Steps", steps),), raw)


DESCRIBERS = {
    "prop set": describe_prop_set,
    "terrain set": describe_terrain_set,
    "light set": describe_light_set,
    "messages": describe_messages,
    "camera": describe_camera,
    "weather": describe_weather,
    "terrain animation": describe_terrain_animation,
}
