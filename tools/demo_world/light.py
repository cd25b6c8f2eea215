"""The demo world's four light sets: a day outdoors, rooms, a cave, and constant noon."""

from __future__ import annotations

from formats.field.area_light import AreaLight, Light, LightBlock, Triple

_NO_LIGHT = Light(False, (0, 0, 0), (0, 0, 0))
_SOUTH = (0, 0, 4096)
"""What lights 2 and 3 name as their direction; packed for the hardware it wraps round and points north."""


def _clock(hour: int, minute: int = 0) -> int:
    """The end of a block: seconds since midnight / 2."""
    return (hour * 60 + minute) * 30


def _block(
    end: int, sun: Triple, vector: Triple, windows: Triple, diffuse: Triple, ambient: Triple, emission: Triple
) -> LightBlock:
    lamps = Light(True, (31, 31, 31), _SOUTH)
    lights = (Light(True, sun, vector), _NO_LIGHT, Light(True, windows, _SOUTH), lamps)
    return LightBlock(end, lights, diffuse, ambient, _highlight(diffuse), emission)


def _highlight(color: Triple) -> Triple:
    """The specular colour that belongs to a diffuse one: half of it, so that highlights stay soft."""
    r, g, b = color
    return r // 2, g // 2, b // 2


_NIGHT = ((10, 10, 14), (1500, -3700, -900), (26, 20, 4), (13, 13, 15), (9, 9, 11), (8, 8, 11))

DAY = AreaLight(
    (
        _block(_clock(0), *_NIGHT),
        _block(_clock(4), (10, 10, 14), (1500, -3700, -900), (6, 5, 6), (13, 13, 15), (9, 9, 11), (8, 8, 11)),
        _block(_clock(5), (14, 11, 17), (2900, -2600, -1200), (3, 3, 8), (14, 13, 15), (10, 10, 12), (9, 8, 13)),
        _block(_clock(6, 30), (24, 16, 13), (3100, -2300, -1300), (2, 2, 8), (15, 14, 13), (11, 10, 11), (11, 10, 11)),
        _block(_clock(8), (25, 21, 16), (2600, -2900, -1200), (1, 2, 9), (16, 15, 14), (11, 11, 11), (12, 12, 12)),
        _block(_clock(11), (25, 25, 20), (1700, -3500, -1200), (1, 2, 11), (16, 16, 15), (11, 11, 12), (13, 13, 13)),
        _block(_clock(14), (26, 26, 23), (400, -3900, -1100), (2, 3, 12), (17, 17, 16), (11, 12, 12), (13, 13, 13)),
        _block(_clock(16), (26, 25, 20), (-1300, -3650, -1200), (2, 3, 11), (16, 16, 15), (11, 11, 12), (13, 13, 12)),
        _block(
            _clock(17, 30), (26, 24, 20), (-2500, -3000, -1200), (3, 3, 9), (16, 16, 15), (11, 11, 11), (13, 13, 12)
        ),
        _block(
            _clock(18, 30), (27, 20, 15), (-3100, -2300, -1300), (12, 7, 2), (16, 15, 14), (11, 10, 10), (12, 10, 10)
        ),
        _block(
            _clock(19, 30), (20, 14, 14), (-3000, -2500, -1200), (20, 13, 2), (14, 13, 14), (10, 10, 11), (9, 8, 10)
        ),
        _block(_clock(20, 30), (12, 10, 14), (-1500, -3600, -1000), (26, 20, 4), (13, 13, 15), (9, 9, 12), (9, 8, 11)),
        _block(_clock(24), *_NIGHT),
    ),
    True,
)
"""Windows (light 2) are dark blue by day, glow from half past five and go out after midnight."""


def _steady(sun: Triple, lamps: Light, diffuse: Triple, ambient: Triple, emission: Triple) -> AreaLight:
    lights = (Light(True, sun, (-1100, -3700, -1300)), _NO_LIGHT, Light(True, (28, 24, 10), _SOUTH), lamps)
    block = LightBlock(_clock(24), lights, diffuse, ambient, _highlight(diffuse), emission)
    return AreaLight((block,), False)


ROOM = _steady((24, 23, 21), _NO_LIGHT, (16, 16, 16), (13, 13, 14), (14, 13, 12))
CAVE = _steady((11, 12, 18), Light(True, (31, 31, 31), _SOUTH), (14, 14, 16), (10, 10, 13), (7, 7, 10))
NOON = _steady((26, 26, 23), Light(True, (31, 31, 31), _SOUTH), (17, 17, 16), (11, 12, 12), (13, 13, 13))

LIGHT_SETS = (DAY, ROOM, CAVE, NOON)
