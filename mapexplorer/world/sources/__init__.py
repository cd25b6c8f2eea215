"""The files and program tables of a ROM as values, where each value comes from, and reading on past damage."""
