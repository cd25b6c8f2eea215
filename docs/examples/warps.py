"""The way between two maps through warps: `python warps.py demo T01 L01`."""

import sys
from collections import defaultdict, deque

import mapexplorer


def graph(world: mapexplorer.World) -> dict[int, set[int]]:
    """Header id -> the headers to which its warps lead."""
    found = defaultdict(set)
    for header in world.headers:
        for warp in world.place(header.id).warps():
            if warp.target.spot is not None:
                found[header.id].add(warp.target.spot.header)
    return found


def way(edges: dict[int, set[int]], start: int, goal: int) -> list[int]:
    """The header ids of a shortest way, empty if there is none."""
    before = {start: start}
    waiting = deque([start])
    while waiting and goal not in before:
        here = waiting.popleft()
        for there in sorted(edges.get(here, ())):
            if there not in before:
                before[there] = here
                waiting.append(there)
    if goal not in before:
        return []
    steps = [goal]
    while steps[-1] != start:
        steps.append(before[steps[-1]])
    return steps[::-1]


if __name__ == "__main__":
    rom, start, goal = sys.argv[1:]
    world = mapexplorer.World(rom)
    steps = way(graph(world), world.place(start).header.id, world.place(goal).header.id)
    print(" -> ".join(world.headers[step].internal_name for step in steps) or "no way through warps")
