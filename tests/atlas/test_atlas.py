"""The atlas of the demo world: links, numbers, what is written again, what is left out; in Chromium."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NoReturn, Self
from urllib.parse import unquote, urldefrag

import numpy as np
import pytest

from mapexplorer.atlas.drawing import drawn_tiles
from mapexplorer.atlas.lists import markdown
from mapexplorer.atlas.pages import page as page_of
from mapexplorer.atlas.request import AtlasRequest
from mapexplorer.atlas.sheets import TILE, laid_out, planned, seen_region
from mapexplorer.atlas.site import Site, page_path
from mapexplorer.catalogue.store import open_store
from mapexplorer.export.markup import tag
from mapexplorer.export.page import shared_files
from mapexplorer.export.run import run
from mapexplorer.grouping import by_key
from mapexplorer.inspector.describe import describe
from mapexplorer.option import OptionError
from mapexplorer.rom import Rom
from mapexplorer.source_tree.pack import pack
from mapexplorer.source_tree.unpack import unpack
from mapexplorer.system.progress import Progress
from mapexplorer.world.opening import open_rom
from mapexplorer.world.world import FieldWorld
from tests.browser import Browser
from tests.saves import write_save

TOWN = 4
TABLES = {"object": "object", "sign": "background", "warp": "warp", "trigger": "trigger_event"}
"""Kind of events -> their table in the catalogue."""
TITLE = "A <b>world</b> & 'more'"


class Page(HTMLParser):
    """The links, anchors, cells and texts of a page; the links in cells with the number of the cell."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.cells: list[str] = []
        self.text, self._in_cell = "", False
        self.in_cells: list[tuple[int, str]] = []
        self.feed(text)

    @classmethod
    def of(cls, file: Path) -> Self:
        """The page in a file."""
        return cls(file.read_text("utf-8"))

    def after(self, name: str) -> list[str]:
        """The cells behind those with a name."""
        return [cell for before, cell in itertools.pairwise(self.cells) if before == name]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = dict(attributes)
        self.links += [value for key in ("href", "src") if (value := known.get(key))]
        if self._in_cell and known.get("href"):
            self.in_cells.append((len(self.cells) - 1, str(known["href"])))
        self.anchors |= {value for key, value in attributes if key == "id" and value}
        if tag in ("td", "th"):
            self.cells.append("")
            self._in_cell = True

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._in_cell:
            self.cells[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._in_cell = self._in_cell and tag not in ("td", "th")


@pytest.fixture(scope="module")
def rom() -> Rom:
    return open_rom("demo")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, rom: Rom, missing: Callable[[str], NoReturn]) -> Path:
    try:
        shared_files("map.js")
    except OSError as error:
        missing(str(error))
    into = tmp_path_factory.mktemp("atlas")
    introduction = into / "introduction.md"
    introduction.write_text(
        "# Hello\n\nA *world* with [a site](https://example.org) and <i>tags</i>.\n\n- one\n- two\n\n"
        "    mapexplorer atlas\n    two lines\n"
    )
    run(_request(into / "site", introduction), rom)
    return into / "site"


def _request(into: Path, introduction: Path) -> AtlasRequest:
    return AtlasRequest(output=into, heading=TITLE, author="Me", introduction=str(introduction), jobs=1)


@pytest.fixture(scope="module")
def pages(folder: Path) -> dict[Path, Page]:
    files = (file for file in folder.rglob("*.html") if file.parent != folder / "3d")
    return {file: Page.of(file) for file in files}


def test_every_link_leads_somewhere(folder: Path, pages: dict[Path, Page]) -> None:
    broken = []
    for file, page in pages.items():
        for link in page.links:
            path, anchor = urldefrag(link)
            if path.startswith("https://"):
                continue
            goal = (file.parent / unquote(path)).resolve() if path else file
            found = goal.is_file() and (goal.name == "map.html" or not anchor or anchor in pages[goal].anchors)
            if not found:
                broken.append((file.relative_to(folder), link))
    assert len(pages) > 300 and not broken


