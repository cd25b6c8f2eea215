"""Facts about the things of a ROM by kind, and their uses."""
