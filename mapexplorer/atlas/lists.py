"""The first page of an atlas, the lists of things, what its search knows, the changes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

from mapexplorer.atlas.frame import broken, framed, list_path, listed_kinds, table
from mapexplorer.atlas.site import Site, page_path
from mapexplorer.catalogue.kinds import EVENT_LISTS, KINDS, WITH_ICON
from mapexplorer.export.markup import Content, Markup, joined, tag

_SEARCHED: Final = ("header", "species", "item", "trainer", "move", "flag", "shop", "trade", "music", "object")
"""The kinds whose things are found by name."""


def index(site: Site) -> bytes:
    """The first page."""
    counts = Counter(thing.kind for thing in site.things)
    rows = (
        tag(
            "tr",
            tag("th", tag("a", KINDS[kind].title, href=list_path(kind)), scope="row"),
            tag("td", f"{counts[kind]:,}"),
        )
        for kind in listed_kinds(site)
    )
    text = Path(site.request.introduction).read_text("utf-8") if site.request.introduction else ""
    contents = (
        tag("h1", site.title),
        tag("p", site.world.game.release(site.world.rom), class_="subtitle"),
        markdown(text),
        tag("p", tag("a", "The map", href="map.html")),
        tag("p", tag("a", "What is new and changed", href="changes.html")) if site.base else None,
        tag("table", tag("tbody", rows), class_="facts"),
    )
    return framed(site, site.title, *contents)


def list_page(site: Site, kind: str) -> bytes:
    """The list of the things of a kind."""
    things = [thing for thing in site.things.values() if thing.subject.kind == kind]
    pictures, are_told = kind in WITH_ICON, any(thing.about for thing in things)
    rows = []
    for thing in things:
        picture = site.picture(thing.subject) if pictures else None
        icon = None if picture is None else tag("img", src=f"../{picture}", alt="", class_="icon", loading="lazy")
        rows.append(
            tag(
                "tr",
                tag("td", str(thing.subject.key[-1])),
                tag("td", icon, tag("a", thing.name, href=f"../{page_path(thing.subject)}")),
                tag("td", thing.about) if are_told else None,
            )
        )
    title = KINDS[kind].title
    return framed(site, title, tag("h1", title), table(("Number", "Name", "About")[: 2 + are_told], rows), folder="../")


def map_page(site: Site) -> bytes:
    """The page of the map, which its script fills."""
    scripts = ("data/map.js", "data/events.js", "map.js")
    waiting = tag("noscript", "The map is shown with JavaScript, which is switched off.")
    return framed(site, "Map", tag("div", waiting, id="map"), scripts=scripts)


def search_data(site: Site) -> bytes:
    """The script with what the search knows: kind, name, what else is known, page."""
    return script(
        "THINGS",
        [
            [KINDS[thing.subject.kind].one, thing.name, thing.about, page_path(thing.subject)]
            for thing in site.things.values()
            if thing.subject.kind in _SEARCHED
            and not (thing.subject.kind in EVENT_LISTS and thing.name[:7] == "Object ")
        ],
    )


def script(name: str, value: Any) -> bytes:
    """A script that sets a variable to a value."""
    return f"const {name} = {json.dumps(value, ensure_ascii=False, separators=(',', ':'))};\n".encode(
        "utf-8", "replace"
    )


# --- the introduction

_INLINE: Final = re.compile(r"\[([^]]+)\]\(([^)\s]+)\)|\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`")
_SAFE: Final = re.compile(r"(https?://|mailto:|[\w./#-]+$)")


def markdown(text: str) -> Markup:
    """Headings, paragraphs, lists, links, emphasis and code of a text in Markdown."""
    return joined(_block(block) for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")) if block.strip())


def _block(block: str) -> Markup:
    if heading := re.match(r"(#{1,5})\s+(.*)", block):
        first = tag(f"h{len(heading[1]) + 1}", _inline(heading[2]))
        rest = block[heading.end() :].strip()
        return joined((first, _block(rest) if rest else None))
    if block.startswith("    "):
        return tag("pre", broken(dedent(block).strip("\n")), class_="script")
    lines = block.strip().split("\n")
    for mark, name in ((r"[-*]\s+", "ul"), (r"\d+\.\s+", "ol")):
        if all(re.match(mark, line) for line in lines):
            return tag(name, (tag("li", _inline(re.sub(mark, "", line, count=1))) for line in lines))
    return tag("p", _inline(" ".join(lines)))


def _inline(text: str) -> Iterator[Content]:
    end = 0
    for part in _INLINE.finditer(text):
        yield text[end : part.start()]
        words, goal, *others = part.groups()
        if goal is not None:
            yield tag("a", words, href=goal) if _SAFE.match(goal) else words
        else:
            yield next(tag(name, inner) for name, inner in zip(("strong", "em", "code"), others, strict=True) if inner)
        end = part.end()
    yield text[end:]
