"""The README of an unpacked folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from mapexplorer.games import Game, Role
from mapexplorer.rom import Rom
from mapexplorer.source_tree.folder import DATA, IMAGE, PARTS
from mapexplorer.source_tree.members import StoredForm

_LISTED: Final = 20
_ROLES: Final = (
    Role.LAND_DATA,
    Role.MAP_MATRIX,
    Role.AREA_DATA,
    Role.AREA_BUILD,
    Role.PROP_TEXTURES,
    Role.TERRAIN_TEXTURES,
    Role.BUILD_MODEL,
    Role.AREA_LIGHT,
    Role.ZONE_EVENT,
    Role.SCRIPTS,
    Role.MESSAGES,
    Role.ENCOUNTERS,
    Role.TRAINERS,
    Role.TRAINER_PARTIES,
    Role.SPECIES,
    Role.ITEMS,
)
"""The archives that the README names."""


def readme_text(rom: Rom, game: Game, forms: Mapping[StoredForm, int], inexact: Sequence[str]) -> str:
    """The README of the folder of a ROM."""
    rows = [(game.path(role), game.files[role].purpose) for role in _ROLES if rom.has(game.path(role))]
    places = "\n".join(f"| `{DATA}/{path}/` | {purpose} |" for path, purpose in rows)
    counts = "\n".join(f"| {words} | {forms.get(form, 0):,} |" for form, words in _FORMS.items())
    listed = "".join(f"- `{name}`\n" for name in inexact[:_LISTED])
    more = f"- and {len(inexact) - _LISTED:,} more\n" if len(inexact) > _LISTED else ""
    beside = (
        f"\nStored as bytes, because their text would not give the same bytes:\n\n{listed}{more}" if inexact else ""
    )
    return f"""# {game.release(rom)}, unpacked

`mapexplorer pack FOLDER ROM.nds` makes an image of this folder; without a change, the same image byte for byte.

| place | contents |
|---|---|
| `{IMAGE}` | the parts of the image in the order in which they are stored; the number of members of archives |
| `{PARTS}/` | header, programs, overlays, tables and banner, as bytes |
| `{DATA}/` | the files of the game; an archive is a folder of numbered members |
{places}

## Forms

- `0012.json`: every field of a file, a line for each record. `type` says what it is. Arrays of records have the names
  of their columns in `dtype`. `{{"@file": "0012.model.json"}}` stands for what is in that file.
- `0012/NAME.png`: a texture of the set `0012.json`. The colour numbers of the picture count; its colours are for
  looking, those of the game are in the JSON, as `#rrggbb` (5 bits of each channel are kept). A picture that an editor
  stored without colour numbers is matched with the colours of the palette.
- `0012.script`: a script file as text: labels, commands, movement lists, in the order of the file, unused ones too.
  What stands behind `;` is a comment: the texts, flags and names that a command mentions, as they were when it was
  unpacked.
- `0012.bin`, and files without one of these endings: bytes.

A member may be replaced by another form of itself: `0012.bin` in the place of `0012.json`. To add a member to an
archive, add the next number and count it in `{IMAGE}`. Files and parts keep their names and numbers.

## Counts

| members and files | |
|---|---|
{counts}
{beside}"""


_FORMS: Final = {
    StoredForm.TEXT: "as text or pictures",
    StoredForm.UNKNOWN: "as bytes: no known format",
    StoredForm.EMPTY: "empty",
    StoredForm.INEXACT: "as bytes: the text would not give the same bytes",
}
