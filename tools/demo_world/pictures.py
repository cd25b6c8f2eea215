"""The pictures of models: those of `drawn/`, each with the format of its texture, and those with alphas.

A name with a number behind a point is a frame; frame sequences count them in the order of the sorted names.
"""

from __future__ import annotations

from dataclasses import replace

from tools.demo_world.picture import COLORS_4, COLORS_16, COLORS_256, COMPRESSED_4X4, DIRECT, Picture, drawn
from tools.demo_world.translucent_pictures import falls, light_and_shadow, waters


def outdoor_pictures() -> list[Picture]:
    """Those of the ground and of props outdoors, without edge tiles and the frames of the ground."""
    return [
        drawn("grass", COLORS_16),
        drawn("path", COLORS_16),
        drawn("cobbles", COLORS_16),
        drawn("sand", COLORS_16),
        drawn("forest", COLORS_16),
        drawn("garden", COLORS_16),
        drawn("bells", COLORS_16, "bells.1"),
        drawn("blades", COLORS_16, clear=True),
        drawn("blades_tall", COLORS_16, clear=True, palette_name="blades_pl"),
        drawn("stairs", COLORS_16, palette_name="cobbles_pl"),
        drawn("planks", COLORS_16),
        drawn("planks_down", COLORS_16, palette_name="planks_pl"),
        drawn("cliff", COMPRESSED_4X4),
        drawn("bank", COLORS_4),
        replace(waters()[0], name="water"),
        drawn("meadow", COLORS_16, palette_name="grass_pl"),
        drawn("bed", COLORS_16),
        drawn("bark", COLORS_4),
        drawn("rail", COLORS_16, clear=True),
        drawn("trees", COLORS_256, clear=True),
        drawn("cave_mouth", COLORS_16, clear=True),
        drawn("panel", COLORS_16),
        drawn("house_wall", COLORS_16),
        drawn("foundation", COLORS_4),
        drawn("roof_red", COLORS_16),
        drawn("roof_blue", COLORS_16),
        drawn("window", COLORS_16),
        drawn("door", COLORS_16),
        drawn("leaves", COLORS_16),
        drawn("needles", COLORS_16),
        drawn("boulder", COMPRESSED_4X4),
        *light_and_shadow(),
        drawn("lantern", COLORS_16),
        *falls(),
        drawn("sail", COLORS_16, clear=True),
        drawn("flag", COLORS_16),
        *(drawn(f"screen.{number}", DIRECT) for number in (1, 2, 3)),
        drawn("neon", COLORS_16),
        drawn("mosaic", COLORS_256),
        drawn("bush", COLORS_16, clear=True),
        drawn("board", COLORS_16),
        drawn("ice_mirror", COLORS_16),
    ]


def indoor_pictures() -> list[Picture]:
    """Those of rooms, the cave and the ice cavern."""
    return [
        drawn("boards", COLORS_16),
        drawn("rug", COLORS_16),
        drawn("wallpaper", COLORS_16),
        drawn("kitchen", COLORS_4),
        drawn("doormat", COLORS_16),
        drawn("cave_floor", COLORS_16),
        drawn("cave_ledge", COLORS_16),
        drawn("cave_wall", COMPRESSED_4X4),
        drawn("pool", COLORS_16),
        drawn("cave_stairs", COLORS_16, palette_name="cave_floor_pl"),
        drawn("snow", COLORS_16),
        drawn("deep_snow", COLORS_16, palette_name="snow_pl"),
        drawn("ice", COLORS_16),
        drawn("ice_wall", COMPRESSED_4X4),
        drawn("panel", COLORS_16),
        drawn("bark", COLORS_4),
        drawn("planks", COLORS_16, "room_planks"),
        drawn("deck", COLORS_16, "planks"),
        drawn("rail", COLORS_16, clear=True),
        drawn("cloth", COLORS_16),
        drawn("quilt", COLORS_16),
        drawn("books", COLORS_16),
        *(drawn(f"tv.{number}", COLORS_16, palette_name="tv.1_pl") for number in (1, 2, 3)),
        *(drawn(f"fire.{number}", COLORS_16, clear=True, palette_name="fire.1_pl") for number in (1, 2)),
        drawn("fire_hot", COLORS_16, clear=True),
        drawn("potted", COLORS_16, clear=True),
        drawn("boulder", COMPRESSED_4X4),
        drawn("lantern", COLORS_16),
        *light_and_shadow(),
        drawn("ice_mirror", COLORS_16),
    ]


def animated_grounds() -> dict[str, tuple[list[Picture], tuple[tuple[int, int], ...]]]:
    """Ground pictures that move: name -> the pictures of the frames, and (frame, duration) steps."""
    bells = [drawn(f"bells.{number}", COLORS_16) for number in (1, 2, 3, 4)]
    return {
        "water": (waters(), tuple((step, 7) for step in range(8))),
        "bells": (bells, tuple((step, 14) for step in range(4))),
    }
