"""What a flag means, by its number."""

from __future__ import annotations

from mapexplorer.games.script_tables import SaveNames


def flag_name(names: SaveNames, flag: int) -> str:
    """The name of a flag: its own, what its range says (`hidden item N taken`, `trainer N beaten`), or empty."""
    if flag in names.flags:
        return names.flags[flag]
    if flag in names.hidden_items:
        return f"hidden item {flag - names.hidden_items.start} taken"
    if flag in names.trainers:
        return f"trainer {flag - names.trainers.start} beaten"
    return ""


def flag_meaning(names: SaveNames, flag: int) -> tuple[str, int | None]:
    """What a flag is about by the range that it is in: `map` (cleared when another map is entered), `hidden item`
    (taken), `item ball` (it hides the object of a taken item), `trainer` (beaten), `first arrival`, `day` (cleared when
    the date changes), `system`; in no range: `event`. And the number of the trainer, of the hidden item (script -
    8000), of the header of the first arrival; None: none, or not known (the scripts of a map set its first arrival)."""
    kind = next((kind for numbers, kind, _ in reversed(names.flag_ranges) if flag in numbers), "event")
    counted = {"trainer": names.trainers, "hidden item": names.hidden_items}.get(kind)
    return kind, names.first_arrivals.get(flag) if counted is None else counted.index(flag)
