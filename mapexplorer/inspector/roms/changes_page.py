"""The differences between two ROMs as one HTML page, with pictures of each changed place."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from mapexplorer._version import __version__
from mapexplorer.arrays import Picture
from mapexplorer.compare.change import Change, Comparison
from mapexplorer.compare.changed_places import ChangedPlace, changed_places, of_no_place
from mapexplorer.compare.pictures import PicturePair, difference_picture, picture_pairs
from mapexplorer.export.images import encode_png
from mapexplorer.export.markup import Markup, joined, tag
from mapexplorer.inspector.roms.changes import TITLES, changes_by_kind, changes_summary, skipped_text
from mapexplorer.inspector.things.common import clock_text
from mapexplorer.system.progress import Progress
from mapexplorer.values import count
from mapexplorer.world.world import FieldWorld

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --muted: #888; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1rem 1.25rem 3rem; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .4rem; }
h3 { font-size: 1rem; margin: 1rem 0 .2rem; }
p.muted, figcaption, .muted { color: var(--muted); }
table { border-collapse: collapse; } td, th { border-bottom: 1px solid var(--line); padding: .2rem .9rem .2rem 0; }
th { text-align: left; } td.number { text-align: right; }
section { border-top: 1px solid var(--line); margin-top: 2rem; } ul { margin: .2rem 0; padding-left: 1.2rem; }
li { overflow-wrap: anywhere; }
.pictures { display: grid; gap: .6rem; grid-template-columns: repeat(3, minmax(0, 1fr)); margin: .6rem 0; }
figure { margin: 0; } img { display: block; height: auto; image-rendering: pixelated; width: 100%; }
nav ul { columns: 3 14rem; list-style: none; padding: 0; } a { color: inherit; }
@media (max-width: 40rem) { .pictures { grid-template-columns: 1fr; } }
"""


def changes_page(
    before: FieldWorld,
    after: FieldWorld,
    comparison: Comparison,
    header: int | None = None,
    progress: Progress = Progress(),  # noqa: B008
) -> Iterator[str]:
    """The pieces of the page; the pictures are drawn meanwhile. It needs no other file. `header`: only that map
    of the second ROM. Raises RomError for a ROM that was changed while it was read."""
    places = [place for place in changed_places(before, after, comparison) if header in (None, place.header)]
    yield from _head(before, after, comparison)
    yield _contents(after, places)
    for number, place in enumerate(places):
        progress.report(number, len(places), after.headers[place.header].title)
        yield _place(before, after, place)
    progress.report(len(places), len(places), "")
    others = of_no_place(comparison)
    if others:
        yield tag("section", tag("h2", "Of many maps, or of none"), _changes(before, after, others))
    yield "</body></html>\n"


def _head(before: FieldWorld, after: FieldWorld, comparison: Comparison) -> Iterator[str]:
    title = f"{_name(before)} and {_name(after)}"
    yield f"<!DOCTYPE html>\n<html lang='en'><head>{tag('meta', charset='utf-8')}{tag('title', title)}"
    yield tag("meta", name="viewport", content="width=device-width, initial-scale=1")
    yield tag("meta", name="generator", content=f"mapexplorer {__version__}")
    yield f"<style>{_STYLE}</style></head><body>{tag('h1', title)}{tag('p', changes_summary(comparison))}"
    worlds = (("Before", before), ("After", after))
    yield tag(
        "table",
        *(
            tag(
                "tr", tag("th", word), tag("td", _name(world)), tag("td", world.game.release(world.rom), class_="muted")
            )
            for word, world in worlds
        ),
    )
    if comparison.counts:
        rows = (
            tag("tr", tag("td", TITLES[kind]), tag("td", f"{number:,}", class_="number"))
            for kind, number in comparison.counts.items()
        )
        yield joined((tag("h2", "Differences"), tag("table", rows)))
    yield joined(tag("p", skipped_text(*pair), class_="muted") for pair in comparison.skipped.items())


def _name(world: FieldWorld) -> str:
    return world.rom.path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _contents(after: FieldWorld, places: Sequence[ChangedPlace]) -> Markup:
    """The list of the changed places."""
    links = (
        tag(
            "li",
            tag("a", after.headers[place.header].title, href=f"#map{place.header}"),
            " ",
            tag("span", f"{len(place.changes):,}", class_="muted"),
        )
        for place in places
    )
    return tag("nav", tag("h2", count(len(places), "changed place")), tag("ul", links)) if places else Markup()


def _place(before: FieldWorld, after: FieldWorld, place: ChangedPlace) -> Markup:
    shared = len(place.changes) - len(place.own)
    words = f"And {count(shared, 'difference')} of this and other maps, listed at the end."
    first = None if place.before is None else before.place(place.before)
    return tag(
        "section",
        tag(
            "h2",
            f"{after.headers[place.header].title} ",
            tag("span", f"header {place.header}", class_="muted"),
        ),
        _changes(before, after, [replace(change, headers=()) for change in place.own]),
        tag("p", words, class_="muted") if shared else None,
        map(_pictures, picture_pairs(first, after.place(place.header), place.changes)),
        id=f"map{place.header}",
    )


def _pictures(pair: PicturePair) -> Markup:
    where = f"The player at tile {pair.at[0]:g}, {pair.at[1]:g}, {clock_text(pair.second)}"
    if pair.equal and pair.after is not None:
        figures = [_figure(pair.after, "Before and after: the pictures are equal", where)]
    else:
        figures = [
            _figure(picture, words, where) if picture is not None else tag("p", f"{words}: no picture", class_="muted")
            for picture, words in ((pair.before, "Before"), (pair.after, "After"))
        ]
        if pair.before is not None and pair.after is not None:
            figures.append(_figure(difference_picture(pair.before, pair.after), "Difference", where))
    return tag("div", figures, class_="pictures")


def _figure(picture: Picture, words: str, where: str) -> Markup:
    data = f"data:image/png;base64,{b64encode(encode_png(picture)).decode()}"
    shown = tag("img", src=data, width=256, height=192, alt=f"{words}. {where}")
    return tag("figure", shown, tag("figcaption", words, tag("br"), where))


def _changes(before: FieldWorld, after: FieldWorld, changes: Iterable[Change]) -> Markup:
    """Differences as lists under the titles of their kinds."""
    return joined(
        (tag("h3", title), tag("ul", (tag("li", line.strip()) for line in lines)))
        for title, lines in changes_by_kind(before, after, changes)
    )
