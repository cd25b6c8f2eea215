"""The pages of docs/ that are made by a program are up to date, and links between pages lead somewhere."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from click.testing import CliRunner
from mkdocs.config import load_config
from mkdocs.structure.files import get_files
from mkdocs.structure.nav import get_navigation
from PIL import Image

from mapexplorer.cli import program
from tools import (
    action_reference,
    cli_reference,
    coordinates_picture,
    format_tables,
    pictures,
    question_check,
    site_check,
)

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
SOURCES = [*(ROOT / "mapexplorer").rglob("*.py")]


def shown_help(*verb: str) -> str:
    """What `--help` prints, of the program or of a verb, in wide lines."""
    return CliRunner().invoke(program, [*verb, "--help"], terminal_width=200).output


@pytest.mark.parametrize(
    "made",
    [pytest.param(action_reference, marks=pytest.mark.gl), cli_reference, coordinates_picture, format_tables],
    ids=lambda made: made.__name__,
)
def test_a_made_page_is_up_to_date(made: object) -> None:
    assert made.PAGE.read_text("utf-8") == made.page(), f"run python -m {made.__name__}"


@pytest.mark.parametrize("verb", re.findall("^  ([a-z][a-z-]*)  ", shown_help(), re.MULTILINE))
def test_the_page_of_the_command_line_has_what_help_says(verb: str) -> None:
    """Each option that `--help` of a verb lists stands in the verb's section, and no other one."""
    page = (ROOT / "docs" / "cli.md").read_text("utf-8")
    (section,) = re.findall(rf"^## {verb}$(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    listed = re.findall("^  (?:-[a-z], )?(--[a-z-]+)", shown_help(verb).partition("\nOptions:\n")[2], re.MULTILINE)
    named = re.findall(r"^\* `(?:-[a-z], )?(--[a-z-]+)", section, re.MULTILINE)
    assert [*named, "--help"] == listed
    assert f"| [`{verb}`](#{verb}) |" in page


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


def test_every_page_is_in_the_contents_once() -> None:
    """In the contents that MkDocs makes."""
    config = load_config(str(ROOT / "mkdocs.yml"))
    contents = get_navigation(get_files(config), config)
    named = [page.file.src_uri for page in contents.pages]
    assert sorted(named) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))
    assert all(page.title for page in contents.pages)


EXAMPLES = {
    "collision": (["T01", "out.png"], "68% of 1024 tiles can be walked on"),
    "warps": (["H01", "L01"], "H01 -> D01R0101 -> D01R0201 -> L01"),
    "day": (["T01", "out.png", "3"], "out.png: 3 pictures"),
}
"""Program of docs/examples -> its arguments behind the ROM, and what it prints for the demo world."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_long_examples_work(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, printed = EXAMPLES[name]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [name, "demo", *arguments])
    runpy.run_path(str(ROOT / "docs" / "examples" / f"{name}.py"), run_name="__main__")
    assert capsys.readouterr().out.strip() == printed
    if "out.png" in arguments:
        with Image.open("out.png") as picture:
            assert getattr(picture, "n_frames", 1) == int(arguments[-1] if name == "day" else 1)
            assert picture.size == {"day": (256, 192), "collision": (32, 32)}[name]


def test_every_example_is_tested_and_shown() -> None:
    shown = re.findall(
        r'^--8<-- "docs/examples/(\w+)\.py"$', (ROOT / "docs" / "python.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(EXAMPLES) == sorted(shown) == sorted(file.stem for file in (ROOT / "docs" / "examples").glob("*.py"))


def site(folder: Path, **pages: str) -> list[str]:
    """The broken links of a site of pages."""
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text)
    return site_check.problems(folder)


def test_broken_links_of_the_built_manual_are_found(tmp_path: Path) -> None:
    other = '<a href="index.html">back</a><h2 id="here"></h2>'
    assert site(tmp_path, index='<a href="other.html#here">a</a><a href="https://x.org">b</a>', other=other) == []
    for broken in ('<a href="no.html">', '<a href="other.html#there">', '<img src="https://x.org/a.png">'):
        assert len(site(tmp_path, index=broken, other=other)) == 1


def test_a_question_whose_page_does_not_answer_it_is_found(tmp_path: Path) -> None:
    def row(words: str, *targets: str) -> str:
        links = "".join(f'<a href="{target}">page</a>' for target in targets)
        return f"<table><tr><td>Why?</td><td>{words}</td><td>{links}</td></tr></table>"

    (tmp_path / "index.html").write_text('<article><a href="questions.html">Questions</a></article>')
    answers = '<nav>menu</nav><article><h2 id="first">First</h2>so\nit is<h3>Below</h3>thus<h2 id="second">Second</h2>'
    (tmp_path / "answers.html").write_text(answers + "other</article>")
    for words, targets, is_answered in (
        ("<code>so it</code> and <strong>thus</strong>", ["answers.html#first"], True),
        ("<code>other</code>", ["answers.html"], True),
        ("<code>other</code>", ["answers.html#first"], False),
        ("<code>menu</code>", ["answers.html"], False),
        ("<code>so</code>", ["answers.html", "index.html"], False),
        ("<code>so</code>", ["absent.html"], False),
        ("so", ["answers.html"], False),
    ):
        (tmp_path / "questions.html").write_text(f"<article>{row(words, *targets)}</article>")
        (question,) = question_check.questions(tmp_path)
        assert (question_check.problem(tmp_path, question) == "") is is_answered, (words, targets)


def test_every_picture_is_made_and_shown() -> None:
    made = {f"pictures/{name}.png" for name in pictures.PICTURES}
    assert made == {f"pictures/{file.name}" for file in (ROOT / "docs" / "pictures").iterdir()}
    shown = {one for page in PAGES for one in re.findall(r"pictures/[\w-]+\.png", page.read_text("utf-8"))}
    assert made == shown


def links(name: str) -> set[str]:
    """The pages to which a page of docs/ leads."""
    text = (ROOT / "docs" / name).read_text("utf-8")
    return {target.partition("#")[0] for target in re.findall(r"\]\(([\w-]+\.md(?:#[\w-]+)?)\)", text)}


def test_every_page_is_two_clicks_from_the_start() -> None:
    first = links("index.md")
    assert {"index.md"} | first | set().union(*map(links, first)) == {
        page.name for page in (ROOT / "docs").glob("*.md")
    }


def test_a_question_has_one_page() -> None:
    """The start page leads to the list of questions, and each of them to one page."""
    assert "questions.md" in links("index.md")
    rows = re.findall(r"^\| (.+\?) \| (.+) \|$", (ROOT / "docs" / "questions.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) >= 20
    assert all(len(re.findall(r"\]\(", answer)) == 1 for _, answer in rows)
