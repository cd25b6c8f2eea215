"""The snippets of docs/engines.md run: three.js, Babylon.js and PlayCanvas in Chromium, Blender's as a module."""

from __future__ import annotations

import base64
import io
import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import pytest
from PIL import Image

from mapexplorer.export.options import ExportOptions
from mapexplorer.export.request import MapRequest
from mapexplorer.export.run import run
from mapexplorer.world.world import FieldWorld
from tests.browser import Browser

ROOT = Path(__file__).parents[2]
TOWN = 4

THREE = "three/build/three.module.js", "three/examples/jsm/", "@needle-tools/three-animation-pointer/src/index.js"
IMPORTS = {
    "three": f"/page/{THREE[0]}",
    "three/addons/": f"/page/{THREE[1]}",
    "@needle-tools/three-animation-pointer": f"/page/{THREE[2]}",
    "playcanvas": "/viewers/playcanvas/build/playcanvas.mjs",
}
PLAYS = {
    "three.js": "ambient ? mixer.clipAction(ambient).time : -1",
    "Babylon.js": "ambient ? ambient.getCurrentFrame() : -1",
    "PlayCanvas": "ambient ? town.anim.baseLayer.activeStateCurrentTime : -1",
}
"""Title -> how far the clip is; -1 without one."""


def snippet(title: str, language: str = "js") -> str:
    """The code of a section of the page."""
    text = (ROOT / "docs" / "engines.md").read_text("utf-8")
    section = text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    (code,) = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    return str(code)


def drawn_colours(browser: Browser) -> int:
    """How many colours the page has a moment after it is loaded."""
    browser.js("new Promise((done) => setTimeout(done, 200))")
    png = base64.b64decode(browser.send("Page.captureScreenshot", format="png")["data"])
    return len(Image.open(io.BytesIO(png)).convert("RGB").getcolors(1 << 24) or ())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[tuple[Path, str]]:
    """A folder and its address on this machine, with the packages of the tools in it."""
    folder = tmp_path_factory.mktemp("served")
    for name in ("page", "viewers"):
        (folder / name).symlink_to(ROOT / "tools" / name / "node_modules")
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        browser.send("Network.emulateNetworkConditions", offline=False, **network)
        yield folder, f"http://127.0.0.1:{server.server_address[1]}"
        browser.send("Network.emulateNetworkConditions", offline=True, **network)
        server.shutdown()


@pytest.mark.parametrize(
    ("title", "static"),
    [
        ("three.js", False),
        *(
            pytest.param(title, static, marks=pytest.mark.slow)
            for title in PLAYS
            for static in (True, False)
            if static or title != "three.js"
        ),
    ],
)
def test_a_snippet_draws_and_plays(
    title: str, static: bool, served: tuple[Path, str], browser: Browser, missing: Callable[[str], NoReturn]
) -> None:
    """Also a file without clips (`static`)."""
    folder, address = served
    needed = folder / ("page/@needle-tools" if title == "three.js" else f"viewers/{title.partition('.')[0].lower()}")
    if not list(needed.parent.glob(f"{needed.name}*")):
        missing(f"{needed} is absent: `make page`, or `npm ci --ignore-scripts` in tools/viewers")
    scripts = ("babylonjs/babylon.js", "babylonjs-loaders/babylonjs.loaders.min.js") if title == "Babylon.js" else ()
    before = "BABYLON.SceneLoader.ShowLoadingScreen = false;\n" if scripts else ""
    (folder / "index.html").write_text(
        "<!doctype html><body style='margin: 0'>"
        + "".join(f"<script src='/viewers/{script}'></script>" for script in scripts)
        + f"<script type='importmap'>{json.dumps({'imports': IMPORTS})}</script>"
        f"<script type='module'>{before}{snippet(title)}\nwindow.far = () => {PLAYS[title]};</script>"
    )
    profile = {"three.js": "three", "Babylon.js": "any", "PlayCanvas": "web"}[title]
    options = ExportOptions(profile=profile, static=static)
    run(MapRequest(output=folder / "town.glb", place=TOWN, options=options), FieldWorld.open("demo"))
    browser.send("Page.navigate", url=f"{address}/index.html?{title}{static}")
    browser.wait(f"location.search === '?{title}{static}' && window.far && far() {'=== -1' if static else '> 0'}")
    assert drawn_colours(browser) > 200
    assert browser.errors == []


@pytest.mark.slow
def test_blender(tmp_path: Path, missing: Callable[[str], NoReturn]) -> None:
    """Blender's script, where Blender is installed as a Python module."""
    if find_spec("bpy") is None:
        pytest.skip("bpy is not installed")
    run(MapRequest(output=tmp_path / "town.glb", place=TOWN), FieldWorld.open("demo"))
    asked = "\nprint([scene.render.fps, scene.frame_end, scene.view_settings.view_transform, len(bpy.data.objects)])"
    done = subprocess.run(
        [sys.executable, "-c", snippet("Blender", "python") + asked],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    facts: Any = json.loads(done.stdout.strip().splitlines()[-1].replace("'", '"'))
    assert facts[0] == 30 and 250 < facts[1] <= 1800 and facts[2] == "Standard" and facts[3] > 20
