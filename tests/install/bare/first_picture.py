"""Starts the window on a display and prints the seconds until its first picture is on the screen.

    first_picture.py [--keep SCREEN.png] COMMAND...

COMMAND starts the window; `--keep` writes what the screen shows a little later. It looks at the screen only: the
window's surfaces are almost grey, a picture of the demo world is not, so the picture is there when enough of the screen
has colour.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

import numpy as np
from PIL import ImageGrab

DISTANCE = 40
"""How far the largest and the smallest channel of a coloured pixel lie apart, of 255."""
SHARE = 0.1
"""The coloured part of the screen from which on there is a picture; the map of the matrix alone is a fortieth."""
PATIENCE = 300
"""Seconds to wait for the picture."""
LATER = 3
"""Seconds from the first picture to the one that is kept."""


def coloured() -> float:
    """The part of the screen that is coloured."""
    screen = np.asarray(ImageGrab.grab(xdisplay="").convert("RGB")).astype(np.int16)
    return float((screen.max(-1) - screen.min(-1) > DISTANCE).mean())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if coloured() > SHARE:
        sys.exit("something with colours is on this screen already")
    start = time.perf_counter()
    window = subprocess.Popen(options.command)
    try:
        while coloured() < SHARE:
            if window.poll() is not None:
                sys.exit(f"the window ended with status {window.returncode} before it showed a picture")
            if time.perf_counter() - start > PATIENCE:
                sys.exit(f"no picture after {PATIENCE} s")
            time.sleep(0.02)
        print(f"{time.perf_counter() - start:.2f}")
        if options.keep:
            time.sleep(LATER)
            ImageGrab.grab(xdisplay="").save(options.keep)
    finally:
        window.terminate()
        try:
            window.wait(LATER)
        except subprocess.TimeoutExpired:  # a command that enters a chroot does not listen
            window.kill()
            window.wait()


if __name__ == "__main__":
    main()
