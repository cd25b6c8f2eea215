"""What code adds to a map, as facts and as JSON values."""

from __future__ import annotations

from collections import Counter
from typing import Any

from formats.fixed import ONE
from formats.nitro.nsbmd import Nsbmd
from mapexplorer.features import Feature
from mapexplorer.features.values import FeatureEffect
from mapexplorer.games import Role
from mapexplorer.inspector.facts import Fact
from mapexplorer.values import capital
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import fresh_save
from mapexplorer.world.sources.damage import read_or


def chosen_state(feature: Feature) -> int:
    """The number of the choice that is the state of a feature; -1 for another state. A choice may have a part of a
    state; the rest is as on entry."""
    kind, table, header = type(feature), feature.table, feature.header
    states = (kind.in_state(table, header, choice.state).state for choice in kind.choices(table, header))
    return next((number for number, state in enumerate(states) if state == feature.state), -1)


def state_title(feature: Feature) -> str:
    """The state of a feature: the title of the choice, else its values in words."""
    number = chosen_state(feature)
    return _in_words(feature.state) if number < 0 else feature.choices(feature.table, feature.header)[number].title


def _in_words(value: Any) -> str:
    """A value of JSON types in words: `doors 0 0, clues (4 5) (1 3), badge no`."""
    if isinstance(value, dict):
        parts = ((name.replace("_", " "), _in_words(part)) for name, part in value.items())
        return ", ".join(f"{name} {words or 'none'}" for name, words in parts)
    if isinstance(value, list | tuple):
        return " ".join(f"({_in_words(part)})" if isinstance(part, list | tuple) else _in_words(part) for part in value)
    return ("no", "yes")[value] if isinstance(value, bool) else "none" if value is None else str(value)


def added_and_changed(feature: Feature, place: FieldPlace) -> list[tuple[str, str]]:
    """What a feature adds to a place and changes there now, as lines of name and value."""
    models = Counter(f"model {prop.model} {_name(place, prop.model)}" for prop in feature.props() if not prop.hidden)
    models += Counter(_effect_name(place, effect) for effect in feature.effects(place.terrain))
    models += Counter(f"the land of header {header}" for header in feature.lands())
    objects = len(feature.objects(fresh_save(place.world.game)))
    models += Counter({"person or thing": objects} if objects else {})
    added = [f"{number} x {name}" if number > 1 else name for name, number in models.items()]
    moved = [
        f"the placed props of model {change.model} {_name(place, change.model)}" for change in feature.placed_props()
    ]
    cells = [f"cell ({cell.x}, {cell.z})" for cell in place.cells if cell.patch is not None]
    conditions = feature.conditions
    differs = {
        "fog": conditions.fog is not None,
        "camera": feature.camera(place.camera) != place.camera,
        "sky": feature.sky(0) is not None,
        "people have no shadows": not conditions.shadows,
    }
    whole = [name for name, is_set in differs.items() if is_set]
    plates = [
        f"tiles ({plate.x}, {plate.z}) to ({plate.x + plate.width - 1}, {plate.z + plate.length - 1}) at "
        f"{plate.height / ONE:g} units"
        for plate in feature.plates
    ]
    parts = (
        ("adds", added),
        ("changes", moved),
        ("replaces", cells),
        ("sets", whole),
        ("height plates", plates),
    )
    return [(name, ", ".join(words)) for name, words in parts if words]


def _name(place: FieldPlace, model: int) -> str:
    file = read_or(None, place.world.prop_model, model)
    return "(cannot be read)" if file is None else file.models[0].name


def _effect_name(place: FieldPlace, effect: FeatureEffect) -> str:
    """What an effect is with the name of its model, else the number of its file."""
    file = read_or(None, place.world.member, Role.EFFECTS, effect.member, Nsbmd.from_bytes)
    model = "(cannot be read)" if file is None else file.models[0].name
    return f"{effect.name} ({model})" if effect.name else f"effect {effect.member} {model}"


def state_facts(feature: Feature, place: FieldPlace) -> list[Fact]:
    """A feature in its present state: what it is, adds and changes, and what is not modelled."""
    state = state_title(feature) if feature.choices(feature.table, feature.header) else ""
    lines = [("what", feature.name), ("state", state), *added_and_changed(feature, place)]
    lines.append(("not modelled", "; ".join(feature.not_modelled)))
    return [Fact(capital(name), words) for name, words in lines if words]


def feature_facts(feature: Feature, place: FieldPlace) -> list[Fact]:
    """A feature in all its states: what it is, adds and changes now, and what is not modelled."""
    parts = [f"{name} {words}" for name, words in added_and_changed(feature, place)]
    states = [f"{choice.name} ({choice.title})" for choice in feature.choices(feature.table, feature.header)]
    chosen = [f"state: {state_title(feature)}", f"states: {', '.join(states)}"] if states else []
    lines = (("Code adds", [feature.name, *parts, *chosen]), ("Not modelled", feature.not_modelled))
    return [Fact(name, "; ".join(words)) for name, words in lines if words]


def feature_json(feature: Feature, place: FieldPlace) -> dict[str, Any]:
    """A feature as JSON values."""
    return {
        "name": feature.name,
        "state": feature.state,
        "choices": [choice._asdict() for choice in feature.choices(feature.table, feature.header)],
        "props": [
            {"prop": prop.model, "position": [value / ONE for value in prop.position], "hidden": prop.hidden}
            for prop in feature.props()
        ],
        "lands": [
            {"header": header, "offset": [value / ONE for value in offset]}
            for header, offset in feature.lands().items()
        ],
        "placed_props": [prop.model for prop in feature.placed_props()],
        "effects": [
            {"effect": effect.member, "position": [value / ONE for value in effect.position]}
            for effect in feature.effects(place.terrain)
        ],
        "not_modelled": list(feature.not_modelled),
    }
