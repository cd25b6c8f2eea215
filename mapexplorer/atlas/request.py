"""The request for an atlas."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from mapexplorer.export.request import Parallel, RequestKind
from mapexplorer.export.run import WRITERS
from mapexplorer.option import OptionError, again, option
from mapexplorer.scene.view import ENTERED, MapState
from mapexplorer.values import Flag, ValueKind

FILES: Final = ("base", "introduction", "save")
"""The options that name files, whose contents count."""
_COLOR: Final = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, kw_only=True)
class AtlasRequest(Parallel):
    """The game as a web site in a folder. Raises OptionError."""

    kind = RequestKind(
        "atlas",
        "The game as a web site",
        "A map of all maps and a page for every thing, in a folder that opens without a server.",
        named="atlas",
        stopped="Finished files are complete; starting again continues from there.",
    )

    heading: str | None = option(
        None, ValueKind(), "The title of the site.", "Title", absent="the name of the game", spelling="--title"
    )
    author: str | None = option(None, ValueKind(), "Who made the site.", "Author", absent="nobody is named")
    color: str = option("#2a6fb0", ValueKind(), "The colour of links and headings, as #RRGGBB.", "Colour")
    introduction: str | None = option(
        None, ValueKind(), "A text in Markdown for the first page.", "Introduction", absent="none; or a file"
    )
    base: str | None = option(
        None, ValueKind(), "The ROM of which this one is a change: differences are marked.", "Made from", absent="none"
    )
    save: str = again(MapState, "save", ENTERED)
    without_texts: bool = option(False, Flag(), "Leave out what people say and signs read.", "Without texts")
    without_pictures: bool = option(
        False, Flag(), "Leave out pictures, the tiles of the map and pages in 3D.", "Without pictures"
    )
    without_scripts: bool = option(False, Flag(), "Leave out the commands of scripts.", "Without scripts")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not _COLOR.fullmatch(self.color):
            raise OptionError("{color}: a colour is as #2a6fb0, not {0!r}", self.color)

    @property
    def contents(self) -> dict[str, Any]:
        """The options that decide what the files contain."""
        return {name: value for name, value in self.flat().items() if name not in ("jobs", *FILES)}


WRITERS[AtlasRequest] = "mapexplorer.atlas.build:write_atlas"
