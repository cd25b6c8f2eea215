"""A walk through the whole demo world with the game's rules for a step, written down here a second time."""

from __future__ import annotations

from collections import deque

import numpy as np

from mapexplorer.world import FieldWorld

BLOCKS = {
    (0, -1): {0x32, 0x34, 0x35, 0x49},
    (0, 1): {0x33, 0x36, 0x37, 0x49},
    (-1, 0): {0x31, 0x35, 0x37, 0x4A},
    (1, 0): {0x30, 0x34, 0x36, 0x4A},
}
WATER = {0x10, 0x13, 0x15}
LEDGES = {0x3B: 2, 0x5B: 3}
BRIDGES = set(range(0x71, 0x7E))

State = tuple[int, int, int, int, bool]


class Walker:
    def __init__(self, world: FieldWorld) -> None:
        self.world = world
        self.lands = {
            header.id: {place: world.land(cell.land) for place, cell in world.place(header.id).matrix_cells.items()}
            for header in world.headers[2:]
        }
        self.zones = {
            header.id: {place: cell.header for place, cell in world.place(header.id).matrix_cells.items()}
            for header in world.headers[2:]
        }

    def word(self, header: int, x: int, z: int) -> int:
        land = self.lands[header].get((x // 32, z // 32))
        return 0xFF if land is None else int(land.attributes[z % 32, x % 32])

    def height(self, header: int, x: int, z: int, y: int) -> int:
        land = self.lands[header].get((x // 32, z // 32))
        answer = (
            land.bdhc.query((16 * (x % 32) + 8 - 256) * 4096, (16 * (z % 32) + 8 - 256) * 4096, y)
            if land is not None
            else None
        )
        return answer.height if answer else 0

    def steps(self, state: State) -> list[State]:
        header, x, z, y, raised = state
        here = self.word(header, x, z) & 0xFF
        result: list[State] = []
        for (dx, dz), leaving in BLOCKS.items():
            tx, tz = x + dx, z + dz
            word = self.word(header, tx, tz)
            there = word & 0xFF
            if there == 0x69 or (here == 0x65 and (dx, dz) == (0, 1)):
                result += self.warp(header, *((tx, tz) if there == 0x69 else (x, z)))
                continue
            if (dx, dz) == (0, 1) and there in LEDGES:
                landing = z + LEDGES[there]
                result.append((header, x, landing, self.height(header, x, landing, y), False))
                continue
            height = self.height(header, tx, tz, y)
            if abs(height - y) >= 20 * 4096 or word & 0x8000 or there == 0xFF:
                continue
            if here in leaving or there in BLOCKS[-dx, -dz]:
                continue
            above = there == 0x70 or (raised and there in BRIDGES)
            if there in WATER or (there == 0x73 and not above):
                continue
            result.append((header, tx, tz, height, above))
            if there in (0x67, 0x6E):
                result += self.warp(header, tx, tz)
        return result

    def warp(self, header: int, x: int, z: int) -> list[State]:
        zone = self.zones[header][x // 32, z // 32]
        events = self.world.events(zone)
        assert events is not None
        for number, warp in enumerate(events.warps):
            if (warp["x"], warp["z"]) == (x, z):
                target = self.world.warp_target(zone, number)
                assert target is not None
                there, tx, tz = target
                if self.word(there, tx, tz) & 0xFF in (0x69, 0x6E):
                    tz += 1
                return [(there, tx, tz, self.height(there, tx, tz, 0), False)]
        return []


def test_one_can_walk_everywhere_from_the_village(demo_world: FieldWorld) -> None:
    walker = Walker(demo_world)
    start: State = (4, 15, 44, 0, False)
    seen = {start}
    queue = deque([start])
    while queue:
        for state in walker.steps(queue.popleft()):
            home = {2: 4, 3: 4, 5: 4}.get(state[0], state[0])
            state = (home, *state[1:])
            if state not in seen:
                seen.add(state)
                queue.append(state)
    zones = {walker.zones[header][x // 32, z // 32] for header, x, z, _, _ in seen}
    assert zones == set(range(2, 10))
    outdoors = {(x, z) for header, x, z, _, _ in seen if header == 4}
    assert {(20, 9), (44, 6), (51, 51), (30, 36), (33, 37), (44, 19), (57, 24), (47, 46)} <= outdoors
    heights = {y // 4096 for header, x, z, y, _ in seen if (header, x, z) == (8, 14, 10)}
    assert heights == {0, 32}, "the cave's bridge is walked on and under"
    # Nothing walks on water, into the forest or off the map.
    for x, z in outdoors:
        word = walker.word(4, x, z)
        assert not word & 0x8000
        assert word & 0xFF not in WATER
    assert np.min(list(outdoors)) > 0
