"""The demo world: a small original place, defined by the code of this package and written in the game's formats.

`build()` gives the bytes of `data/demo.nds`; `python -m tools.demo_world` writes them. The same source gives the same
bytes on every machine: pictures are drawn with a palette (`drawn/NAME.png`) or painted with integers, sines come from
the library's table of 4096 entries.
"""

from __future__ import annotations


def build() -> bytes:
    """The demo world as a ROM image."""
    from tools.demo_world.image import build_demo

    return build_demo()
