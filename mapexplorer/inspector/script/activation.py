"""What runs a script, and under which conditions, as text and JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from mapexplorer.gameplay.activation import Activation, Cause, Need
from mapexplorer.gameplay.flags import flag_name
from mapexplorer.gameplay.trainers import object_name
from mapexplorer.games.script_tables import FIRST_VARIABLE
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import Direction


def run_text(world: FieldWorld, run: Activation) -> str:
    """A script, what runs it, and under which conditions."""
    return f"script {run.script}: {cause_text(world, run)}"


def cause_text(world: FieldWorld, run: Activation) -> str:
    """What runs a script, and under which conditions."""
    needs = [_condition_text(world, condition.need, condition.numbers) for condition in run.conditions]
    condition = f" if {' and '.join(needs)}" if needs else ""
    events = world.events(run.header) if run.cause is Cause.OBJECT else None
    who = object_name(world, events.objects[run.index]) if events is not None else ""
    return f"{run.moment}, {run.cause} {run.index}{f' ({who})' if who else ''}{condition}"


_CONDITIONS: Final = {
    Need.FLAG_CLEAR: "flag {}{title} is clear",
    Need.VARIABLE_IS: "variable {} is {}",
    Need.VARIABLES_EQUAL: "variables {} and {} are equal",
    Need.BADGE: "the player has badge {}",
    Need.MOVE: "a Pokémon knows move {}",
}


def _condition_text(world: FieldWorld, need: Need, numbers: tuple[int, ...]) -> str:
    if need is Need.FACING:
        return f"facing {' or '.join(Direction(number).word for number in numbers)}"
    names = world.game.tables.save_names
    shown = [names.variable(number) if number >= FIRST_VARIABLE else str(number) for number in numbers]
    title = f" ({flag_name(names, numbers[0])})" if need is Need.FLAG_CLEAR and flag_name(names, numbers[0]) else ""
    return _CONDITIONS[need].format(*shown, title=title)


def run_json(run: Activation) -> dict[str, Any]:
    """What runs a script as JSON values."""
    return {name: value for name, value in asdict(run).items() if name != "header"}
