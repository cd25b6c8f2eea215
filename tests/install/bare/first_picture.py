"""Starts the window on a display and prints the seconds until its first picture is on the screen.

It looks at the screen only. The window's surfaces are almost grey, a picture of the demo world is not: the picture is
there when enough of the screen has colour.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from PIL import ImageGrab

DISTANCE = 40
"""How far the largest and the smallest channel of a coloured pixel lie apart, of 255."""
SHARE = 0.1
"""The coloured part of the screen from which on there is a picture; the map of the matrix alone is a fortieth."""
PATIENCE = 300


def coloured() -> float:
    """The part of the screen that is coloured."""
    screen = np.asarray(ImageGrab.grab(xdisplay="").convert("RGB")).astype(np.int16)
    return float((screen.max(-1) - screen.min(-1) > DISTANCE).mean())


def main() -> None:
    if coloured() > SHARE:
        sys.exit("something with colours is on this screen already")
    start = time.perf_counter()
    window = subprocess.Popen([Path(sys.executable).with_name("mapexplorer")])
    try:
        while coloured() < SHARE:
            if window.poll() is not None:
                sys.exit(f"the window ended with status {window.returncode} before it showed a picture")
            if time.perf_counter() - start > PATIENCE:
                sys.exit(f"no picture after {PATIENCE} s")
            time.sleep(0.02)
        print(f"{time.perf_counter() - start:.2f}")
    finally:
        window.terminate()
        window.wait()


if __name__ == "__main__":
    main()
