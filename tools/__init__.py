"""Programs that build files of the distribution; not installed."""