def test_every_tile_shows_one_sheet(folder: Path, rom: Rom) -> None:
    """No block of the canvas belongs to two sheets, and tiles are of such blocks: models may reach out of a cell."""
    world = FieldWorld(rom)
    sheets = planned(world)
    regions = {id: sheet.region if sheet.whole else seen_region(world, id) for id, sheet in sheets.items()}
    level, placed = laid_out(world, {id: replace(sheet, region=regions[id]) for id, sheet in sheets.items()})
    blocks = Counter(
        (sheet.x // TILE + column, sheet.y // TILE + row)
        for sheet in set(placed.values())
        for row, column in np.argwhere(sheet.own_blocks(world)).tolist()
    )
    drawn = {tuple(map(int, file.stem.split("_"))) for file in (folder / "tiles" / "day" / str(level)).iterdir()}
    assert max(blocks.values()) == 1 and drawn <= blocks.keys()


@pytest.mark.slow
def test_models_that_reach_out_of_the_region_are_in_no_tile(rom_path: Path) -> None:
    """In the blocks of the region without a cell are rooms; beside them trees reach over the edge."""
    world = FieldWorld(open_rom(rom_path))
    region = max(planned(world).values(), key=lambda sheet: sheet.whole * sheet.blocks[0])
    own, first = region.own_blocks(world), (16, 40)
    paths = [Path(path) for path, _ in drawn_tiles(world, region, first, 0, "entered")]
    drawn = {tuple(map(int, path.stem.split("_"))) for path in paths}
    assert not own[40:42, 16:32].all() and drawn and all(own[row, column] for column, row in drawn)


def test_pages_say_what_the_inspector_says(folder: Path, pages: dict[Path, Page]) -> None:
    site = Site.open("demo", AtlasRequest(output=folder))
    for thing in itertools.islice(site.things, 0, None, 3):
        if thing.kind != "messages":
            said = describe(site.world, site.header_of(thing), thing)
            cells = [" ".join(cell.split()) for cell in pages[folder / page_path(thing)].cells]
            for fact in (fact for section in said.sections for fact in section.rows):
                words = " ".join(f"{fact.value} {fact.meaning}".split())
                assert any(cell.replace(" ", "").startswith(words.replace(" ", "")) for cell in cells), (thing, fact)


def check_numbers(world: FieldWorld, most: int) -> int:
    """Compares pages with the tables of the catalogue: prices, parties, where events are. The number of pages."""
    site, store = Site(world, AtlasRequest(output=Path("site"), without_pictures=True)), open_store(world.rom)
    prices = dict(store.rows("SELECT item, price FROM item"))
    parties = by_key(store.rows("SELECT trainer, level FROM trainer_pokemon ORDER BY trainer, slot"))
    lists = {kind: f"SELECT header, x, z FROM {table} ORDER BY 1" for kind, table in TABLES.items()}
    things = [thing for thing in site.things if thing.kind in ("item", "trainer", "header")]
    pages = 0
    for thing in random.Random(1).sample(things, min(most, len(things))):
        made, number = Page(page_of(site, thing).decode()), thing.key[0]
        if thing.kind == "item":
            assert made.after("Price") == [str(prices[number])], thing
        elif thing.kind == "trainer":
            levels = [made.after(f"Pokémon {slot + 1}")[0] for slot in range(len(parties.get(number, ())))]
            assert all(f"level {level}," in cell for level, cell in zip(parties.get(number, ()), levels, strict=True))
        else:
            for kind, query in lists.items():
                told = [made.cells[at + 1] for at, link in made.in_cells if link.startswith(f"../{kind}/{number}-")]
                assert Counter(told) == Counter(f"{x}, {z}" for header, x, z in store.rows(query) if header == number)
        pages += 1
    return pages


def test_numbers_of_pages_are_those_of_the_catalogue(rom: Rom) -> None:
    assert check_numbers(FieldWorld(rom), 29) == 29


@pytest.mark.slow
def test_numbers_of_two_hundred_pages(rom_path: Path) -> None:
    assert check_numbers(FieldWorld(open_rom(rom_path)), 200) == 200


def test_names_are_escaped_and_pages_load_nothing_else(folder: Path, pages: dict[Path, Page]) -> None:
    index = (folder / "index.html").read_text("utf-8")
    assert "A &lt;b&gt;world&lt;/b&gt; &amp; &#x27;more&#x27;" in index and "<b>world" not in index
    assert "<em>world</em>" in index and "&lt;i&gt;tags" in index and "<li>one</li>" in index
    assert ">mapexplorer atlas<br>two lines</pre>" in index
    assert "javascript:" not in markdown("[x](javascript:alert(1))") and tag("a", "<", title="'") == (
        '<a title="&#x27;">&lt;</a>'
    )
    for file, page in pages.items():
        assert "default-src &#x27;none&#x27;" in file.read_text("utf-8")
        assert [link for link in page.links if "://" in link] in ([], ["https://example.org"])
        assert "By Me." in page.text and "belong to their owners" in page.text
    with pytest.raises(OptionError, match="red"):
        AtlasRequest(output=folder, color="red")


class Stopped(Progress):
    """Raises after some steps."""

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def report(self, done: int, total: int, text: str) -> None:
        self.steps -= 1
        if self.steps == 0:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def bare(folder: Path) -> AtlasRequest:
    """A request for a site without what may be left out, beside the whole one."""
    without: dict[str, Any] = {f"without_{what}": True for what in ("texts", "pictures", "scripts")}
    return AtlasRequest(output=folder.parent / "bare", jobs=1, **without)


def test_what_is_left_out(bare: AtlasRequest, rom: Rom, folder: Path) -> None:
    run(bare, rom)
    pictures = [file for file in bare.output.rglob("*") if file.suffix in (".webp", ".png")]
    assert {file.parent.name for file in pictures} == {"layers"}
    assert not (bare.output / "messages").exists() and not (bare.output / "scripts").exists()
    with_texts, without = (Page.of(each / "header" / "4.html").text for each in (folder, bare.output))
    assert "“" in with_texts and "“" not in without


def test_only_what_has_changed_is_written(bare: AtlasRequest, rom: Rom) -> None:
    def state() -> dict[Path, tuple[int, bytes]]:
        files = (file for file in bare.output.rglob("*") if file.is_file())
        return {file: (file.stat().st_mtime_ns, file.read_bytes()) for file in files}

    before = state()
    assert run(bare, rom).facts["changed"] == 0 and state() == before
    page, manifest = bare.output / "header" / "4.html", bare.output / "manifest.json"
    page.unlink()
    manifest.unlink()
    with pytest.raises(KeyboardInterrupt):
        run(bare, rom, Stopped(5))
    assert page.exists() and manifest.with_suffix(".jsonl").exists()
    run(bare, rom)
    after = state()
    assert {file for file in before if after[file] != before[file]} <= {page, manifest}
    assert {file: data for file, (_, data) in after.items()} == {file: data for file, (_, data) in before.items()}


@pytest.mark.slow
def test_a_saved_game_is_shown(bare: AtlasRequest, rom: Rom, tmp_path: Path) -> None:
    site = Site.open("demo", bare)
    flag = next(thing.key[0] for thing in site.things if thing.kind == "flag")
    saved = write_save(tmp_path, flags=[flag])
    outcome = run(replace(bare, output=tmp_path / "site", save=str(saved)), rom)
    assert "saved game" in outcome.notices[0]
    page = Page.of(tmp_path / "site" / "flag" / f"{flag}.html")
    assert "Nowset" in "".join(page.cells).replace("\n", "") and "that of a saved game" in page.text


@pytest.mark.slow
def test_a_hack_is_marked(bare: AtlasRequest, rom: Rom, tmp_path: Path) -> None:
    """Unpacked, edited and packed: a moved and a further person, and another price. What shows them is marked, and
    nothing else."""
    folder, number = tmp_path / "unpacked", FieldWorld(rom).headers[TOWN].events
    unpack(rom, folder, replace=False, jobs=1, progress=Progress())

    def edit(member: str, change: Callable[[dict[str, Any]], None]) -> None:
        [file] = folder.glob(f"data/**/{member}.json")
        document = json.loads(file.read_text("utf-8"))
        change(document["value"])
        file.write_text(json.dumps(document), "utf-8")

    def more(events: dict[str, Any]) -> None:
        names, people = ([name for name, *_ in events["objects"]["dtype"]], events["objects"]["values"])
        people.append(list(people[-1]))
        people[0][names.index("x")] += 2

    edit(f"zone_event.narc/{number:04}", more)
    edit("pl_item_data.narc/0001", lambda item: item.update(price=item["price"] + 100))
    hack, objects = tmp_path / "hack.nds", FieldWorld(rom).events(TOWN)
    pack(folder, hack, jobs=1, progress=Progress())
    run(replace(bare, output=tmp_path / "site", base="demo"), open_rom(hack))
    marks = {
        file.relative_to(tmp_path / "site").as_posix(): text.split('class="badge">')[1].split("<")[0]
        for file in (tmp_path / "site").rglob("*.html")
        if 'class="badge"' in (text := file.read_text("utf-8"))
    }
    assert objects is not None
    assert marks == {
        "header/4.html": "changed",
        "object/4-0.html": "changed",
        f"object/4-{len(objects.objects)}.html": "new",
        "item/1.html": "changed",
        f"events/{number}.html": "changed",  # which lists both
        "object-graphics/91.html": "changed",  # which has one use more
    }
    assert "<del>50</del>" in (tmp_path / "site" / "item" / "1.html").read_text("utf-8")
    assert "price" in Page.of(tmp_path / "site" / "changes.html").text


@pytest.mark.slow
def test_the_map_in_a_browser(folder: Path, browser: Browser) -> None:
    browser.send("Page.navigate", url=(folder / "map.html").as_uri() + "#T01@20,10?map-scale=2")
    browser.wait("window.atlas?.map && document.querySelectorAll('#map img').length > 3")
    assert browser.js("atlas.map.getZoom() - MAP.level") == 1
    # A click on a warp leads into the room.
    door = next(iter(browser.js("EVENTS[4].filter(([layer]) => layer === 'warps')")))
    x, z, goal = door[4], door[5], door[8]
    browser.js(f"atlas.show(4, {x}, {z}, MAP.level + 1)")
    at = browser.js(
        "(() => { const r = document.getElementById('map').getBoundingClientRect();"
        "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
    )
    browser.click(*at)
    browser.wait(
        f"(() => {{ const [x, y] = [atlas.map.getCenter().lng, -atlas.map.getCenter().lat];"
        f"return atlas.places.at(x * 2 ** MAP.level, y * 2 ** MAP.level)?.header === {goal}; }})()"
    )
    # The search finds an item.
    browser.send("Page.navigate", url=(folder / "index.html").as_uri())
    browser.wait("document.title && !document.getElementById('map') && !!document.getElementById('search')")
    browser.js("document.getElementById('search').focus()")
    browser.wait("typeof THINGS !== 'undefined'")
    browser.js(
        "{const box = document.getElementById('search'); box.value = 'millbrook';"
        "box.dispatchEvent(new Event('input'));}"
    )
    assert browser.wait("document.querySelector('#found a')?.getAttribute('href')").startswith("header/")
    assert browser.errors == []
