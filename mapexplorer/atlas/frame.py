"""The parts that pages of an atlas share: head, menu, search, foot, tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from mapexplorer._version import __version__
from mapexplorer.atlas.site import LISTED, Site
from mapexplorer.catalogue.kinds import KINDS
from mapexplorer.export.markup import Content, Markup, joined, tag
from mapexplorer.world.subject import Subject

_POLICY: Final = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
_LONGEST_TITLE: Final = 70
"""Letters of a title that browsers and searches show."""
_NOTICE: Final = (
    "Names, texts and pictures of the game belong to their owners; this site was made from a copy of the game by a "
    "program and is not connected with them."
)


def framed(site: Site, title: str, *contents: Content, folder: str = "", scripts: Iterable[str] = ()) -> bytes:
    """A page. `folder`: the path from its folder to that of the site, `../` or empty; `scripts`: more files to load."""
    head = (
        _head(site, folder),
        tag("title", " - ".join(dict.fromkeys((title, site.title)))[:_LONGEST_TITLE]),
        (tag("script", src=f"{folder}{name}", defer=True) for name in (*scripts, "site.js")),
    )
    body = tag("body", _top(site, folder), tag("main", contents), _foot(site), data_folder=folder)
    return f"<!DOCTYPE html>\n{tag('html', tag('head', head), body, lang='en')}\n".encode("utf-8", "replace")


@cache
def _head(site: Site, folder: str) -> Markup:
    """What the heads of all pages say."""
    author = site.request.author
    return joined(
        (
            tag("meta", charset="utf-8"),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
            tag("meta", name="generator", content=f"mapexplorer {__version__}"),
            tag("meta", name="author", content=author) if author else None,
            tag("link", rel="stylesheet", href=f"{folder}site.css"),
        )
    )


@cache
def _top(site: Site, folder: str) -> Markup:
    """The menu and the search."""
    menu = [tag("a", site.title, href=f"{folder}index.html", class_="home"), tag("a", "Map", href=f"{folder}map.html")]
    menu += [tag("a", KINDS[kind].title, href=f"{folder}{list_path(kind)}") for kind in listed_kinds(site)]
    box = tag("input", type="search", id="search", placeholder="Search", aria_label="Search", autocomplete="off")
    results = tag("ul", tag("li", "Type a name."), id="found", hidden=True)
    return tag(
        "header",
        tag("details", tag("summary", "Menu"), tag("nav", menu)),
        tag("form", box, tag("button", "Go", type="submit"), results, class_="search", role="search"),
    )


@cache
def _foot(site: Site) -> Markup:
    author = site.request.author
    saved = "What is there, hidden and done is that of a saved game, not of a new one."
    return tag(
        "footer",
        tag("p", _NOTICE),
        tag("p", saved) if site.save is not None else None,
        tag("p", f"By {author}.") if author else None,
    )


def listed_kinds(site: Site) -> list[str]:
    """The kinds of which there is a list."""
    present = {thing.kind for thing in site.things}
    return [kind for kind in LISTED if kind in present]


def list_path(kind: str) -> str:
    """The file of the list of a kind."""
    return f"{kind.replace(' ', '-')}/index.html"


def linked(site: Site, goal: Subject | None, words: Content, folder: str = "../", header: int = 0) -> Markup:
    """Words with a link to a thing, if it is shown anywhere."""
    address = site.address(goal, header)
    return joined(words) if address is None else tag("a", words, href=folder + address)


def broken(text: str) -> Markup:
    """A text with its breaks of lines."""
    lines = text.replace("\r", "\n").replace("\f", "\n").split("\n")
    return joined([(tag("br") if number else None, line) for number, line in enumerate(lines)])


def table(heads: Sequence[str], rows: Iterable[Content]) -> Markup:
    """A list that sorts and filters. `rows` are elements `tr`."""
    names = tag("thead", tag("tr", (tag("th", head, scope="col") for head in heads)))
    return tag("div", tag("table", names, tag("tbody", rows), class_="list"), class_="wide")
