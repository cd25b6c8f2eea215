"""The facts about things of all kinds as values with their sources, and their text and JSON.

The text and JSON of the window's panels are those of the verbs.
"""

FORMAT = 3
"""The version of all JSON of facts; it is incremented when a key changes its name or its meaning."""
