"""An OpenGL context for the tests: made by Qt on an offscreen surface, because the window's tests share the process."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest


def projected(camera: Any, point: Any, width: int, height: int) -> tuple[float, float, float] | None:
    """The pixel (x, y from the top left) of a point in units under a camera, and its depth -1..1; None for one behind
    the eye."""
    x, y, z, w = (np.append(np.asarray(point, np.float64) - camera.eye, 1) @ camera.clip).tolist()
    return ((x / w + 1) / 2 * width, (1 - y / w) / 2 * height, z / w) if w > 0 else None


@pytest.fixture
def current(qt: None, missing: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A current OpenGL 3.3 core context, which ends with what the test made in it. Skips (or fails, with
    MAPEXPLORER_REQUIRE=1) where there is none."""
    request.getfixturevalue("qapp")  # not an argument: where Qt does not start there is no such fixture
    from PyQt5.QtGui import QOffscreenSurface, QOpenGLContext, QSurfaceFormat

    wanted = QSurfaceFormat()
    wanted.setVersion(3, 3)
    wanted.setProfile(QSurfaceFormat.CoreProfile)
    surface = QOffscreenSurface()
    surface.setFormat(wanted)
    surface.create()
    context = QOpenGLContext()
    context.setFormat(wanted)
    if not (surface.isValid() and context.create() and context.makeCurrent(surface)):
        missing("Qt makes no OpenGL 3.3 context here; run under xvfb-run with Mesa")
    yield context
    context.doneCurrent()


@pytest.fixture
def renderer(current: Any) -> Iterator[Any]:
    """A renderer that is ready and empty."""
    from mapexplorer.opengl.renderer import FieldRenderer

    made = FieldRenderer()
    made.initialize()
    yield made
    from mapexplorer.opengl.gl import GL

    # PyOpenGL's own check is off, so that a wrong call would pass unseen.
    assert GL.glGetError() == GL.GL_NO_ERROR


@pytest.fixture(scope="session")
def comparison() -> ModuleType:
    """benchmarks/gl_against_ds.py as a module: the measure that the tests hold places to."""
    path = Path(__file__).parents[2] / "benchmarks" / "gl_against_ds.py"
    spec = importlib.util.spec_from_file_location("gl_against_ds", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["gl_against_ds"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def world(rom_path: Path) -> Any:
    """The real ROM as places."""
    from mapexplorer.world.world import FieldWorld

    return FieldWorld.open(rom_path)


@pytest.fixture(scope="session")
def demo() -> Any:
    """The demo world as places."""
    from mapexplorer.world.world import FieldWorld

    return FieldWorld.open("demo")


@pytest.fixture(scope="session", params=["demo", "world"])
def either(request: pytest.FixtureRequest) -> Any:
    """Once the demo world and once the real ROM."""
    return request.getfixturevalue(request.param)
