"""Links of the built manual: `python -m tools.site_check [FOLDER]` reads build/docs and fails on a broken one.

Every relative link of every page leads to a file of the manual and, with an anchor, to an element with this id. No
page loads anything from the network.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

SITE: Final = Path(__file__).parents[1] / "build" / "docs"
ERROR_PAGE: Final = "404.html"
"""Its links begin at the root of a server."""
LOADED: Final = {("img", "src"), ("script", "src"), ("link", "href")}
"""What a browser loads with a page."""


@dataclass
class Page(HTMLParser):
    """The links and the ids of a page."""

    links: list[tuple[str, bool]] = field(default_factory=list)
    """Target, and whether it is loaded with the page."""
    ids: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Keep what the attributes of an element name."""
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append((value, (tag, name) in LOADED))
            elif name in ("id", "name") and value:
                self.ids.add(value)


def read(file: Path) -> Page:
    """The page of a file."""
    page = Page()
    page.feed(file.read_text("utf-8"))
    return page


def problems(site: Path) -> list[str]:
    """A sentence for each link that leads nowhere or to the network."""
    files = {file.resolve(): read(file) for file in sorted(site.rglob("*.html")) if file.name != ERROR_PAGE}
    return [
        f"{file.relative_to(site.resolve())}: {target}: {problem}"
        for file, page in files.items()
        for target, is_loaded in page.links
        if (problem := _problem(file, target, is_loaded, files))
    ]


def _problem(file: Path, target: str, is_loaded: bool, files: dict[Path, Page]) -> str:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return "is loaded from the network" if is_loaded and parts.scheme != "data" else ""
    there = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    if not there.is_file():
        return "there is no such file"
    anchor = unquote(parts.fragment)
    if anchor and there in files and anchor not in files[there].ids:
        return "there is no such place in the page"
    return ""


def main() -> int:
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else SITE
    found = problems(site)
    count = len(list(site.rglob("*.html")))
    sys.stdout.write("".join(f"{one}\n" for one in found) + f"{count} pages, {len(found)} broken links\n")
    return int(bool(found) or not count)


if __name__ == "__main__":
    sys.exit(main())
