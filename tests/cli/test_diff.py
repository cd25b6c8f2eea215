"""`diff`: what it prints, and its exit status."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from formats.field.land_data import LandData
from formats.field.wild_encounters import WildEncounters
from formats.field.zone_event import ZoneEvents
from mapexplorer.errors import RomError
from mapexplorer.games import Role
from mapexplorer.world.world import FieldWorld
from tests.compare.conftest import Edits

EVENTS_OF_T01 = 3


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """The demo world with a blocked tile, a redirected warp and another species in the grass."""
    edits = Edits(FieldWorld.open("demo"))

    def block(words: Any) -> None:
        words[7, 3:5] ^= 0x8000

    def redirect(warps: Any) -> None:
        warps[0]["header"], warps[0]["warp"] = 2, 0

    edits.rows(Role.LAND_DATA, 0, LandData, "attributes", block)
    edits.rows(Role.ZONE_EVENT, EVENTS_OF_T01, ZoneEvents, "warps", redirect)
    grass = edits.value(Role.ENCOUNTERS, 0, WildEncounters).grass
    other = next(slot for slot in grass if slot.species != grass[0].species)
    edits.change(Role.ENCOUNTERS, 0, WildEncounters, grass=(other, *grass[1:]))
    path = tmp_path / "edited.nds"
    path.write_bytes(edits.image())
    return path


def test_equal_roms(cli: Callable[..., Any]) -> None:
    ran = cli("diff", "demo", "demo")
    assert (ran.status, ran.out, ran.err) == (0, "No differences.\n", "")
    assert json.loads(cli("diff", "demo", "demo", "--json").out)["changes"] == []


def test_the_differences_as_text(cli: Callable[..., Any], edited: Path) -> None:
    ran = cli("diff", "demo", edited)
    assert ran.status == 1 and not ran.err
    world = FieldWorld.open("demo")
    warp = world.events(4).warps[0]  # type: ignore[union-attr]
    target = f"{world.headers[warp['header']].title}) -> (2, 0) ({world.headers[2].title})"
    assert f"warp 0: target ({warp['header']}, {warp['warp']}) ({target}" in ran.out
    (tiles,) = [line for line in ran.out.splitlines() if "collision" in line]
    assert "tiles " in tiles and tiles.endswith(("no -> yes", "yes -> no"))
    assert " % -> " in ran.out.split("Wild encounters")[1]
    assert ran.last.endswith("kinds.")


def test_some_kinds_and_one_map(cli: Callable[..., Any], edited: Path) -> None:
    def kinds(*options: str) -> set[str]:
        return {one["kind"] for one in json.loads(cli("diff", "demo", edited, *options, "--json").out)["changes"]}

    assert kinds() == {"tile", "warp", "encounter"}
    assert kinds("--only", "warp") == {"warp"}
    assert kinds("--only", "warp,tile") == {"warp", "tile"}
    assert kinds("--place", "T01", "--only", "warp,encounter") == {"warp"}
    assert cli("diff", "demo", edited, "--only", "script").status == 0


def test_a_summary(cli: Callable[..., Any], edited: Path) -> None:
    ran = cli("diff", "demo", edited, "--summary")
    assert ran.status == 1 and ran.out.startswith("Tiles: 2\nWarps: 1\n") and "Most changed maps" in ran.out


class Page(HTMLParser):
    """The headings and pictures of an HTML page; every element must be closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.ids: list[str | None] = []
        self.links: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag not in ("img", "meta", "br"):
            self.open.append(tag)
        if tag == "img":
            self.images.append(found)
        if tag == "section" and "id" in found:
            self.ids.append(found["id"])
        self.links += [str(found[name]) for name in ("src", "href") if name in found]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_with_pictures(cli: Callable[..., Any], edited: Path, tmp_path: Path) -> None:
    path = tmp_path / "changes.html"
    ran = cli("diff", "demo", edited, "--html", path)
    assert ran.status == 1 and ran.last.endswith(f"Written to {path}.")
    page = Page(path.read_text("utf-8"))
    headers = {
        f"map{header}"
        for one in json.loads(cli("diff", "demo", edited, "--json").out)["changes"]
        for header in one["headers"]
    }
    assert set(page.ids) == headers
    assert all(link.startswith(("data:image/png;base64,", "#map")) for link in page.links), "another file is needed"
    assert all("equal" in str(image["alt"]) for image in page.images), "neither a warp nor collision is visible"


def test_a_visible_difference_has_three_pictures(cli: Callable[..., Any], tmp_path: Path) -> None:
    edits = Edits(FieldWorld.open("demo"))

    def move(records: Any) -> None:
        records[1]["position"][0] += 16 << 12

    edits.rows(Role.LAND_DATA, 0, LandData, "props", move)
    after, path = tmp_path / "edited.nds", tmp_path / "changes.html"
    after.write_bytes(edits.image())
    assert cli("diff", "demo", after, "--html", path, "--only", "prop").status == 1
    page = Page(path.read_text("utf-8"))
    assert [str(image["alt"]).split(".")[0] for image in page.images] == ["Before", "After", "Difference"]
    before, after_picture, difference = (_pixels(str(image["src"])) for image in page.images)
    differ = (before != after_picture).any(-1)
    assert differ.any() and (differ == (difference[..., 0] != difference[..., 1])).all()


def _pixels(source: str) -> Any:
    return np.asarray(Image.open(BytesIO(b64decode(source.partition(",")[2]))))


def test_failures_have_another_status(cli: Callable[..., Any], tmp_path: Path) -> None:
    missing = cli("diff", "demo", tmp_path / "missing.nds")
    assert missing.status == 2 and missing.err.count("\n") == 1 and not missing.out
    assert cli("diff", "demo", "demo", "--place", "Nowhere at all").status == 2
    assert cli("diff", "demo", "demo", "--only", "everything").status == 2
    assert cli("diff", "demo").status == 2
    unwritable = cli("diff", "demo", "demo", "--html", tmp_path)
    assert unwritable.status == 2 and unwritable.err.count("\n") <= 4


def test_damage_is_a_difference_and_no_traceback(cli: Callable[..., Any], demo_image: bytes, tmp_path: Path) -> None:
    random = np.random.default_rng(24)
    path = tmp_path / "damaged.nds"
    different = 0
    for _ in range(15):
        image = np.frombuffer(demo_image, np.uint8).copy()
        image[random.integers(0x200, len(image), 40)] ^= 0xFF
        path.write_bytes(image.tobytes())
        try:
            FieldWorld.open(path)
        except (RomError, ValueError):
            assert cli("diff", "demo", path).status == 2
        else:
            assert cli("diff", "demo", path).status == cli("diff", path, "demo", "--json").status == 1
            different += 1
    assert different > 5


def test_a_page_has_no_control_characters(edited: Path, tmp_path: Path, cli: Any) -> None:
    """Nor bytes of a file name that are no text."""
    odd = tmp_path / "bad\udcff\x1b[2J\x07.nds"
    try:
        odd.write_bytes(edited.read_bytes())
    except OSError:
        pytest.skip("the system has no such names")
    assert cli("diff", "demo", odd, "--html", tmp_path / "changes.html").status == 1
    page = (tmp_path / "changes.html").read_text("utf-8")
    assert "bad\\udcff\\u001b[2J\\u0007.nds" in page
    assert all(letter.isprintable() or letter == "\n" for letter in page)
