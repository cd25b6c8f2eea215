"""glTF export: all prop and map models of a ROM, and all maps. Run: python benchmarks/export.py ROM [--references DIR].

Every timing is a process of its own with its kernels compiled before (a warm-up run), nothing converted before, output
in /dev/shm where that exists. `models` is measured from opening the ROM to the last byte, imports apart; the peer's
stored time is scaled by its machine's calibration.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

STEPS = ("open", "pair", "read", "draw", "write", "encode", "save")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rom", type=Path)
    parser.add_argument("--references", type=Path, help="folder with calibrate.py and apicula/baseline.json")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--child", choices=("models", "all"), help=argparse.SUPPRESS)
    parser.add_argument("--part", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--parts", type=int, default=1, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child == "models":
        print(json.dumps(measure_models(arguments.rom, arguments.part, arguments.parts)))
    elif arguments.child == "all":
        print(json.dumps(measure_all(arguments.rom, arguments.jobs)))
    else:
        report(arguments)


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder in memory, removed afterwards."""
    shm = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="export-", dir=shm if shm.is_dir() else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def measure_models(rom_path: Path, first: int = 0, step: int = 1) -> dict[str, float]:
    """Seconds of every step, for each model of build_model and land_data with the textures of its first area, or
    for every `step`-th one from `first` on."""
    start = time.perf_counter()
    from mapexplorer.export.files import write_atomically
    from mapexplorer.export.gltf.document import Document
    from mapexplorer.export.gltf.nitro import add_instance, write_model
    from mapexplorer.export.options import ExportOptions
    from mapexplorer.g3d.binding import bind
    from mapexplorer.g3d.draw_list import draw_list
    from mapexplorer.games import Role
    from mapexplorer.scene.light import LIBRARY_DEFAULT, VertexLight
    from mapexplorer.world.opening import open_rom
    from mapexplorer.world.world import FieldWorld

    spent = dict.fromkeys(STEPS, 0.0)
    spent["import"] = time.perf_counter() - start

    begin = clock = time.perf_counter()

    def lap(step: str) -> None:
        nonlocal clock
        now = time.perf_counter()
        spent[step] += now - clock
        clock = now

    world = FieldWorld(open_rom(rom_path))
    props, lands = (world.rom.archive(world.path(role)) for role in (Role.BUILD_MODEL, Role.LAND_DATA))
    lap("open")
    prop_sets: dict[int, int] = {}
    terrain_sets: dict[int, int] = {}
    set_of_area: dict[int, int] = {}
    for header in world.headers:
        for cell in world.cells(header.matrix, header.id).values():
            if cell.area.value not in set_of_area:
                area = world.area(cell.area.value)
                set_of_area[cell.area.value] = area.terrain_set
                for model in world.prop_list(area.prop_set).models.tolist():
                    prop_sets.setdefault(model, area.prop_set)
            terrain_sets.setdefault(cell.land, set_of_area[cell.area.value])
    lap("pair")
    options, light = ExportOptions(), VertexLight(LIBRARY_DEFAULT)
    size = count = missing = 0
    textures = {}
    with scratch() as folder:
        clock = time.perf_counter()
        for kind, archive, sets in (("prop", props, prop_sets), ("map", lands, terrain_sets)):
            for index in range(first, len(archive), step):
                file = world.prop_model(index) if kind == "prop" else world.land_sections(index).read_model()
                key = kind, sets.get(index)
                if key not in textures:
                    read = world.prop_textures if kind == "prop" else world.terrain_textures
                    textures[key] = [] if key[1] is None else [read(key[1]).textures]
                lap("read")
                model = file.models[0]
                draws = draw_list(model, binding=bind(model, *textures[key]))
                lap("draw")
                document = Document()
                parts = write_model(document, draws, options, light=light)
                document.scene(model.name, [add_instance(document, parts, model.name).root])
                missing += len(parts.missing)
                lap("write")
                data = document.to_bytes()
                size += len(data)
                count += 1
                lap("encode")
                write_atomically(folder / f"{kind}_{index:03}.glb", data)
                lap("save")
        spent["total"] = time.perf_counter() - begin
    spent |= {"files": count, "bytes": size, "missing": missing}
    return spent


def measure_all(rom_path: Path, jobs: int) -> dict[str, float]:
    """Seconds and peak memory of exporting every map."""
    from mapexplorer.export.batch import export_all

    with scratch() as folder:
        start = time.perf_counter()
        outcome = export_all(rom_path, folder, jobs=jobs)
        seconds = time.perf_counter() - start
    memory = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    size = sum(entry["size"] for entry in outcome.written)
    return {"total": seconds, "files": len(outcome.written), "failed": len(outcome.failed), "bytes": size, "kb": memory}


def child(arguments: argparse.Namespace, kind: str) -> dict[str, float]:
    return children(arguments, kind, 1)[0]


def children(arguments: argparse.Namespace, kind: str, parts: int) -> list[dict[str, float]]:
    """What processes print that each measure a part at the same time."""
    command = [sys.executable, __file__, str(arguments.rom), "--child", kind, "--jobs", str(arguments.jobs)]
    started = [
        subprocess.Popen([*command, "--part", str(part), "--parts", str(parts)], stdout=subprocess.PIPE, text=True)
        for part in range(parts)
    ]
    printed = [process.communicate()[0] for process in started]
    if any(process.returncode for process in started):
        raise SystemExit(f"measuring {kind} failed")
    return [json.loads(text) for text in printed]


def report(arguments: argparse.Namespace) -> None:
    child(arguments, "models")
    runs = [child(arguments, "models") for _ in range(arguments.repeat)]
    middle = sorted(runs, key=lambda run: run["total"])[len(runs) // 2]
    steps = ", ".join(f"{step} {middle[step]:.2f}" for step in STEPS)
    print(f"{middle['files']:.0f} models to GLB, one process: {middle['total']:.2f} s (median of {len(runs)})")
    print(f"  {steps}; imports before {middle['import']:.2f} s; {middle['bytes'] / 1e6:.1f} MB")
    slowest = [max(one["total"] for one in children(arguments, "models", 2)) for _ in range(arguments.repeat)]
    print(f"  two processes, the slower one: {statistics.median(slowest):.2f} s")
    if arguments.references:
        print(f"  {peer_time(arguments.references)}")
    child(arguments, "all")
    runs = [child(arguments, "all") for _ in range(max(1, arguments.repeat // 2))]
    seconds = statistics.median(run["total"] for run in runs)
    last = runs[-1]
    print(f"{last['files']:.0f} maps to GLB, {arguments.jobs} processes: {seconds:.2f} s, {last['failed']:.0f} failed,")
    print(f"  {last['bytes'] / 1e6:.1f} MB, at most {last['kb'] / 1024:.0f} MB in a process; {os.cpu_count()} cores")


def peer_time(references: Path) -> str:
    """The time of apicula for the same models with the right textures, scaled to this machine."""
    baseline = json.loads((references / "apicula" / "baseline.json").read_text())
    peer = baseline["tmpfs"]["all_correct_grouping"]["P1"]
    calibration = subprocess.run(
        [sys.executable, str(references / "calibrate.py")], capture_output=True, check=True, text=True
    )
    stored = baseline.get("calibration_s")
    here = float(calibration.stdout)
    factor = here / stored if stored else 1.0
    processes = peer["processes_total"]
    return f"apicula (Rust): {peer['elapsed_s'] * factor:.2f} s over {processes} processes, scaled by {factor:.2f}"


if __name__ == "__main__":
    main()
