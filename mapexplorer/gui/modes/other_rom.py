"""The ROM with which the window's ROM is compared: the same picture and the same facts from it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from formats.binary import FormatError
from mapexplorer.errors import PlaceError, RomChangedError, RomError
from mapexplorer.games import Game
from mapexplorer.gui.rendering.place_renderer import FrameRequest, PlaceRenderer, RenderedFrame
from mapexplorer.inspector.describe import describe
from mapexplorer.inspector.facts import Description, with_values_before
from mapexplorer.world import FieldWorld
from mapexplorer.world.save import Save
from mapexplorer.world.subject import Subject, subject


@dataclass(frozen=True, eq=False)
class OtherRom:
    """The other ROM: a world for comparing, and a renderer for each worker that reads it. `headers`: header of the
    window's ROM -> the same map here."""

    world: FieldWorld
    draw: PlaceRenderer
    read: PlaceRenderer
    headers: dict[int, int]

    def with_before(self, frame: RenderedFrame) -> RenderedFrame:
        """A frame with the picture of the same view in this ROM. Called in the worker that draws."""
        header = self.headers.get(frame.request.header)
        if header is None:
            return frame
        try:
            return replace(frame, before=self.draw.frame(self._request(frame.request, header)).picture)
        except RomChangedError:
            return frame  # it is read again
        except (FormatError, RomError, PlaceError, ValueError):
            return frame  # the view says that there is no picture

    def _request(self, request: FrameRequest, header: int) -> FrameRequest:
        """A request for the same picture of this ROM."""
        zones = tuple((tick, self.headers.get(zone, header)) for tick, zone in request.zones)
        return replace(request, header=header, zones=zones)

    def described(self, description: Description, game: Game, header: int, chosen: Subject, save: Save) -> Description:
        """A description of a thing of the window's ROM, of `game`, with the values that it has here. Called in the
        worker that reads."""
        before = self.headers.get(header)
        if before is None:
            return description
        if chosen.kind == "header":
            chosen = subject("header", self.headers.get(chosen.key[0], before))
        elif self.world.game.name != game.name:
            return description  # numbers mean other things
        try:
            return with_values_before(description, describe(self.read.world, before, chosen, save))
        except (FormatError, RomError, PlaceError, KeyError, IndexError):
            return description  # this ROM does not have it
