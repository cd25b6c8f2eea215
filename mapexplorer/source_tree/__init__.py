"""A ROM as a folder of text files and pictures, and back to the same bytes (`unpack`, `pack`)."""
