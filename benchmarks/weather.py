"""What weather adds to the time of a DS picture. Run: python benchmarks/weather.py [ROM] [--places 411 ...]

For each place and weather, two scenes that play are drawn in alternation, one without weather and one with it in full.
Printed is the ratio of the medians of the processor time of their pictures, and its median over the places. The exit
status is 1 when that exceeds the limit for a weather.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import median

from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom

LIMIT = 1.3
BEFORE = 150
"""Updates until a weather is there in full."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rom", nargs="?", default="demo")
    parser.add_argument("--places", nargs="+", default=["411", "3", "342", "382", "385", "60"])
    parser.add_argument("--weathers", type=int, nargs="+", default=[2, 3, 4, 5, 6, 7, 9, 10, 14, 16])
    parser.add_argument("--pictures", type=int, default=25)
    arguments = parser.parse_args()
    world = FieldWorld(open_rom(arguments.rom))
    worst = 0.0
    for weather in arguments.weathers:
        found = {name: ratio(world, name, weather, arguments.pictures) for name in arguments.places}
        middle = median(found.values())
        worst = max(worst, middle)
        print(f"weather {weather}: {middle:.2f};", ", ".join(f"{name} {value:.2f}" for name, value in found.items()))
    return int(worst > LIMIT)


def ratio(world: FieldWorld, name: str, weather: int, pictures: int) -> float:
    """The time of a picture with a weather divided by that of one without."""
    scenes = [FieldScene(world.place(name), View(weather=each)) for each in (0, weather)]
    times: list[list[float]] = [[], []]
    for tick in range(BEFORE, BEFORE + pictures + 1):
        for scene, spent in zip(scenes, times, strict=True):
            start = time.thread_time()
            scene.render(tick)
            spent.append(time.thread_time() - start)
    without, with_weather = (median(spent[1:]) for spent in times)  # the first picture includes loading
    return with_weather / without


if __name__ == "__main__":
    sys.exit(main())
