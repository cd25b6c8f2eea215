"""Writing a poster as a PNG while its bands are drawn, optionally by several processes."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from itertools import chain

from mapexplorer.export.files import write_atomically
from mapexplorer.export.images import CompressedRows, compress_rows, png_rows, write_png_rows
from mapexplorer.export.poster_bands import SVG, Poster, Region
from mapexplorer.export.poster_overlays import legend_picture, svg
from mapexplorer.export.request import PosterRequest
from mapexplorer.kernels import DS_PICTURES, prepare
from mapexplorer.system.progress import Outcome, Progress
from mapexplorer.system.workers import done_by
from mapexplorer.world import wording
from mapexplorer.world.cells import CELL_TILES
from mapexplorer.world.colors import Rgb
from mapexplorer.world.opening import open_rom
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.world import FieldWorld

_BANDS_PER_TASK = 3
"""The number of bands that a process draws in succession; neighbouring bands share models."""

_Band = tuple[CompressedRows, tuple[Damage, ...]]
"""The rows of a band, and what is left out."""

_DIED = "A process that drew the poster {}."
_STEPS = "bands of the picture"


def write_poster(plan: PosterRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Draw a poster and write it, optionally with several processes.

    `progress` is called repeatedly with the number of finished bands; an error that it raises stops the work, and no
    file is written. The file does not depend on the number of processes. Raises FormatError, RomError, OSError.
    """
    prepare(DS_PICTURES)  # once, not in every process
    missing: dict[str, None] = {}
    poster, jobs = Poster(world, plan), plan.jobs or os.cpu_count() or 1
    as_svg = plan.output.suffix.lower() == SVG

    def counted(pieces: Iterator[_Band]) -> Iterator[CompressedRows]:
        progress.report(0, poster.bands, _STEPS)
        for number, (piece, damaged) in enumerate(pieces, 1):
            missing.update(dict.fromkeys(map(wording.damage, damaged)))
            yield piece
            progress.report(number, poster.bands, _STEPS)

    entries = poster.ground.legend(poster.cells.values()) if plan.legend else []
    below = legend_picture(entries, poster.width) if entries and not as_svg else None
    height = poster.height + (len(below) if below is not None else 0)
    with contextlib.closing(_drawn_bands(poster, jobs, progress.check)) as drawn:
        rows = counted(drawn) if below is None else chain(counted(drawn), [compress_rows(below)])
        if as_svg:
            picture = b"".join(png_rows(poster.width, height, rows))
            write_atomically(plan.output, _shapes(poster, picture, entries).encode())
        else:
            write_png_rows(plan.output, poster.width, height, rows)
    place, damaged, region = poster.place, list(missing), poster.region
    matrix, size = place.matrix_id.value, f"{poster.width} x {height} pixels"
    corner = [value * CELL_TILES / plan.cell_pixels for value in (region.left, region.upper)]
    facts = {"file": str(plan.output), "header": place.header.id, "matrix": matrix, "whole_matrix": poster.whole}
    facts |= {"corner": corner, "width": poster.width, "height": height, "damaged": damaged}
    what = f"matrix {matrix}" if poster.whole else place.header.title
    sentence = f"{what}, {size}, {plan.output.stat().st_size:,} bytes"
    return Outcome(sentence, [plan.output], damaged, facts)


def _shapes(poster: Poster, picture: bytes, entries: Sequence[tuple[Rgb, str]]) -> str:
    """The poster as SVG."""
    region, masks = poster.region, poster.labels if poster.plan.names else []
    names = [(text, x + mask.shape[1] / 2, y + mask.shape[0] / 2) for text, x, y, mask in masks]
    box = region.left, region.upper, poster.width, poster.height
    return svg(poster.ground, picture, box, [*poster.cells.values()], names, entries)


def _drawn_bands(poster: Poster, jobs: int, waiting: Callable[[], None]) -> Generator[_Band, None, None]:
    """The bands in order, which several processes draw if there are enough. `waiting` is called repeatedly."""
    size = _BANDS_PER_TASK if jobs > 1 and poster.bands > _BANDS_PER_TASK else 1
    tasks = [range(first, min(first + size, poster.bands)) for first in range(0, poster.bands, size)]
    jobs = min(jobs, len(tasks)) if size > 1 else 1
    start = (poster.world.rom.path, poster.plan, poster.region)
    early: dict[int, list[_Band]] = {}  # drawn before those above them
    following = 0
    for index, bands in done_by(partial(_draw, poster), tasks, jobs, _begin, start, _DIED, waiting):
        early[index] = bands
        while following in early:
            yield from early.pop(following)
            following += 1


def _begin(rom: str, plan: PosterRequest, region: Region) -> Callable[[range], list[_Band]]:
    return partial(_draw, Poster(FieldWorld(open_rom(rom)), plan, region))


def _draw(poster: Poster, bands: range) -> list[_Band]:
    gc.collect(1)  # scenes refer to themselves: few objects with large arrays, which the collector does not count
    return [(compress_rows(poster.band(band)), poster.damaged) for band in bands]
