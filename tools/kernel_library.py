"""Compile every kernel into shared libraries, for a wheel that compiles nothing where it is installed.

    python tools/kernel_library.py --into build/kernels [--target x86_64-linux-gnu.2.17]

The target is this system unless another is named. numba makes LLVM bitcode of each unit, zig's C compiler (the
package ziglang) a library of them all; it needs no other compiler and makes libraries for any system. `setup.py` puts
the folder into a wheel when MAPEXPLORER_KERNELS names it. The stamps beside the libraries say from which sources they
were made.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from formats.kernel import machine  # noqa: E402
from formats.kernel.library import DESCRIPTION  # noqa: E402
from formats.kernel.stamp import stamp  # noqa: E402
from mapexplorer.kernels import EVERYTHING  # noqa: E402

TARGETS = {
    "x86_64-linux-gnu.2.17": ".so",
    "aarch64-linux-gnu.2.17": ".so",
    "x86_64-windows-gnu": ".dll",
    "aarch64-macos.11.0": ".dylib",
    "x86_64-macos.11.0": ".dylib",
}
SYSTEMS = {"linux": "linux-gnu.2.17", "win32": "windows-gnu", "darwin": "macos.11.0"}
"""`sys.platform` -> the end of its targets."""

ZIG_PROCESSORS = {machine.GENERIC: "baseline", machine.AVX2: "baseline+avx+avx2"}


def main() -> None:
    """Compile for one target, each level of its processors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, required=True, help="The folder to write into.")
    parser.add_argument("--target", choices=TARGETS, default=this_system())
    parser.add_argument("--level", choices=machine.FEATURES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.target not in TARGETS:
        parser.error(f"this system, {options.target}, is none of the targets ({', '.join(TARGETS)}); name one")
    options.into.mkdir(parents=True, exist_ok=True)
    if options.level:
        _library(options.into, options.target, options.level)
        return
    levels = machine.FEATURES if options.target.startswith("x86_64") else (machine.GENERIC,)
    for level in levels:  # the compiler supports only one level per process
        subprocess.run(
            [sys.executable, __file__, "--into", options.into, "--target", options.target, "--level", level], check=True
        )
    for unit in EVERYTHING:
        importlib.import_module(unit)
    description = {
        "target": options.target,
        "libraries": {level: _name(options.target, level) for level in levels},
        "units": {unit: stamp(unit) for unit in EVERYTHING},
    }
    (options.into / DESCRIPTION).write_text(json.dumps(description, indent=1) + "\n", "utf-8")


def this_system() -> str:
    """The target of this machine, which may be an unsupported one."""
    processor = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    return f"{processor}-{SYSTEMS.get(sys.platform, sys.platform)}"


def _name(target: str, level: str) -> str:
    return f"kernels-{level}{TARGETS[target]}"


def _library(into: Path, target: str, level: str) -> None:
    machine.level = lambda: level  # type: ignore[assignment]
    from formats.kernel import compiler

    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for number, unit in enumerate(EVERYTHING):
            importlib.import_module(unit)
            print(f"{level}: {unit}, {number + 1} of {len(EVERYTHING)}", flush=True)
            module = compiler.unit_module(unit)
            module.triple, module.data_layout = "", ""  # those of the target take their place
            parts.append(Path(folder) / f"{unit}.bc")
            parts[-1].write_bytes(module.as_bitcode())
        subprocess.run(
            [
                sys.executable,
                "-m",
                "ziglang",
                "cc",
                "-target",
                target,
                f"-mcpu={ZIG_PROCESSORS[level]}",
                "-O2",
                "-s",
                "-shared",
                "-Wno-override-module",
                "-o",
                into / _name(target, level),
                *parts,
            ],
            check=True,
        )


if __name__ == "__main__":
    main()
