"""The picture class of each renderer of object graphics."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from formats.fixed import ONE
from mapexplorer.games.map_object_tables import ObjectGraphics
from mapexplorer.map_objects import picture as pictures
from mapexplorer.map_objects import player_pictures as player
from mapexplorer.map_objects.picture import ObjectPicture
from mapexplorer.map_objects.small_random import SmallRandom

RENDERERS: Final[dict[str, Callable[..., ObjectPicture]]] = {
    "still": ObjectPicture,
    "walker": pictures.WalkerPicture,
    "player": player.PlayerWalker,
    "nurse": pictures.Nurse,
    "magikarp": pictures.Magikarp,
    "looping": partial(pictures.Playing, pauses=True),
    "looping twice": partial(pictures.Playing, late=True, frames=2),
    "berry tree": partial(pictures.Playing, late=True),
    "looping above": partial(pictures.Playing, late=True, above=24 * ONE),
    "hovering": partial(pictures.Hovering, pauses=True),
    "fading in": partial(pictures.FadingIn, pauses=True),
    "player bicycle": player.Bicycle,
    "player pose": pictures.Playing,
    "player spray": partial(player.Chosen, choose=lambda mover: int(mover.code == pictures.STANDING)),
    "player healing": partial(player.Chosen, choose=lambda mover: int(mover.code != pictures.STANDING)),
    "player poketch": partial(player.Chosen, choose=lambda mover: mover.facing),
    "player surfing": player.Surfing,
    "player fishing": player.Fishing,
    "starly": pictures.Starly,
}


def picture_of(graphics: ObjectGraphics, random: SmallRandom) -> ObjectPicture | None:
    """A picture for an object with these graphics; None for graphics without a billboard."""
    renderer = RENDERERS.get(graphics.draws)
    return None if renderer is None or not graphics.animations else renderer(graphics.animations, random)
