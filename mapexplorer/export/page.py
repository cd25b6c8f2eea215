"""A map as one HTML page that shows itself: the GLB, facts that it does not hold (`page_facts.py`), and the script that
`make page` makes of `tools/page`.

Scene, facts and script are compressed and in base64, so that a page is one file that needs no network. The pages of a
folder share the script and a list of all pages as classic scripts, because browsers load nothing else from files.
"""

from __future__ import annotations

import gzip
import html
import json
from base64 import b64encode
from collections.abc import Iterable
from typing import Any, Final

from mapexplorer.system.data_files import FOLDER
from mapexplorer.world.headers.header import Header

_FOLDER: Final = FOLDER / "page"
_SHARED: Final = "page.js"
_LIST: Final = "maps.js"

_HEAD: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<body>
<noscript>This page shows a map with JavaScript, which is switched off.</noscript>
"""
_START: Final = """<script>
(async () => {
  const text = document.getElementById("code").textContent;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.text = await new Response(stream).text();
  document.body.append(script);
})().catch((error) => document.body.append(`This browser cannot show the map: ${error}`));
</script>
"""


def script() -> bytes:
    """The script of pages. Raises OSError where it was not made."""
    return shared_files(_SHARED)[_SHARED]


def shared_files(*names: str) -> dict[str, bytes]:
    """Files of `make page` by name. Raises OSError where they were not made."""
    try:
        return {name: (_FOLDER / name).read_bytes() for name in names}
    except FileNotFoundError:
        raise OSError("Pages need a script that is not there: run `make page` once, which takes npm.") from None


def page(glb: bytes, facts: dict[str, Any], *, alone: bool) -> bytes:
    """The page of a map; not `alone`, it is beside the files of `folder_files`."""
    parts = [_HEAD.format(title=html.escape(facts["title"])), _packed("scene", glb), _packed("facts", _json(facts))]
    parts += [_packed("code", script()), _START] if alone else _scripts()
    return "".join(parts).encode()


def folder_files(maps: Iterable[tuple[Header, str]]) -> dict[str, bytes]:
    """What the pages of a folder share, and an index of the maps, each with its file. Raises OSError."""
    listed = [{"header": header.id, "title": header.title, "file": file} for header, file in maps]
    return {
        _SHARED: script(),
        _LIST: b"const MAPS = " + _json(listed) + b";\n",
        "index.html": "".join([_HEAD.format(title="Maps"), *_scripts()]).encode(),
    }


def _scripts() -> list[str]:
    return [f'<script src="{name}"></script>\n' for name in (_LIST, _SHARED)]


def _packed(name: str, data: bytes) -> str:
    text = b64encode(gzip.compress(data, 9, mtime=0)).decode()
    return f'<script type="application/octet-stream" id="{name}">{text}</script>\n'


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
