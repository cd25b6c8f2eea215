"""The address of a view as text: `mapexplorer:PLATINUM-US/T01@116,885?hour=20&weather=fog&layers=collision`.

Release and map have their names in the ROM, the keys are the options of `Link` as the command line spells them. What
has its default is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import parse_qsl, quote, unquote

from mapexplorer.errors import PlaceError
from mapexplorer.option import Options, group, option
from mapexplorer.scene.view import ENTERED, FAR, NEW, View
from mapexplorer.values import Choice, Number, Numbers, ValueKind, Words
from mapexplorer.world.headers.header import matching_headers
from mapexplorer.world.layers import LAYERS

if TYPE_CHECKING:
    from mapexplorer.world.place import FieldPlace
    from mapexplorer.world.world import FieldWorld

SCHEME: Final = "mapexplorer:"
"""What a link begins with."""

LONGEST: Final = 1000
"""The characters that a link may have."""

DISTANCES: Final = (40.0, 3000.0)
"""The limits of the distance of a camera from what it turns around, in units."""

_LAYERS: Final = (
    *(kind.id for kind in LAYERS),
    *("wireframe", "missing_ds", "-terrain", "-props", "-people", "-sky", "-missing"),
)
"""The layers of the window that are not shown at first, and with - before them those that are."""

_FORM: Final = re.compile(rf"{SCHEME}([^/?]+)/([^@?]+)(?:@([^?]+))?(?:\?(.*))?", re.DOTALL)
"""Release, map, tile and options of a link."""


_SAVES: Final = Choice((ENTERED, NEW))
"""A link has no file of the user's, and opens none."""


@dataclass(frozen=True, kw_only=True)
class Link(Options):
    """A view of a map. `str` is the link as text. Raises OptionError."""

    release: str
    """That of the ROM, as `Game.release_code` has it."""
    map: str
    """A name of the map that no other one has."""
    picture: View = group(
        View, without=("day", "seed", "features", "state", "tick", "layers", "wireframe", "missing", "sky")
    )
    """The tile is `at` there, by default the map's default position."""
    target: tuple[float, float, float] | None = option(
        None, Numbers("X,Y,Z", limit=FAR), "What the camera looks at, in units, if not the tile.", "Target"
    )
    distance: float | None = option(
        None, Number(*DISTANCES), "Of a free camera that turns around a point: units to the point.", "Distance"
    )
    layers: tuple[str, ...] = option(
        (), Words(_LAYERS, "layer"), "Layers that are shown too, and with - before them those that are not.", "Layers"
    )
    view: str = option("ds", Choice(("ds", "gl", "both", "map")), "The view of the window.", "View")
    select: str = option(
        "",
        ValueKind(),
        "What is selected: `object:3`, `sign:0`, `warp:1` or `trigger:2` of the map, `tile:X,Z`, or KIND:NAME.",
        "Selected",
    )
    map_scale: float | None = option(None, Number(1 / 64, 8), "Pixels per unit of the map.", "Scale of the map")

    @classmethod
    def of(cls, place: FieldPlace, picture: View, layers: Iterable[str] = (), **more: Any) -> Self:
        """The link of a picture of a place; `layers` besides those of the picture, `more`: other fields."""
        header, world = place.header, place.world
        names = (*header.names, str(header.id))
        name = next(name for name in names if matching_headers(world.headers, name)[1] == [header])
        changed = (*(f"-{layer}" for layer in View.layers if layer not in picture.layers), *layers)
        values = {**picture.flat(), "layers": changed, **more}
        if values["save"] not in _SAVES.words:
            del values["save"]
        return cls.made(values, release=world.game.release_code(world.rom), map=name)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The link that a text is. Raises PlaceError with one sentence for any other text."""
        parts = _FORM.fullmatch(text.strip())
        if parts is None or len(text) > LONGEST:
            raise PlaceError(f"{text[:80]!r} is no link: {SCHEME}RELEASE/MAP ..., of at most {LONGEST} characters.")
        release, name, tile, query = parts.groups("")
        values = {}
        for key, value in parse_qsl(f"at={tile}&{query}" if tile else query, keep_blank_values=True):
            try:
                known = KEYS[key]
                values[known.name] = (_SAVES if key == "save" else known.option.kind).parse(value)
            except KeyError:
                raise PlaceError(f"A link has no {key!r}; it may have {', '.join(KEYS)}.") from None
            except ValueError as error:
                raise PlaceError(f"In the link, {key}: {error}") from None
        return cls.made(values, release=unquote(release), map=unquote(name))

    def place(self, world: FieldWorld) -> FieldPlace:
        """The place that it names in a ROM. Raises PlaceError for another release, an unknown map, and a tile that is
        not there."""
        if (release := world.game.release_code(world.rom)) != self.release:
            raise PlaceError(f"The link is for {self.release}, and {world.rom.path} is {release}.")
        place = world.place(self.map)
        place.check_tile(self.picture.at)
        return place

    @property
    def drawn(self) -> View:
        """What a picture shows of it: all but the layers that only the window has."""
        return replace(
            self.picture,
            layers=tuple(layer for layer in View.layers if f"-{layer}" not in self.layers),
            target=self.target,
        )

    def __str__(self) -> str:
        """The shortest text of it, numbers with six digits."""
        values = self.flat()
        given = {
            key: _text(each.option.kind, values[each.name])
            for key, each in KEYS.items()
            if values[each.name] != each.default
        }
        tile = f"@{given.pop('at')}" if "at" in given else ""
        query = "?" * bool(given) + "&".join(f"{key}={text}" for key, text in given.items())
        return (
            f"{SCHEME}{quote(self.release, '+', errors='replace')}/{quote(self.map, '', errors='replace')}{tile}{query}"
        )


def _text(kind: ValueKind, value: Any) -> str:
    """A value of an option in a link."""
    return quote(kind.text(float(f"{value:.6g}") if isinstance(value, float) else value), ",:/", errors="replace")


KEYS: Final = {each.spellings[0].removeprefix("--"): each for each in Link.declared()}
"""Key -> the option; the tile is `at` here."""
