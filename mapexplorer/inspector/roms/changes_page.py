"""The differences between two ROMs as one HTML page, with pictures of each changed place."""

from __future__ import annotations

import html
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
from mapexplorer.inspector.roms.changes import TITLES, changes_by_kind, changes_summary, skipped_text
from mapexplorer.inspector.things.common import clock_text, counted
from mapexplorer.system.progress import Progress
from mapexplorer.system.terminal import printable
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
    yield from _contents(after, places)
    for number, place in enumerate(places):
        progress.report(number, len(places), after.headers[place.header].title)
        yield from _place(before, after, place)
    progress.report(len(places), len(places), "")
    others = of_no_place(comparison)
    if others:
        yield "<section><h2>Of many maps, or of none</h2>"
        yield from _changes(before, after, others)
        yield "</section>"
    yield "</body></html>\n"


def _head(before: FieldWorld, after: FieldWorld, comparison: Comparison) -> Iterator[str]:
    title = _escaped(f"{_name(before)} and {_name(after)}")
    yield f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
    yield "<meta name='viewport' content='width=device-width, initial-scale=1'>"
    yield f"<meta name='generator' content='mapexplorer {__version__}'><style>{_STYLE}</style></head><body>"
    yield f"<h1>{title}</h1><p>{_escaped(changes_summary(comparison))}</p><table>"
    for word, world in (("Before", before), ("After", after)):
        release = _escaped(world.game.release(world.rom))
        yield f"<tr><th>{word}</th><td>{_escaped(_name(world))}</td><td class='muted'>{release}</td></tr>"
    yield "</table>"
    if comparison.counts:
        yield "<h2>Differences</h2><table>"
        for kind, number in comparison.counts.items():
            yield f"<tr><td>{_escaped(TITLES[kind])}</td><td class='number'>{number:,}</td></tr>"
        yield "</table>"
    yield "".join(f"<p class='muted'>{_escaped(skipped_text(*pair))}</p>" for pair in comparison.skipped.items())


def _escaped(text: str) -> str:
    return html.escape(printable(text))


def _name(world: FieldWorld) -> str:
    return world.rom.path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _contents(after: FieldWorld, places: Sequence[ChangedPlace]) -> Iterator[str]:
    if not places:
        return
    yield f"<nav><h2>{counted(len(places), 'changed place')}</h2><ul>"
    for place in places:
        title = _escaped(after.headers[place.header].title)
        yield f"<li><a href='#map{place.header}'>{title}</a> <span class='muted'>{len(place.changes):,}</span></li>"
    yield "</ul></nav>"


def _place(before: FieldWorld, after: FieldWorld, place: ChangedPlace) -> Iterator[str]:
    title = _escaped(after.headers[place.header].title)
    yield f"<section id='map{place.header}'><h2>{title} <span class='muted'>header {place.header}</span></h2>"
    yield from _changes(before, after, [replace(change, headers=()) for change in place.own])
    shared = len(place.changes) - len(place.own)
    if shared:
        yield f"<p class='muted'>And {counted(shared, 'difference')} of this and other maps, listed at the end.</p>"
    first = None if place.before is None else before.place(place.before)
    for pair in picture_pairs(first, after.place(place.header), place.changes):
        yield from _pictures(pair)
    yield "</section>"


def _pictures(pair: PicturePair) -> Iterator[str]:
    where = f"The player at tile {pair.at[0]:g}, {pair.at[1]:g}, {clock_text(pair.second)}"
    yield "<div class='pictures'>"
    if pair.equal and pair.after is not None:
        yield _figure(pair.after, "Before and after: the pictures are equal", where)
    else:
        for picture, words in ((pair.before, "Before"), (pair.after, "After")):
            yield _figure(picture, words, where) if picture is not None else f"<p class='muted'>{words}: no picture</p>"
        if pair.before is not None and pair.after is not None:
            yield _figure(difference_picture(pair.before, pair.after), "Difference", where)
    yield "</div>"


def _figure(picture: Picture, words: str, where: str) -> str:
    data = b64encode(encode_png(picture)).decode()
    return (
        f"<figure><img src='data:image/png;base64,{data}' width='256' height='192' alt='{words}. {where}'>"
        f"<figcaption>{words}<br>{where}</figcaption></figure>"
    )


def _changes(before: FieldWorld, after: FieldWorld, changes: Iterable[Change]) -> Iterator[str]:
    """Differences as lists under the titles of their kinds."""
    for title, lines in changes_by_kind(before, after, changes):
        yield f"<h3>{_escaped(title)}</h3><ul>"
        yield from (f"<li>{_escaped(line.strip())}</li>" for line in lines)
        yield "</ul>"
