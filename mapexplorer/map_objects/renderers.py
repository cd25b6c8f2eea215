"""The picture class of each renderer of object graphics."""

from __future__ import annotations

from typing import Final

from mapexplorer.games.map_object_tables import ObjectGraphics
from mapexplorer.map_objects import picture as pictures
from mapexplorer.map_objects import player_pictures as player
from mapexplorer.map_objects.picture import ObjectPicture
from mapexplorer.map_objects.small_random import SmallRandom

RENDERERS: Final[dict[str, type[ObjectPicture]]] = {
    "still": ObjectPicture,
    "walker": pictures.WalkerPicture,
    "player": player.PlayerWalker,
    "nurse": pictures.Nurse,
    "magikarp": pictures.Magikarp,
    "looping": pictures.Looping,
    "looping twice": pictures.LoopingTwice,
    "berry tree": pictures.LoopingLater,
    "looping above": pictures.LoopingAbove,
    "hovering": pictures.Hovering,
    "fading in": pictures.FadingIn,
    "player bicycle": player.Bicycle,
    "player pose": pictures.Playing,
    "player spray": player.Spray,
    "player healing": player.Healing,
    "player poketch": player.Poketch,
    "player surfing": player.Surfing,
    "player fishing": player.Fishing,
    "starly": pictures.Starly,
}


def picture_of(graphics: ObjectGraphics, random: SmallRandom) -> ObjectPicture | None:
    """A picture for an object with these graphics; None for graphics without a billboard."""
    renderer = RENDERERS.get(graphics.draws)
    return None if renderer is None or not graphics.animations else renderer(graphics.animations, random)
