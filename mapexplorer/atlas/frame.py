"""The parts that pages of an atlas share: head, menu, search, foot, tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mapexplorer._version import __version__
from mapexplorer.atlas.site import LISTED, Site
from mapexplorer.catalogue.kinds import KINDS
from mapexplorer.export.markup import Content, Markup, joined, tag
from mapexplorer.world.subject import Subject

_POLICY: Final = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
_NOTICE: Final = (
    "Names, texts and pictures of the game belong to their owners; this site was made from a copy of the game by a "
    "program and is not connected with them."
)


def framed(site: Site, title: str, *contents: Content, folder: str = "", scripts: Iterable[str] = ()) -> bytes:
    """A page. `folder`: the path from its folder to that of the site, `../` or empty; `scripts`: more files to load."""
    menu = [tag("a", site.title, href=f"{folder}index.html", class_="home")]
    menu += [tag("a", "Map", href=f"{folder}map.html")]
    menu += [tag("a", KINDS[kind].title, href=f"{folder}{list_path(kind)}") for kind in listed_kinds(site)]
    search = tag(
        "form",
        tag("input", type="search", id="search", placeholder="Search", aria_label="Search", autocomplete="off"),
        tag("ul", tag("li", "Type a name."), id="found", hidden=True),
        class_="search",
    )
    head = (
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="generator", content=f"mapexplorer {__version__}"),
        tag("meta", name="author", content=site.request.author) if site.request.author else None,
        tag("title", f"{title} - {site.title}" if title != site.title else title),
        tag("link", rel="stylesheet", href=f"{folder}site.css"),
        (tag("script", src=f"{folder}{name}", defer=True) for name in (*scripts, "site.js")),
    )
    body = (
        tag("header", tag("details", tag("summary", "Menu"), tag("nav", menu)), search),
        tag("main", contents),
        tag("footer", tag("p", _NOTICE), tag("p", f"By {site.request.author}.") if site.request.author else None),
    )
    page = tag("html", tag("head", head), tag("body", body, data_folder=folder), lang="en")
    return f"<!DOCTYPE html>\n{page}\n".encode("utf-8", "replace")


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
