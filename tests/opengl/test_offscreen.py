"""Pictures without a window: in processes of their own, since PyOpenGL binds itself to one platform."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

DEMO_PLACE = "H01"

RENDER = """
import sys
from mapexplorer.opengl.painter import scene_painter
from mapexplorer.scene.scene import FieldScene
from mapexplorer.world.world import FieldWorld
world = FieldWorld.open("demo")
place = next(place for header in world.headers if (place := world.place(header.id)).cells)
with scene_painter(640, 360) as paint:
    picture = paint(FieldScene(place), 3)
print(picture.shape, int(picture.std()) > 5, "PyQt5" in sys.modules)
"""


@pytest.mark.gl
def test_picture_without_window_and_without_qt() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([sys.executable, "-c", RENDER], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "(360, 640, 3) True False"


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_one_clear_sentence_where_egl_is_missing(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    from mapexplorer.opengl.errors import GlError
    from mapexplorer.opengl.offscreen import offscreen_context

    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(GlError, match="need EGL"), offscreen_context():
        pass


FAILING = """
import sys
from mapexplorer.cli import main
try:
    main()
except SystemExit as end:
    print(end.code, "numba" in sys.modules)
"""


@pytest.mark.gl
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the loader of Linux")
@pytest.mark.parametrize(
    ("libraries", "debian"), [(("libEGL.so.1",), "libegl1"), (("libGL.so.1", "libOpenGL.so.0"), "libgl1")]
)
def test_a_missing_library_is_told_before_anything_is_compiled(
    tmp_path: Path, libraries: tuple[str, ...], debian: str
) -> None:
    for name in libraries:
        (tmp_path / name).touch()  # which the loader takes for a damaged one
    arguments = ["render", "demo", DEMO_PLACE, "-o", str(tmp_path / "x.png"), "--engine", "gl"]
    done = subprocess.run(
        [sys.executable, "-c", FAILING, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"LD_LIBRARY_PATH": str(tmp_path), "MAPEXPLORER_KERNEL_CACHE": str(tmp_path / "cache")},
    )
    assert done.stdout == "1 False\n", done.stderr
    assert done.stderr.count("\n") == 1 and "OpenGL cannot draw here" in done.stderr
    assert libraries[0] in done.stderr and debian in done.stderr and "--engine ds" in done.stderr
    assert not (tmp_path / "x.png").exists()


@pytest.mark.gl
def test_driver_without_core_profile_is_refused() -> None:
    program = (
        "from mapexplorer.opengl.errors import GlError\n"
        "from mapexplorer.opengl.offscreen import offscreen_context\n"
        "try:\n    with offscreen_context():\n        pass\nexcept GlError as error:\n    print('refused:', error)\n"
    )
    environment = os.environ | {"MESA_GL_VERSION_OVERRIDE": "2.1", "LIBGL_ALWAYS_SOFTWARE": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("refused: ")
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.gl
def test_command_line_renders_at_the_size_itself(tmp_path: Path) -> None:
    output = tmp_path / "demo.png"
    command = [sys.executable, "-m", "mapexplorer", "render", "demo", DEMO_PLACE, "-o", str(output), "--engine", "gl"]
    done = subprocess.run([*command, "--scale", "3"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with Image.open(output) as picture:
        assert picture.size == (768, 576)
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    # Not an enlarged small picture: lines of neighbouring pixels differ inside blocks of three, too.
    inside = (pixels[:, 0::3] != pixels[:, 1::3]).any(-1).mean()
    assert inside > 0.01
    environment = os.environ | {"MESA_GL_VERSION_OVERRIDE": "2.1", "LIBGL_ALWAYS_SOFTWARE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 1
    assert "OpenGL cannot draw here" in done.stderr and "Traceback" not in done.stderr
