"""Write the demo world: `python -m tools.demo_world [FILE]`, by default data/demo.nds."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.demo_world import build


def main(arguments: list[str]) -> int:
    place = Path(arguments[0]) if arguments else Path(__file__).parents[2] / "data" / "demo.nds"
    data = build()
    place.write_bytes(data)
    print(f"{place.name}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
