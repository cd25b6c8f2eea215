"""setup.cfg lists every package: one that is forgotten would be missing from what users install."""

from __future__ import annotations

import configparser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_package_is_installed() -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", "utf-8")
    listed = config["options"]["packages"].split()
    inits = [file for top in ("formats", "mapexplorer") for file in (ROOT / top).rglob("__init__.py")]
    found = {".".join(file.parent.relative_to(ROOT).parts) for file in inits}
    assert set(listed) == found | {"mapexplorer.data", "mapexplorer.manual"}
    assert len(listed) == len(set(listed)) > 20
