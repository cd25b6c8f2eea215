"""Where the parts of members stand in the JSON that they are made of: a field of a record by its path there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from mapexplorer.decomp import data, field
from mapexplorer.decomp.json_value import NumberField

Part = tuple[str | int, ...]
"""The path of a field in a record: names, and indices of elements."""


def _keys(*fields: Iterable[NumberField]) -> dict[str, str]:
    return {number.name: number.key for some in fields for number in some}


_WATER: Final = ("surf", "old_rod", "good_rod", "super_rod")
_KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "map_matrix": {"land": "maps", "prefix": "name"},
    "area_data": _keys(field.area_fields("", "", "")),
    "area_build": {"models": "mapPropModels"},
    "arealight": {"blocks": "", "end": "endTime", "vector": "direction", "valid": "enabled"}
    | {name: f"{name}Color" for name in ("diffuse", "ambient", "specular", "emission")},
    "zone_event": {
        "background": "bg_events",
        "objects": "object_events",
        "warps": "warp_events",
        "triggers": "coord_events",
        "parameters": "data",
        "local_id": "id",
        **_keys(field.BACKGROUND, field.OBJECT, field.PLACED, field.WARP, field.COORD),
    },
    "pl_enc_data": {
        "grass_rate": "land_rate",
        "grass": "land_encounters",
        "swarm": "swarms",
        "highest": "level_max",
        "lowest": "level_min",
        "dual_slot": "",
        **{f"{water}.rate": f"{water}_rate" for water in _WATER},
        **{f"{water}.slots": f"{water}_encounters" for water in _WATER},
    },
    "trdata": {"trainer_class": "class", "ai": "ai_flags", "battle_type": "double_battle", "party_size": "party"},
    "trpoke": {"pokemon": "party", **_keys(data.POKEMON)},
    "pl_personal": {
        "base": "base_stats",
        "effort": "ev_yields",
        "machines": "learnset.by_tm",
        "color": "body_color",
        **_keys(data.PERSONAL),
    },
    "pl_item_data": {"party_use": "itemUseParams", **data.USE, **_keys(data.ITEM)},
    "fld_trade": _keys(data.TRADE),
    "pl_msg": {"text": "messages", "entry": "messages", "seed": "key"},
}
"""File name of an archive -> names of fields, and of fields of fields, in a record -> the keys of the JSON."""


def json_path(kind: str, part: Part) -> str:
    """The path in the JSON of a member of an archive, of a field of the record."""
    keys = _KEYS.get(kind, {})
    words: list[str] = []
    indices = ""
    path = ""
    for step in (*part, ""):
        if isinstance(step, int):
            indices += f"[{step}]"
            continue
        if words and ".".join([*words, step]) not in keys:
            name = ".".join(words)
            path += f".{keys.get(name, name)}".rstrip(".") + indices
            words, indices = [], ""
        if step:
            words.append(step)
    return path.lstrip(".")
