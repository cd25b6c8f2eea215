"""Facts about a map: the place, its tiles, heights, pixels, events and encounters."""
