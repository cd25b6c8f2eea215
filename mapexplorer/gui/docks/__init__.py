"""The panels around the picture and over its corners.

`panel` has what they share: their contents can be copied as text and as JSON, and a `LoadedPanel` has a worker read
what its `question` is, while it is visible. `docks` arranges them.
"""
