"""Programs that make what the project ships; not installed."""
