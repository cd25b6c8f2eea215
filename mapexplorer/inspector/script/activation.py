"""What runs a script, and under which conditions, as text and JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from mapexplorer.gameplay.activation import Activation, Need
from mapexplorer.world.direction import Direction


def run_text(run: Activation) -> str:
    """A script, what runs it, and under which conditions."""
    return f"script {run.script}: {cause_text(run)}"


def cause_text(run: Activation) -> str:
    """What runs a script, and under which conditions."""
    needs = [_condition_text(condition.need, condition.numbers) for condition in run.conditions]
    condition = f" if {' and '.join(needs)}" if needs else ""
    return f"{run.moment}, {run.cause} {run.index}{condition}"


_CONDITIONS: Final = {
    Need.FLAG_CLEAR: "flag {} is clear",
    Need.VARIABLE_IS: "variable 0x{:X} is {}",
    Need.VARIABLES_EQUAL: "variables 0x{:X} and 0x{:X} are equal",
    Need.BADGE: "the player has badge {}",
    Need.MOVE: "a Pokémon knows move {}",
}


def _condition_text(need: Need, numbers: tuple[int, ...]) -> str:
    if need is Need.FACING:
        return f"facing {' or '.join(Direction(number).word for number in numbers)}"
    return _CONDITIONS[need].format(*numbers)


def run_json(run: Activation) -> dict[str, Any]:
    """What runs a script as JSON values."""
    return {name: value for name, value in asdict(run).items() if name != "header"}


def number_text(variable: int) -> str:
    """The number of a variable as text."""
    return f"0x{variable:X}"
