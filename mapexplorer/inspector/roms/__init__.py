"""Facts about whole ROMs: their files, the differences between two of them, and errors."""
