"""All prop models by number, with the animations of those that have some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tools.demo_world import animations, props, room_props
from tools.demo_world.animations import PropAnimation
from tools.demo_world.model import ModelBuilder
from tools.demo_world.props import Pictures


@dataclass(frozen=True)
class Entry:
    """A prop model: the function that builds it, and its animations."""

    build: Callable[[Pictures], ModelBuilder]
    animation: PropAnimation | None = None


PROPS: tuple[Entry, ...] = (
    Entry(props.dummy),
    Entry(props.cottage),
    Entry(props.inn),
    Entry(props.door, animations.door()),
    Entry(props.lamp, animations.lamp()),
    Entry(props.tree),
    Entry(props.fir),
    Entry(props.boulder),
    Entry(props.fence),
    Entry(props.signpost),
    Entry(props.windmill, animations.windmill()),
    Entry(props.boat),
    Entry(props.waterfall, animations.waterfall()),
    Entry(props.flag, animations.flag()),
    Entry(props.notice_screen, animations.notice()),
    Entry(props.neon_sign, animations.neon()),
    Entry(props.well),
    Entry(props.blossom_bush, animations.bush()),
    Entry(props.cave_mouth),
    Entry(props.barrel),
    Entry(props.portal, animations.portal()),
    Entry(room_props.table),
    Entry(room_props.stool),
    Entry(room_props.bed),
    Entry(room_props.bookshelf),
    Entry(room_props.television, animations.television()),
    Entry(room_props.plant),
    Entry(room_props.hearth, animations.hearth()),
    Entry(room_props.counter),
    Entry(room_props.crystal, animations.crystal()),
    Entry(room_props.stalagmite),
    Entry(room_props.torch, animations.torch()),
    Entry(room_props.snowman),
)

NUMBERS = {entry.build.__name__: number for number, entry in enumerate(PROPS)}
"""Function that builds a prop -> its number in build_model."""
