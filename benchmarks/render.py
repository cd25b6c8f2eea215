"""Every place that has cells, at several hours: how long loading and a picture take, and what failed.

    python benchmarks/render.py [--hours 0 6 12 20] [--ticks 4] [PLACE...]

MAPEXPLORER_TEST_ROM names the ROM. A place is loaded cold, that is by a new world. Memory is the process' peak.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import time

from formats.binary import FormatError
from mapexplorer.errors import PlaceError, RomError
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="*")
    parser.add_argument("--hours", type=int, nargs="+", default=[0, 6, 12, 20])
    parser.add_argument("--ticks", type=int, default=4)
    options = parser.parse_args()
    rom = open_rom(os.environ["MAPEXPLORER_TEST_ROM"])
    FieldScene(FieldWorld(rom).place(414)).render()
    headers = FieldWorld(rom).headers
    names = options.places or [header.id for header in headers]
    loads, pictures, places, failures = [], [], 0, []
    for name in names:
        world = FieldWorld(rom)
        try:
            place = world.place(name)
            if not place.matrix_cells:
                continue
            places += 1
            start = time.perf_counter()
            scene = FieldScene(place, View(options.hours[0] * 3600))
            scene.render()
            loads.append(time.perf_counter() - start)
            for hour in options.hours:
                scene.set_second(hour * 3600)
                for tick in range(options.ticks):
                    start = time.perf_counter()
                    scene.render(tick)
                    pictures.append(time.perf_counter() - start)
        except (FormatError, RomError, PlaceError, ValueError, IndexError) as error:
            failures.append(f"{name}: {type(error).__name__}: {error}")
    for failure in failures:
        print(failure)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{places} places, {len(pictures)} pictures, {len(failures)} failed")
    for what, values in (("load and first picture", loads), ("picture", pictures)):
        low, high = statistics.median(values), max(values)
        print(f"{what}: median {1000 * low:.1f} ms, largest {1000 * high:.1f} ms")
    print(f"peak memory {memory:.0f} MB")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
