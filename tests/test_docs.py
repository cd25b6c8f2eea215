"""The pages of docs/ that are made by a program are up to date, and links between pages lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools import cli_reference, coordinates_picture, format_tables

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
SOURCES = [*(ROOT / "mapexplorer").rglob("*.py")]


@pytest.mark.parametrize("made", [cli_reference, coordinates_picture, format_tables], ids=lambda made: made.__name__)
def test_a_made_page_is_up_to_date(made: object) -> None:
    assert made.PAGE.read_text("utf-8") == made.page(), f"run python -m {made.__name__}"


def anchors(page: Path) -> set[str]:
    """The anchors of the titles of a page."""
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" in target or target.startswith("mailto:"):
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(file), f"{page.name}: {target}"


def test_troubleshooting_has_the_words_of_the_program() -> None:
    """Each text in the second column is one of the program."""
    program = "".join(source.read_text("utf-8") for source in SOURCES)
    rows = re.findall(
        r"^\| [^|]+ \| (`[^|]+) \|", (ROOT / "docs" / "troubleshooting.md").read_text("utf-8"), re.MULTILINE
    )
    assert len(rows) > 10
    for said in rows:
        assert said.split("`")[1] in program, said


def test_every_page_is_in_the_contents() -> None:
    named = re.findall(r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))
