"""The questions of the built manual: `python -m tools.question_check [FOLDER]` reads build/docs.

It follows the links of the pages: from the start page to the list of questions, and from each row of its tables to the
page that answers it. The words in code or bold type of the short answer occur in the section that this link leads to,
on a page without an anchor anywhere. A question that is not answered so is an error.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from tools.site_check import SITE

START: Final = "index.html"
LIST: Final = "questions.html"
LEVELS: Final = {f"h{level}": level for level in range(1, 7)}


@dataclass
class Row:
    """A row of a table: the texts of its cells, their words in code or bold type, and their links."""

    cells: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


@dataclass
class Section:
    """The level of a title, its anchor, and the text from it to the next title."""

    level: int = 0
    anchor: str = ""
    text: str = ""


@dataclass
class Article(HTMLParser):
    """The contents of a page without its navigation."""

    rows: list[Row] = field(default_factory=list)
    sections: list[Section] = field(default_factory=lambda: [Section()])
    links: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)
    """The open elements of the article."""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Begin a row, a cell, a word or a section; keep a link."""
        named = dict(attributes)
        if tag == "article" or (self.inside and tag in ("tr", "td", "code", "strong")):
            self.inside.append(tag)
        if not self.inside:
            return
        if tag == "tr":
            self.rows.append(Row())
        elif tag == "td":
            self.rows[-1].cells.append("")
        elif tag in ("code", "strong") and "td" in self.inside:
            self.rows[-1].words.append("")
        elif tag in LEVELS:
            self.sections.append(Section(LEVELS[tag], named.get("id") or ""))
        elif tag == "a" and (target := named.get("href")):
            self.links.append(target)
            if "td" in self.inside:
                self.rows[-1].links.append(target)

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        """Add text to its section, cell and word."""
        if not self.inside:
            return
        self.sections[-1].text += data
        if "td" in self.inside:
            self.rows[-1].cells[-1] += data
            if self.inside[-1] in ("code", "strong"):
                self.rows[-1].words[-1] += data

    def text(self, anchor: str) -> str:
        """The text of the section with an anchor and of those below it; all text without an anchor."""
        if not anchor:
            return "".join(section.text for section in self.sections)
        found, level = "", 0
        for section in self.sections:
            if section.anchor == anchor:
                level = section.level
            elif level and section.level <= level:
                break
            found += section.text if level else ""
        return found


def article(file: Path) -> Article:
    """The contents of a file."""
    found = Article()
    found.feed(file.read_text("utf-8"))
    return found


def questions(site: Path) -> list[Row]:
    """The rows of the list that are questions; none if the start page does not lead to it."""
    if LIST not in article(site / START).links:
        return []
    return [row for row in article(site / LIST).rows if row.cells and row.cells[0].endswith("?")]


def problem(site: Path, row: Row) -> str:
    """Why the question of a row is not answered, or an empty string."""
    pages = [urlsplit(link) for link in row.links]
    if len(pages) != 1 or not (site / unquote(pages[0].path)).is_file():
        return "does not lead to one page"
    if not row.words:
        return "has no short answer"
    text = " ".join(article(site / unquote(pages[0].path)).text(unquote(pages[0].fragment)).split())
    missing = [word for word in row.words if word not in text]
    return f"{pages[0].geturl()} does not say {', '.join(missing)}" if missing else ""


def main() -> int:
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else SITE
    found = questions(site)
    lines = [f"{row.cells[0]} {reason}\n" for row in found if (reason := problem(site, row))]
    sys.stdout.write("".join(lines) + f"{len(found)} questions, {len(lines)} without an answer\n")
    return int(bool(lines) or not found)


if __name__ == "__main__":
    sys.exit(main())
