"""Chromium for tests: pages from files and without network."""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

SIZE = 720, 480
REPLACED = -32000
SET = "const box = document.querySelector('{}'); box.value = {}; box.dispatchEvent(new Event('input'));"
ARROWS = {"Up": 38, "Down": 40, "Left": 37, "Right": 39}


class Browser:
    """Chromium without a window, driven by its DevTools protocol over pipes."""

    def __init__(self, program: str, folder: Path) -> None:
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        arguments = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", "--hide-scrollbars"]
        arguments += ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", f"--user-data-dir={folder}"]
        shell = f'exec "$0" "$@" 3<&{commands} 4>&{answers}'  # the pipes that it uses
        self._process = subprocess.Popen(
            ["bash", "-c", shell, program, *arguments], pass_fds=(commands, answers), stderr=subprocess.DEVNULL
        )
        os.close(commands)
        os.close(answers)
        self._read, self._number, self._session = b"", 0, {}
        self.errors: list[Any] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}
        for domain in ("Page", "Runtime", "Network"):
            self.send(f"{domain}.enable")
        rate = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.send("Network.emulateNetworkConditions", offline=True, **rate)
        width, height = SIZE
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def send(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters, **self._session}
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self._read:
                part = os.read(self._answers, 1 << 20)
                assert part, "Chromium has ended"
                self._read += part
            answer, self._read = self._read.split(b"\0", 1)
            value = json.loads(answer)
            if value.get("id") == self._number:
                # An expression has no result while one page takes the place of another.
                assert value.get("error", {}).get("code", REPLACED) == REPLACED, value
                return value.get("result", {"result": {}})
            if value.get("method") == "Runtime.exceptionThrown":
                self.errors.append(value["params"])

    def js(self, text: str) -> Any:
        result = self.send("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait(self, text: str) -> Any:
        """The value of an expression as soon as it is true."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            value = self.js(text)
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"{text}: {self.js('document.body.innerText')}")

    def open(self, file: Path) -> None:
        self.send("Page.navigate", url=file.as_uri())
        self.wait("document.body?.dataset.ready")

    def press(self, arrow: str, until: str) -> str:
        """Hold an arrow key until the line about the player has a text; that line."""
        self.hold(arrow)
        self.wait(f"document.getElementById('status').textContent.includes({json.dumps(until)})")
        self.hold(arrow, down=False)
        return str(self.js("document.getElementById('status').textContent"))

    def hold(self, arrow: str, down: bool = True) -> None:
        key = {"code": f"Arrow{arrow}", "key": f"Arrow{arrow}", "windowsVirtualKeyCode": ARROWS[arrow]}
        self.send("Input.dispatchKeyEvent", type="rawKeyDown" if down else "keyUp", **key)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def find(self, text: str) -> None:
        """Search a thing and look at the first that is found."""
        self.js(
            f"{{{SET.format('#top input', json.dumps(text))} box.blur();"
            "document.querySelector('#found button').click();}"
        )
        drawn = self.js("Number(document.body.dataset.pictures)")
        self.wait(f"Number(document.body.dataset.pictures) > {drawn} + 1")

    def brightness(self) -> float:
        drawn = self.js("Number(document.body.dataset.pictures)")
        self.wait(f"Number(document.body.dataset.pictures) > {drawn} + 1")
        png = base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])
        return float(np.asarray(Image.open(io.BytesIO(png)).convert("L"))[100:300, 250:500].mean())

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(10)
