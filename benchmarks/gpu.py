"""Milliseconds per frame of the 3D engine, beside a C++ reference rasteriser scaled to this machine.

    python benchmarks/gpu.py [--runs 3] [--frames 30] [SCENE...]

The scenes are those of `ds-gpu-bench` in MAPEXPLORER_VECTORS, the reference times `ds-gpu-baseline.json` in
MAPEXPLORER_REFERENCES, with the script that measures how fast the machine is at the moment. Every scene is the best of
a few runs, each the median of its frames, and the machine is measured before and after every run. The cold start is a
new process that draws one frame, its kernels in the cache.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mapexplorer.gpu import render_frame


def load_calibration(folder: Path) -> Callable[[], float]:
    spec = importlib.util.spec_from_file_location("calibrate", folder / "calibrate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    calibrate: Callable[[], float] = module.calibrate
    return calibrate


def median_frame(case: dict[str, np.ndarray], frames: int) -> float:
    """Median milliseconds of one call of `render_frame`."""
    times = []
    for _ in range(frames):
        start = time.perf_counter()
        render_frame(case["commands"], case["registers"], case["texture_vram"], case["palette_vram"])
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def cold_start() -> float:
    """Seconds of a process that starts, draws an empty frame and ends."""
    program = "from mapexplorer.gpu import render_frame; render_frame([0x50, 0], [0] * 88, b'', b'')"
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--frames", type=int, default=30)
    options = parser.parse_args()
    references = Path(os.environ["MAPEXPLORER_REFERENCES"])
    baseline = json.loads((references / "ds-gpu-baseline.json").read_text())
    calibrate = load_calibration(references)
    print(f"{'scene':28}{'ms':>9}{'reference ms':>14}{'ratio':>8}")
    for path in sorted((Path(os.environ["MAPEXPLORER_VECTORS"]) / "ds-gpu-bench").glob("*.npz")):
        if options.scenes and path.stem not in options.scenes:
            continue
        case = dict(np.load(path))
        picture = render_frame(case["commands"], case["registers"], case["texture_vram"], case["palette_vram"])
        if not np.array_equal(picture, case["framebuffer"]):
            raise SystemExit(f"{path.stem}: the frame differs from the reference")
        best = (float("inf"), 0.0, 0.0)
        before = calibrate()
        for _ in range(options.runs):
            measured = median_frame(case, options.frames)
            after = calibrate()
            speed = min(before, after) / baseline["calibration_s"]
            before = after
            reference = baseline["results"][path.stem]["total_ms_median"] * speed
            best = min(best, (measured / reference, measured, reference))
        print(f"{path.stem:28}{best[1]:9.3f}{best[2]:14.3f}{best[0]:8.2f}")
    print(f"cold start: {min(cold_start() for _ in range(options.runs)):.2f} s")


if __name__ == "__main__":
    main()
