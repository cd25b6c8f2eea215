"""Units of time: a day's seconds, and the field's updates."""

from __future__ import annotations

from typing import Final

NOON: Final = 43200
"""Second of the day."""

SECONDS_PER_DAY: Final = 86400
SECONDS_PER_HOUR: Final = 3600

TICKS_PER_SECOND: Final = 59.8261 / 2
"""Field updates: the main loop waits for two vertical blanks."""
