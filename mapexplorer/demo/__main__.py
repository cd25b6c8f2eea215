"""Write the demo world: `python -m mapexplorer.demo [FILE]`, by default over the installed one."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path

from mapexplorer.demo import build


def main(arguments: list[str]) -> int:
    place = Path(arguments[0]) if arguments else Path(str(resources.files("mapexplorer.data"))) / "demo.nds"
    data = build()
    place.write_bytes(data)
    print(f"{place.name}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
